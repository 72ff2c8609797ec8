/* The functions of securec.h that programs use: copies and texts with the room of the destination. A result that does
 * not fit leaves an empty destination and a code. */
#include "door.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LARGEST 0x7fffffffUL
#define WITH_RESET(code) ((code) | 128) /* the destination was emptied */

EXPORT int memset_s(void *to, size_t room, int value, size_t count)
{
    if (!room || room > LARGEST)
        return ERANGE;
    if (!to)
        return EINVAL;
    memset(to, value, count < room ? count : room);
    return count > room ? WITH_RESET(ERANGE) : 0;
}

EXPORT int memmove_s(void *to, size_t room, const void *from, size_t count)
{
    if (!room || room > LARGEST)
        return ERANGE;
    if (!to)
        return EINVAL;
    if (!from || count > room) {
        memset(to, 0, room);
        return WITH_RESET(from ? ERANGE : EINVAL);
    }
    memmove(to, from, count);
    return 0;
}

EXPORT int memcpy_s(void *to, size_t room, const void *from, size_t count)
{
    const char *a = to, *b = from;
    if (to && from && count && count <= room && room <= LARGEST && a != b && (a < b ? a + count > b : b + count > a)) {
        memset(to, 0, room);
        return WITH_RESET(54); /* EOVERLAP of securec.h */
    }
    return memmove_s(to, room, from, count);
}

/* Write `count` characters of `from` behind the first `used` ones of `to`. */
static int put(char *to, size_t room, size_t used, const char *from, size_t count)
{
    if (!room || room > LARGEST)
        return ERANGE;
    if (!to)
        return EINVAL;
    if (!from) {
        to[0] = 0;
        return WITH_RESET(EINVAL);
    }
    size_t length = strnlen(from, count);
    if (used >= room || length >= room - used) {
        to[0] = 0;
        return WITH_RESET(ERANGE);
    }
    memmove(to + used, from, length);
    to[used + length] = 0;
    return 0;
}

EXPORT int strcpy_s(char *to, size_t room, const char *from)
{
    return put(to, room, 0, from, SIZE_MAX);
}

EXPORT int strncpy_s(char *to, size_t room, const char *from, size_t count)
{
    return put(to, room, 0, from, count);
}

EXPORT int strcat_s(char *to, size_t room, const char *from)
{
    return put(to, room, to ? strnlen(to, room) : 0, from, SIZE_MAX);
}

EXPORT int strncat_s(char *to, size_t room, const char *from, size_t count)
{
    return put(to, room, to ? strnlen(to, room) : 0, from, count);
}

EXPORT char *strtok_s(char *text, const char *limits, char **context)
{
    return limits && context && (text || *context) ? strtok_r(text, limits, context) : NULL;
}

EXPORT int vsnprintf_s(char *to, size_t room, size_t count, const char *format, va_list arguments)
{
    if (!to || !format || !room || room > LARGEST) {
        if (to && room && room <= LARGEST)
            to[0] = 0;
        return -1;
    }
    int length = vsnprintf(to, count < room ? count + 1 : room, format, arguments);
    if (length < 0 || ((size_t)length >= room && count >= room)) {
        to[0] = 0;
        return -1;
    }
    return (size_t)length > count ? -1 : length;
}

EXPORT int vsprintf_s(char *to, size_t room, const char *format, va_list arguments)
{
    return vsnprintf_s(to, room, LARGEST, format, arguments);
}

EXPORT int sprintf_s(char *to, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsprintf_s(to, room, format, arguments);
    va_end(arguments);
    return length;
}

EXPORT int snprintf_s(char *to, size_t room, size_t count, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf_s(to, room, count, format, arguments);
    va_end(arguments);
    return length;
}

EXPORT int snprintf_truncated_s(char *to, size_t room, const char *format, ...)
{
    if (!to || !format || !room || room > LARGEST)
        return -1;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, room, format, arguments);
    va_end(arguments);
    return length < 0 ? -1 : (size_t)length < room ? length : (int)room - 1;
}
