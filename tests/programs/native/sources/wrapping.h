#pragma once
#include <acl/acl.h>

#include <stdexcept>
#include <string>
#include <utility>

#define CHECK_ACL(call)                                           \
    do {                                                          \
        aclError code_ = (call);                                  \
        if (code_ != ACL_SUCCESS) {                               \
            throw std::runtime_error(std::string(#call) + " failed"); \
        }                                                         \
    } while (0)

inline void header_fill(void *to, int value, aclrtStream on)
{
    // it's "all" that {this} does
    CHECK_ACL(aclrtMemsetAsync(to, 4096, value, 4096, on));
}
