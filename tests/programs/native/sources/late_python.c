/* Takes Python's lock by itself when it ends, as a library does that Python has loaded (torch). */
#define _GNU_SOURCE
#include "acl/acl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void late(void)
{
    int (*take)(void);
    void (*give)(int);
    *(void **)&take = dlsym(RTLD_DEFAULT, "PyGILState_Ensure");
    *(void **)&give = dlsym(RTLD_DEFAULT, "PyGILState_Release");
    give(take());
    printf("late\n");
}

int main(void)
{
    aclInit(NULL);
    atexit(late);
    return aclFinalize();
}
