/* Operands of operators: tensors, scalars, arrays and lists of them, which libraries of C++ make before each operator and
 * destroy behind it. Nothing depends on such a call before the next one that does something, so it is only noted here, and
 * Python is told with that one: what was made and destroyed, in order. A call with something unusual about it (NULL, an
 * array that cannot be read, a handle that is not alive, an observer who listens) goes to Python as any other does.
 *
 * Layouts and values of arrays come again and again: Python makes an object of each once, a pattern. */
#define _GNU_SOURCE
#include "door.h"
#include "python.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#define FIRST_HANDLE 0xACE800000000ull /* never mapped, and far from those that Python hands out */
#define STEP 0x10
#define MOST_DIMENSIONS 25
#define MOST_ELEMENTS 64
#define MOST_WORDS (8 + 3 * MOST_ELEMENTS)
#define MOST_NOTES 4096
#define MOST_IN_LIST 1024
#define PATTERNS 8192 /* a power of two */

/* Types of scalars that a number of Python is made of here (aclDataType). */
enum { INT64 = 9, DOUBLE = 11, BOOL = 12 };

struct note {
    int operand;
    int data_type; /* of a scalar */
    uint64_t handle;
    uint64_t value;     /* an address, or the bits of a scalar */
    PyObject *pattern;  /* of a tensor or an array */
    uint64_t *elements; /* of a list; the note owns them */
    size_t count;
};

struct alive {
    uint64_t handle; /* 0: free, 1: one was here */
    int operand;     /* that made it */
    uint64_t *elements;
    size_t count;
};

struct pattern {
    uint64_t hash;
    size_t words;
    uint64_t *key;
    PyObject *made;
};

static int lock, noting;
static struct note notes[MOST_NOTES];
static size_t noted;
static unsigned long notes_thread; /* who has made all of these calls */
static struct alive *alive;
static size_t room, filled, living;
static struct pattern patterns[PATTERNS];
static size_t known_patterns;
static uint64_t next_handle = FIRST_HANDLE;
static PyObject *make_pattern, *hear;

static void take(void)
{
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void give(void)
{
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

void door_forget_operands(void)
{
    give(); /* in the child of a fork no other thread has it */
}

/* ---- what is alive ---------------------------------------------------------------------------------------------- */

static struct alive *find(uint64_t handle)
{
    for (size_t at = handle / STEP & (room - 1); room && alive[at].handle; at = (at + 1) & (room - 1))
        if (alive[at].handle == handle)
            return &alive[at];
    return NULL;
}

static int remember(struct alive one)
{
    if (2 * (filled + 1) > room) {
        size_t before = room, wanted = 1024;
        struct alive *old = alive;
        while (wanted < 4 * (living + 1))
            wanted *= 2;
        struct alive *bigger = calloc(wanted, sizeof *bigger);
        if (!bigger)
            return 0;
        alive = bigger;
        room = wanted;
        filled = living = 0;
        for (size_t i = 0; i < before; i++)
            if (old[i].handle > 1)
                remember(old[i]);
        free(old);
    }
    size_t at = one.handle / STEP & (room - 1);
    while (alive[at].handle)
        at = (at + 1) & (room - 1);
    alive[at] = one;
    filled++;
    living++;
    return 1;
}

static void forget(struct alive *one)
{
    uint64_t *elements = one->elements;
    size_t count = one->count;
    one->handle = 1;
    one->elements = NULL;
    living--;
    for (size_t i = 0; i < count; i++) {
        struct alive *element = find(elements[i]);
        if (element)
            forget(element); /* a list owns what it holds */
    }
    free(elements);
}

/* ---- patterns --------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const uint64_t *key, size_t words)
{
    uint64_t hash = words;
    for (size_t i = 0; i < words; i++)
        hash = (hash ^ key[i]) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 29;
    return hash;
}

static PyObject *pattern_of(const uint64_t *key, size_t words, uint64_t hash)
{
    for (size_t at = hash & (PATTERNS - 1); patterns[at].made; at = (at + 1) & (PATTERNS - 1))
        if (patterns[at].hash == hash && patterns[at].words == words && !memcmp(patterns[at].key, key, 8 * words))
            return patterns[at].made;
    return NULL;
}

/* Ask Python for a pattern that is not known. NULL: the call is an unusual one. */
static PyObject *ask(int operand, const uint64_t *key, size_t words, uint64_t hash)
{
    PyObject *made = NULL, *kept = NULL;
    struct pending pending;
    door_depth++;
    int gil = door_take_gil();
    door_put_aside(&pending);
    PyObject *data = py.PyBytes_FromStringAndSize((const char *)key, (Py_ssize_t)(8 * words));
    if (data) {
        made = py.PyObject_CallFunction(make_pattern, "iO", operand, data);
        py.Py_DecRef(data);
    }
    if (!made)
        py.PyErr_Print();
    else if (made == py.none)
        py.Py_DecRef(made);
    else
        kept = made;
    door_put_back(&pending);
    if (kept) {
        uint64_t *copy = malloc(8 * words);
        take();
        PyObject *other = pattern_of(key, words, hash); /* another thread may have asked as well */
        if (other || !copy || 2 * known_patterns >= PATTERNS) {
            free(copy);
            py.Py_DecRef(kept);
            kept = other;
        } else {
            size_t at = hash & (PATTERNS - 1);
            memcpy(copy, key, 8 * words);
            while (patterns[at].made)
                at = (at + 1) & (PATTERNS - 1);
            patterns[at] = (struct pattern){hash, words, copy, kept};
            known_patterns++;
        }
        give();
    }
    py.PyGILState_Release(gil);
    door_depth--;
    return kept;
}

/* ---- arrays of the program -------------------------------------------------------------------------------------- */

/* Whether nothing but the program itself can make this memory unreadable: its stack, and what malloc has from the system. */
static int surely_readable(uint64_t address, size_t size)
{
    static __thread uint64_t low, high;
    if (!high) {
        pthread_attr_t attributes;
        void *base;
        size_t length;
        high = 1;
        if (!pthread_getattr_np(pthread_self(), &attributes)) {
            if (!pthread_attr_getstack(&attributes, &base, &length))
                low = (uintptr_t)base, high = low + length;
            pthread_attr_destroy(&attributes);
        }
    }
    uint64_t here = (uintptr_t)__builtin_frame_address(0);
    if (address >= here && here >= low && address < high)
        return high - address >= size;
    static uint64_t heap; /* where the program's heap began when the first call came */
    uint64_t end = (uintptr_t)sbrk(0);
    if (!heap)
        heap = end - 1;
    return address >= heap && address < end && end - address >= size;
}

/* Copy the arrays one after the other. 0: one cannot be read. */
static int copy_arrays(void *to, const struct iovec *from, int count)
{
    size_t total = 0;
    int sure = 1;
    for (int i = 0; i < count; i++) {
        total += from[i].iov_len;
        sure = sure && (!from[i].iov_len || surely_readable((uintptr_t)from[i].iov_base, from[i].iov_len));
    }
    if (sure) {
        for (int i = 0; i < count; to = (char *)to + from[i++].iov_len)
            memcpy(to, from[i].iov_base, from[i].iov_len);
        return 1;
    }
    struct iovec target = {to, total};
    return !total || process_vm_readv(getpid(), &target, 1, from, (unsigned long)count, 0) == (ssize_t)total;
}

/* ---- the calls -------------------------------------------------------------------------------------------------- */

static int note_down(struct note note, uint64_t *returned)
{
    take();
    if (noted == MOST_NOTES) {
        give();
        free(note.elements);
        return 0;
    }
    struct alive one = {note.handle = next_handle, note.operand, NULL, note.count};
    if (note.count && (one.elements = malloc(8 * note.count)))
        memcpy(one.elements, note.elements, 8 * note.count);
    if ((note.count && !one.elements) || !remember(one)) {
        give();
        free(one.elements);
        free(note.elements);
        return 0;
    }
    next_handle += STEP;
    notes[noted++] = note;
    notes_thread = (unsigned long)pthread_self();
    give();
    *returned = note.handle;
    return 1;
}

static int with_pattern(struct note note, const uint64_t *key, size_t words, uint64_t *returned)
{
    uint64_t hash = hash_of(key, words);
    take();
    note.pattern = pattern_of(key, words, hash);
    give();
    if (!note.pattern)
        note.pattern = ask(note.operand, key, words, hash);
    return note.pattern && note_down(note, returned);
}

static int tensor(const uint64_t *w, uint64_t *returned)
{
    uint64_t key[MOST_WORDS];
    uint64_t dimensions = w[1], stored = w[7];
    if (dimensions > MOST_DIMENSIONS || stored > MOST_DIMENSIONS || !w[0] || !w[3] || !w[6])
        return 0;
    key[0] = dimensions;
    key[1] = stored;
    key[2] = (uint64_t)(int64_t)(int32_t)w[2];
    key[3] = w[4];
    key[4] = (uint64_t)(int64_t)(int32_t)w[5];
    struct iovec from[] = {
        {(void *)(uintptr_t)w[0], 8 * dimensions}, {(void *)(uintptr_t)w[3], 8 * dimensions}, {(void *)(uintptr_t)w[6], 8 * stored}};
    if (!copy_arrays(key + 5, from, 3))
        return 0;
    return with_pattern((struct note){.operand = MAKE_TENSOR, .value = w[8]}, key, 5 + 2 * dimensions + stored, returned);
}

static int scalar(const uint64_t *w, uint64_t *returned)
{
    int data_type = (int32_t)w[1];
    if (!w[0] || (data_type != INT64 && data_type != DOUBLE && data_type != BOOL))
        return 0;
    uint64_t bits = 0;
    struct iovec from = {(void *)(uintptr_t)w[0], data_type == BOOL ? 1 : 8};
    if (!copy_arrays(&bits, &from, 1))
        return 0;
    return note_down((struct note){.operand = MAKE_SCALAR, .data_type = data_type, .value = bits}, returned);
}

static int array(int operand, const uint64_t *w, uint64_t *returned)
{
    uint64_t key[MOST_WORDS], count = w[1];
    size_t size = count * (operand == MAKE_INTS ? 8 : operand == MAKE_FLOATS ? 4 : 1), words = 2 + (size + 7) / 8;
    if (!w[0] || !count || count > MOST_ELEMENTS)
        return 0;
    key[0] = (uint64_t)operand << 32; /* no layout has so many dimensions */
    key[1] = count;
    key[words - 1] = 0; /* the last word may not be full */
    struct iovec from = {(void *)(uintptr_t)w[0], size};
    return copy_arrays(key + 2, &from, 1) &&
           with_pattern((struct note){.operand = operand}, key, words, returned);
}

static int list(const uint64_t *w, uint64_t *returned)
{
    uint64_t count = w[1];
    if (!w[0] || !count || count > MOST_IN_LIST)
        return 0;
    uint64_t *elements = malloc(8 * count);
    struct iovec from = {(void *)(uintptr_t)w[0], 8 * count};
    if (elements && copy_arrays(elements, &from, 1))
        return note_down((struct note){.operand = MAKE_LIST, .elements = elements, .count = count}, returned);
    free(elements);
    return 0;
}

static int end(int operand, uint64_t handle, uint64_t *returned)
{
    take();
    struct alive *one = find(handle);
    int ends = one && one->operand == operand && noted < MOST_NOTES;
    if (ends) {
        notes[noted++] = (struct note){.operand = END, .handle = handle};
        notes_thread = (unsigned long)pthread_self();
        forget(one);
    }
    give();
    *returned = 0;
    return ends;
}

int door_note(struct function *f, uint64_t *words, uint64_t *returned)
{
    if (!__atomic_load_n(&noting, __ATOMIC_ACQUIRE) || !door_is_last_thread())
        return 0;
    switch (f->operand) {
    case MAKE_TENSOR: return tensor(words, returned);
    case MAKE_SCALAR: return scalar(words, returned);
    case MAKE_INTS: case MAKE_FLOATS: case MAKE_BOOLS: return array(f->operand, words, returned);
    case MAKE_LIST: return list(words, returned);
    default: return end(f->operand - END, words[0], returned);
    }
}

/* ---- what Python hears ------------------------------------------------------------------------------------------ */

static PyObject *tuple_of(const uint64_t *values, size_t count)
{
    PyObject *made = py.PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; made && i < count; i++)
        py.PyTuple_SetItem(made, (Py_ssize_t)i, py.PyLong_FromUnsignedLongLong(values[i]));
    return made;
}

static PyObject *value_of(const struct note *note)
{
    switch (note->operand) {
    case MAKE_TENSOR: return py.PyLong_FromUnsignedLongLong(note->value);
    case MAKE_LIST: return tuple_of(note->elements, note->count);
    case MAKE_SCALAR:
        if (note->data_type == DOUBLE)
            return py.PyFloat_FromDouble(double_of_word(note->value));
        if (note->data_type == BOOL)
            return py.PyBool_FromLong(note->value != 0);
        return py.PyLong_FromLongLong((int64_t)note->value);
    default: py.Py_IncRef(py.none); return py.none;
    }
}

/* A number for what was destroyed; (handle, what made it, pattern or type, value) for what was made. */
static PyObject *told(const struct note *note)
{
    if (note->operand == END)
        return py.PyLong_FromUnsignedLongLong(note->handle);
    PyObject *made = py.PyTuple_New(4), *pattern = note->pattern;
    if (!made)
        return NULL;
    if (pattern)
        py.Py_IncRef(pattern);
    else
        pattern = py.PyLong_FromLongLong(note->data_type);
    py.PyTuple_SetItem(made, 0, py.PyLong_FromUnsignedLongLong(note->handle));
    py.PyTuple_SetItem(made, 1, py.PyLong_FromLongLong(note->operand));
    py.PyTuple_SetItem(made, 2, pattern);
    py.PyTuple_SetItem(made, 3, value_of(note));
    return made;
}

static void forget_patterns(void)
{
    for (size_t i = 0; i < PATTERNS; i++) {
        free(patterns[i].key);
        py.Py_DecRef(patterns[i].made);
    }
    memset(patterns, 0, sizeof patterns);
    known_patterns = 0;
}

/* Tell Python what was noted. With its lock, and no exception on its way. */
static void tell(void)
{
    PyObject *all = NULL;
    take();
    unsigned long thread = notes_thread;
    PyObject *list = py.PyTuple_New((Py_ssize_t)noted);
    for (size_t i = 0; i < noted; i++) {
        if (list)
            py.PyTuple_SetItem(list, (Py_ssize_t)i, told(&notes[i]));
        if (notes[i].operand == MAKE_LIST)
            free(notes[i].elements);
    }
    noted = 0;
    if (2 * known_patterns >= PATTERNS) /* no note has one of them any more */
        forget_patterns();
    give();
    if (list)
        all = py.PyObject_CallFunction(hear, "kO", thread, list);
    if (!all)
        py.PyErr_Print();
    py.Py_DecRef(list);
    py.Py_DecRef(all);
}

void door_tell_operands(void)
{
    if (__atomic_load_n(&noted, __ATOMIC_RELAXED))
        tell();
}

/* Called by Python, with its lock. */
EXPORT void ascend_sim_tell_operands(void)
{
    door_tell_operands();
}

/* Python says what makes a pattern and who hears of operands. */
EXPORT void ascend_sim_hear_operands(PyObject *pattern, PyObject *hears)
{
    py.Py_IncRef(pattern);
    py.Py_IncRef(hears);
    make_pattern = pattern;
    hear = hears;
}

/* Python says whether calls are noted, or come to it at once. */
EXPORT void ascend_sim_note_operands(int wanted)
{
    door_tell_operands();
    __atomic_store_n(&noting, wanted, __ATOMIC_RELEASE);
}
