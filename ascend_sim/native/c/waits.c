/* Waits of the C++ libraries of a Python program (torch, torch_npu), which know nothing of the simulator.
 * docs/semantics/torch.md#threads
 *
 * Such a library may wait for another thread while it holds Python's lock; here that thread needs the lock, since every
 * call of the API does. And under deterministic threads its threads take turns with all others. So the slots through
 * which the library calls the C library are pointed here, in memory alone. A lock that is free is taken without asking
 * anybody: one thread of the order runs at a time, and nobody but a thread that waits in a call has one meanwhile. */
#define _GNU_SOURCE
#include "door.h"
#include "python.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define MILLISECOND 1000000LL

static int parked_at_locks; /* threads that wait for a mutex or a read-write lock in the order */

/* ---- Python's lock ------------------------------------------------------------------------------------------------ */

static int holds_lock(void)
{
    return !door_closed() && py.Py_IsInitialized() && py.PyGILState_Check();
}

/* Do something that may wait, without Python's lock. */
#define WITHOUT_LOCK(call) \
    ({ \
        void *thread_ = holds_lock() ? py.PyEval_SaveThread() : NULL; \
        __typeof__(call) result_ = call; \
        if (thread_) { \
            int kept_ = errno; \
            py.PyEval_RestoreThread(thread_); \
            errno = kept_; \
        } \
        result_; \
    })

/* ---- the order of threads ------------------------------------------------------------------------------------------ */

/* Wait in the order until somebody wakes *what*: 1, 0 after *limit* ns, -1 when this thread is none of the order's. */
static long long park(const void *what, long long limit)
{
    return door_orders() ? door_ask(PARK, (uintptr_t)what, 0, limit) : -1;
}

/* Also from inside a call: what a collection of garbage ends there may give work to a thread that else waits for ever. */
static void unpark(const void *what, int one)
{
    if (door_ordered())
        door_ask(UNPARK, (uintptr_t)what, (uint64_t)(one ? 1 : 0) | (door_depth ? 2 : 0), 0);
}

static const void *of_file(int fd)
{
    return (const void *)(uintptr_t)(unsigned)(fd + 1); /* no address of a lock is so small */
}

/* Take a lock: without asking where it is free, else in the order, else as the C library does. */
#define TAKE(try, wait, lock) \
    ({ \
        int code_ = try(lock); \
        while (code_ == EBUSY) { \
            __atomic_add_fetch(&parked_at_locks, 1, __ATOMIC_ACQ_REL); \
            long long woken_ = park(lock, FOR_EVER); \
            __atomic_sub_fetch(&parked_at_locks, 1, __ATOMIC_ACQ_REL); \
            code_ = woken_ < 0 ? WITHOUT_LOCK(wait(lock)) : try(lock); \
        } \
        code_; \
    })

static void lock_is_free(const void *lock)
{
    if (__atomic_load_n(&parked_at_locks, __ATOMIC_ACQUIRE))
        unpark(lock, 0);
}

/* ---- what mutexes order --------------------------------------------------------------------------------------------
 *
 * Once several threads of the program call, what one did before it let a mutex go comes before what the next one does
 * that takes it. Python is asked only for mutexes that change hands. */

#define MOST_MUTEXES 4096u /* a power of two */
static PyObject *edges; /* (took(mutex, former thread), gave(mutex)), once there are several threads */
static struct {
    pthread_mutex_t *mutex;
    pthread_t last;
    int shared;
} mutexes[MOST_MUTEXES];

EXPORT void ascend_sim_order_mutexes(PyObject *functions)
{
    py.Py_IncRef(functions);
    __atomic_store_n(&edges, functions, __ATOMIC_RELEASE);
}

static int place_of_mutex(pthread_mutex_t *mutex)
{
    unsigned start = (unsigned)((uintptr_t)mutex * 0x9E3779B97F4A7C15ull >> 40);
    for (unsigned i = 0; i < 32; i++) {
        unsigned at = (start + i) & (MOST_MUTEXES - 1);
        pthread_mutex_t *there = __atomic_load_n(&mutexes[at].mutex, __ATOMIC_ACQUIRE);
        if (there == mutex)
            return (int)at;
        if (!there && __atomic_compare_exchange_n(&mutexes[at].mutex, &there, mutex, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return (int)at;
    }
    return -1;
}

static void tell_edge(int which, pthread_mutex_t *mutex, pthread_t former)
{
    int kept = errno;
    door_depth++;
    int gil = door_take_gil();
    struct pending pending;
    door_put_aside(&pending);
    ascend_sim_pause_collection(); /* what it ends may take this very mutex, which the thread has */
    PyObject *result = py.PyObject_CallFunction(py.PyTuple_GetItem(edges, which), "KK", (unsigned long long)(uintptr_t)mutex,
                                                (unsigned long long)former);
    if (result)
        py.Py_DecRef(result);
    else
        py.PyErr_Print();
    ascend_sim_resume_collection();
    door_put_back(&pending);
    py.PyGILState_Release(gil);
    door_depth--;
    errno = kept;
}

/* Who takes a free mutex again and again looks for something that another thread is to do. */
#define MANY_LOOKS 500
static void give_others_a_turn(void)
{
    static __thread int looks;
    if (++looks < MANY_LOOKS)
        return;
    looks = 0;
    if (door_orders() && door_ask(KNOWN, 0, 0, 0) > 0)
        door_ask(SLEEP, 0, 0, MILLISECOND / 1000);
}

#define EDGES_MATTER (__atomic_load_n(&edges, __ATOMIC_ACQUIRE) && !door_depth && !door_closed())

static int take_mutex(pthread_mutex_t *mutex)
{
    give_others_a_turn();
    int code = TAKE(DOOR_REAL(pthread_mutex_trylock), DOOR_REAL(pthread_mutex_lock), mutex);
    if (!code && EDGES_MATTER) {
        int at = place_of_mutex(mutex);
        if (at >= 0 && mutexes[at].last && !pthread_equal(mutexes[at].last, pthread_self())) {
            mutexes[at].shared = 1;
            tell_edge(0, mutex, mutexes[at].last);
        }
    }
    return code;
}

static int free_mutex(pthread_mutex_t *mutex)
{
    if (EDGES_MATTER) {
        int at = place_of_mutex(mutex);
        if (at >= 0) {
            mutexes[at].last = pthread_self();
            if (mutexes[at].shared)
                tell_edge(1, mutex, 0);
        }
    }
    int code = DOOR_REAL(pthread_mutex_unlock)(mutex);
    if (!code)
        lock_is_free(mutex);
    return code;
}

static int take_to_read(pthread_rwlock_t *lock)
{
    return TAKE(DOOR_REAL(pthread_rwlock_tryrdlock), DOOR_REAL(pthread_rwlock_rdlock), lock);
}

static int take_to_write(pthread_rwlock_t *lock)
{
    return TAKE(DOOR_REAL(pthread_rwlock_trywrlock), DOOR_REAL(pthread_rwlock_wrlock), lock);
}

static int free_both(pthread_rwlock_t *lock)
{
    int code = DOOR_REAL(pthread_rwlock_unlock)(lock);
    if (!code)
        lock_is_free(lock);
    return code;
}

/* ---- condition variables -------------------------------------------------------------------------------------------- */

/* 1 woken, 0 too late, -1: it did not wait. Others may go on as soon as this thread is parked, and not before. */
static long long wait_in_order(pthread_cond_t *condition, pthread_mutex_t *mutex, long long limit)
{
    if (!door_orders() || door_ask(KNOWN, 0, 0, 0) <= 0)
        return -1;
    free_mutex(mutex);
    long long woken = park(condition, limit);
    take_mutex(mutex);
    return woken != 0;
}

static int wait_condition(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    if (wait_in_order(condition, mutex, FOR_EVER) >= 0)
        return 0;
    return WITHOUT_LOCK(DOOR_REAL(pthread_cond_wait)(condition, mutex));
}

/* Milliseconds, in ns: the clock that they are counted from is the real one. */
static long long until(clockid_t clock, const struct timespec *time)
{
    struct timespec now;
    DOOR_REAL(clock_gettime)(clock, &now);
    long long left = (time->tv_sec - now.tv_sec) * 1000 * MILLISECOND + time->tv_nsec - now.tv_nsec;
    return left <= 0 ? 0 : (left + MILLISECOND - 1) / MILLISECOND * MILLISECOND;
}

static int wait_condition_until(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time)
{
    long long woken = wait_in_order(condition, mutex, until(CLOCK_REALTIME, time));
    if (woken >= 0)
        return woken ? 0 : ETIMEDOUT;
    return WITHOUT_LOCK(DOOR_REAL(pthread_cond_timedwait)(condition, mutex, time));
}

static int wait_condition_by_clock(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time)
{
    long long woken = wait_in_order(condition, mutex, until(clock, time));
    if (woken >= 0)
        return woken ? 0 : ETIMEDOUT;
    return WITHOUT_LOCK(DOOR_REAL(pthread_cond_clockwait)(condition, mutex, clock, time));
}

static int wake_one(pthread_cond_t *condition)
{
    unpark(condition, 1);
    return DOOR_REAL(pthread_cond_signal)(condition); /* threads outside of the order wait there */
}

static int wake_all(pthread_cond_t *condition)
{
    unpark(condition, 0);
    return DOOR_REAL(pthread_cond_broadcast)(condition);
}

/* std::condition_variable and std::mutex begin with those of the C library; std::unique_lock with the mutex's address. */
static void cpp_wait(pthread_cond_t *condition, pthread_mutex_t **lock)
{
    wait_condition(condition, *lock);
}

static void cpp_wake_one(pthread_cond_t *condition)
{
    wake_one(condition);
}

static void cpp_wake_all(pthread_cond_t *condition)
{
    wake_all(condition);
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

static void *real_cpp(const char *name)
{
    static void *library;
    if (!library)
        library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    return dlsym(library ? library : RTLD_DEFAULT, name);
}

static int make_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
    if (!door_orders())
        return DOOR_REAL(pthread_create)(thread, attributes, function, argument);
    return WITHOUT_LOCK(door_make_thread(thread, attributes, function, argument)); /* it waits for the thread's first step */
}

static int join_thread(pthread_t thread, void **result)
{
    if (door_orders())
        door_ask(JOIN, (uint64_t)thread, 0, 0);
    return WITHOUT_LOCK(DOOR_REAL(pthread_join)(thread, result));
}

/* What std::thread runs: an object with three virtual functions, two destructors and the work. */
struct cpp_state {
    void (**functions)(struct cpp_state *);
};
enum { DELETE = 1, RUN = 2 };

static void *run_state(void *state)
{
    struct cpp_state *work = state;
    work->functions[RUN](work);
    work->functions[DELETE](work);
    return NULL;
}

#define CPP_START "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"
static void cpp_start(pthread_t *thread, struct cpp_state **state, void (*depends)(void))
{
    if (!door_orders() || WITHOUT_LOCK(door_make_thread(thread, NULL, run_state, *state))) {
        void (*real)(pthread_t *, struct cpp_state **, void (*)(void));
        *(void **)&real = real_cpp(CPP_START);
        real(thread, state, depends); /* it throws when there can be no thread */
        return;
    }
    *state = NULL; /* the thread has it */
}

#define CPP_JOIN "_ZNSt6thread4joinEv"
static void cpp_join(pthread_t *thread)
{
    void (*real)(pthread_t *);
    *(void **)&real = real_cpp(CPP_JOIN);
    if (door_orders())
        door_ask(JOIN, (uint64_t)*thread, 0, 0);
    WITHOUT_LOCK((real(thread), 0));
}

#define CPP_FUTEX_WAIT \
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_" \
    "ILl1ELl1000000000EEEE"
static _Bool cpp_futex_wait(void *self, unsigned *word, unsigned value, _Bool limited, long seconds, long nanoseconds)
{
    _Bool (*real)(void *, unsigned *, unsigned, _Bool, long, long);
    *(void **)&real = real_cpp(CPP_FUTEX_WAIT);
    return WITHOUT_LOCK(real(self, word, value, limited, seconds, nanoseconds));
}

/* ---- files, semaphores, time ------------------------------------------------------------------------------------------ */

static int read_event(int fd, eventfd_t *value)
{
    struct pollfd file = {.fd = fd, .events = POLLIN};
    while (!poll(&file, 1, 0))
        if (park(of_file(fd), FOR_EVER) < 0)
            break;
    return WITHOUT_LOCK(DOOR_REAL(eventfd_read)(fd, value));
}

static int write_event(int fd, eventfd_t value)
{
    int code = WITHOUT_LOCK(DOOR_REAL(eventfd_write)(fd, value));
    unpark(of_file(fd), 0);
    return code;
}

static int wait_for_files(int set, struct epoll_event *events, int most, int milliseconds)
{
    return WITHOUT_LOCK(DOOR_REAL(epoll_wait)(set, events, most, milliseconds));
}

static int take_semaphore(sem_t *semaphore)
{
    return WITHOUT_LOCK(DOOR_REAL(sem_wait)(semaphore));
}

static int rest(const struct timespec *time, struct timespec *left)
{
    if (door_orders() && door_ask(KNOWN, 0, 0, 0) > 0) {
        door_ask(SLEEP, 0, 0, time->tv_sec * 1000 * MILLISECOND + time->tv_nsec);
        return 0;
    }
    return WITHOUT_LOCK(DOOR_REAL(nanosleep)(time, left));
}

/* Without files it is a way to sleep. */
static int select_files(int count, fd_set *readable, fd_set *writable, fd_set *others, struct timeval *time)
{
    if (!count && time) {
        struct timespec whole = {time->tv_sec, time->tv_usec * 1000};
        return rest(&whole, NULL);
    }
    return WITHOUT_LOCK(DOOR_REAL(select)(count, readable, writable, others, time));
}

static int rest_microseconds(useconds_t time)
{
    struct timespec whole = {time / 1000000, time % 1000000 * 1000};
    return rest(&whole, NULL);
}

static unsigned rest_seconds(unsigned seconds)
{
    struct timespec time = {seconds, 0};
    return rest(&time, NULL) ? seconds : 0;
}

/* torch_npu asks for this when it has queued a copy of page-locked memory. The copy is to be known before the program goes
 * on: what it does with the memory is no call. */
#define HOST_ALLOCATOR "_ZN2at16getHostAllocatorEN3c1010DeviceTypeE"
static void *host_allocator(signed char device)
{
    void *(*real)(signed char);
    *(void **)&real = dlsym(RTLD_DEFAULT, HOST_ALLOCATOR);
    if (door_orders())
        door_ask(TURN, 0, 0, 0);
    return real(device);
}

/* ---- the slots -------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void *ours;
} replaced[] = {
    {"pthread_mutex_lock", (void *)take_mutex},
    {"pthread_mutex_unlock", (void *)free_mutex},
    {"pthread_rwlock_rdlock", (void *)take_to_read},
    {"pthread_rwlock_wrlock", (void *)take_to_write},
    {"pthread_rwlock_unlock", (void *)free_both},
    {"pthread_cond_wait", (void *)wait_condition},
    {"pthread_cond_timedwait", (void *)wait_condition_until},
    {"pthread_cond_clockwait", (void *)wait_condition_by_clock},
    {"pthread_cond_signal", (void *)wake_one},
    {"pthread_cond_broadcast", (void *)wake_all},
    {"pthread_create", (void *)make_thread},
    {"pthread_join", (void *)join_thread},
    {"eventfd_read", (void *)read_event},
    {"eventfd_write", (void *)write_event},
    {"epoll_wait", (void *)wait_for_files},
    {"sem_wait", (void *)take_semaphore},
    {"nanosleep", (void *)rest},
    {"select", (void *)select_files},
    {"usleep", (void *)rest_microseconds},
    {"sleep", (void *)rest_seconds},
    {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", (void *)cpp_wait},
    {"_ZNSt18condition_variable10notify_oneEv", (void *)cpp_wake_one},
    {"_ZNSt18condition_variable10notify_allEv", (void *)cpp_wake_all},
    {CPP_START, (void *)cpp_start},
    {CPP_JOIN, (void *)cpp_join},
    {CPP_FUTEX_WAIT, (void *)cpp_futex_wait},
    {HOST_ALLOCATOR, (void *)host_allocator},
};

static const char *const libraries[] = {"libtorch_npu.so", "libtorch_cpu.so", "libtorch_python.so", "libc10.so"};

#if defined(__x86_64__)
#define IS_SLOT(kind) ((kind) == R_X86_64_JUMP_SLOT || (kind) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(kind) ((kind) == R_AARCH64_JUMP_SLOT || (kind) == R_AARCH64_GLOB_DAT)
#else
#define IS_SLOT(kind) 0
#endif

static void *replacement(const char *name)
{
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
        if (!strcmp(name, replaced[i].name))
            return replaced[i].ours;
    return NULL;
}

static void point(void **slot, void *ours)
{
    if (*slot == ours)
        return;
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)slot & ~(size - 1);
    if (!mprotect((void *)page, size, PROT_READ | PROT_WRITE)) /* a slot never lies in two pages */
        __atomic_store_n(slot, ours, __ATOMIC_RELEASE);
}

static int is_wanted(const char *path)
{
    const char *name = strrchr(path, '/');
    for (size_t i = 0; name && i < sizeof libraries / sizeof *libraries; i++)
        if (!strcmp(name + 1, libraries[i]))
            return 1;
    return 0;
}

static int look_at(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (!library->dlpi_name || !is_wanted(library->dlpi_name))
        return 0;
    const ElfW(Dyn) *entry = NULL;
    for (int i = 0; i < library->dlpi_phnum; i++)
        if (library->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const void *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr);
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const ElfW(Rela) *tables[2] = {NULL, NULL};
    size_t lengths[2] = {0, 0};
    for (; entry && entry->d_tag; entry++)
        switch (entry->d_tag) {
        case DT_SYMTAB: symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: names = (const void *)entry->d_un.d_ptr; break;
        case DT_JMPREL: tables[0] = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: lengths[0] = entry->d_un.d_val; break;
        case DT_RELA: tables[1] = (const void *)entry->d_un.d_ptr; break;
        case DT_RELASZ: lengths[1] = entry->d_un.d_val; break;
        default: break;
        }
    for (int k = 0; symbols && names && k < 2; k++)
        for (size_t i = 0; tables[k] && i < lengths[k] / sizeof *tables[k]; i++) {
            const ElfW(Rela) *place = &tables[k][i];
            if (!IS_SLOT(ELF64_R_TYPE(place->r_info)))
                continue;
            void *ours = replacement(names + symbols[ELF64_R_SYM(place->r_info)].st_name);
            if (ours)
                point((void **)(library->dlpi_addr + place->r_offset), ours);
        }
    return 0;
}

/* Point the slots of the libraries that are loaded by now. */
EXPORT void ascend_sim_adopt_waits(void)
{
    dl_iterate_phdr(look_at, NULL);
}

/* In the child of a fork the threads that waited are not there. */
void door_forget_waits(void)
{
    parked_at_locks = 0;
}
