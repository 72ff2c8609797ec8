/* Call sites: the return addresses of a call and of its callers, one Python object for each stack.
 *
 * A stack is walked once. Where the return addresses lay is kept: the next call from the same place, at the same depth,
 * only looks whether they lie there still. */
#define _GNU_SOURCE
#include "door.h"
#include "python.h"

#include <stdlib.h>
#include <unwind.h>

#define FRAMES 6
#define MOST_STACKS (1u << 16)

__thread void *door_floor;

struct stack {
    void *caller, *frame;
    PyObject *site;
    int count; /* of callers behind the first frame */
    struct {
        void **place;
        void *address;
    } links[FRAMES - 1];
};

static struct stack *stacks;
static size_t room, used;
static int keep_callers;

/* Python says whether callers are kept, or the place of the call alone. */
EXPORT void ascend_sim_keep_callers(int keep)
{
    keep_callers = keep;
}

static size_t start_of(void *caller, void *frame)
{
    return ((uintptr_t)caller * 0x9E3779B97F4A7C15ull ^ (uintptr_t)frame * 0xC2B2AE3D27D4EB4Full) >> 32 & (room - 1);
}

static int lies_there(const struct stack *stack)
{
    for (int i = 0; i < stack->count; i++)
        if (*stack->links[i].place != stack->links[i].address)
            return 0;
    return 1;
}

static struct stack *find(void *caller, void *frame)
{
    for (size_t at = start_of(caller, frame); stacks[at].caller; at = (at + 1) & (room - 1))
        if (stacks[at].caller == caller && stacks[at].frame == frame && lies_there(&stacks[at]))
            return &stacks[at];
    return NULL;
}

static void put(struct stack stack)
{
    size_t at = start_of(stack.caller, stack.frame);
    while (stacks[at].caller)
        at = (at + 1) & (room - 1);
    stacks[at] = stack;
    used++;
}

/* Make room for one more. 0: there is none. */
static int grow(void)
{
    if (used * 2 < room)
        return 1;
    size_t before = room, kept = used;
    struct stack *old = stacks, *bigger;
    int full = room >= 2 * MOST_STACKS; /* begin anew: the sites live on in what uses them */
    bigger = calloc(full ? before : before ? before * 2 : 1024, sizeof *bigger);
    if (!bigger)
        return kept < before;
    stacks = bigger;
    room = full ? before : before ? before * 2 : 1024;
    used = 0;
    for (size_t i = 0; i < before; i++) {
        if (!old[i].caller)
            continue;
        if (full)
            py.Py_DecRef(old[i].site);
        else
            put(old[i]);
    }
    free(old);
    return 1;
}

struct walk {
    struct stack *stack;
    void *addresses[FRAMES];
    int count;   /* of addresses, the first being the caller */
    int certain; /* the places of all of them are known */
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;
    void *address = (void *)_Unwind_GetIP(context);
    void **above = (void **)_Unwind_GetCFA(context);
    if (!address || (door_floor && (void *)above > door_floor))
        return _URC_END_OF_STACK;
    if (!walk->count) {
        if (address == walk->stack->caller)
            walk->addresses[walk->count++] = address;
        return _URC_NO_REASON;
    }
    int link = walk->count - 1;
    if (above[-1] == address) { /* where the call has put it (x86-64) */
        walk->stack->links[link].place = above - 1;
        walk->stack->links[link].address = address;
    } else {
        walk->certain = 0;
    }
    walk->addresses[walk->count++] = address;
    return walk->count == FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* In a Python process: the line of the program, which Python knows. It lives until the next call of the thread. */
static PyObject *site_in_python(void *caller)
{
    static __thread PyObject *held;
    PyObject *site = py.PyObject_CallFunction(door_place_of, "K", (unsigned long long)(uintptr_t)caller);
    if (site) {
        py.Py_DecRef(held);
        held = site;
    }
    return site;
}

PyObject *door_site(void *caller, void *frame)
{
    if (door_guest)
        return site_in_python(caller);
    if (!keep_callers)
        frame = NULL;
    struct stack *known = room ? find(caller, frame) : NULL;
    if (known)
        return known->site;
    struct stack stack = {.caller = caller, .frame = frame};
    struct walk walk = {.stack = &stack, .certain = 1};
    if (keep_callers)
        _Unwind_Backtrace(step, &walk);
    if (!walk.count)
        walk.addresses[walk.count++] = caller;
    PyObject *addresses = py.PyTuple_New(walk.count);
    for (int i = 0; addresses && i < walk.count; i++)
        py.PyTuple_SetItem(addresses, i, py.PyLong_FromUnsignedLongLong((uintptr_t)walk.addresses[i]));
    stack.site = addresses ? py.PyObject_CallFunction(door_place_of, "(O)", addresses) : NULL;
    if (addresses)
        py.Py_DecRef(addresses);
    if (!stack.site)
        return NULL;
    if (walk.certain && grow()) {
        stack.count = walk.count - 1;
        put(stack);
    }
    return stack.site; /* one that is not kept here is kept in Python: equal stacks are one object */
}
