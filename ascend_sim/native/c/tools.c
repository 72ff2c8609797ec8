/* Marks and ranges for a profiler that is not there: what mstx does when no tool listens. */
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
