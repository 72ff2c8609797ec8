// Two streams fill one buffer, through functions that only hand the call on; the first argument says which.
#include "wrapping.h"

#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

template <class F, class... A>
void call(const char *name, F function, A &&...arguments)
{
    aclError code = function(std::forward<A>(arguments)...);
    if (code != ACL_SUCCESS) {
        throw std::runtime_error(std::string(name) + aclGetRecentErrMsg());
    }
}
#define ACL(function, ...) call(#function, function, ##__VA_ARGS__)

struct Api {
    int calls = 0;
    template <class... P, class... A>
    void operator()(aclError (*function)(P...), A... arguments)
    {
        ++calls;
        aclError code = function(arguments...);
        if (code != ACL_SUCCESS) {
            throw std::runtime_error("failed");
        }
    }
};

class Stream {
  public:
    Stream() { CHECK_ACL(aclrtCreateStream(&handle_)); }
    ~Stream() { aclrtDestroyStream(handle_); }
    aclrtStream get() const { return handle_; }
    void sync() { CHECK_ACL(aclrtSynchronizeStream(handle_)); }

  private:
    aclrtStream handle_ = nullptr;
};

static void fill(void *to, int value, aclrtStream on)
{
    CHECK_ACL(aclrtMemsetAsync(to, 4096, value, 4096, on));
}

static void clear(void *to, aclrtStream on)
{
    fill(to, 0, on);
}

static void twice(void *to, aclrtStream on)
{
    CHECK_ACL(aclrtMemsetAsync(to, 64, 0, 64, on));
    CHECK_ACL(aclrtMemsetAsync(to, 4096, 0, 4096, on));
}

static void *half(char *to, aclrtStream on)
{
    size_t bytes = 2048;
    aclrtMemsetAsync(to, bytes, 0, bytes, on);
    return to + bytes;
}

int main(int, char **argv)
{
    std::string way = argv[1];
    CHECK_ACL(aclInit(nullptr));
    CHECK_ACL(aclrtSetDevice(0));
    void *buffer = nullptr;
    ACL(aclrtMalloc, &buffer, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    {
        Stream load;
        Stream work;
        aclrtStream up = load.get();
        aclrtStream down = work.get();
        if (way == "template") {
            ACL(aclrtMemsetAsync, buffer, 4096, 0, 4096, up);
            ACL(aclrtMemsetAsync, buffer, 4096, 1, 4096, down);  // <- template
        }
        if (way == "functor") {
            Api api;
            api(aclrtMemsetAsync, buffer, 4096, 0, 4096, up);
            api(aclrtMemsetAsync, buffer, 4096, 1, 4096, down);  // <- functor
        }
        if (way == "function") {
            fill(buffer, 0, up);
            fill(buffer, 1, down);  // <- function
        }
        if (way == "nested") {
            clear(buffer, up);
            clear(buffer, down);  // <- nested
        }
        if (way == "header") {
            header_fill(buffer, 0, up);
            header_fill(buffer, 1, down);  // <- header
        }
        if (way == "lambda") {
            auto set = [](void *to, int value, aclrtStream on) { CHECK_ACL(aclrtMemsetAsync(to, 4096, value, 4096, on)); };
            set(buffer, 0, up);
            set(buffer, 1, down);  // <- lambda
        }
        if (way == "thread") {
            aclrtContext context;
            CHECK_ACL(aclrtGetCurrentContext(&context));
            auto job = [&](aclrtStream on) {
                CHECK_ACL(aclrtSetCurrentContext(context));
                fill(buffer, 1, on);  // <- thread
            };
            std::thread(job, up).join();
            std::thread(job, down).join();
        }
        if (way == "twice") {
            twice(buffer, up);
            twice(buffer, down);
        }
        if (way == "half") {
            half(static_cast<char *>(buffer), up);
            half(static_cast<char *>(buffer), down);
        }
        load.sync();
        work.sync();
    }
    ACL(aclrtFree, buffer);
    CHECK_ACL(aclrtResetDevice(0));
    CHECK_ACL(aclFinalize());
}
