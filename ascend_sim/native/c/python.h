/* The part of Python's C interface that the door uses, looked up while the process runs: the library belongs to no Python
 * version. In a Python process the functions are there; elsewhere libpython is loaded. */
#ifndef ASCEND_SIM_PYTHON_H
#define ASCEND_SIM_PYTHON_H
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

typedef struct _object PyObject;
typedef intptr_t Py_ssize_t;
enum { GIL_HELD_BEFORE = 0, GIL_TAKEN = 1 }; /* PyGILState_LOCKED, PyGILState_UNLOCKED */

#define PYTHON_FUNCTIONS(F) \
    F(int, Py_IsInitialized, (void)) \
    F(void, Py_InitializeEx, (int)) \
    F(void, Py_IncRef, (PyObject *)) \
    F(void, Py_DecRef, (PyObject *)) \
    F(int, PyGILState_Ensure, (void)) \
    F(void, PyGILState_Release, (int)) \
    F(int, PyGILState_Check, (void)) \
    F(void *, PyGILState_GetThisThreadState, (void)) \
    F(void *, PyEval_SaveThread, (void)) \
    F(void, PyEval_RestoreThread, (void *)) \
    F(void *, PyEval_GetFrame, (void)) \
    F(PyObject *, PyErr_Occurred, (void)) \
    F(void, PyErr_Clear, (void)) \
    F(void, PyErr_Print, (void)) \
    F(void, PyErr_Fetch, (PyObject **, PyObject **, PyObject **)) \
    F(void, PyErr_Restore, (PyObject *, PyObject *, PyObject *)) \
    F(void, PyErr_NormalizeException, (PyObject **, PyObject **, PyObject **)) \
    F(int, Py_AddPendingCall, (int (*)(void *), void *)) \
    F(int, PyGC_Disable, (void)) \
    F(int, PyGC_Enable, (void)) \
    F(PyObject *, PyImport_ImportModule, (const char *)) \
    F(PyObject *, PyObject_GetAttrString, (PyObject *, const char *)) \
    F(PyObject *, PyObject_CallFunction, (PyObject *, const char *, ...)) \
    F(PyObject *, PyObject_CallObject, (PyObject *, PyObject *)) \
    F(PyObject *, PyTuple_New, (Py_ssize_t)) \
    F(int, PyTuple_SetItem, (PyObject *, Py_ssize_t, PyObject *)) \
    F(PyObject *, PyTuple_GetItem, (PyObject *, Py_ssize_t)) \
    F(Py_ssize_t, PyTuple_Size, (PyObject *)) \
    F(PyObject *, PyLong_FromLongLong, (long long)) \
    F(PyObject *, PyLong_FromUnsignedLongLong, (unsigned long long)) \
    F(unsigned long long, PyLong_AsUnsignedLongLongMask, (PyObject *)) \
    F(PyObject *, PyBool_FromLong, (long)) \
    F(PyObject *, PyFloat_FromDouble, (double)) \
    F(double, PyFloat_AsDouble, (PyObject *)) \
    F(PyObject *, PyBytes_FromStringAndSize, (const char *, Py_ssize_t)) \
    F(PyObject *, PyFrame_GetCode, (PyObject *)) \
    F(PyObject *, PyFrame_GetBack, (PyObject *)) \
    F(PyObject *, PyUnicode_DecodeUTF8, (const char *, Py_ssize_t, const char *)) \
    F(const char *, PyUnicode_AsUTF8AndSize, (PyObject *, Py_ssize_t *)) \
    F(PyObject *, PySys_GetObject, (const char *)) \
    F(int, PyList_Append, (PyObject *, PyObject *)) \
    F(void, PyOS_BeforeFork, (void)) \
    F(void, PyOS_AfterFork_Parent, (void)) \
    F(void, PyOS_AfterFork_Child, (void))

struct python {
#define MEMBER(returns, name, parameters) returns(*name) parameters;
    PYTHON_FUNCTIONS(MEMBER)
#undef MEMBER
    PyObject *(*PyObject_Vectorcall)(PyObject *, PyObject *const *, size_t, PyObject *); /* NULL in Python 3.10 */
    int (*PyFrame_GetLasti)(PyObject *); /* NULL in Python 3.10 */
    wchar_t *(*Py_DecodeLocale)(const char *, size_t *);
    void (*Py_SetProgramName)(const wchar_t *); /* NULL in versions to come */
    PyObject *none;
};

extern struct python py;
#endif
