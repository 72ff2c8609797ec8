// What the programs of this folder do with a failing call: say which, and end.
#ifndef MUST_H
#define MUST_H
#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"

#define MUST(call)                                                                \
    do {                                                                          \
        int code_ = call;                                                         \
        if (code_ != 0) {                                                         \
            std::printf("%s: %d\n%s\n", #call, code_, aclGetRecentErrMsg());      \
            std::exit(1);                                                         \
        }                                                                         \
    } while (0)
#endif
