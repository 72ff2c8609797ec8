/* As little as a program can do. */
#include "acl/acl.h"

int main(void)
{
    return aclInit(NULL) || aclFinalize();
}
