// Objects that one line makes; each block is freed twice.
#include "acl/acl.h"

struct Buffer {
    void *data = nullptr;
    explicit Buffer(size_t size) { aclrtMalloc(&data, size, ACL_MEM_MALLOC_HUGE_FIRST); }
    void more() { aclrtMalloc(&data, 16, ACL_MEM_MALLOC_HUGE_FIRST); }
};

struct Pair {
    Buffer left, right;
    Pair() : left(8), right{8} {}
};

template <typename Size>
void fill(void *&out, Size size)
{
    aclrtMalloc(&out, size, ACL_MEM_MALLOC_HUGE_FIRST);
}

int main()
{
    void *filled = nullptr, *full = nullptr;
    if (aclInit(nullptr) || aclrtSetDevice(0))
        return 3;
    Buffer first(8), second{8};
    auto *third = new Buffer(8), *fourth = new Buffer{8};
    Pair pair;
    fill<size_t>(filled, 8); fill<size_t>(full, 8);
    void *old[] = {first.data, third->data};
    first.more(); third->more();
    aclrtFree(old[0]), aclrtFree(old[0]);
    aclrtFree(second.data), aclrtFree(second.data);
    aclrtFree(old[1]), aclrtFree(old[1]);
    aclrtFree(fourth->data), aclrtFree(fourth->data);
    aclrtFree(pair.left.data), aclrtFree(pair.left.data);
    aclrtFree(pair.right.data), aclrtFree(pair.right.data);
    aclrtFree(filled), aclrtFree(filled);
    aclrtFree(full), aclrtFree(full);
    aclrtFree(first.data), aclrtFree(first.data);
    aclrtFree(third->data), aclrtFree(third->data);
    aclrtResetDevice(0);
    return aclFinalize();
}
