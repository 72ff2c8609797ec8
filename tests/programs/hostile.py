# ruff: noqa: E501 - a row is a program
"""Programs that do what no program should; each begins with `START`. The table says how `ascend-sim run` ends."""

from __future__ import annotations

START = """\
import acl, os, sys, signal, threading, time, atexit, gc
acl.init(); acl.rt.set_device(0)
def fault():
    s, _ = acl.rt.create_stream(); p, _ = acl.rt.malloc(64, 0)
    acl.rt.memset_async(p, 64, 1, 64, s); acl.rt.free(p); acl.rt.synchronize_stream(s)
def end():
    return acl.rt.reset_device(0), acl.finalize()
"""

# name: (exit code, what stderr has, the program)
PROGRAMS: dict[str, tuple[int, str, str]] = {
    # streams that are closed, full, or read by nobody
    "stderr closed": (1, "", "os.close(2); fault()"),
    "stderr object closed": (1, "first cause F1", "sys.stderr.close(); fault()"),
    "stderr none": (1, "first cause F1", "sys.stderr = None; fault()"),
    "stderr a string": (120, "first cause F1", "sys.stderr = 'x'; fault()"),
    "stderr replaced": (1, "first cause F1", "import io; sys.stderr = io.StringIO(); fault()"),
    "stderr raises": (120, "first cause F1", "class W:\n    def write(s, x): raise RuntimeError\n    def flush(s): raise SystemExit(4)\nsys.stderr = W(); fault(); acl.rt.synchronize_event(7); end()"),
    "stderr full": (1, "", "os.dup2(os.open('/dev/full', os.O_WRONLY), 2); fault()"),
    "stderr broken pipe": (1, "", "r, w = os.pipe(); os.close(r); os.dup2(w, 2); fault()"),
    "stderr read only": (1, "", "os.dup2(os.open('/dev/null', os.O_RDONLY), 2); fault()"),
    "stdout closed": (1, "first cause F1", "os.close(1); fault()"),
    "all files closed": (1, "", "os.closerange(0, 256); fault()"),
    "all other files closed": (1, "first cause F1", "os.closerange(3, 256); fault(); end()"),
    "broken pipe kills": (1, "first cause F1", "signal.signal(signal.SIGPIPE, signal.SIG_DFL); fault(); r, w = os.pipe(); os.close(r); os.dup2(w, 1); end()"),
    "strict ascii": (1, "first cause F1", "sys.stderr.reconfigure(encoding='ascii', errors='strict')\ndef g():\n    s, _ = acl.rt.create_stream(); 变量, _ = acl.rt.malloc(64, 0)\n    acl.rt.memset_async(变量, 64, 1, 64, s); acl.rt.free(变量); acl.rt.synchronize_stream(s)\ng()"),
    # where findings are collected
    "spool removed": (1, "cannot be read", "import shutil; shutil.rmtree(os.environ['ASCEND_SIM_SPOOL']); fault()"),
    "spool removed, no fault": (1, "cannot be read", "import shutil; shutil.rmtree(os.environ['ASCEND_SIM_SPOOL']); end()"),
    "spool filled with rubbish": (1, "some findings", "open(os.environ['ASCEND_SIM_SPOOL'] + '/7.jsonl', 'w').write('[1'); end()"),
    "spool with odd names": (0, "", "open(os.environ['ASCEND_SIM_SPOOL'] + '/x.jsonl', 'w'); end()"),
    "spool name forgotten": (1, "first cause F1", "del os.environ['ASCEND_SIM_SPOOL']; fault()"),
    "no file may grow": (1, "some findings", "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (9, 9)); fault()"),
    "no file may be opened": (1, "", "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (0, 0)); fault()"),
    "working directory gone": (1, "first cause F1", "d = os.path.realpath('gone'); os.mkdir(d); os.chdir(d); os.rmdir(d); fault()"),
    "path that is no UTF-8": (1, "use-after-free", "exec(compile('fault()', b'\\xff.py'.decode('utf-8', 'surrogateescape'), 'exec'))"),
    "path with a command": (1, "use-after-free", "exec(compile('fault()', 'x\\n::error::y', 'exec'))"),
    "names with a command": (0, "--models 'x", "n = 'x\\n::error::y\\x1b[31m'; acl.mdl.load_from_file(n); acl.rt.binary_load_from_file(n, [])\n"
        "acl.op.set_model_dir(n); acl.init(n); end()"),
    "names without end": (1, "first cause F1", "for n in ('x' * 200_000, 'x y ' * 50_000, '\\n' * 99_999): acl.mdl.load_from_file(n); acl.op.set_model_dir(n); acl.init(n); acl.rt.binary_load_from_file(n, [])\nfault()"),
    # ends
    "exit at once": (1, "first cause F1", "fault(); os._exit(0)"),
    "exit with a code": (7, "first cause F1", "fault(); sys.exit(7)"),
    "exit with text": (1, "first cause F1", "fault(); sys.exit('text')"),
    "exit in a handler": (1, "first cause F1", "atexit.register(fault)"),
    "error in a handler": (0, "ZeroDivisionError", "atexit.register(lambda: 1 / 0); end()"),
    "raises": (1, "ValueError: mine", "fault(); raise ValueError('mine')"),
    "raises what has no words": (1, "E: <exception str() failed>", "class E(Exception):\n    def __str__(s): raise KeyError\nfault(); raise E"),
    "raises what has no words in a thread": (1, "E: <exception str() failed>", "class E(Exception):\n    def __str__(s): raise SystemExit\ndef f(): raise E\nt = threading.Thread(target=f); t.start(); t.join(); fault()"),
    "raises what is no error": (1, "", "class E(BaseException): pass\nfault(); raise E"),
    "raises in deep recursion": (1, "RecursionError", "def f(): acl.rt.get_device(); f()\nf()"),
    "killed": (137, "--inject memory:", "fault(); os.kill(os.getpid(), signal.SIGKILL)"),
    "terminated": (143, "first cause F1", "fault(); os.kill(os.getpid(), signal.SIGTERM)"),
    "aborted": (134, "SIGABRT", "os.abort()"),
    "segmentation fault": (139, "SIGSEGV", "import ctypes; ctypes.string_at(8)"),
    "interrupted": (130, "first cause F1", "fault(); os.kill(os.getpid(), signal.SIGINT)"),
    "alarm without a handler": (142, "SIGALRM", "signal.alarm(1)\nwhile True: pass"),
    "a thread leaves": (1, "first cause F1", "fault(); threading.Thread(target=lambda: os._exit(0)).start()\nwhile True: acl.rt.get_device()"),
    "becomes another program": (1, "first cause F1", "fault(); os.execv(sys.executable, [sys.executable, '-c', 'print(1)'])"),
    # signals
    "handler calls": (1, "first cause F1", "signal.signal(signal.SIGUSR1, lambda *a: fault()); os.kill(os.getpid(), signal.SIGUSR1); end()"),
    "handler raises in calls": (0, "", "class I(Exception): pass\ndef h(*a): raise I\nsignal.signal(signal.SIGALRM, h)\n"
        "for _ in range(99):\n    try:\n        signal.setitimer(signal.ITIMER_REAL, 1e-4)\n        while True: acl.rt.get_mem_info(0)\n"
        "    except I: pass\nassert end() == (0, 0)"),
    "handler exits": (3, "", "signal.signal(signal.SIGALRM, lambda *a: sys.exit(3)); signal.setitimer(signal.ITIMER_REAL, 0.01)\n"
        "while True: acl.rt.get_mem_info(0)"),
    # the interpreter's own things
    "no garbage collector": (1, "first cause F1", "gc.disable(); fault()"),
    "everything collected": (1, "first cause F1", "gc.set_threshold(1); fault()"),
    "traced": (1, "first cause F1", "sys.settrace(lambda *a: None); fault()"),
    "profiled": (1, "first cause F1", "sys.setprofile(lambda *a: None); fault()"),
    "modules forgotten": (1, "first cause F1", "[sys.modules.pop(n) for n in list(sys.modules) if n.startswith('ascend')]; fault()"),
    "json forgotten": (1, "first cause F1", "sys.modules['json'] = sys.modules['difflib'] = None; fault()"),
    "no path": (1, "first cause F1", "sys.path.clear(); fault()"),
    "argv gone": (1, "first cause F1", "sys.argv.clear(); fault()"),
    "environment cleared": (1, "first cause F1", "os.environ.clear(); fault()"),
    "clocks replaced": (1, "first cause F1", "time.time = time.monotonic = None; fault()"),
    "small recursion limit": (1, "first cause F1", "sys.setrecursionlimit(150); fault()"),
    "digits limited": (1, "first cause F1", "getattr(sys, 'set_int_max_str_digits', id)(640); fault()"),
    "open replaced": (1, "first cause F1", "import builtins; builtins.open = None; fault()"),
    "print replaced": (1, "first cause F1", "import builtins; builtins.print = None; fault()"),
    "path of odd things": (1, "first cause F1", "sys.path[:] = [None, 5, b'x']; fault()"),
    "modules beside it": (1, "first cause F1", "[open(n + '.py', 'w').write('raise SystemExit(9)') for n in ('difflib', 'html', 'textwrap', 'numpy', 'json', 'statistics', 'shlex')]; sys.path.insert(0, os.getcwd()); fault()"),
    "folder that is no UTF-8": (1, "first cause F1", "os.mkdir(b'\\xff'); os.chdir(b'\\xff'); fault()"),
    "no file opens": (1, "", "def h(e, a):\n    if e == 'open': raise PermissionError(e)\nsys.addaudithook(h); fault()"),
    "no import works": (1, "first cause F1", "class F:\n    def find_spec(s, *a): raise ImportError('no')\nsys.meta_path.insert(0, F()); fault()"),
    "little memory": (1, "", "import resource as r; r.setrlimit(r.RLIMIT_AS, (1 << 28, 1 << 28)); fault()"),
    # host functions
    "host function queues itself": (0, "", "from ascend_sim import ascendcl as C\ns, _ = acl.rt.create_stream(); n = []\ndef f(_):\n    n.append(0)\n    if len(n) < 2000: C.aclrtLaunchHostFunc(s, f, None)\nC.aclrtLaunchHostFunc(s, f, None)\nfor _ in range(2100): acl.rt.synchronize_stream(s)\nacl.rt.destroy_stream(s); end()"),
    "host function closes all files": (1, "", "from ascend_sim import ascendcl as C\ns, _ = acl.rt.create_stream()\nC.aclrtLaunchHostFunc(s, lambda _: os.closerange(0, 256), None)\nacl.rt.synchronize_stream(s); fault()"),
    "host function leaves": (1, "first cause F1", "from ascend_sim import ascendcl as C\nfault(); s, _ = acl.rt.create_stream()\nC.aclrtLaunchHostFunc(s, lambda _: os._exit(0), None)\nacl.rt.synchronize_stream(s)"),
    "host function exits": (1, "", "from ascend_sim import ascendcl as C\nfault(); s, _ = acl.rt.create_stream()\nC.aclrtLaunchHostFunc(s, lambda _: sys.exit(0), None)\nacl.rt.synchronize_stream(s)"),
    # other processes and threads
    "forked child is at fault": (1, "F2@", "if not os.fork(): fault(); os._exit(0)\nos.wait(); end()"),
    "forked child runs on": (0, "", "if not os.fork(): time.sleep(0.3); os._exit(0)\nend()"),
    "daemon thread": (1, "first cause F1", "threading.Thread(target=lambda: [acl.rt.get_device() for _ in iter(int, 1)], daemon=True).start(); fault()"),
    "thread raises": (1, "ValueError: mine", "def f(): raise ValueError('mine')\nt = threading.Thread(target=f); t.start(); t.join(); fault()"),
    "thread exits": (1, "first cause F1", "t = threading.Thread(target=sys.exit); t.start(); t.join(); fault()"),
    "exception in another thread": (1, "first cause F1", "import ctypes\ndef f():\n    try:\n        while True: acl.rt.get_device()\n    except KeyError: pass\nt = threading.Thread(target=f); t.start()\nwhile t.is_alive(): ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(t.ident), ctypes.py_object(KeyError)); time.sleep(0.001)\nt.join(); fault()"),
    "loop of asyncio": (1, "first cause F1", "import asyncio\nc, _ = acl.rt.get_context()\ndef g(): acl.rt.set_context(c); fault()\nasync def f(): await asyncio.gather(*[asyncio.to_thread(g) for _ in range(4)])\nasyncio.run(f())"),
    "pool of processes": (1, "F", "import multiprocessing as m\nwith m.get_context('fork').Pool(2) as p: p.apply(fault)\nend()"),
    "stopped and continued": (1, "first cause F1", "if not os.fork():\n    time.sleep(0.1); os.kill(os.getppid(), signal.SIGSTOP); os.kill(os.getppid(), signal.SIGCONT); os._exit(0)\nos.wait(); fault()"),
    # objects that outlive the program
    "destructor of a global frees": (0, "", "class R:\n    def __init__(s): s.p, _ = acl.rt.malloc(64, 0)\n"
        "    def __del__(s): assert (acl.rt.free(s.p), *end()) == (0, 0, 0)\nr = R()"),
    "destructor of a global frees after an error": (1, "ZeroDivisionError", "class R:\n    def __init__(s): s.p, _ = acl.rt.malloc(64, 0)\n"
        "    def __del__(s): assert (acl.rt.free(s.p), *end()) == (0, 0, 0); print('freed')\nr = R(); 1 / 0"),
    "an error leaves things behind": (1, "ZeroDivisionError", "r, _ = acl.rt.malloc(64, 0); 1 / 0"),
    "destructor of what outlives all modules": (0, "100001", "import builtins\nclass R:\n"
        "    def __del__(s, e=sys.stderr): print(acl.rt.free_host(1), file=e)\nbuiltins.kept = R()\nend()"),
    "destructor of a global raises": (0, "KeyError: 'mine'", "class R:\n    def __del__(s): raise KeyError('mine')\nr = R(); end()"),
    "destructor raises in a call": (0, "KeyError: 'mine'", "class R:\n    def __del__(s): raise KeyError('mine')\nend(); R()"),
    "destructor beside an exit handler": (0, "0 0 0",
        "class R:\n    def __init__(s): s.p, _ = acl.rt.malloc(64, 0)\n"
        "    def __del__(s): print(acl.rt.free(s.p), *end(), file=sys.stderr)\nr = R()\natexit.register(lambda: r)"),
    "destructor beside an exit handler that is compared": (0, "0 0 0",
        "class R:\n    def __init__(s): s.p, _ = acl.rt.malloc(64, 0)\n"
        "    def __del__(s): print(acl.rt.free(s.p), *end(), file=sys.stderr)\nr = R()\nclass C:\n    def __call__(s): pass\n    def __eq__(s, o): raise KeyError\natexit.register(C())"),
    "destructor beside a signal handler": (0, "0 0 0",
        "class R:\n    def __init__(s): s.p, _ = acl.rt.malloc(64, 0)\n"
        "    def __del__(s): print(acl.rt.free(s.p), *end(), file=sys.stderr)\nr = R()\nsignal.signal(signal.SIGTERM, lambda *_: r)"),
    "destructor beside a handler of a library": (0, "0 0 0",
        "class R:\n    def __init__(s): s.p, _ = acl.rt.malloc(64, 0)\n"
        "    def __del__(s): print(acl.rt.free(s.p), *end(), file=sys.stderr)\nr = R()\nimport logging\nclass H(logging.Handler):\n    def emit(s, r): pass\nlogging.getLogger().addHandler(H())"),
    "destructor beside a stream of its own": (0, "0 0 0",
        "class R:\n    def __init__(s): s.p, _ = acl.rt.malloc(64, 0)\n"
        "    def __del__(s): print(acl.rt.free(s.p), *end(), file=sys.stderr)\nr = R()\nclass T:\n    def write(s, x): pass\n    def flush(s): r\nsys.stdout = T()"),
    "destructor uses what was made before": (0, "0 0 0",
        "class R:\n    def __init__(s): s.p, _ = acl.rt.malloc(64, 0)\n"
        "    def __del__(s): print(acl.rt.free(s.p), *end(), file=sys.stderr)\nr = R()\nclass Q:\n    def __del__(s): assert acl.rt.get_mem_info(1)[2] == 0 and r.p\nq = [Q()]; sys.excepthook = lambda *_: q"),
    # an error of the simulator's own at the end: never a clean end
    "the end fails": (1, "some findings", "from ascend_sim.findings import spool\ndef fails(*_): raise MemoryError\nspool.called = fails; end()"),
    "what is printed at the end raises": (0, "0 0 0", "class W:\n    def write(s, x): pass\n    def flush(s): raise SystemExit(4)\n"
        "sys.stdout = W()\nclass R:\n    def __del__(s): print(acl.rt.set_device(0), *end(), file=sys.__stderr__); sys.stdout = None\nr = R()"),
    "the last words fail": (1, "first cause F1", "from ascend_sim.observers.failed_calls import FailedCalls\nFailedCalls.lines = None; fault()"),
    "finalised twice": (0, "", "end(); acl.finalize()"),
    "sys.exit in a destructor": (1, "first cause F1", "class R:\n    def __del__(s): acl.rt.get_device(); sys.exit(3)\nR(); fault()"),
    "a timer of signals goes on": (0, "0 0 0", "n = []\nsignal.signal(signal.SIGALRM, lambda *_: n.append(1)); signal.setitimer(signal.ITIMER_REAL, 1e-3, 1e-3)\n"
        "class R:\n    def __del__(s, t=signal.setitimer): print(acl.rt.set_device(0), *end(), file=sys.stderr); time.sleep(0.1); t(0, 0)\nr = R()"),
    "generator closed late": (0, "", "def g():\n    s, _ = acl.rt.create_stream()\n    try: yield s\n    finally: acl.rt.destroy_stream(s); end()\nx = g(); next(x)"),
}  # fmt: skip
