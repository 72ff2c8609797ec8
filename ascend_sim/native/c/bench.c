/* What calls from C cost: microseconds of processor time for one aclrtGetDevice, one aclrtRecordEvent, and one mutex
 * locked and unlocked. */
#define _GNU_SOURCE
#include "acl/acl.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

int main(void)
{
    enum { ROUNDS = 7, CALLS = 20000, TASKS = 1000 };
    aclrtStream stream;
    aclrtEvent event;
    int32_t device;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    double get = 1e9, record = 1e9, pair = 1e9;
    if (aclInit(NULL) || aclrtSetDevice(0) || aclrtCreateStream(&stream) || aclrtCreateEvent(&event))
        return 1;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        for (int i = 0; i < CALLS; i++)
            aclrtGetDevice(&device);
        double one = (now() - begin) / CALLS;
        get = one < get ? one : get;
        begin = now();
        for (int i = 0; i < TASKS; i++)
            aclrtRecordEvent(event, stream);
        one = (now() - begin) / TASKS;
        record = one < record ? one : record;
        aclrtSynchronizeStream(stream);
        begin = now();
        for (int i = 0; i < CALLS; i++) {
            pthread_mutex_lock(&mutex);
            pthread_mutex_unlock(&mutex);
        }
        one = (now() - begin) / CALLS;
        pair = one < pair ? one : pair;
    }
    printf("%f %f %f\n", get, record, pair);
    aclrtDestroyEvent(event);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
