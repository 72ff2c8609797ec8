/* What the exported functions and the core of the door have in common. */
#ifndef ASCEND_SIM_DOOR_H
#define ASCEND_SIM_DOOR_H
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct _object PyObject;

/* One exported function. Its words are its C parameters in order, each in 64 bits; `signature` has a letter for each:
 *   i I h H b B q Q ? f d   a number; handles and addresses are Q
 *   s                       a C string
 *   x                       Python makes the value from the address
 *   > and a letter          an output; >~ and a letter: one that may be NULL
 *   = and a letter          an input and output, a number
 * and behind a colon what is returned: c a code (behind the outputs), v nothing, else a letter as above. */
struct function {
    const char *name;
    const char *signature;
    PyObject *call;        /* what Python gives for it at the first call: function(site, inputs) */
    PyObject *null_output; /* function(site, position): an output that must not be NULL is */
    PyObject *converters;  /* a tuple: for each parameter None, or (function, position of the count or -1) */
};

extern struct function ascend_sim_functions[];
extern const int ascend_sim_function_count;

/* Calls of this thread that are inside the simulator. */
extern __thread int door_depth;

/* The frame of the function that runs code of the program for Python in this thread: its callers are Python's. */
extern __thread void *door_floor;

extern int door_guest;

/* What Python makes of the return addresses of a call. */
extern PyObject *door_place_of;

/* The Python object that stands for the call that returns to *caller*, made with the stack at *frame*; with Python's lock.
 * NULL with an exception set. */
PyObject *door_site(void *caller, void *frame);

/* Bring the simulator into this process. */
void ascend_sim_open(void);

/* Take Python's lock, as `PyGILState_Ensure`. */
int door_take_gil(void);

/* What the exception that is set comes to, which left *name*: a code, unless the process ends. With Python's lock. */
uint64_t door_raised(const char *name);

/* Do the call; the result is the returned value as 64 bits, a float or double as its bits. */
uint64_t door_call(struct function *function, uint64_t *words, void *caller);

static inline uint64_t word_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t word_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of_word(uint64_t word)
{
    uint32_t bits = (uint32_t)word;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double double_of_word(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}
#endif
