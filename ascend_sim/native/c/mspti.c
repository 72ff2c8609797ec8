/* The interface of profiling tools (MSPTI) where nothing is measured: every call is answered, no activity is recorded.
 *
 * What a tool put on the stack of its own numbers comes back in order, on each thread, as it does on a machine.
 */
#include "door.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { SUCCESS = 0, INVALID_PARAMETER = 1, MULTIPLE_SUBSCRIBERS = 2, MAX_LIMIT_REACHED = 3, QUEUE_EMPTY = 5, INNER = 999 };
enum { KINDS = 64, CORRELATIONS = 8 };

struct number {
    uint64_t id;
    struct number *below;
};

static uint64_t enabled;
static int subscribed;
static __thread struct number *stacks[CORRELATIONS];

static bool known(int kind, int count)
{
    return kind > 0 && kind < count;
}

EXPORT int msptiSubscribe(void **subscriber, void (*callback)(void), void *data)
{
    (void)callback, (void)data;
    if (!subscriber)
        return INVALID_PARAMETER;
    if (__sync_lock_test_and_set(&subscribed, 1))
        return MULTIPLE_SUBSCRIBERS;
    *subscriber = &subscribed;
    return SUCCESS;
}

EXPORT int msptiUnsubscribe(void *subscriber)
{
    if (subscriber != &subscribed)
        return INVALID_PARAMETER;
    __sync_lock_release(&subscribed);
    return SUCCESS;
}

EXPORT int msptiActivityRegisterCallbacks(void (*requested)(void), void (*completed)(void))
{
    return requested && completed ? SUCCESS : INVALID_PARAMETER;
}

EXPORT int msptiActivityEnable(int kind)
{
    if (!known(kind, KINDS))
        return INVALID_PARAMETER;
    __sync_fetch_and_or(&enabled, UINT64_C(1) << kind);
    return SUCCESS;
}

EXPORT int msptiActivityDisable(int kind)
{
    if (!known(kind, KINDS))
        return INVALID_PARAMETER;
    __sync_fetch_and_and(&enabled, ~(UINT64_C(1) << kind));
    return SUCCESS;
}

EXPORT bool msptiActivityIsEnabled(int kind)
{
    return known(kind, KINDS) && (__sync_fetch_and_or(&enabled, 0) >> kind & 1);
}

EXPORT int msptiActivityGetNextRecord(uint8_t *buffer, size_t size, void **record)
{
    (void)size;
    return buffer && record ? MAX_LIMIT_REACHED : INVALID_PARAMETER;
}

EXPORT int msptiActivityFlushAll(uint32_t flag)
{
    (void)flag;
    return SUCCESS;
}

EXPORT int msptiActivityFlushPeriod(uint32_t milliseconds)
{
    (void)milliseconds;
    return SUCCESS;
}

EXPORT int msptiActivityPushExternalCorrelationId(int kind, uint64_t id)
{
    if (!known(kind, CORRELATIONS))
        return INVALID_PARAMETER;
    struct number *top = malloc(sizeof *top);
    if (!top)
        return INNER;
    *top = (struct number){id, stacks[kind]};
    stacks[kind] = top;
    return SUCCESS;
}

EXPORT int msptiActivityPopExternalCorrelationId(int kind, uint64_t *last)
{
    if (!known(kind, CORRELATIONS) || !last)
        return INVALID_PARAMETER;
    struct number *top = stacks[kind];
    if (!top)
        return QUEUE_EMPTY;
    *last = top->id;
    stacks[kind] = top->below;
    free(top);
    return SUCCESS;
}
