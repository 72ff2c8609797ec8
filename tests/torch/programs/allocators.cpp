// Allocators for torch.npu.memory.NPUPluggableAllocator. torch hands over the stream for which it allocated.
#include <acl/acl.h>
#include <sys/types.h>

#include <cstddef>

namespace {

const size_t kSlab = 64u << 20;
char *slab = nullptr;
size_t used = 0;
int alive = 0;

void *block_of(ssize_t size) {
    void *block = nullptr;
    if (aclrtMalloc(&block, size > 0 ? static_cast<size_t>(size) : 1, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
        return nullptr;
    }
    ++alive;
    return block;
}

}  // namespace

extern "C" {

int blocks_alive(void) { return alive; }

void *waiting_malloc(ssize_t size, int, aclrtStream) { return block_of(size); }

// Right: what was queued on the stream may still use the block.
void waiting_free(void *block, size_t, int, aclrtStream stream) {
    aclrtSynchronizeStream(stream);
    aclrtFree(block);
    --alive;
}

void *hasty_malloc(ssize_t size, int, aclrtStream) { return block_of(size); }

void hasty_free(void *block, size_t, int, aclrtStream) {
    aclrtFree(block);
    --alive;
}

// Pieces of one large block, which are never used again.
void *slab_malloc(ssize_t size, int, aclrtStream) {
    const size_t wanted = (static_cast<size_t>(size) / 512 + 1) * 512;
    if (slab == nullptr && aclrtMalloc(reinterpret_cast<void **>(&slab), kSlab, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
        return nullptr;
    }
    if (used + wanted > kSlab) {
        return nullptr;
    }
    used += wanted;
    ++alive;
    return slab + (used - wanted);
}

void slab_free(void *, size_t, int, aclrtStream) { --alive; }

}  // extern "C"
