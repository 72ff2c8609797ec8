/* Threads, locks, sleeps and clocks of the program take part in the deterministic order: these functions stand before
 * those of the C library, and ask Python (ascend_sim/native/threads.py) first. What Python itself does with threads and
 * locks happens inside the door, and goes straight to the C library.
 *
 * One thread of the program runs at a time, so the real locks behind are always free when they are taken; they are kept
 * up to date for code that was compiled against the C library alone. */
#define _GNU_SOURCE
#include "door.h"
#include "python.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define BILLION 1000000000LL

__thread uint64_t door_token;
static PyObject *operations; /* a tuple: what Python does for each */

/* Python is told of threads from now on. */
EXPORT void ascend_sim_order_threads(PyObject *functions)
{
    py.Py_IncRef(functions);
    __atomic_store_n(&operations, functions, __ATOMIC_RELEASE);
}

/* Whether Python's own locks are ours, in a program that is linked to the library and to libpython: which ones these are
 * nothing tells, so none may be ordered. */
EXPORT int ascend_sim_stands_before_python(void)
{
    Dl_info first, here; /* the address of the function itself would be that of whoever stands first, too */
    return door_guest && dladdr(dlsym(RTLD_DEFAULT, "pthread_mutex_lock"), &first) &&
           dladdr((void *)&ascend_sim_stands_before_python, &here) && first.dli_fbase == here.dli_fbase;
}

/* The simulator ends: everything goes straight to the C library. */
EXPORT void ascend_sim_leave_threads(void)
{
    __atomic_store_n(&operations, NULL, __ATOMIC_RELEASE);
}

/* Stand still: the process ends meanwhile. */
EXPORT void ascend_sim_rest(void)
{
    for (;;)
        pause();
}

#define SEEN (!door_depth && __atomic_load_n(&operations, __ATOMIC_ACQUIRE))
#define REAL(name) DOOR_REAL(name)

/* Where libpython lies that this library has loaded. A library that Python has loaded may come back to Python by itself,
 * also at the end of the process: the lock that it takes there is Python's, and asking Python needs that lock. */
static uintptr_t python_from, python_size;
#define SEEN_OF(object) (SEEN && (uintptr_t)(object) - python_from >= python_size)

static int is_python(struct dl_phdr_info *library, size_t size, void *function)
{
    (void)size;
    uintptr_t from = UINTPTR_MAX, to = 0;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        if (library->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        uintptr_t start = library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
        from = start < from ? start : from;
        to = start + library->dlpi_phdr[i].p_memsz > to ? start + library->dlpi_phdr[i].p_memsz : to;
    }
    if ((uintptr_t)function < from || (uintptr_t)function >= to)
        return 0;
    python_from = from;
    python_size = to - from;
    return 1;
}

void door_leave_python_alone(void)
{
    dl_iterate_phdr(is_python, (void *)py.Py_IsInitialized);
}

int door_orders(void)
{
    return SEEN;
}

int door_ordered(void)
{
    return __atomic_load_n(&operations, __ATOMIC_ACQUIRE) != NULL;
}

/* Whether the thread may wait for long in this operation: collections of garbage go on meanwhile, in the threads that run.
 * Who makes a thread waits for its turn at most. */
static int may_wait(enum operation operation)
{
    switch (operation) {
    case CREATE: case CREATED: case UNLOCK: case FORGET: case WAKE: case NOW: case SEMAPHORE_SET: case SEMAPHORE_GIVE: case LET_GO:
    case BARRIER_SET: case LEFT: case WORD_WAKE: case UNPARK: case KNOWN: return 0;
    default: return 1;
    }
}

long long door_ask(enum operation operation, uint64_t a, uint64_t b, long long c)
{
    int kept = errno;
    void *outer = door_asked_at;
    door_asked_at = __builtin_frame_address(0);
    door_depth++;
    int gil = door_take_gil();
    struct pending pending;
    door_put_aside(&pending);
    int paused = door_guest && !may_wait(operation); /* what a collection ends may take a mutex that the thread has */
    if (paused)
        ascend_sim_pause_collection();
    PyObject *known = __atomic_load_n(&operations, __ATOMIC_ACQUIRE); /* it may have gone while the lock was waited for */
    PyObject *result = known ? py.PyObject_CallFunction(py.PyTuple_GetItem(known, operation), "KKL", (unsigned long long)a,
                                                        (unsigned long long)b, c) :
                               NULL;
    long long answer = 0;
    if (!known) {
        answer = -1;
    } else if (result) {
        answer = (long long)py.PyLong_AsUnsignedLongLongMask(result);
        py.Py_DecRef(result);
    } else {
        door_raised("a wait of a thread");
    }
    if (paused)
        ascend_sim_resume_collection();
    door_put_back(&pending);
    py.PyGILState_Release(gil);
    door_depth--;
    door_asked_at = outer;
    errno = kept;
    return answer;
}
#define ask door_ask

static long long nanoseconds(const struct timespec *time)
{
    return time->tv_sec * BILLION + time->tv_nsec;
}

/* How long it is until *until* on the clock that the program reads. */
static long long left(clockid_t clock, const struct timespec *until)
{
    struct timespec now;
    clock_gettime(clock, &now);
    long long rest = nanoseconds(until) - nanoseconds(&now);
    return rest < 0 ? 0 : rest;
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

struct start {
    void *(*function)(void *);
    void *argument;
    uint64_t token; /* 0: a thread of Python's own, or of a library that Python has loaded */
    sem_t *up;      /* its parent waits for that */
};

/* Threads whose last step is over, but for what the C library does for them. */
#define MOST_LEAVING 64
static pid_t leaving[MOST_LEAVING];
static int leaving_count;
static pthread_mutex_t leaving_lock = PTHREAD_MUTEX_INITIALIZER;

static void leaves(void)
{
    REAL(pthread_mutex_lock)(&leaving_lock);
    if (leaving_count < MOST_LEAVING)
        leaving[leaving_count++] = (pid_t)syscall(SYS_gettid);
    REAL(pthread_mutex_unlock)(&leaving_lock);
}

/* The next thread gets the heap and the stack of one that is gone, or new ones: which must not be a matter of luck. */
static void let_leave(void)
{
    REAL(pthread_mutex_lock)(&leaving_lock);
    for (int i = 0; i < leaving_count; i++)
        for (int look = 0; look < 20000 && !syscall(SYS_tgkill, getpid(), leaving[i], 0); look++)
            REAL(usleep)(50);
    leaving_count = 0;
    REAL(pthread_mutex_unlock)(&leaving_lock);
}

/* Threads of the program besides the first, and whether that has left by pthread_exit: the last one ends the process. The
 * C library counts those of the simulator as well. */
static int living, first_left;

static void ended(uint64_t token)
{
    door_depth = 0;
    if (__atomic_sub_fetch(&living, 1, __ATOMIC_ACQ_REL) == 0 && __atomic_load_n(&first_left, __ATOMIC_ACQUIRE))
        exit(0);
    leaves();
    if (door_orders()) /* else the simulator is over */
        ask(ENDED, token, 0, 0);
    door_token = 0;
    door_forget_thread();
}

/* A thread is over when the destructors of its own variables are, those of C++ and then those of keys, which may call, or
 * wake others. The C library goes through the keys until none has a value, but this often at most. */
static pthread_key_t last_words;
static pthread_once_t have_last_words = PTHREAD_ONCE_INIT;
static __thread int rounds;

static void end_of_keys(void *token)
{
    if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
        pthread_setspecific(last_words, token);
    else
        ended((uintptr_t)token);
}

static void make_last_words(void)
{
    pthread_key_create(&last_words, end_of_keys);
}

/* Python has a new state for a thread that ends, and knows by its token which one it is. */
void door_tell_token(void)
{
    PyObject *known = __atomic_load_n(&operations, __ATOMIC_ACQUIRE);
    PyObject *result = known ? py.PyObject_CallFunction(py.PyTuple_GetItem(known, BEGAN), "KKL", (unsigned long long)door_token,
                                                        0ULL, 0LL) :
                               NULL;
    if (result)
        py.Py_DecRef(result);
    else if (known)
        py.PyErr_Print();
}

static void *begin(void *argument)
{
    struct start start = *(struct start *)argument;
    free(argument);
    if (!start.token) {
        door_depth = 1;
        return start.function(start.argument);
    }
    REAL(pthread_once)(&have_last_words, make_last_words);
    pthread_setspecific(last_words, (void *)(uintptr_t)start.token);
    ask(BEGAN, start.token, 0, 0);
    door_token = start.token;
    REAL(sem_post)(start.up);
    ask(ARRIVED, start.token, 0, 0);
    return start.function(start.argument);
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
    if (!door_depth)
        ascend_sim_open(); /* so that the simulator knows it from the beginning */
    if (!SEEN && !door_depth) /* one that is made inside stays unseen, also while the simulator is loaded */
        return REAL(pthread_create)(thread, attributes, function, argument);
    return door_make_thread(thread, attributes, function, argument);
}

int door_make_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return EAGAIN;
    sem_t up;
    *start = (struct start){function, argument, door_depth ? 0 : (uint64_t)ask(CREATE, 0, 0, 0), &up};
    uint64_t token = start->token;
    if (token) {
        __atomic_add_fetch(&living, 1, __ATOMIC_ACQ_REL);
        let_leave();
        REAL(sem_init)(&up, 0, 0);
    }
    int code = REAL(pthread_create)(thread, attributes, begin, start);
    if (code && token)
        __atomic_sub_fetch(&living, 1, __ATOMIC_ACQ_REL);
    if (code)
        free(start);
    else if (token) /* what it needs of the heap it takes now, and not while others run */
        while (REAL(sem_wait)(&up) && errno == EINTR)
            ;
    if (token)
        ask(CREATED, token, code ? 0 : (uint64_t)*thread, 0);
    return code;
}

/* The first thread leaves, others go on. Those that began here say so when they are unwound. */
EXPORT void pthread_exit(void *result)
{
    if (SEEN && syscall(SYS_gettid) == getpid()) {
        __atomic_store_n(&first_left, 1, __ATOMIC_RELEASE);
        if (!__atomic_load_n(&living, __ATOMIC_ACQUIRE))
            exit(0);
        ask(LEFT, 0, 0, 0);
    }
    REAL(pthread_exit)(result);
    __builtin_unreachable();
}

EXPORT int pthread_join(pthread_t thread, void **result)
{
    if (SEEN)
        ask(JOIN, (uint64_t)thread, 0, 0);
    return REAL(pthread_join)(thread, result);
}

/* ---- mutexes ---------------------------------------------------------------------------------------------------- */

/* Whether somebody holds it: it may have been taken before anybody looked. */
EXPORT int ascend_sim_mutex_is_held(pthread_mutex_t *mutex)
{
    if (REAL(pthread_mutex_trylock)(mutex))
        return 1;
    REAL(pthread_mutex_unlock)(mutex);
    return 0;
}

static int kind_of(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind & 3; /* normal, recursive, error-checking, adaptive */
}

static int take(pthread_mutex_t *mutex, long long limit)
{
    int code = (int)ask(LOCK, (uintptr_t)mutex, (uint64_t)kind_of(mutex), limit);
    return code ? code : REAL(pthread_mutex_lock)(mutex);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return SEEN_OF(mutex) ? take(mutex, FOR_EVER) : REAL(pthread_mutex_lock)(mutex);
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return SEEN_OF(mutex) ? take(mutex, DO_NOT_WAIT) : REAL(pthread_mutex_trylock)(mutex);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    return SEEN_OF(mutex) ? take(mutex, left(CLOCK_REALTIME, until)) : REAL(pthread_mutex_timedlock)(mutex, until);
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    return SEEN_OF(mutex) ? take(mutex, left(clock, until)) : REAL(pthread_mutex_clocklock)(mutex, clock, until);
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    int code = REAL(pthread_mutex_unlock)(mutex);
    if (!code && SEEN_OF(mutex))
        ask(UNLOCK, (uintptr_t)mutex, 0, 0);
    return code;
}

EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    int code = REAL(pthread_mutex_destroy)(mutex);
    if (!code && SEEN_OF(mutex))
        ask(FORGET, (uintptr_t)mutex, 0, 0);
    return code;
}

/* ---- condition variables ---------------------------------------------------------------------------------------- */

static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, long long limit)
{
    REAL(pthread_mutex_unlock)(mutex);
    int woken = (int)ask(WAIT, (uintptr_t)condition, (uintptr_t)mutex, limit);
    REAL(pthread_mutex_lock)(mutex);
    return woken ? 0 : ETIMEDOUT;
}

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return SEEN_OF(condition) ? wait_for(condition, mutex, FOR_EVER) : REAL(pthread_cond_wait)(condition, mutex);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    return SEEN_OF(condition) ? wait_for(condition, mutex, left(CLOCK_REALTIME, until)) :
                  REAL(pthread_cond_timedwait)(condition, mutex, until);
}

EXPORT int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    return SEEN_OF(condition) ? wait_for(condition, mutex, left(clock, until)) :
                  REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
    if (SEEN_OF(condition))
        ask(WAKE, (uintptr_t)condition, 1, 0);
    return REAL(pthread_cond_signal)(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
    if (SEEN_OF(condition))
        ask(WAKE, (uintptr_t)condition, 0, 0);
    return REAL(pthread_cond_broadcast)(condition);
}

EXPORT int pthread_cond_destroy(pthread_cond_t *condition)
{
    if (SEEN_OF(condition))
        ask(FORGET, (uintptr_t)condition, 0, 0);
    return REAL(pthread_cond_destroy)(condition);
}

/* ---- semaphores of one process ----------------------------------------------------------------------------------- */

EXPORT int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    int code = REAL(sem_init)(semaphore, shared, value);
    if (!code && SEEN)
        ask(shared ? FORGET : SEMAPHORE_SET, (uintptr_t)semaphore, value, 0);
    return code;
}

static int take_semaphore(sem_t *semaphore, long long limit, int unavailable)
{
    if (!ask(SEMAPHORE_TAKE, (uintptr_t)semaphore, 0, limit)) {
        errno = unavailable;
        return -1;
    }
    return 0;
}

/* One that was made before anybody looked, or that processes share, is left to the C library. */
#define KNOWN(semaphore) (SEEN && ask(SEMAPHORE_TAKE, (uintptr_t)(semaphore), 1, 0))

EXPORT int sem_wait(sem_t *semaphore)
{
    return KNOWN(semaphore) ? take_semaphore(semaphore, FOR_EVER, 0) : REAL(sem_wait)(semaphore);
}

EXPORT int sem_trywait(sem_t *semaphore)
{
    return KNOWN(semaphore) ? take_semaphore(semaphore, DO_NOT_WAIT, EAGAIN) : REAL(sem_trywait)(semaphore);
}

EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    return KNOWN(semaphore) ? take_semaphore(semaphore, left(CLOCK_REALTIME, until), ETIMEDOUT) :
                              REAL(sem_timedwait)(semaphore, until);
}

EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
    return KNOWN(semaphore) ? take_semaphore(semaphore, left(clock, until), ETIMEDOUT) :
                              REAL(sem_clockwait)(semaphore, clock, until);
}

EXPORT int sem_post(sem_t *semaphore)
{
    return SEEN && ask(SEMAPHORE_GIVE, (uintptr_t)semaphore, 0, 0) ? 0 : REAL(sem_post)(semaphore);
}

EXPORT int sem_getvalue(sem_t *semaphore, int *value)
{
    long long count = SEEN ? ask(SEMAPHORE_GIVE, (uintptr_t)semaphore, 1, 0) : -1;
    if (count < 0)
        return REAL(sem_getvalue)(semaphore, value);
    *value = (int)count;
    return 0;
}

EXPORT int sem_destroy(sem_t *semaphore)
{
    if (SEEN)
        ask(FORGET, (uintptr_t)semaphore, 0, 0);
    return REAL(sem_destroy)(semaphore);
}

/* ---- read-write locks -------------------------------------------------------------------------------------------- */

static int share(pthread_rwlock_t *lock, long long limit)
{
    int code = (int)ask(READ_LOCK, (uintptr_t)lock, 0, limit);
    return code ? code : REAL(pthread_rwlock_rdlock)(lock);
}

static int own(pthread_rwlock_t *lock, long long limit)
{
    int code = (int)ask(WRITE_LOCK, (uintptr_t)lock, 0, limit);
    return code ? code : REAL(pthread_rwlock_wrlock)(lock);
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return SEEN ? share(lock, FOR_EVER) : REAL(pthread_rwlock_rdlock)(lock);
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    return SEEN ? share(lock, DO_NOT_WAIT) : REAL(pthread_rwlock_tryrdlock)(lock);
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    return SEEN ? share(lock, left(CLOCK_REALTIME, until)) : REAL(pthread_rwlock_timedrdlock)(lock, until);
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
    return SEEN ? share(lock, left(clock, until)) : REAL(pthread_rwlock_clockrdlock)(lock, clock, until);
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return SEEN ? own(lock, FOR_EVER) : REAL(pthread_rwlock_wrlock)(lock);
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    return SEEN ? own(lock, DO_NOT_WAIT) : REAL(pthread_rwlock_trywrlock)(lock);
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    return SEEN ? own(lock, left(CLOCK_REALTIME, until)) : REAL(pthread_rwlock_timedwrlock)(lock, until);
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
    return SEEN ? own(lock, left(clock, until)) : REAL(pthread_rwlock_clockwrlock)(lock, clock, until);
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    int code = REAL(pthread_rwlock_unlock)(lock);
    if (!code && SEEN)
        ask(LET_GO, (uintptr_t)lock, 0, 0);
    return code;
}

EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    if (SEEN)
        ask(FORGET, (uintptr_t)lock, 0, 0);
    return REAL(pthread_rwlock_destroy)(lock);
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

EXPORT int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count)
{
    int code = REAL(pthread_barrier_init)(barrier, attributes, count);
    if (!code && SEEN)
        ask(BARRIER_SET, (uintptr_t)barrier, count, 0);
    return code;
}

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    long long last = SEEN ? ask(BARRIER_WAIT, (uintptr_t)barrier, 0, 0) : -1;
    return last < 0 ? REAL(pthread_barrier_wait)(barrier) : last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    if (SEEN)
        ask(FORGET, (uintptr_t)barrier, 0, 0);
    return REAL(pthread_barrier_destroy)(barrier);
}

/* ---- futexes: atomics that wait, latches, futures and guards of static variables of C++ are made of them ------------ */

/* 0 or -1 and errno, as of the system; 1: the system is to do it. */
static int wait_for_word(const uint32_t *word, int operation, uint32_t value, const struct timespec *time)
{
    clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    int absolute = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
    long long limit = !time ? FOR_EVER : absolute ? left(clock, time) : nanoseconds(time);
    uint64_t shared = operation & FUTEX_PRIVATE_FLAG ? 0 : 1;
    int code = (int)ask(WORD_WAIT, (uintptr_t)word, shared << 32 | value, limit);
    if (code <= 0)
        return -code;
    errno = code;
    return -1;
}

/* What is no futex goes to the system. More words are read than the call has: they are in registers, or on the stack. */
EXPORT long syscall(long number, ...)
{
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    int command = number == SYS_futex ? (int)a[1] & FUTEX_CMD_MASK : -1;
    long woken = 0;
    if (command == FUTEX_WAIT || (command == FUTEX_WAIT_BITSET && (uint32_t)a[5] == FUTEX_BITSET_MATCH_ANY)) {
        int code = SEEN ? wait_for_word((void *)a[0], (int)a[1], (uint32_t)a[2], (void *)a[3]) : 1;
        if (code <= 0)
            return code;
    } else if ((command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) && SEEN) {
        woken = ask(WORD_WAKE, (uint64_t)a[0], (uint32_t)a[2], 0); /* others may wait in the system */
    }
    long answer = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    return answer < 0 ? answer : answer + woken;
}

/* ---- what is done once ------------------------------------------------------------------------------------------------ */

#define ONCE_IS_DONE 2 /* in the C library of GNU */

static void let_once_go(pthread_once_t **once)
{
    ask(LET_GO, (uintptr_t)*once, 0, 0);
}

EXPORT int pthread_once(pthread_once_t *once, void (*function)(void))
{
    if ((__atomic_load_n((int *)once, __ATOMIC_ACQUIRE) & ONCE_IS_DONE) || !SEEN)
        return REAL(pthread_once)(once, function);
    ask(ONCE_LOCK, (uintptr_t)once, 0, FOR_EVER);
    __attribute__((cleanup(let_once_go))) pthread_once_t *taken = once; /* also when an exception leaves the function */
    return REAL(pthread_once)(taken, function);
}

/* ---- threads and locks of C11: those of POSIX by other names ---------------------------------------------------------- */

static int c11(int code)
{
    switch (code) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ENOMEM: case EAGAIN: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
    }
}

struct c11_start {
    thrd_start_t function;
    void *argument;
};

static void *begin_c11(void *argument)
{
    struct c11_start start = *(struct c11_start *)argument;
    free(argument);
    return (void *)(intptr_t)start.function(start.argument);
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    if (door_depth)
        return REAL(thrd_create)(thread, function, argument);
    struct c11_start *start = malloc(sizeof *start);
    if (!start)
        return thrd_nomem;
    *start = (struct c11_start){function, argument};
    int code = pthread_create(thread, NULL, begin_c11, start);
    if (code)
        free(start);
    return c11(code);
}

EXPORT int thrd_join(thrd_t thread, int *result)
{
    void *word = NULL;
    int code = pthread_join(thread, &word);
    if (!code && result)
        *result = (int)(intptr_t)word;
    return c11(code);
}

EXPORT void thrd_exit(int result)
{
    pthread_exit((void *)(intptr_t)result);
    __builtin_unreachable();
}

EXPORT int thrd_sleep(const struct timespec *time, struct timespec *rest)
{
    return nanosleep(time, rest) ? errno == EINTR ? -1 : -2 : 0;
}

EXPORT void thrd_yield(void)
{
    sched_yield();
}

EXPORT void call_once(once_flag *flag, void (*function)(void))
{
    pthread_once((pthread_once_t *)flag, function);
}

EXPORT int mtx_lock(mtx_t *mutex)
{
    return c11(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

EXPORT int mtx_trylock(mtx_t *mutex)
{
    return c11(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    return c11(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}

EXPORT int mtx_unlock(mtx_t *mutex)
{
    return c11(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

EXPORT void mtx_destroy(mtx_t *mutex)
{
    pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return c11(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until)
{
    return c11(pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, until));
}

EXPORT int cnd_signal(cnd_t *condition)
{
    return c11(pthread_cond_signal((pthread_cond_t *)condition));
}

EXPORT int cnd_broadcast(cnd_t *condition)
{
    return c11(pthread_cond_broadcast((pthread_cond_t *)condition));
}

EXPORT void cnd_destroy(cnd_t *condition)
{
    pthread_cond_destroy((pthread_cond_t *)condition);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static int sleep_for(long long time)
{
    ask(SLEEP, 0, 0, time);
    return 0;
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *rest)
{
    return SEEN ? sleep_for(nanoseconds(time)) : REAL(nanosleep)(time, rest);
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
    if (!SEEN)
        return REAL(clock_nanosleep)(clock, flags, time, rest);
    return sleep_for(flags & TIMER_ABSTIME ? left(clock, time) : nanoseconds(time));
}

EXPORT int usleep(useconds_t time)
{
    return SEEN ? sleep_for(time * 1000LL) : REAL(usleep)(time);
}

EXPORT unsigned sleep(unsigned seconds)
{
    return SEEN ? (unsigned)sleep_for(seconds * BILLION) : REAL(sleep)(seconds);
}

EXPORT int sched_yield(void)
{
    return SEEN ? (int)ask(YIELD, 0, 0, 0) : REAL(sched_yield)();
}

static int is_virtual(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME ||
           clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!time || !SEEN || !is_virtual(clock))
        return REAL(clock_gettime)(clock, time);
    long long now = ask(NOW, clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE, 0, 0);
    *time = (struct timespec){now / BILLION, now % BILLION};
    return 0;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    if (!time || !SEEN)
        return REAL(gettimeofday)(time, zone);
    long long now = ask(NOW, 1, 0, 0);
    *time = (struct timeval){now / BILLION, now % BILLION / 1000};
    return 0;
}

EXPORT time_t time(time_t *where)
{
    if (!SEEN)
        return REAL(time)(where);
    time_t now = ask(NOW, 1, 0, 0) / BILLION;
    if (where)
        *where = now;
    return now;
}
