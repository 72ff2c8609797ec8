/* A C program that has started Python itself. */
#include <Python.h>

#include "acl/acl.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *other(void *lock)
{
    pthread_mutex_lock(lock);
    int code = aclrtSetDevice(0);
    pthread_mutex_unlock(lock);
    printf("thread %d\n", code);
    return NULL;
}

int main(int count, char **words)
{
    const char *way = count > 1 ? words[1] : "";
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    void *x = NULL;
    Py_Initialize();
    printf("init %d\n", aclInit(NULL) || aclrtSetDevice(0) || aclrtMalloc(&x, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    fflush(stdout);
    PyRun_SimpleString("import acl\nprint('python', acl.rt.get_device(), flush=True)");
    Py_BEGIN_ALLOW_THREADS
    pthread_create(&thread, NULL, other, &lock);
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
    if (!strcmp(way, "early")) {
        printf("end %d\n", Py_FinalizeEx());
        printf("late %d\n", aclrtFree(x));
    } else {
        printf("free %d\n", aclrtFree(x) || aclrtResetDevice(0) || aclFinalize());
        if (strcmp(way, "never"))
            printf("end %d\n", Py_FinalizeEx());
    }
    return 0;
}
