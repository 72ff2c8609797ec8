/* Marks, ranges and reports for a profiler that is not there: what mstx and Msprof do when no tool listens. */
#include "door.h"

#include <stddef.h>
#include <stdint.h>

EXPORT void mstxMarkA(const char *message, void *stream)
{
    (void)message, (void)stream;
}

EXPORT uint64_t mstxRangeStartA(const char *message, void *stream)
{
    (void)message, (void)stream;
    return 0;
}

EXPORT void mstxRangeEnd(uint64_t id)
{
    (void)id;
}

EXPORT void *mstxDomainCreateA(const char *name)
{
    (void)name;
    return NULL;
}

EXPORT void mstxDomainDestroy(void *domain)
{
    (void)domain;
}

EXPORT void mstxDomainMarkA(void *domain, const char *message, void *stream)
{
    (void)domain, (void)message, (void)stream;
}

EXPORT uint64_t mstxDomainRangeStartA(void *domain, const char *message, void *stream)
{
    (void)domain, (void)message, (void)stream;
    return 0;
}

EXPORT void mstxDomainRangeEnd(void *domain, uint64_t id)
{
    (void)domain, (void)id;
}

EXPORT int32_t MsprofRegisterCallback(uint32_t module, void *function)
{
    (void)module, (void)function;
    return 0;
}

EXPORT int32_t MsprofReportApi(uint32_t aging, const void *api)
{
    (void)aging, (void)api;
    return 0;
}

EXPORT int32_t MsprofReportCompactInfo(uint32_t aging, const void *data, uint32_t length)
{
    (void)aging, (void)data, (void)length;
    return 0;
}

EXPORT int32_t MsprofReportAdditionalInfo(uint32_t aging, const void *data, uint32_t length)
{
    (void)aging, (void)data, (void)length;
    return 0;
}

EXPORT uint64_t MsprofGetHashId(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; text && i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

EXPORT uint64_t MsprofSysCycleTime(void)
{
    return 0;
}
