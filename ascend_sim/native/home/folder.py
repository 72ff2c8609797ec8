"""The folder that builds take for an installed CANN: headers, libraries, ``set_env.sh``, and the layouts of older ones."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

from ascend_sim._version import __version__
from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.native.home.compilers import CompilerError
from ascend_sim.native.home.headers import all_headers
from ascend_sim.native.home.library import cache_folder, library
from ascend_sim.native.home.scripts import script

__all__ = ["LIBRARIES", "NotOurs", "cached_home", "configuration", "fill_for_guest", "libpython", "write_home"]

LIBRARIES = (
    "acl_rt", "acl_rt_impl", "acl_mdl", "acl_mdl_impl", "acl_op_executor", "acl_op_compiler", "acl_cblas",
    "acl_tdt_channel", "acl_tdt_queue", "acl_dvpp", "nnopbase", "opapi", "opapi_math", "opapi_nn", "opapi_cv",
    "opapi_transformer", "runtime", "msprofiler", "profapi", "ascend_dump", "ascendalog", "c_sec", "mmpa",
    "ascend_hal", "platform", "tiling_api", "register", "error_manager", "exe_graph", "unified_dlog",
    "ge_runner", "graph", "hccl", "ms_tools_ext", "acl_dvpp_mpi",
)  # fmt: skip
"""Names under which builds and programs look for what stands in libascendcl.so."""

_C = Path(PACKAGE, "native", "c")
_CMAKE_FOLDERS = ("tikcpp", "tools/tikcpp", "compiler/tikcpp")
_MARK = "python.cfg"
_LINKS = {
    "lib64/stub": ".",
    "include/aclnnop/level2": ".",
    "latest": ".",
    "runtime/include": "../include",
    "runtime/lib64": "../lib64",
    "acllib/include": "../include",
    "acllib/lib64": "../lib64",
    "fwkacllib/include": "../include",
    "fwkacllib/lib64": "../lib64",
    "compiler/ccec_compiler/bin": "../../bin",
    "compiler/include": "../include",
    "compiler/lib64": "../lib64",
    "{arch}-linux/include": "../include",
    "{arch}-linux/lib64": "../lib64",
    "{arch}-linux/devlib": "../lib64",
}
"""Link -> where it leads, from its own folder."""
_FOLDERS = ("opp", "tools", "bin", "compiler", "runtime")

_SET_ENV = """\
# Source this file: builds and programs find the simulator where they look for CANN.
_ascend_sim_home="$(cd "$(dirname "${{BASH_SOURCE[0]:-${{(%):-%x}}}}")/{up}" && pwd)"
export ASCEND_HOME_PATH="$_ascend_sim_home"
export ASCEND_TOOLKIT_HOME="$_ascend_sim_home"
export ASCEND_INSTALL_PATH="$_ascend_sim_home"
export ASCEND_CANN_PACKAGE_PATH="$_ascend_sim_home"
export ASCEND_OPP_PATH="$_ascend_sim_home/opp"
export ASCEND_AICPU_PATH="$_ascend_sim_home"
export DDK_PATH="$_ascend_sim_home"
export NPU_HOST_LIB="$_ascend_sim_home/lib64/stub"
export LD_LIBRARY_PATH="$_ascend_sim_home/lib64${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
export PATH="$_ascend_sim_home/bin${{PATH:+:$PATH}}"
unset _ascend_sim_home
"""

_CMAKE = """\
# find_package(AscendCL): the imported target AscendCL::ascendcl.
get_filename_component(_ascend_sim_home "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET AscendCL::ascendcl)
  add_library(AscendCL::ascendcl SHARED IMPORTED)
  set_target_properties(AscendCL::ascendcl PROPERTIES
    IMPORTED_LOCATION "${_ascend_sim_home}/lib64/libascendcl.so"
    IMPORTED_SONAME "libascendcl.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_ascend_sim_home}/include")
endif()
set(AscendCL_FOUND TRUE)
set(AscendCL_INCLUDE_DIRS "${_ascend_sim_home}/include")
set(AscendCL_LIBRARIES AscendCL::ascendcl)
unset(_ascend_sim_home)
"""

_PKG_CONFIG = """\
prefix=${pcfiledir}/../..
Name: ascendcl
Description: AscendCL on the simulator ascend_sim
Version: {version}
Cflags: -I${prefix}/include
Libs: -L${prefix}/lib64 -lascendcl
"""


class NotOurs(Exception):
    """A folder has files that `write_home` did not write."""


def libpython() -> str | None:
    """The shared library of this Python, or of another build of its version; None when there is none.

    A Python whose program holds everything cannot be brought into a C program.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    names = [str(sysconfig.get_config_var(key)) for key in ("INSTSONAME", "LDLIBRARY")]
    names = [name for name in (*names, f"libpython{version}.so.1.0", f"libpython{version}.so") if ".so" in name]
    folders = [sysconfig.get_config_var("LIBDIR"), os.path.join(sys.base_prefix, "lib")]
    folders += ["/usr/lib", "/usr/lib64", f"/usr/lib/{platform.machine()}-linux-gnu", "/usr/local/lib"]
    for folder in folders:
        for name in names:
            path = os.path.join(folder or "", name)
            if folder and os.path.isfile(path):
                return os.path.realpath(path)
    return None


def configuration() -> str:
    """The text of ``python.cfg``: which Python a program loads. Raises CompilerError when there is none to load."""
    found = libpython()
    if found is None:
        raise CompilerError(
            f"{sys.executable} was built without a shared libpython, which a C program needs to load: use a Python that has "
            "one (Debian: apt install libpython3.x; pyenv: PYTHON_CONFIGURE_OPTS=--enable-shared; conda and uv have it)"
        )
    package = os.path.dirname(PACKAGE)
    return f"libpython = {found}\npython = {sys.executable}\npackage = {package}\nversion = {__version__}\n"


def _kernels_cmake(folder: str) -> str:
    """``ascendc.cmake`` for a folder so deep below the home."""
    up = "/".join([".."] * (folder.count("/") + 2))
    return (_C / "ascendc.cmake").read_text(encoding="utf-8").replace("LIST_DIR}/../..", f"LIST_DIR}}/{up}")


def _texts(settings: str) -> dict[str, str]:
    """The files besides the library, by path; *settings*: the text of ``python.cfg``."""
    major = f"[{__version__}:{__version__}]"
    made = {f"include/{path}": text for path, text in all_headers().items()}
    made[f"lib64/{_MARK}"] = settings
    made["set_env.sh"] = _SET_ENV.format(up=".")
    made["bin/setenv.bash"] = _SET_ENV.format(up="..")
    made["bin/npu-smi"] = script("home.npu_smi")
    made["bin/ascend-sim-kernels"] = script("kernels.build")
    for name in ("ccec", "bisheng"):
        made[f"bin/{name}"] = script("kernels.host_code")
    made["include/ascend_sim_kernels.h"] = (_C / "kernels.h").read_text(encoding="utf-8")
    made["include/kernel_operator.h"] = '#include "ascend_sim_kernels.h"\n'
    for folder in _CMAKE_FOLDERS:
        made[f"{folder}/ascendc_kernel_cmake/ascendc.cmake"] = _kernels_cmake(folder)
    made["lib64/cmake/AscendCL/AscendCLConfig.cmake"] = _CMAKE
    made["tools/tikicpulib/lib/cmake/tikicpulibConfig.cmake"] = (_C / "tikicpulib.cmake").read_text(encoding="utf-8")
    made["lib64/pkgconfig/ascendcl.pc"] = _PKG_CONFIG.replace("{version}", __version__)
    made["version.cfg"] = f"# version: 1.0\nruntime_running_version={major}\ncompiler_running_version={major}\n"
    for part in ("runtime", "compiler", "opp"):
        made[f"{part}/version.info"] = f"Version={__version__}\n"
    return made


def cached_home() -> Path:
    """A folder in the cache that fits this Python and this version of the package. Raises CompilerError, OSError."""
    built = library()
    texts = _texts(configuration())
    mark = hashlib.sha256(
        "\0".join([str(built), *(k + "\0" + v for k, v in sorted(texts.items()))]).encode()
    ).hexdigest()
    folder = cache_folder() / f"home-{__version__}-{mark[:16]}"
    if not (folder / "lib64" / _MARK).exists():
        work = Path(tempfile.mkdtemp(prefix="home-", dir=cache_folder()))
        _fill(work, texts, built)
        try:
            os.rename(work, folder)
        except OSError:  # another process was faster
            shutil.rmtree(work, ignore_errors=True)
    return folder


def write_home(folder: Path) -> None:
    """Write the folder anew. Raises NotOurs when it has other files, CompilerError, OSError."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "lib64" / _MARK).exists():
        raise NotOurs(f"{folder} has files that are not from ascend-sim home: name a new folder")
    _fill(folder, _texts(configuration()), library())


def fill_for_guest(folder: Path) -> None:
    """Write what a Python program with libraries in C++ finds: no other Python is loaded for it.

    Raises CompilerError, OSError.
    """
    try:
        settings = configuration()  # for C programs that it may start
    except CompilerError:
        settings = f"version = {__version__}\n"
    _fill(folder, _texts(settings), library())


def _fill(folder: Path, texts: dict[str, str], built: Path) -> None:
    for name in _FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        if path == f"lib64/{_MARK}":
            continue
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        if text.startswith("#!"):
            target.chmod(0o755)
    target = folder / "lib64" / built.name
    fresh = target.with_suffix(".new")
    shutil.copy2(built, fresh)
    os.replace(fresh, target)  # a program that runs keeps its own
    links = {f"lib64/lib{name}.so": built.name for name in LIBRARIES}
    links |= {path.format(arch=platform.machine()): leads for path, leads in _LINKS.items()}
    for path, leads in links.items():
        link = folder / path
        link.parent.mkdir(parents=True, exist_ok=True)
        if link.is_symlink() or link.exists():
            link.unlink()
        link.symlink_to(leads)
    (folder / "lib64" / _MARK).write_text(texts[f"lib64/{_MARK}"], encoding="utf-8")  # last: now it is whole
