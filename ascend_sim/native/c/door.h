/* What the exported functions and the core of the door have in common. */
#ifndef ASCEND_SIM_DOOR_H
#define ASCEND_SIM_DOOR_H
#include <pthread.h>
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
    int operand;           /* what it makes or ends, 0 for other functions */
};

/* What makes operands of operators: tensors, scalars, arrays and lists. What ends such a one is END more. */
enum operand { MAKE_TENSOR = 1, MAKE_SCALAR, MAKE_INTS, MAKE_FLOATS, MAKE_BOOLS, MAKE_LIST, END = 16 };

extern struct function ascend_sim_functions[];
extern const int ascend_sim_function_count;

/* Calls of this thread that are inside the simulator. */
extern __thread int door_depth;

/* The frame of the function that runs code of the program for Python in this thread: its callers are Python's. */
extern __thread void *door_floor;

extern int door_guest;

/* What Python makes of the return addresses of a call. */
extern PyObject *door_place_of;

/* The Python object that stands for the call of *name* that returns to *caller*, made with the stack at *frame*; with
 * Python's lock. NULL with an exception set. */
PyObject *door_site(void *caller, void *frame, const char *name);

/* Whether the calling thread was the last one whose call Python has got. */
int door_is_last_thread(void);

/* The calling thread is over. */
void door_thread_ended(void);

/* Note a call that makes or ends an operand (operands.c). 0: it is to be made as any other. */
int door_note(struct function *function, uint64_t *words, uint64_t *returned);

/* Tell Python what was noted. With its lock, and no exception on its way. */
void door_tell_operands(void);

/* After a fork, in the child (operands.c). */
void door_forget_operands(void);

/* Bring the simulator into this process. */
void ascend_sim_open(void);

/* Whether the simulator is over, in a process of Python's that is not: calls do nothing then. */
int door_closed(void);

/* ---- threads in the order of the simulator (threads.c) ---- */

enum operation {
    CREATE, CREATED, BEGAN, ENDED, JOIN, LOCK, UNLOCK, FORGET, WAIT, WAKE, SLEEP, YIELD, NOW,
    SEMAPHORE_SET, SEMAPHORE_TAKE, SEMAPHORE_GIVE, READ_LOCK, WRITE_LOCK, LET_GO, BARRIER_SET, BARRIER_WAIT,
    ARRIVED, LEFT, WORD_WAIT, WORD_WAKE, ONCE_LOCK, PARK, UNPARK, KNOWN, TURN,
};
#define FOR_EVER (-1LL)
#define DO_NOT_WAIT (-2LL)

/* Whether Python orders threads, and the calling one is outside of the simulator. */
int door_orders(void);

/* Whether Python orders threads; the calling one may be inside of the simulator. */
int door_ordered(void);

/* By what Python knows this thread, from when it has begun until it is over; 0 for others. */
extern __thread uint64_t door_token;
void door_tell_token(void);

/* Python forgets the calling thread. */
void door_forget_thread(void);

/* The frame in which this thread asks Python now: what called it is the program. */
extern __thread void *door_asked_at;

/* What libpython does with locks of its own is no matter of the program. */
void door_leave_python_alone(void);

/* Ask Python; errno is the program's. */
long long door_ask(enum operation operation, uint64_t a, uint64_t b, long long c);

/* Make a thread that takes part in the order; a code of the C library. */
int door_make_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument);

/* Let the waits of C++ libraries that are loaded by now give Python's lock away, or take part in the order (waits.c). */
void ascend_sim_adopt_waits(void);

/* After a fork, in the child (waits.c). */
void door_forget_waits(void);

/* The function of the C library that one of ours stands before. */
#define DOOR_REAL(name) \
    ({ \
        static __typeof__(&name) real; \
        if (!real) \
            *(void **)&real = dlsym(RTLD_NEXT, #name); \
        real; \
    })

/* No collection of garbage until it is resumed as often as it was paused; with Python's lock. */
void ascend_sim_pause_collection(void);
void ascend_sim_resume_collection(void);

/* Take Python's lock, as `PyGILState_Ensure`. */
int door_take_gil(void);

/* An exception that is on its way through a library while that calls, and that is put back afterwards. */
struct pending {
    PyObject *kind, *value, *trace;
};
void door_put_aside(struct pending *pending);
void door_put_back(struct pending *pending);

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
