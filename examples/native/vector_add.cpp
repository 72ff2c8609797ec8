// z = x + y by a kernel that is launched with <<<>>>.
//
//     ascend-sim cc -g vector_add.cpp -o vector_add
//     ascend-sim run --kernels vector_add.py ./vector_add
//
// Or as a project with CMakeLists.txt of this folder. vector_add.py has the kernel in Python; `ascend-sim stub --from
// vector_add.cpp` wrote its skeleton.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"
#include "must.h"

constexpr uint32_t BLOCKS = 8;
constexpr uint32_t N = 1000;

// What a device compiler makes a binary of; the simulator runs the Python function `vector_add` in its place.
extern "C" __global__ __aicore__ void vector_add(__gm__ const float *x, __gm__ const float *y, __gm__ float *z, uint32_t n)
{
    uint32_t share = (n + AscendC::GetBlockNum() - 1) / AscendC::GetBlockNum();
    uint32_t begin = AscendC::GetBlockIdx() * share;
    for (uint32_t i = begin; i < begin + share && i < n; ++i) {
        z[i] = x[i] + y[i];
    }
}

int main()
{
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
    aclrtStream stream;
    MUST(aclrtCreateStream(&stream));

    std::vector<float> x(N), y(N, 0.5F), z(N);
    for (uint32_t i = 0; i < N; ++i) {
        x[i] = static_cast<float>(i);
    }
    const size_t bytes = N * sizeof(float);
    void *device_x, *device_y, *device_z;
    MUST(aclrtMalloc(&device_x, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMalloc(&device_y, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMalloc(&device_z, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMemcpy(device_x, bytes, x.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    MUST(aclrtMemcpy(device_y, bytes, y.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));

    vector_add<<<BLOCKS, nullptr, stream>>>(static_cast<float *>(device_x), static_cast<float *>(device_y),
                                            static_cast<float *>(device_z), N);
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclrtMemcpy(z.data(), bytes, device_z, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    std::printf("z[1] = %g, z[%u] = %g\n", z[1], N - 1, z[N - 1]);

    MUST(aclrtFree(device_x));
    MUST(aclrtFree(device_y));
    MUST(aclrtFree(device_z));
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtResetDevice(0));
    MUST(aclFinalize());
    return z[N - 1] == x[N - 1] + y[N - 1] ? 0 : 1;
}
