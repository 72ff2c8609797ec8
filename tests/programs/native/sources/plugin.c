/* A program that knows the library by name only, and keeps its names to itself. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

int main(void)
{
    void *library = dlopen("libascendcl.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        puts(dlerror());
        return 2;
    }
    int (*init)(const char *) = (int (*)(const char *))dlsym(library, "aclInit");
    int (*set_device)(int) = (int (*)(int))dlsym(library, "aclrtSetDevice");
    int (*allocate)(void **, size_t, int) = (int (*)(void **, size_t, int))dlsym(library, "aclrtMalloc");
    int (*release)(void *) = (int (*)(void *))dlsym(library, "aclrtFree");
    void *memory = NULL;
    printf("%d %d", init(NULL), set_device(0));
    printf(" %d", allocate(&memory, 64, 0));
    printf(" %d", release(memory));
    printf(" %d\n", release(memory) != 0);
    dlclose(library);
    return 0;
}
