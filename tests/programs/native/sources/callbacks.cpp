// Hands over a function for every parameter of the API that takes one, and says with what each is called.
#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_op.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_rt_allocator.h"
#include "aclnnop/aclnn_add.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

#define MUST(call) \
    do { \
        int code = (call); \
        if (code) \
            std::printf("%s: %d %s\n", #call, code, aclGetRecentErrMsg()); \
    } while (0)

static char mark[] = "mark"; // what every user data leads to

static bool mine(void *data)
{
    return data == mark;
}

static void Launched(void *data) { std::printf("launched %d\n", mine(data)); }
static void Hosted(void *data) { std::printf("hosted %d\n", mine(data)); }
static void Destroyed(void *data) { std::printf("destroyed %d\n", mine(data)); }

static aclError Begun(const char *text, size_t length, void *data)
{
    std::printf("begun %zu %d %d\n", length, text && std::strlen(text) == length, mine(data));
    return ACL_SUCCESS;
}

static aclError Ended(void *data)
{
    std::printf("ended %d\n", mine(data));
    return ACL_SUCCESS;
}

static aclError Never(void *)
{
    std::puts("never");
    return ACL_SUCCESS;
}

static void OnDevice(int32_t device, aclrtDeviceState state, void *data)
{
    std::printf("device %d state %d %d\n", device, (int)state, mine(data));
}

static void OnStream(aclrtStream stream, aclrtStreamState state, void *data)
{
    std::printf("stream %d state %d %d\n", stream != nullptr, (int)state, mine(data));
}

static int32_t OnAbort(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout, void *data)
{
    std::printf("abort %d stage %d %d %d\n", device, (int)stage, timeout > 0, mine(data));
    return 0;
}

static uint32_t OnSnapshot(int32_t device, void *data)
{
    std::printf("snapshot %d %d\n", device, mine(data));
    return 0;
}

static void OnException(aclrtExceptionInfo *info)
{
    std::printf("exception device %u stream %d code %u\n", aclrtGetDeviceIdFromExceptionInfo(info),
                aclrtGetStreamIdFromExceptionInfo(info) != 0xffffffff, aclrtGetErrorCodeFromExceptionInfo(info));
}

static void OnOneMore(aclrtExceptionInfo *info)
{
    std::printf("one more %d\n", info != nullptr);
}

static void OfBinary(aclrtExceptionInfo *info, void *data)
{
    std::printf("of the binary %u %d\n", aclrtGetDeviceIdFromExceptionInfo(info), mine(data));
}

static int32_t Dumped(const acldumpChunk *chunk, int32_t size)
{
    std::printf("dumped %d, last %u, %s %.5s\n", size - (int)offsetof(acldumpChunk, dataBuf) == (int)chunk->bufLen,
                chunk->isLastChunk, std::strrchr(chunk->fileName, '.'), (const char *)chunk->dataBuf + 1);
    return 0;
}

static void *Allocated(aclrtAllocator object, size_t size)
{
    std::printf("allocate %d %d\n", mine(object), size > 0);
    void *device = nullptr;
    MUST(aclrtMalloc(&device, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return device;
}

static void *Advised(aclrtAllocator object, size_t size, aclrtAllocatorAddr) { return Allocated(object, size); }
static void *AddressOf(aclrtAllocatorBlock block) { return block; }

static void Freed(aclrtAllocator object, aclrtAllocatorBlock block)
{
    std::printf("free %d\n", mine(object));
    MUST(aclrtFree(block));
}

static void Released(void *data, size_t length)
{
    std::printf("released %zu\n", length);
    std::free(data);
}

static aclError Chosen(int inputs, const aclTensorDesc *const in[], int outputs, const aclTensorDesc *const out[],
                       const aclopAttr *, aclopKernelDesc *kernel)
{
    std::printf("choose %d of %zu, %d of %zu\n", inputs, aclGetTensorDescElementCount(in[0]), outputs,
                aclGetTensorDescElementCount(out[0]));
    int count = 4;
    return aclopSetKernelArgs(kernel, "k", 1, &count, sizeof count);
}

static void Chunks(aclrtStream stream)
{
    MUST(acldumpRegCallback(Dumped, 0));
    MUST(aclmdlInitDump());
    const char *path = "dump.json";
    std::FILE *file = std::fopen(path, "w");
    std::fputs("{\"dump\": {\"dump_path\": \".\", \"dump_op_switch\": \"on\", \"dump_mode\": \"output\", \"dump_list\": []}}", file);
    std::fclose(file);
    MUST(aclmdlSetDump(path));
    void *x = nullptr;
    int64_t shape[] = {4}, strides[] = {1};
    float ones[] = {1, 1, 1, 1}, one = 1;
    MUST(aclrtMalloc(&x, sizeof ones, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMemcpy(x, sizeof ones, ones, sizeof ones, ACL_MEMCPY_HOST_TO_DEVICE));
    aclTensor *tensor = aclCreateTensor(shape, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 1, x);
    aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    MUST(aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, &size, &executor));
    MUST(aclnnAdd(nullptr, size, executor, stream));
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclmdlFinalizeDump());
    acldumpUnregCallback();
    aclDestroyScalar(alpha);
    aclDestroyTensor(tensor);
    MUST(aclrtFree(x));
}

static void Allocator(aclrtStream stream)
{
    aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
    MUST(aclrtAllocatorSetObjToDesc(desc, mark));
    MUST(aclrtAllocatorSetAllocFuncToDesc(desc, Allocated));
    MUST(aclrtAllocatorSetFreeFuncToDesc(desc, Freed));
    MUST(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, Advised));
    MUST(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, AddressOf));
    MUST(aclrtAllocatorRegister(stream, desc));
    aclrtAllocatorDesc known = nullptr;
    aclrtAllocator object = nullptr;
    aclrtAllocatorAllocFunc allocate = nullptr;
    aclrtAllocatorFreeFunc release = nullptr;
    aclrtAllocatorAllocAdviseFunc advise = nullptr;
    aclrtAllocatorGetAddrFromBlockFunc address = nullptr;
    MUST(aclrtAllocatorGetByStream(stream, &known, &object, &allocate, &release, &advise, &address));
    std::printf("allocator %d%d%d%d%d\n", mine(object), allocate == Allocated, release == Freed, advise == Advised,
                address == AddressOf);
    MUST(aclrtAllocatorDestroyDesc(desc));
}

static char *Contents(const char *path, int *size)
{
    char *data = static_cast<char *>(std::malloc(1 << 16));
    std::FILE *file = std::fopen(path, "rb");
    *size = static_cast<int>(std::fread(data, 1, 1 << 16, file));
    std::fclose(file);
    return data;
}

// A kernel of the program, which a selector chooses, and a compiled operator: its workspace comes from the allocator.
static void Operator(const char *kernels, const char *neg, aclrtStream stream)
{
    int size = 0;
    char *data = Contents(kernels, &size);
    MUST(aclopCreateKernel("Twice", "k", "twice", data, size, ACL_ENGINE_VECTOR, Released));
    MUST(aclopRegisterCompileFunc("Twice", Chosen));
    int64_t shape[] = {4};
    aclTensorDesc *desc = aclCreateTensorDesc(ACL_FLOAT, 1, shape, ACL_FORMAT_ND);
    const aclTensorDesc *descs[] = {desc};
    aclopAttr *attributes = aclopCreateAttr();
    MUST(aclopUpdateParams("Twice", 1, descs, 1, descs, attributes));
    float values[] = {1, 2, 3, 4};
    void *x = nullptr;
    MUST(aclrtMalloc(&x, sizeof values, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMemcpy(x, sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE));
    aclDataBuffer *buffer = aclCreateDataBuffer(x, sizeof values);
    MUST(aclopExecuteV2("Twice", 1, &desc, &buffer, 1, &desc, &buffer, attributes, stream));
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclrtMemcpy(values, sizeof values, x, sizeof values, ACL_MEMCPY_DEVICE_TO_HOST));
    std::printf("twice %g %g\n", values[0], values[3]);
    data = Contents(neg, &size);
    MUST(aclopLoad(data, size));
    std::free(data);
    MUST(aclopExecuteV2("Neg", 1, &desc, &buffer, 1, &desc, &buffer, attributes, stream));
    MUST(aclrtSynchronizeStream(stream));
    aclDestroyDataBuffer(buffer);
    MUST(aclrtFree(x));
    aclopDestroyAttr(attributes);
    aclDestroyTensorDesc(desc);
}

static void Fault(aclrtStream stream)
{
    MUST(aclrtSetExceptionInfoCallback(OnException));
    MUST(aclrtExceptionInfoCallbackRegister(OnOneMore));
    aclrtBinHandle binary = nullptr;
    aclrtFuncHandle function = nullptr;
    MUST(aclrtBinaryLoadFromFile("traps.o", nullptr, &binary));
    MUST(aclrtBinarySetExceptionCallback(binary, OfBinary, mark));
    MUST(aclrtBinaryGetFunction(binary, "traps", &function));
    void *arguments = nullptr;
    MUST(aclrtMalloc(&arguments, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMemset(arguments, 8, 0, 8));
    MUST(aclrtLaunchKernel(function, 1, arguments, 8, stream));
    std::printf("synchronize %d\n", aclrtSynchronizeStream(stream));
    MUST(aclrtFree(arguments));
    MUST(aclrtExceptionInfoCallbackUnregister(OnOneMore));
    MUST(aclrtSetExceptionInfoCallback(nullptr));
    MUST(aclrtBinaryUnLoad(binary));
}

static void Graph(aclrtStream stream)
{
    aclmdlRI model = nullptr;
    MUST(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    MUST(aclrtLaunchHostFunc(stream, Hosted, mark));
    MUST(aclmdlRICaptureEnd(stream, &model));
    MUST(aclmdlRIDestroyRegisterCallback(model, Destroyed, mark));
    MUST(aclmdlRIDestroyUnregisterCallback(model, Destroyed));
    MUST(aclmdlRIDestroyRegisterCallback(model, Destroyed, mark));
    MUST(aclmdlRIExecuteAsync(model, stream));
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclmdlRIDestroy(model));
}

static void *Reports(void *stop)
{
    while (!*static_cast<volatile bool *>(stop))
        aclrtProcessReport(10);
    return nullptr;
}

static void Report()
{
    volatile bool stop = false;
    pthread_t thread;
    aclrtStream stream = nullptr; // one with host functions takes no callbacks
    MUST(aclrtCreateStream(&stream));
    pthread_create(&thread, nullptr, Reports, (void *)&stop);
    MUST(aclrtSubscribeReport(thread, stream));
    MUST(aclrtLaunchCallback(Launched, mark, ACL_CALLBACK_BLOCK, stream));
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclrtUnSubscribeReport(thread, stream));
    stop = true;
    pthread_join(thread, nullptr);
    MUST(aclrtDestroyStream(stream));
}

// Its words: a file with kernels, and one with an operator that needs a workspace.
int main(int, char **words)
{
    MUST(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, Begun, mark));
    MUST(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, Ended, mark));
    MUST(aclrtRegDeviceStateCallback("device", OnDevice, mark));
    MUST(aclrtRegStreamStateCallback("stream", OnStream, mark));
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
    MUST(aclrtSetDeviceTaskAbortCallback("abort", OnAbort, mark));
    aclrtStream stream = nullptr;
    MUST(aclrtCreateStream(&stream));
    MUST(aclrtLaunchHostFunc(stream, Hosted, mark));
    MUST(aclrtSynchronizeStream(stream));
    Report();
    Graph(stream);
    Chunks(stream);
    Allocator(stream);
    Operator(words[1], words[2], stream);
    MUST(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, OnSnapshot, mark));
    MUST(aclrtSnapShotProcessLock(getpid(), nullptr));
    MUST(aclrtSnapShotProcessUnlock(getpid(), nullptr));
    MUST(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_LOCK_PRE, OnSnapshot));
    MUST(aclrtSnapShotProcessLock(getpid(), nullptr));
    MUST(aclrtSnapShotProcessUnlock(getpid(), nullptr));
    Fault(stream);
    MUST(aclrtDeviceTaskAbort(0, 1000));
    MUST(aclrtAllocatorUnregister(stream));
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtResetDevice(0));
    MUST(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, Begun));
    MUST(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_OP_COMPILER, Never, mark));
    MUST(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_OP_COMPILER, Never));
    MUST(aclFinalize());
    return 0;
}
