/* The door between C and the simulator: one function that decodes the words of a call by the signature of the function,
 * calls Python, and writes what it gives. The rest is the life of the process: opening, threads, fork, exit. */
#define _GNU_SOURCE
#include "door.h"
#include "python.h"

#include <dlfcn.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_PARAMETERS 64
#define EXIT_CANNOT_START 70
#define INNER_ERROR 500000u /* ACL_ERROR_INTERNAL_ERROR */

struct python py;

/* Calls of this thread that are inside the simulator: what Python itself does with threads and locks is no concern of
 * the program. */
__thread int door_depth;

static enum { CLOSED, OPENING, OPEN, OVER } state;
int door_guest; /* Python was there first: it ends by its own rules */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static pthread_t opener;
static PyObject *resolve, *failed, *keep_text, *finish, *thread_ended;
PyObject *door_place_of;

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static void stop(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(NULL);
    fputs("ascend-sim: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    _exit(EXIT_CANNOT_START);
}

/* A setting of the environment, or of the file python.cfg beside the library: lines `name = value`. */
static char *setting(const char *variable, const char *name)
{
    const char *given = getenv(variable);
    if (given && *given)
        return strdup(given);
    Dl_info here;
    if (!dladdr((void *)&setting, &here) || !here.dli_fname)
        return NULL;
    char path[PATH_MAX], line[PATH_MAX + 64];
    const char *end = strrchr(here.dli_fname, '/');
    snprintf(path, sizeof path, "%.*s/python.cfg", end ? (int)(end - here.dli_fname) : 1, end ? here.dli_fname : ".");
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    char *found = NULL;
    size_t length = strlen(name);
    while (!found && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, length) || strncmp(line + length, " = ", 3))
            continue;
        line[strcspn(line, "\n")] = 0;
        found = strdup(line + length + 3);
    }
    fclose(file);
    return found;
}

static int look_up(void *where)
{
#define FIND(returns, name, parameters) \
    *(void **)&py.name = dlsym(where, #name); \
    if (!py.name) \
        return 0;
    PYTHON_FUNCTIONS(FIND)
#undef FIND
    *(void **)&py.PyObject_Vectorcall = dlsym(where, "PyObject_Vectorcall");
    *(void **)&py.PyFrame_GetLasti = dlsym(where, "PyFrame_GetLasti");
    *(void **)&py.Py_DecodeLocale = dlsym(where, "Py_DecodeLocale");
    *(void **)&py.Py_SetProgramName = dlsym(where, "Py_SetProgramName");
    py.none = dlsym(where, "_Py_NoneStruct");
    return py.none != NULL;
}

static void load_python(void)
{
    if (dlsym(RTLD_DEFAULT, "Py_IsInitialized")) {
        if (!look_up(RTLD_DEFAULT))
            stop("the Python of this process lacks a function that the simulator needs (3.10 or later is required)");
        return;
    }
    char *path = setting("ASCEND_SIM_LIBPYTHON", "libpython");
    if (!path)
        stop("no python.cfg is beside libascendcl.so: make the folder with `ascend-sim home`, or start the program with "
             "`ascend-sim run`");
    /* Global: extension modules look for Python's functions there, also when this library was loaded with RTLD_LOCAL. */
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        stop("libpython cannot be loaded: %s", dlerror());
    if (!look_up(library))
        stop("%s lacks a function that the simulator needs (Python 3.10 or later is required)", path);
    free(path);
}

static void find_package(void);

static void start_python(void)
{
    char *program = setting("ASCEND_SIM_PYTHON", "python");
    if (program && py.Py_SetProgramName && py.Py_DecodeLocale) /* its pyvenv.cfg says where packages are */
        py.Py_SetProgramName(py.Py_DecodeLocale(program, NULL));
    char *locale = setlocale(LC_CTYPE, NULL);
    char *kept = locale ? strdup(locale) : NULL;
    py.Py_InitializeEx(0); /* without signal handlers: those are the program's */
    if (kept)
        setlocale(LC_CTYPE, kept); /* Python sets that of the user; a C program begins with "C" */
    free(kept);
    free(program);
    find_package();
}

/* The folder with the package comes last on Python's path. */
static void find_package(void)
{
    char *folder = setting("ASCEND_SIM_PACKAGE", "package");
    PyObject *path = py.PySys_GetObject("path");
    if (folder && path) {
        PyObject *text = py.PyUnicode_DecodeUTF8(folder, (Py_ssize_t)strlen(folder), "surrogateescape");
        if (text)
            py.PyList_Append(path, text);
    }
    free(folder);
}

static void before_fork(void);
static void after_fork_in_parent(void);
static void after_fork_in_child(void);
static void end_of_thread(void *unused);

static PyObject *attribute(PyObject *module, const char *name)
{
    PyObject *found = py.PyObject_GetAttrString(module, name);
    if (!found) {
        py.PyErr_Print();
        stop("the simulator cannot be started");
    }
    return found;
}

int door_closed(void)
{
    return __atomic_load_n(&state, __ATOMIC_ACQUIRE) == OVER || (door_guest && !py.Py_IsInitialized());
}

/* A Python process ends: what its libraries still call does nothing. */
EXPORT void ascend_sim_leave_guest(void)
{
    __atomic_store_n(&state, OVER, __ATOMIC_RELEASE);
}

/* Bring the simulator into this process. Called by the first call, and before the first thread is made. */
EXPORT void ascend_sim_open(void)
{
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) >= OPEN)
        return;
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == OPENING && pthread_equal(opener, pthread_self()))
        return;
    pthread_mutex_lock(&opening);
    if (state < OPEN) {
        opener = pthread_self();
        __atomic_store_n(&state, OPENING, __ATOMIC_RELEASE);
        door_depth++;
        struct sigaction interrupt;
        sigaction(SIGINT, NULL, &interrupt);
        load_python();
        int started = !py.Py_IsInitialized();
        door_guest = !started;
        if (started) {
            start_python();
            door_leave_python_alone();
        }
        int gil = started ? 0 : py.PyGILState_Ensure();
        int collects = started && py.PyGC_Disable(); /* what is loaded now stays: looking through it again and again is vain */
        Dl_info here;
        dladdr((void *)&ascend_sim_open, &here);
        PyObject *module = py.PyImport_ImportModule("ascend_sim.native.inside");
        if (!module && door_guest) { /* a program that has started Python itself, perhaps not in our environment */
            py.PyErr_Clear();
            find_package();
            module = py.PyImport_ImportModule("ascend_sim.native.inside");
        }
        if (!module) {
            py.PyErr_Print();
            stop("the simulator cannot be started");
        }
        resolve = attribute(module, "resolve");
        failed = attribute(module, "failed");
        keep_text = attribute(module, "keep_text");
        finish = attribute(module, "finish");
        thread_ended = attribute(module, "thread_ended");
        PyObject *start = py.PyImport_ImportModule("ascend_sim._boot");
        if (!start) {
            py.PyErr_Print();
            stop("the simulator cannot be started");
        }
        PyObject *opened = attribute(start, "open_door");
        door_place_of = py.PyObject_CallFunction(opened, "si", here.dli_fname, door_guest);
        if (!door_place_of) {
            py.PyErr_Print();
            stop("the simulator cannot be started");
        }
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
        if (collects)
            py.PyGC_Enable();
        if (started) {
            sigaction(SIGINT, &interrupt, NULL); /* Python's module of signals takes it: it is the program's */
            py.PyEval_SaveThread();
        } else {
            py.PyGILState_Release(gil);
        }
        door_depth--;
        __atomic_store_n(&state, OPEN, __ATOMIC_RELEASE);
        if (door_guest)
            ascend_sim_adopt_waits();
    }
    pthread_mutex_unlock(&opening);
}

/* One process runs the program again and again (`ascend-sim explore`): each begins here, before anything of the program. */
static __attribute__((constructor)) void open_at_once(void)
{
    if (getenv("ASCEND_SIM_EXPLORE"))
        ascend_sim_open();
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

static __thread int known_thread;

/* Thread-local destructors run before those of pthread keys, among which Python's own memory of the thread is. */
extern int __cxa_thread_atexit_impl(void (*)(void *), void *, void *) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

/* What Python knows of a thread lives as long as the thread: the current device is a matter of the thread. */
int door_take_gil(void)
{
    if (!known_thread || door_token) { /* that of a thread that is about to end goes again and again */
        known_thread = 1;
        if (!py.PyGILState_GetThisThreadState()) {
            py.PyGILState_Ensure(); /* never given back, but at the end of the thread */
            if (door_token)
                door_tell_token();
            py.PyEval_SaveThread();
            if (__cxa_thread_atexit_impl)
                __cxa_thread_atexit_impl(end_of_thread, NULL, &__dso_handle);
        }
    }
    return py.PyGILState_Ensure();
}

static void end_of_thread(void *unused)
{
    (void)unused;
    if (!py.Py_IsInitialized() || !py.PyGILState_GetThisThreadState())
        return;
    door_depth++;
    py.PyGILState_Ensure();
    door_tell_operands();
    door_thread_ended();
    PyObject *result = py.PyObject_CallObject(thread_ended, NULL);
    if (!result)
        py.PyErr_Print();
    py.PyGILState_Release(GIL_HELD_BEFORE); /* that of this function */
    py.PyGILState_Release(GIL_TAKEN);       /* that of take_gil: Python forgets the thread */
    known_thread = 0;
    door_depth--;
}

void door_forget_thread(void)
{
    end_of_thread(NULL);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static PyObject *number(char letter, uint64_t word)
{
    switch (letter) {
    case 'i': return py.PyLong_FromLongLong((int32_t)word);
    case 'I': return py.PyLong_FromLongLong((uint32_t)word);
    case 'h': return py.PyLong_FromLongLong((int16_t)word);
    case 'H': return py.PyLong_FromLongLong((uint16_t)word);
    case 'b': return py.PyLong_FromLongLong((int8_t)word);
    case 'B': return py.PyLong_FromLongLong((uint8_t)word);
    case 'q': return py.PyLong_FromLongLong((int64_t)word);
    case '?': return py.PyBool_FromLong((uint8_t)word != 0);
    case 'f': return py.PyFloat_FromDouble(float_of_word(word));
    case 'd': return py.PyFloat_FromDouble(double_of_word(word));
    case 's':
        if (!word)
            break;
        return py.PyUnicode_DecodeUTF8((const char *)word, (Py_ssize_t)strlen((const char *)word), "replace");
    default: return py.PyLong_FromUnsignedLongLong(word);
    }
    py.Py_IncRef(py.none);
    return py.none;
}

/* What is at *address*, as a word. */
static uint64_t fetch(char letter, const void *address)
{
    switch (letter) {
    case 'i': case 'I': case 'f': return *(const uint32_t *)address;
    case 'h': case 'H': return *(const uint16_t *)address;
    case 'b': case 'B': case '?': return *(const uint8_t *)address;
    default: return *(const uint64_t *)address;
    }
}

/* A Python value as a word; -1 when it is none, with an exception set. */
static int word_of(char letter, PyObject *value, uint64_t *word)
{
    if (value == py.none) {
        *word = 0;
        return 0;
    }
    switch (letter) {
    case 'f': *word = word_of_float((float)py.PyFloat_AsDouble(value)); break;
    case 'd': *word = word_of_double(py.PyFloat_AsDouble(value)); break;
    case 's': { /* texts that the program was handed live for ever */
        PyObject *kept = py.PyObject_CallFunction(keep_text, "O", value);
        if (!kept)
            return -1;
        *word = (uint64_t)(uintptr_t)py.PyUnicode_AsUTF8AndSize(kept, NULL);
        py.Py_DecRef(kept);
        break;
    }
    default: *word = py.PyLong_AsUnsignedLongLongMask(value);
    }
    return *word + 1 < 2 && py.PyErr_Occurred() ? -1 : 0;
}

static void store(char letter, void *address, uint64_t word)
{
    switch (letter) {
    case 'i': case 'I': case 'f': *(uint32_t *)address = (uint32_t)word; break;
    case 'h': case 'H': *(uint16_t *)address = (uint16_t)word; break;
    case 'b': case 'B': case '?': *(uint8_t *)address = (uint8_t)word; break;
    default: *(uint64_t *)address = word;
    }
}

static PyObject *converted(struct function *f, int position, uint64_t *words)
{
    PyObject *pair = py.PyTuple_GetItem(f->converters, position);
    PyObject *convert = py.PyTuple_GetItem(pair, 0);
    int count = (int)py.PyLong_AsUnsignedLongLongMask(py.PyTuple_GetItem(pair, 1));
    unsigned long long address = words[position];
    if (count < 0)
        return py.PyObject_CallFunction(convert, "K", address);
    return py.PyObject_CallFunction(convert, "KK", address, (unsigned long long)words[count]);
}

/* What the exception comes to that is set: the code to return, unless the process ends. */
uint64_t door_raised(const char *name)
{
    PyObject *kind, *value, *trace;
    uint64_t code = INNER_ERROR;
    py.PyErr_Fetch(&kind, &value, &trace);
    py.PyErr_NormalizeException(&kind, &value, &trace);
    PyObject *result = py.PyObject_CallFunction(failed, "sO", name, value ? value : py.none);
    if (!result) {
        py.PyErr_Print();
        return code;
    }
    word_of('Q', result, &code);
    py.Py_DecRef(result);
    return code;
}

/* ---- no collection of garbage meanwhile ---------------------------------------------------------------------------
 *
 * Of calls, and of the thread that watches the others: what a collection ends may call, and so wait for its turn, which
 * that thread must not. Both may be under way at once; with Python's lock. */

static int collection_paused, collected_before;

EXPORT void ascend_sim_pause_collection(void)
{
    if (!collection_paused++)
        collected_before = py.PyGC_Disable();
}

EXPORT void ascend_sim_resume_collection(void)
{
    if (!--collection_paused && collected_before)
        py.PyGC_Enable();
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

static PyObject *vectorcall(PyObject *callable, PyObject **arguments, int count)
{
    if (py.PyObject_Vectorcall)
        return py.PyObject_Vectorcall(callable, arguments, (size_t)count, NULL);
    PyObject *tuple = py.PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        py.Py_IncRef(arguments[i]);
        py.PyTuple_SetItem(tuple, i, arguments[i]);
    }
    PyObject *result = tuple ? py.PyObject_CallObject(callable, tuple) : NULL;
    py.Py_DecRef(tuple);
    return result;
}

static int resolved(struct function *f)
{
    PyObject *found = py.PyObject_CallFunction(resolve, "ss", f->name, f->signature);
    if (!found)
        return 0;
    f->null_output = py.PyTuple_GetItem(found, 1);
    f->converters = py.PyTuple_GetItem(found, 2);
    f->call = py.PyTuple_GetItem(found, 0); /* the tuple is never given back */
    return 1;
}

/* Write one output. -1 with an exception set. */
static int write_output(struct function *f, int position, char letter, uint64_t *words, PyObject *value)
{
    void *address = (void *)(uintptr_t)words[position];
    uint64_t word;
    if (!address || value == py.none)
        return 0;
    if (letter == 'x') {
        PyObject *write = py.PyTuple_GetItem(py.PyTuple_GetItem(f->converters, position), 0);
        PyObject *done = py.PyObject_CallFunction(write, "KO", (unsigned long long)words[position], value);
        py.Py_DecRef(done);
        return done ? 0 : -1;
    }
    if (word_of(letter, value, &word))
        return -1;
    store(letter, address, word);
    return 0;
}

/* Take the result apart into outputs and the returned word. -1 with an exception set. */
static int unpack(struct function *f, uint64_t *words, PyObject *result, uint64_t *returned)
{
    int outputs = 0, position = 0, last;
    const char *s = f->signature;
    for (const char *c = s; *c != ':'; c++)
        outputs += *c == '>' || *c == '=';
    last = outputs;
    char letter = s[strlen(s) - 1];
    if (letter == 'v')
        return 0;
    if (!outputs)
        return word_of(letter == 'c' ? 'i' : letter, result, returned);
    for (int i = 0; *s != ':'; s++, position++) {
        int output = *s == '>' || *s == '=';
        if (output)
            s += s[1] == '~' ? 2 : 1;
        if (output && write_output(f, position, *s, words, py.PyTuple_GetItem(result, i++)))
            return -1;
    }
    return word_of('i', py.PyTuple_GetItem(result, last), returned);
}

static uint64_t call_python(struct function *f, uint64_t *words, void *caller, void *frame)
{
    PyObject *room[MOST_PARAMETERS + 2], **arguments = room + 1, *result = NULL;
    int count = 1, position = 0, missing = -1;
    uint64_t returned = 0;
    if (!f->call && !resolved(f))
        goto raised;
    arguments[0] = door_site(caller, frame, f->name);
    if (!arguments[0])
        goto raised;
    for (const char *s = f->signature; *s != ':'; s++, position++) {
        PyObject *value = NULL;
        if (*s == '>') {
            if (s[1] == '~')
                s++;
            else if (!words[position] && missing < 0)
                missing = position;
            s++;
            continue;
        }
        if (*s == '=') {
            s++;
            if (!words[position]) {
                missing = missing < 0 ? position : missing;
                continue;
            }
            value = number(*s, fetch(*s, (void *)(uintptr_t)words[position]));
        } else {
            value = *s == 'x' ? converted(f, position, words) : number(*s, words[position]);
        }
        if (!value)
            goto released;
        arguments[count++] = value;
    }
    if (missing >= 0)
        result = py.PyObject_CallFunction(f->null_output, "Oi", arguments[0], missing);
    else
        result = vectorcall(f->call, arguments, count);
released:
    while (count > 1)
        py.Py_DecRef(arguments[--count]);
    if (result && missing >= 0)
        word_of('i', result, &returned);
    else if (result)
        unpack(f, words, result, &returned);
    py.Py_DecRef(result);
    if (!py.PyErr_Occurred())
        return returned;
raised:
    return door_raised(f->name);
}

void door_put_aside(struct pending *pending)
{
    pending->kind = NULL;
    if (py.PyErr_Occurred())
        py.PyErr_Fetch(&pending->kind, &pending->value, &pending->trace);
}

void door_put_back(struct pending *pending)
{
    if (pending->kind)
        py.PyErr_Restore(pending->kind, pending->value, pending->trace);
}

uint64_t door_call(struct function *f, uint64_t *words, void *caller)
{
    ascend_sim_open();
    if (door_closed())
        return 0;
    uint64_t noted;
    if (f->operand && door_note(f, words, &noted))
        return noted;
    door_depth++;
    int gil = door_take_gil();
    struct pending pending;
    door_put_aside(&pending);
    if (door_guest)
        ascend_sim_pause_collection(); /* it could free what only another lock may free */
    door_tell_operands();
    uint64_t returned = call_python(f, words, caller, __builtin_frame_address(0));
    if (door_guest)
        ascend_sim_resume_collection();
    door_put_back(&pending);
    py.PyGILState_Release(gil);
    door_depth--;
    return returned;
}

/* ---- what Python calls ------------------------------------------------------------------------------------------ */

/* Run a function of the program: it is outside of the simulator. */
EXPORT uint64_t ascend_sim_run(uint64_t (*function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t), uint64_t a,
                               uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    int depth = door_depth;
    void *floor = door_floor;
    door_depth = 0;
    door_floor = __builtin_frame_address(0);
    uint64_t result = function(a, b, c, d, e, f);
    door_depth = depth;
    door_floor = floor;
    return result;
}

EXPORT void ascend_sim_write(const char *data, size_t size)
{
    fwrite(data, 1, size, stdout); /* in the order of the program's own output */
}

EXPORT void ascend_sim_flush(void)
{
    fflush(stdout);
}

/* End the process at once, with what the program has written. */
EXPORT void ascend_sim_end(int code)
{
    fflush(NULL);
    _exit(code);
}

/* Find out what *name* does before it is called: with Python's lock. */
EXPORT void ascend_sim_warm(const char *name)
{
    for (int i = 0; i < ascend_sim_function_count; i++)
        if (!strcmp(ascend_sim_functions[i].name, name) && !ascend_sim_functions[i].call && !resolved(&ascend_sim_functions[i]))
            py.PyErr_Print();
}

/* ---- ends that leave no time, where somebody waits to hear of them ---------------------------------------------- */

static PyObject *tell_end;

static void tell(void)
{
    if (!tell_end || door_depth)
        return; /* inside Python, which cannot be asked now */
    door_depth++;
    int gil = door_take_gil();
    PyObject *told = py.PyObject_CallObject(tell_end, NULL);
    if (!told)
        py.PyErr_Print();
    py.PyGILState_Release(gil);
    door_depth--;
}

#define PATIENCE 10         /* seconds that the last words may take: what has crashed may hold any lock */
#define HANDLER_ROOM (8 << 20)

static void crashed(int number)
{
    signal(number, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(PATIENCE);
    tell();
    raise(number);
}

/* *function* is called without arguments when the program is about to end by a signal of its own making, or by `_exit`. */
EXPORT void ascend_sim_tell_end(PyObject *function)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    py.Py_IncRef(function);
    tell_end = function;
    stack_t room = {.ss_sp = malloc(HANDLER_ROOM), .ss_size = HANDLER_ROOM};
    if (room.ss_sp)
        sigaltstack(&room, NULL); /* the stack may be what is used up */
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}

EXPORT void _exit(int code)
{
    tell();
    DOOR_REAL(_exit)(code);
    __builtin_unreachable();
}

EXPORT void _Exit(int code)
{
    _exit(code);
}

/* ---- the end of the process, and its children ------------------------------------------------------------------- */

/* After exit handlers and static destructors of the program. Python is never finalised: calls that come later still get
 * their codes. */
static __attribute__((destructor)) void close_door(void)
{
    if (state != OPEN || door_guest || !py.Py_IsInitialized())
        return;
    door_depth++;
    int gil = door_take_gil();
    PyObject *result = py.PyObject_CallObject(finish, NULL);
    if (!result)
        py.PyErr_Print();
    py.PyGILState_Release(gil);
    door_depth--;
}

static __thread int forking, fork_gil;

static void before_fork(void)
{
    if (door_depth || py.PyGILState_Check())
        return; /* Python forks by itself */
    forking = 1;
    door_depth++;
    fork_gil = door_take_gil();
    py.PyOS_BeforeFork();
}

static void after_fork_in_parent(void)
{
    if (!forking)
        return;
    py.PyOS_AfterFork_Parent();
    py.PyGILState_Release(fork_gil);
    door_depth--;
    forking = 0;
}

static void after_fork_in_child(void)
{
    if (collection_paused && !door_depth) { /* by a thread that is not here */
        collection_paused = 0;
        if (collected_before)
            py.PyGC_Enable();
    }
    door_forget_waits();
    door_forget_operands();
    if (!forking)
        return;
    py.PyOS_AfterFork_Child();
    py.PyGILState_Release(fork_gil);
    door_depth--;
    forking = 0;
}

/* ---- functions that no signature describes ---------------------------------------------------------------------- */

EXPORT void aclAppLog(int32_t level, const char *function, const char *file, uint32_t line, const char *format, ...)
{
    static struct function log = {"aclAppLog", "IssIs:v", NULL, NULL, NULL};
    char *text = NULL;
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        if (vasprintf(&text, format, arguments) < 0)
            text = NULL;
        va_end(arguments);
    }
    uint64_t words[] = {(uint32_t)level, (uintptr_t)function, (uintptr_t)file, line, (uintptr_t)text};
    door_call(&log, words, __builtin_return_address(0));
    free(text);
}
