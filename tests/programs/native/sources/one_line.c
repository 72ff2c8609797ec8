/* Several calls of one function stand in a line; a word says which mistake is made. Valid C and C++. */
#include "acl/acl.h"

#include <string.h>

#define CHECK(call) do { if (call) return 1; } while (0)

static int make(void **out)
{
    return aclrtMalloc(out, 64, ACL_MEM_MALLOC_HUGE_FIRST);
}

int main(int count, char **words)
{
    void *first = NULL, *second = NULL, *third = NULL, *fourth = NULL, *fifth = NULL;
    const char *word = count > 1 ? words[1] : "";
    if (aclInit(NULL) || aclrtSetDevice(0))
        return 3;
    CHECK(aclrtMalloc(&first, 8, ACL_MEM_MALLOC_HUGE_FIRST)); CHECK(aclrtMalloc(&second, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    make(&third); make(&fourth);
    /* äöü */ aclrtFree(first); if (strcmp(word, "leak")) aclrtFree(second), aclrtFree(fourth);
    aclrtFree(third); if (!strcmp(word, "twice")) aclrtFree(third);
    if (!strcmp(word, "macro")) CHECK(aclrtMalloc(&fifth, 8, ACL_MEM_MALLOC_HUGE_FIRST) || aclrtMalloc(&fifth, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    return aclrtResetDevice(0) || aclFinalize();
}
