// A thread waits for a word in slices of two seconds, as libc++ does for a latch; the first argument: seconds until another
// one changes the word, 0: nobody does.
#include "acl/acl.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned word;

static void *change(void *seconds)
{
    sleep(*(unsigned *)seconds);
    __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

int main(int count, char **words)
{
    unsigned seconds = count > 1 ? (unsigned)atoi(words[1]) : 0;
    aclInit(NULL);
    aclrtSetDevice(0);
    pthread_t other;
    if (seconds)
        pthread_create(&other, NULL, change, &seconds);
    struct timespec slice = {2, 0};
    unsigned slices = 0;
    for (; !__atomic_load_n(&word, __ATOMIC_ACQUIRE); slices++)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &slice, NULL, 0); // HERE
    printf("%u\n", slices);
    if (seconds)
        pthread_join(other, NULL);
    aclrtResetDevice(0);
    return aclFinalize();
}
