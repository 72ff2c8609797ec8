/* Pages of page-locked memory that nobody may touch while a copy that the program has not waited for is writing them:
 * who does is heard of. docs/semantics/torch.md#page-locked-memory
 *
 * The handler of SIGSEGV is ours only as long as there are such pages. It opens the pages and tells Python, in the thread
 * that touched them: the fault is that of one instruction of the program, so nothing of Python's or of the C library is
 * half done. A thread that has no Python code (one of several that compute one operator) opens the page alone that it
 * needs: the thread that called the operator takes the first part of it, and tells. What is touched from inside of a
 * call, beside the bytes of the copy, or in a forked child is opened and not told. */
#define _GNU_SOURCE
#include "door.h"
#include "python.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define MOST_RANGES 256
static struct range {
    uint64_t number;       /* 0: the place is free */
    uintptr_t lo, hi;      /* whole pages */
    uintptr_t first, last; /* the bytes of the copy, the last one behind them */
    int told;              /* a thread without Python code touched them */
} ranges[MOST_RANGES];
static int used;
static uintptr_t page;
static pid_t owner;
static PyObject *hears; /* function(number, whether it is a write) */
static struct sigaction former;

static void set_access(uintptr_t lo, uintptr_t hi, int access)
{
    int kept = errno;
    mprotect((void *)lo, hi - lo, access);
    errno = kept;
}

static void tell(uint64_t number, int write)
{
    door_depth++;
    int gil = door_take_gil();
    struct pending pending;
    door_put_aside(&pending);
    ascend_sim_pause_collection();
    PyObject *result = py.PyObject_CallFunction(hears, "Ki", (unsigned long long)number, write);
    if (result)
        py.Py_DecRef(result);
    else
        door_raised("the program");
    ascend_sim_resume_collection();
    door_put_back(&pending);
    py.PyGILState_Release(gil);
    door_depth--;
}

static int tell_later(void *range)
{
    uint64_t number = __atomic_load_n(&((struct range *)range)->number, __ATOMIC_ACQUIRE);
    if (number && !door_closed())
        tell(number, 0);
    return 0;
}

static int is_write(const void *context)
{
#ifdef __x86_64__
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
    return 0; /* it is told as a read */
#endif
}

static void touched(int signal, siginfo_t *fault, void *context)
{
    int kept = errno, opened = 0;
    int alone = !door_closed() && !py.PyGILState_GetThisThreadState();
    uintptr_t at = fault->si_code > 0 ? (uintptr_t)fault->si_addr : 0;
    struct range *met = NULL;
    for (int i = 0; i < MOST_RANGES; i++) {
        struct range *range = &ranges[i];
        if (!__atomic_load_n(&range->number, __ATOMIC_ACQUIRE) || at < range->lo || at >= range->hi)
            continue;
        if (alone)
            set_access(at / page * page, at / page * page + page, PROT_READ | PROT_WRITE);
        else
            set_access(range->lo, range->hi, PROT_READ | PROT_WRITE);
        opened = 1;
        if (at >= range->first && at < range->last)
            met = range;
    }
    if (!opened) { /* a fault of the program's own: the instruction runs again, for whom it was before */
        sigaction(SIGSEGV, &former, NULL);
        if (fault->si_code <= 0)
            raise(signal);
    } else if (met && !door_depth && !door_closed() && getpid() == owner) {
        if (!alone)
            tell(met->number, is_write(context));
        else if (!__atomic_exchange_n(&met->told, 1, __ATOMIC_ACQ_REL))
            py.Py_AddPendingCall(tell_later, met);
    }
    errno = kept;
}

static void listen(void)
{
    struct sigaction action = {.sa_sigaction = touched, .sa_flags = SA_SIGINFO | SA_NODEFER};
    struct sigaction before;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before);
    if (!(before.sa_flags & SA_SIGINFO) || before.sa_sigaction != touched)
        former = before;
}

static void stop_listening(void)
{
    struct sigaction now;
    if (!sigaction(SIGSEGV, NULL, &now) && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == touched)
        sigaction(SIGSEGV, &former, NULL);
}

EXPORT void ascend_sim_hear_of_pages(PyObject *function)
{
    py.Py_IncRef(function);
    hears = function;
}

/* Let nobody touch the pages with the bytes [address, address + size), known as *number*. 0: there is no room. */
EXPORT int ascend_sim_close_pages(uint64_t number, uint64_t address, uint64_t size)
{
    page = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct range *free_place = NULL;
    for (int i = 0; i < MOST_RANGES; i++) {
        if (ranges[i].number == number) {
            free_place = &ranges[i];
            break;
        }
        if (!ranges[i].number && !free_place)
            free_place = &ranges[i];
    }
    if (!free_place || !size)
        return 0;
    if (!free_place->number) {
        free_place->first = address;
        free_place->last = address + size;
        free_place->lo = address / page * page;
        free_place->hi = (address + size + page - 1) / page * page;
        free_place->told = 0;
        owner = getpid();
        __atomic_store_n(&free_place->number, number, __ATOMIC_RELEASE);
        used++;
    }
    listen();
    set_access(free_place->lo, free_place->hi, PROT_NONE);
    return 1;
}

/* They may be touched again. *forget*: for good. */
EXPORT void ascend_sim_open_pages(uint64_t number, int forget)
{
    for (int i = 0; i < MOST_RANGES; i++) {
        if (ranges[i].number != number)
            continue;
        set_access(ranges[i].lo, ranges[i].hi, PROT_READ | PROT_WRITE);
        if (forget) {
            __atomic_store_n(&ranges[i].number, 0, __ATOMIC_RELEASE);
            if (!--used)
                stop_listening();
        }
        return;
    }
}
