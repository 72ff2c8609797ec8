/* Semaphores, barriers, kinds of mutexes, sleeps and time limits: what each answers. */
#define _GNU_SOURCE
#include "acl/acl.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static sem_t turn;
static pthread_barrier_t all;
static int order[4], count;

static void *enter(void *argument)
{
    sem_wait(&turn);
    order[count++] = (int)(long)argument;
    sem_post(&turn);
    int last = pthread_barrier_wait(&all) == PTHREAD_BARRIER_SERIAL_THREAD;
    if (!last)
        pthread_exit(NULL);
    return (void *)1L;
}

static int hold(pthread_mutex_t *mutex, int kind)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(mutex, &attributes);
    return pthread_mutex_lock(mutex);
}

int main(void)
{
    aclInit(NULL);
    sem_init(&turn, 0, 1);
    pthread_barrier_init(&all, NULL, 4);
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, enter, (void *)i);
    long last = 0;
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        last += (long)result;
    }
    printf("order %d%d%d%d last %ld\n", order[0], order[1], order[2], order[3], last);

    pthread_mutex_t mutex;
    hold(&mutex, PTHREAD_MUTEX_RECURSIVE);
    printf("recursive %d %d\n", pthread_mutex_lock(&mutex), pthread_mutex_trylock(&mutex));
    for (int i = 0; i < 3; i++)
        pthread_mutex_unlock(&mutex);
    pthread_mutex_t checked;
    hold(&checked, PTHREAD_MUTEX_ERRORCHECK);
    printf("checked %d %d\n", pthread_mutex_lock(&checked) == EDEADLK, pthread_mutex_trylock(&checked) == EBUSY);
    pthread_mutex_unlock(&checked);

    struct timespec before, after, limit;
    clock_gettime(CLOCK_MONOTONIC, &before);
    sleep(1000);
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("slept %ld\n", (long)(after.tv_sec - before.tv_sec));
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 2;
    int value;
    sem_wait(&turn);
    sem_getvalue(&turn, &value);
    int code = sem_timedwait(&turn, &limit);
    printf("semaphore %d %d %d\n", value, code, errno == ETIMEDOUT);
    sched_yield();
    return aclFinalize();
}
