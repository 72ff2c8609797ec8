/* Collective communication of one rank: what a group of a single process does. More ranks are not modelled. */
#include "door.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HCCL_SUCCESS = 0, HCCL_E_PARA = 1, HCCL_E_PTR = 2, HCCL_E_NOT_SUPPORT = 5, HCCL_E_RUNTIME = 15 };
#define ROOT_INFO_BYTES 4108
#define NAME_BYTES 128
#define DEVICE_TO_DEVICE 3

extern int32_t aclrtMemcpyAsync(uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint64_t);

struct communicator {
    uint32_t number;
};

static uint32_t numbers;

static const uint8_t widths[] = {1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2, 16, 1, 1, 1, 1};

static uint64_t width_of(int32_t type)
{
    return type >= 0 && (size_t)type < sizeof widths ? widths[type] : 0;
}

static int32_t refused(const char *name, uint32_t ranks)
{
    static int said;
    if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        fprintf(stderr, "ascend-sim: %s: collective communication of %u ranks is not modelled, of one it is\n", name, ranks);
    return HCCL_E_NOT_SUPPORT;
}

static int32_t made(const char *name, uint32_t ranks, uint32_t rank, struct communicator **communicator)
{
    if (!communicator)
        return HCCL_E_PTR;
    if (ranks != 1)
        return refused(name, ranks);
    if (rank)
        return HCCL_E_PARA;
    *communicator = malloc(sizeof **communicator);
    if (!*communicator)
        return HCCL_E_RUNTIME;
    (*communicator)->number = __atomic_fetch_add(&numbers, 1, __ATOMIC_RELAXED);
    return HCCL_SUCCESS;
}

/* What one rank sends is what it gets. */
static int32_t copied(void *from, void *to, uint64_t count, int32_t type, struct communicator *communicator, void *stream)
{
    if (!communicator || (count && (!from || !to)))
        return HCCL_E_PTR;
    uint64_t size = count * width_of(type);
    if (count && !size)
        return HCCL_E_PARA;
    if (!size || from == to)
        return HCCL_SUCCESS;
    int32_t code = aclrtMemcpyAsync((uintptr_t)to, size, (uintptr_t)from, size, DEVICE_TO_DEVICE, (uintptr_t)stream);
    return code ? HCCL_E_RUNTIME : HCCL_SUCCESS;
}

/* ---- communicators ------------------------------------------------------------------------------------------------- */

EXPORT int32_t HcclGetRootInfo(char *info)
{
    if (!info)
        return HCCL_E_PTR;
    memset(info, 0, ROOT_INFO_BYTES);
    return HCCL_SUCCESS;
}

EXPORT int32_t HcclCommInitRootInfo(uint32_t ranks, const void *info, uint32_t rank, struct communicator **communicator)
{
    (void)info;
    return made("HcclCommInitRootInfo", ranks, rank, communicator);
}

EXPORT int32_t HcclCommInitRootInfoConfig(
    uint32_t ranks, const void *info, uint32_t rank, const void *config, struct communicator **communicator)
{
    (void)info, (void)config;
    return made("HcclCommInitRootInfoConfig", ranks, rank, communicator);
}

EXPORT int32_t HcclCommInitAll(uint32_t devices, const int32_t *numbers_of_devices, struct communicator **communicators)
{
    (void)numbers_of_devices;
    return made("HcclCommInitAll", devices, 0, communicators);
}

EXPORT int32_t HcclCreateSubCommConfig(struct communicator *const *whole, uint32_t ranks, const uint32_t *members, uint64_t id,
                                       uint32_t rank, const void *config, struct communicator **communicator)
{
    (void)whole, (void)members, (void)id, (void)config;
    return made("HcclCreateSubCommConfig", ranks, rank, communicator);
}

EXPORT int32_t HcclCommDestroy(struct communicator *communicator)
{
    free(communicator);
    return communicator ? HCCL_SUCCESS : HCCL_E_PTR;
}

EXPORT int32_t HcclGetRankSize(struct communicator *communicator, uint32_t *ranks)
{
    if (!communicator || !ranks)
        return HCCL_E_PTR;
    *ranks = 1;
    return HCCL_SUCCESS;
}

EXPORT int32_t HcclGetRankId(struct communicator *communicator, uint32_t *rank)
{
    if (!communicator || !rank)
        return HCCL_E_PTR;
    *rank = 0;
    return HCCL_SUCCESS;
}

EXPORT int32_t HcclGetCommName(struct communicator *communicator, char *name)
{
    if (!communicator || !name)
        return HCCL_E_PTR;
    snprintf(name, NAME_BYTES, "group_of_one_%u", communicator->number);
    return HCCL_SUCCESS;
}

EXPORT int32_t HcclGetCommAsyncError(struct communicator *communicator, int32_t *error)
{
    if (!communicator || !error)
        return HCCL_E_PTR;
    *error = HCCL_SUCCESS;
    return HCCL_SUCCESS;
}

EXPORT const char *HcclGetErrorString(int32_t code)
{
    return code == HCCL_SUCCESS ? "success" : code == HCCL_E_NOT_SUPPORT ? "not modelled by the simulator" : "failed";
}

EXPORT uint32_t HcclGetCommConfigCapability(void)
{
    return 0; /* no field of a configuration makes a difference */
}

EXPORT int32_t HcclSetConfig(int32_t config, int32_t value)
{
    (void)config, (void)value;
    return HCCL_SUCCESS;
}

/* ---- collectives ----------------------------------------------------------------------------------------------------- */

EXPORT int32_t HcclAllReduce(void *from, void *to, uint64_t count, int32_t type, int32_t operation,
                             struct communicator *communicator, void *stream)
{
    (void)operation;
    return copied(from, to, count, type, communicator, stream);
}

EXPORT int32_t HcclReduce(void *from, void *to, uint64_t count, int32_t type, int32_t operation, uint32_t root,
                          struct communicator *communicator, void *stream)
{
    (void)operation;
    return root ? HCCL_E_PARA : copied(from, to, count, type, communicator, stream);
}

EXPORT int32_t HcclReduceScatter(void *from, void *to, uint64_t count, int32_t type, int32_t operation,
                                 struct communicator *communicator, void *stream)
{
    (void)operation;
    return copied(from, to, count, type, communicator, stream);
}

EXPORT int32_t HcclAllGather(void *from, void *to, uint64_t count, int32_t type, struct communicator *communicator, void *stream)
{
    return copied(from, to, count, type, communicator, stream);
}

EXPORT int32_t HcclBroadcast(
    void *values, uint64_t count, int32_t type, uint32_t root, struct communicator *communicator, void *stream)
{
    return root ? HCCL_E_PARA : copied(values, values, count, type, communicator, stream);
}

EXPORT int32_t HcclScatter(void *from, void *to, uint64_t count, int32_t type, uint32_t root, struct communicator *communicator,
                           void *stream)
{
    return root ? HCCL_E_PARA : copied(from, to, count, type, communicator, stream);
}

EXPORT int32_t HcclAlltoAll(const void *from, uint64_t sent, int32_t type, const void *to, uint64_t got, int32_t type_there,
                            struct communicator *communicator, void *stream)
{
    (void)got, (void)type_there;
    return copied((void *)from, (void *)to, sent, type, communicator, stream);
}

EXPORT int32_t HcclAlltoAllV(const char *from, const uint64_t *sent, const uint64_t *sent_at, int32_t type, const char *to,
                             const uint64_t *got, const uint64_t *got_at, int32_t type_there,
                             struct communicator *communicator, void *stream)
{
    (void)got, (void)type_there;
    if (!sent || !sent_at || !got_at)
        return HCCL_E_PTR;
    uint64_t width = width_of(type);
    char *source = (char *)from + sent_at[0] * width, *target = (char *)to + got_at[0] * width;
    return copied(source, target, sent[0], type, communicator, stream);
}

EXPORT int32_t HcclBarrier(struct communicator *communicator, void *stream)
{
    (void)stream;
    return communicator ? HCCL_SUCCESS : HCCL_E_PTR;
}

EXPORT int32_t HcclSend(void *values, uint64_t count, int32_t type, uint32_t peer, struct communicator *communicator, void *stream)
{
    (void)values, (void)count, (void)type, (void)communicator, (void)stream;
    return refused("HcclSend", peer + 1);
}

EXPORT int32_t HcclRecv(void *values, uint64_t count, int32_t type, uint32_t peer, struct communicator *communicator, void *stream)
{
    (void)values, (void)count, (void)type, (void)communicator, (void)stream;
    return refused("HcclRecv", peer + 1);
}
