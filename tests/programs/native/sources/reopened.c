/* Opens the library, closes it, and opens it again. */
#include <dlfcn.h>
#include <stdio.h>

static int call(const char *name, long argument)
{
    void *library = dlopen("libascendcl.so", RTLD_NOW | RTLD_LOCAL);
    int (*function)(long) = library ? (int (*)(long))dlsym(library, name) : NULL;
    int code = function ? function(argument) : -1;
    printf("%s %d %d\n", name, code, library ? dlclose(library) : -1);
    return code;
}

int main(void)
{
    return call("aclInit", 0) | call("aclrtSetDevice", 0) | call("aclrtResetDevice", 0) | call("aclFinalize", 0);
}
