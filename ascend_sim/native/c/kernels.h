/* What stands in host code for the words of kernel sources, and the launch that `<<<>>>` becomes. */
#ifndef ASCEND_SIM_KERNELS_H
#define ASCEND_SIM_KERNELS_H
#include <stddef.h>
#include <stdint.h>

#define __global__
#define __aicore__
#define __gm__
#define __ubuf__
#ifndef GM_ADDR
#define GM_ADDR uint8_t *
#endif

#ifdef __cplusplus
extern "C" int32_t ascend_sim_launch(const char *kernel, const char *source, uint32_t blocks, void *stream, void *args,
                                     uint64_t size, uint32_t prints);

/* Numbers that only kernels compute with: here they are as large as there, and have addresses. */
struct half {
    uint16_t bits;
};
struct bfloat16_t {
    uint16_t bits;
};

namespace ascend_sim {
inline uint32_t blocks(uint32_t count) { return count; }
template <typename Control> inline uint32_t blocks(uint32_t count, Control &&) { return count; }
inline void *stream(const void *handle) { return const_cast<void *>(handle); }

/* `ACLRT_LAUNCH_KERNEL` is given a pointer for a struct that the kernel takes by value; the struct itself is taken as well. */
template <typename Type> struct is_struct { static const bool value = __is_class(Type); };
template <> struct is_struct<half> { static const bool value = false; };
template <> struct is_struct<bfloat16_t> { static const bool value = false; };
template <typename Type, bool Struct = is_struct<Type>::value> struct passed {
    typedef Type type;
    Type value;
    passed(const Type &given) : value(given) {}
};
template <typename Type> struct passed<Type, true> {
    typedef const Type *type;
    Type value;
    passed(const Type &given) : value(given) {}
    passed(const Type *given) : value(*given) {}
};

template <typename Arguments> inline void *address(const Arguments &arguments)
{
    return const_cast<void *>(static_cast<const void *>(&arguments));
}
} /* namespace ascend_sim */
#endif
#endif
