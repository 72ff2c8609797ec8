/* Call sites: the return addresses of a call and of its callers, one Python object for each stack.
 *
 * A stack is walked once. Where the return addresses lay is kept: the next call from the same place, at the same depth,
 * only looks whether they lie there still. */
#define _GNU_SOURCE
#include "door.h"
#include "python.h"

#include <dlfcn.h>
#include <pthread.h>
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

/* ---- where a thread waits for another one ---- */

__thread void *door_asked_at;

static _Unwind_Reason_Code step_outside(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;
    void *address = (void *)_Unwind_GetIP(context);
    if (!address)
        return _URC_END_OF_STACK;
    if ((void *)_Unwind_GetCFA(context) <= door_asked_at)
        return _URC_NO_REASON;
    Dl_info here, ours;
    int known = dladdr(address, &here) && dladdr((void *)&step_outside, &ours);
    if (!walk->count && (!known || here.dli_fbase == ours.dli_fbase))
        return _URC_NO_REASON;
    walk->addresses[walk->count++] = address;
    return walk->count == FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* The site of the function of the C library that the calling thread is in; None where there is none. Python calls this
 * before it lets a thread wait: who reports a deadlock is another thread. */
EXPORT PyObject *ascend_sim_waiting_place(void)
{
    struct walk walk = {0};
    if (door_asked_at && keep_callers)
        _Unwind_Backtrace(step_outside, &walk);
    if (!walk.count) {
        py.Py_IncRef(py.none);
        return py.none;
    }
    PyObject *addresses = py.PyTuple_New(walk.count);
    for (int i = 0; addresses && i < walk.count; i++)
        py.PyTuple_SetItem(addresses, i, py.PyLong_FromUnsignedLongLong((uintptr_t)walk.addresses[i]));
    PyObject *site = addresses ? py.PyObject_CallFunction(door_place_of, "Os", addresses, "") : NULL;
    py.Py_DecRef(addresses);
    return site;
}

/* ---- in a Python process: the line of the program ----
 *
 * Python finds it (`native/guest.py`), and it is kept by the frames of the program that it was found for: a walk from one
 * to the next is all that the next call costs from there. */

#define MOST_STEPS 100

struct code {
    PyObject *code; /* kept, so that no other gets its address */
    int left_out;   /* it belongs to no frame of the program */
};

struct line {
    uint64_t hash;
    PyObject *site;
    int count;
    struct {
        PyObject *code;
        int instruction;
    } frames[FRAMES];
};

static struct code *codes;
static size_t code_room, code_count;
static struct line *lines;
static size_t line_room, line_count;
static PyObject *is_left_out;
static unsigned long last_thread; /* whose call was the last one that Python has got */

/* Python says which code objects are left out: a function of one. */
EXPORT void ascend_sim_keep_lines(PyObject *left_out)
{
    py.Py_IncRef(left_out);
    is_left_out = left_out;
}

int door_is_last_thread(void)
{
    return __atomic_load_n(&last_thread, __ATOMIC_RELAXED) == (unsigned long)pthread_self();
}

void door_thread_ended(void)
{
    if (door_is_last_thread())
        __atomic_store_n(&last_thread, 0, __ATOMIC_RELAXED);
}

static size_t place_of_code(const PyObject *code)
{
    size_t at = ((uintptr_t)code * 0x9E3779B97F4A7C15ull) >> 32 & (code_room - 1);
    while (codes[at].code && codes[at].code != code)
        at = (at + 1) & (code_room - 1);
    return at;
}

/* Whether frames of *code* are left out; -1 with an exception set. */
static int left_out(PyObject *code)
{
    if (2 * code_count >= code_room) {
        size_t before = code_room;
        struct code *old = codes, *bigger = calloc(before ? 2 * before : 1024, sizeof *bigger);
        if (!bigger)
            return 0;
        codes = bigger;
        code_room = before ? 2 * before : 1024;
        for (size_t i = 0; i < before; i++)
            if (old[i].code)
                codes[place_of_code(old[i].code)] = old[i];
        free(old);
    }
    size_t at = place_of_code(code);
    if (codes[at].code)
        return codes[at].left_out;
    PyObject *answer = py.PyObject_CallFunction(is_left_out, "O", code);
    if (!answer)
        return -1;
    int out = py.PyLong_AsUnsignedLongLongMask(answer) != 0;
    py.Py_DecRef(answer);
    py.Py_IncRef(code);
    at = place_of_code(code);
    codes[at] = (struct code){code, out};
    code_count++;
    return out;
}

/* The frames of the program, innermost first. 0: there are none, or it is another thread's line that counts. */
static int frames_of_program(struct line *line)
{
    PyObject *frame = py.PyEval_GetFrame();
    line->count = 0;
    line->hash = 0;
    if (frame)
        py.Py_IncRef(frame);
    for (int steps = 0; frame && steps < MOST_STEPS && line->count < FRAMES; steps++) {
        PyObject *code = py.PyFrame_GetCode(frame);
        int out = left_out(code);
        if (out < 0)
            py.PyErr_Clear();
        if (!out) {
            int instruction = py.PyFrame_GetLasti(frame);
            line->frames[line->count].code = code;
            line->frames[line->count++].instruction = instruction;
            line->hash = (line->hash ^ (uintptr_t)code ^ (uint64_t)instruction << 48) * 0x9E3779B97F4A7C15ull;
        }
        py.Py_DecRef(code); /* its frame, or the table, keeps it */
        PyObject *back = py.PyFrame_GetBack(frame);
        py.Py_DecRef(frame);
        frame = back;
    }
    py.Py_DecRef(frame);
    return line->count;
}

static int same_line(const struct line *a, const struct line *b)
{
    if (a->hash != b->hash || a->count != b->count)
        return 0;
    for (int i = 0; i < a->count; i++)
        if (a->frames[i].code != b->frames[i].code || a->frames[i].instruction != b->frames[i].instruction)
            return 0;
    return 1;
}

static size_t place_of_line(const struct line *line)
{
    size_t at = line->hash >> 32 & (line_room - 1);
    while (lines[at].site && !same_line(&lines[at], line))
        at = (at + 1) & (line_room - 1);
    return at;
}

static void keep_line(struct line line)
{
    if (2 * line_count >= line_room) {
        size_t before = line_room;
        int full = before >= 2 * MOST_STACKS; /* begin anew: the sites live on in what uses them */
        struct line *old = lines, *bigger = calloc(full ? before : before ? 2 * before : 1024, sizeof *bigger);
        if (!bigger)
            return;
        lines = bigger;
        line_room = full ? before : before ? 2 * before : 1024;
        line_count = full ? 0 : line_count;
        for (size_t i = 0; i < before; i++)
            if (old[i].site) {
                if (full)
                    py.Py_DecRef(old[i].site);
                else
                    lines[place_of_line(&old[i])] = old[i];
            }
        free(old);
    }
    size_t at = place_of_line(&line);
    if (lines[at].site)
        return;
    py.Py_IncRef(line.site);
    lines[at] = line;
    line_count++;
}

/* It lives until the next call of the thread. */
static PyObject *site_in_python(void *caller)
{
    static __thread PyObject *held;
    struct line line = {0};
    PyObject *site = NULL;
    int known = is_left_out && py.PyFrame_GetLasti && door_is_last_thread() && frames_of_program(&line);
    if (known && line_room) {
        site = lines[place_of_line(&line)].site;
        if (site)
            py.Py_IncRef(site);
    }
    if (!site) {
        site = py.PyObject_CallFunction(door_place_of, "K", (unsigned long long)(uintptr_t)caller);
        __atomic_store_n(&last_thread, (unsigned long)pthread_self(), __ATOMIC_RELAXED);
        if (site && known) {
            line.site = site;
            keep_line(line);
        }
    }
    if (site) {
        py.Py_DecRef(held);
        held = site;
    }
    return site;
}

PyObject *door_site(void *caller, void *frame, const char *name)
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
    stack.site = addresses ? py.PyObject_CallFunction(door_place_of, "Os", addresses, name) : NULL;
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
