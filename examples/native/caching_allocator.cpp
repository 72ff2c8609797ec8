// A caching allocator that is registered for a stream: the runtime asks it for the work memory of operators on that stream.
// What is freed may be given out again at once, since all that uses it runs on one stream.
//
//     ascend-sim cc -g caching_allocator.cpp -o caching_allocator
//     ascend-sim run ./caching_allocator
#include <cstdio>
#include <map>
#include <vector>

#include "acl/acl.h"
#include "must.h"

class Cache {
public:
    void *take(size_t size)
    {
        std::vector<void *> &free = free_[size];
        if (!free.empty()) {
            void *block = free.back();
            free.pop_back();
            ++reused;
            return block;
        }
        void *block = nullptr;
        if (aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
            return nullptr;
        }
        sizes_[block] = size;
        return block;
    }

    void give(void *block) { free_[sizes_[block]].push_back(block); }

    void empty()
    {
        for (const auto &known : sizes_) {
            MUST(aclrtFree(known.first));
        }
        sizes_.clear();
        free_.clear();
    }

    int reused = 0;

private:
    std::map<void *, size_t> sizes_;
    std::map<size_t, std::vector<void *>> free_;
};

static void *allocate(aclrtAllocator cache, size_t size) { return static_cast<Cache *>(cache)->take(size); }
static void *advise(aclrtAllocator cache, size_t size, void *) { return static_cast<Cache *>(cache)->take(size); }
static void give_back(aclrtAllocator cache, void *block) { static_cast<Cache *>(cache)->give(block); }
static void *address(void *block) { return block; }

int main()
{
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
    aclrtStream stream;
    MUST(aclrtCreateStream(&stream));

    Cache cache;
    aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
    MUST(aclrtAllocatorSetObjToDesc(desc, &cache));
    MUST(aclrtAllocatorSetAllocFuncToDesc(desc, allocate));
    MUST(aclrtAllocatorSetFreeFuncToDesc(desc, give_back));
    MUST(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, advise));
    MUST(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, address));
    MUST(aclrtAllocatorRegister(stream, desc));
    MUST(aclrtAllocatorDestroyDesc(desc)); // the registration is a copy

    // What the runtime does for an operator, done by hand: ask for the allocator of the stream, and take and give by it.
    aclrtAllocatorDesc given;
    aclrtAllocator object;
    aclrtAllocatorAllocFunc take;
    aclrtAllocatorFreeFunc release;
    aclrtAllocatorAllocAdviseFunc take_near;
    aclrtAllocatorGetAddrFromBlockFunc address_of;
    MUST(aclrtAllocatorGetByStream(stream, &given, &object, &take, &release, &take_near, &address_of));
    for (int step = 0; step < 3; ++step) {
        void *block = take(object, 4096);
        MUST(aclrtMemsetAsync(address_of(block), 4096, step, 4096, stream));
        release(object, block); // the next step is behind it on the same stream
    }
    MUST(aclrtSynchronizeStream(stream));
    std::printf("reused %d times\n", cache.reused);

    MUST(aclrtAllocatorUnregister(stream));
    cache.empty();
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtResetDevice(0));
    MUST(aclFinalize());
    return cache.reused == 2 ? 0 : 1;
}
