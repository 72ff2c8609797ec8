"""Kernel sources as host code: functions of the host stay, device code goes, launches call the simulator.

`rewritten` keeps every line where it was. A kernel becomes a struct of its parameters, ``K<<<blocks, l2, stream>>>(a, b)`` a
call of `ascend_sim_launch` with that struct; it stands in the calling function, so that reports name its line. Headers that
are included by ``"name"`` and have device code are put in place, with `#line` around them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import Factory, define, frozen

from ascend_sim.native.kernels.cpp_text import MOST_BYTES, Refused, Text, Token, split
from ascend_sim.untrusted.files import TooLarge, read_file

__all__ = ["Kernel", "Parameter", "Rewriter", "has_kernels", "quoted"]

_DEVICE = {
    "__aicore__", "AscendC", "__ubuf__", "__cbuf__", "__ca__", "__cb__", "__cc__", "__simd_vf__", "TPipe", "TQue", "TBuf",
    "GlobalTensor", "LocalTensor", "GET_TILING_DATA", "KERNEL_TASK_TYPE", "KERNEL_TASK_TYPE_DEFAULT",
}  # fmt: skip
"""A declaration with one of these is device code."""
_OLD_NAME = {"using", "namespace", "matmul"}
"""What a part of AscendC was called; its headers keep the name, and no host code is in it."""
_DEVICE_HEADER = re.compile(r"(kernel_|lib/|basic_api/|adv_api/|simt_api/|asc)")
"""Headers of the device compiler: `kernel_operator.h` alone has a stand-in."""
_INCLUDE = re.compile(r'#\s*include\s*(?P<open>["<])(?P<name>[^">\n]*)[">]')
_STANDS_IN = ("kernel_operator.h", "ascend_sim_kernels.h")
_SPACES = {"__gm__", "__restrict__", "__restrict", "restrict"}
_CLASSES = {"class", "struct", "union", "enum"}
_MOST_INCLUDED = 200
_ON_PROCESSOR = ("__CCE_KT_TEST__", "ASCENDC_CPU_DEBUG")
"""Defined where kernels are built for the processor."""
_CONDITION = re.compile(r"[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|else|endif)\b(?P<rest>.*)")
_DEFINED = re.compile(r"(?P<not>!?)\s*(?P<defined>defined)?\s*\(?\s*(?P<name>\w+)\s*\)?")
_PRINTING = {"printf", "PRINTF", "DumpTensor"}


@frozen
class Parameter:
    """One parameter of a kernel: its C++ type, and whether it is an address of device memory."""

    ctype: str
    name: str

    @property
    def is_pointer(self) -> bool:
        return self.ctype.endswith("*")


@frozen
class Kernel:
    """A ``__global__`` function. *template*: its template parameters as text, without brackets."""

    name: str
    parameters: tuple[Parameter, ...]
    path: str
    line: int
    template: str | None = None
    scoped: bool = False
    """It stands in a namespace."""

    @property
    def struct(self) -> str:
        return f"ascend_sim_{self.name}"

    def definition(self) -> str:
        """The struct of its arguments, in one line: C lays it out as the launch expects."""
        head = f"template <{self.template}> " if self.template else ""
        fields = "".join(f"{p.ctype} {p.name}; " for p in self.parameters)
        taken = ", ".join(f"{p.ctype} {p.name}_" for p in self.parameters)
        filled = ", ".join(f"{p.name}({p.name}_)" for p in self.parameters)
        made = f"{self.struct}({taken}) : {filled} {{}} " if self.parameters else ""
        return f"{head}struct {self.struct} {{ {fields}{made}}};"


def quoted(text: str) -> str:
    """A C string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def has_kernels(path: str) -> bool:
    """Whether the file declares or launches kernels. Raises OSError."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES)
    return b"<<<" in data or b"__global__" in data


def _words(tokens: Sequence[Token]) -> set[str]:
    return {token.text for token in tokens if token.kind == "word"}


@define
class Rewriter:
    """One translation unit. *folders*: where quoted headers are looked for after the folder of the file itself."""

    folders: Sequence[str] = ()
    kernels: dict[str, Kernel] = Factory(dict)
    """By name, in the order of the text."""
    files: list[str] = Factory(list)
    """All files that were read."""
    printing: set[str] = Factory(set)
    """Names of kernels that print, or that stand behind device code which does: their launches wait."""
    _prints: bool = False
    _seen: set[str] = Factory(set)

    def rewritten(self, path: str) -> str:
        """The host code of *path*. Raises Refused, OSError."""
        body = self._file(os.path.abspath(path))
        return f'#include "ascend_sim_kernels.h"\n#line 1 {quoted(os.path.abspath(path))}\n{body}'

    def _file(self, path: str) -> str:
        self.files.append(path)
        self._seen.add(os.path.realpath(path))
        if len(self.files) > _MOST_INCLUDED:
            raise Refused(f"{path}: more than {_MOST_INCLUDED} headers with device code")
        return self._host_code(_read(path))

    def _host_code(self, text: Text) -> str:
        tokens = [token for token in text.tokens if token.kind != "comment"]
        pieces: list[str] = []
        done = 0
        for first, last, new in self._changes(text, tokens):
            pieces += [text.text[done:first], new]
            done = last
        return "".join([*pieces, text.text[done:]])

    def _changes(self, text: Text, tokens: list[Token]) -> Iterator[tuple[int, int, str]]:
        """What to put in place of which characters, in order."""
        for chunk, scoped in _chunks(text, tokens):
            words = _words(chunk)
            if chunk[0].kind == "directive":
                new = self._directive(text, chunk[0])
                if new is not None:
                    yield chunk[0].start, chunk[0].end, new
            elif "__global__" in words:
                kernel = _kernel(text, chunk, scoped)
                before = ""
                if kernel is not None and chunk[-1].text == "}" and (self._prints or words & _PRINTING):
                    self.printing.add(kernel.name)
                if kernel is not None and self._is_new(text, chunk[0], kernel):
                    before = kernel.definition()
                yield chunk[0].start, chunk[-1].end, before + _blank(text, chunk)
            elif any(token.text == "<<<" for token in chunk):
                yield from self._launches(text, chunk)
            elif words & _DEVICE or words == _OLD_NAME or ("__gm__" in words and chunk[-1].text == "}"):
                self._prints = self._prints or bool(words & _PRINTING)
                yield chunk[0].start, chunk[-1].end, _blank(text, chunk)

    def _is_new(self, text: Text, place: Token, kernel: Kernel) -> bool:
        known = self.kernels.get(kernel.name)
        if known is None:
            self.kernels[kernel.name] = kernel
            return True
        types = [[p.ctype for p in k.parameters] for k in (known, kernel)]
        if types[0] != types[1]:
            raise text.refused(
                place.start, f"kernel {kernel.name!r} has other parameters than at {known.path}:{known.line}: overloads are "
                "not possible here"
            )  # fmt: skip
        return False

    # -- headers --

    def _directive(self, text: Text, token: Token) -> str | None:
        found = _INCLUDE.match(token.text)
        if found is None:  # what is put in place is in place once
            return "" if re.match(r"#\s*pragma\s+once\b", token.text) else None
        name = found["name"]
        path = self._path_of(text.path, name) if found["open"] == '"' else None
        if path is None:
            dropped = _DEVICE_HEADER.match(name) and name not in _STANDS_IN
            return "\n" * token.text.count("\n") if dropped else None
        if os.path.realpath(path) in self._seen:
            return None if not _is_device_code(path) else ""
        if not _is_device_code(path):
            return None
        body = self._file(path)
        return f"#line 1 {quoted(path)}\n{body}\n#line {text.line(token.end) + 1} {quoted(text.path)}"

    def _path_of(self, includer: str, name: str) -> str | None:
        for folder in (os.path.dirname(includer), *self.folders):
            path = os.path.abspath(os.path.join(folder, name))
            if os.path.isfile(path):
                return path
        return None

    # -- launches --

    def _launches(self, text: Text, chunk: list[Token]) -> Iterator[tuple[int, int, str]]:
        i = 0
        while i < len(chunk):
            if chunk[i].text != "<<<" or chunk[i - 1].text == "operator":
                i += 1
                continue
            begin, name, called = self._called(text, chunk, i)
            close = _end_of_configuration(text, chunk, i)
            words = split(text, chunk[i + 1 : close])
            if not 1 <= len(words) <= 3:
                raise text.refused(chunk[i].start, f"a launch has 1 to 3 values between <<< and >>>, here {len(words)}")
            opened = close + 3
            if opened >= len(chunk) or chunk[opened].text != "(":
                raise text.refused(chunk[i].start, "no arguments ( ) follow >>>")
            end = text.closing(chunk, opened)
            inner = chunk[opened + 1 : end]
            if any(token.text == "<<<" for token in (*inner, *chunk[i + 1 : close])):
                raise text.refused(chunk[i].start, "a launch inside the arguments of another one")
            values = [text.text[word[0].start : word[-1].end] for word in words]
            stream = values[2] if len(values) == 3 else "nullptr"
            yield chunk[begin].start, chunk[opened].end, (
                f"ascend_sim_launch({quoted(name)}, {quoted(text.path)}, ::ascend_sim::blocks({', '.join(values[:2])}), "
                f"::ascend_sim::stream({stream}), ::ascend_sim::address({called}("
            )  # fmt: skip
            prints = int(name.partition("<")[0] in self.printing)
            yield chunk[end].start, chunk[end].end, f")), sizeof({called}), {prints})"
            i = end + 1

    def _called(self, text: Text, chunk: list[Token], at: int) -> tuple[int, str, str]:
        """Where the kernel before ``<<<`` begins, its name as the launch gives it, and the struct of its arguments."""
        last, suffix = at - 1, ""
        if last >= 0 and chunk[last].text == ">":
            deep = 0
            first = last
            while first >= 0:
                deep += {">": 1, "<": -1}.get(chunk[first].text, 0)
                if not deep:
                    break
                first -= 1
            suffix = text.text[chunk[first].start : chunk[last].end] if first >= 0 else ""
            last = first - 1
        if last < 0 or chunk[last].kind != "word":
            raise text.refused(chunk[at].start, "no name of a kernel stands before <<<")
        name = chunk[last].text
        if name not in self.kernels:
            raise text.refused(
                chunk[last].start, f"kernel {name!r} is not declared before its launch, neither in this file nor in a "
                'header that it includes by "name"'
            )  # fmt: skip
        begin = last
        while begin >= 1 and chunk[begin - 1].text == "::":
            begin -= 1
            if begin >= 1 and chunk[begin - 1].kind == "word":
                begin -= 1
        scope = text.text[chunk[begin].start : chunk[last].start]
        plain = re.sub(r"\s+", "", suffix)
        return begin, name + plain, f"{scope}{self.kernels[name].struct}{suffix}"


def _without_processor_branches(source: str) -> str:
    """*source* without the lines for kernels that run on the processor, which no build here asks for: what stands there is
    device code by its words, and would take the function around it along."""
    if not any(name in source for name in _ON_PROCESSOR):
        return source
    lines = source.split("\n")
    left_out: list[bool | None] = []  # for each condition around: is this a branch to leave out; None: another condition
    for i, line in enumerate(lines):
        found = _CONDITION.match(line)
        if found is None:
            if True in left_out:
                lines[i] = ""
            continue
        word, name = found["word"], _DEFINED.fullmatch(found["rest"].partition("//")[0].strip())
        if word in ("if", "ifdef", "ifndef"):
            own = name is not None and name["name"] in _ON_PROCESSOR and (word != "if" or name["defined"])
            left_out.append((word != "ifndef") != bool(name and name["not"]) if own else None)
        elif word == "endif" and left_out:
            left_out.pop()
        elif left_out and left_out[-1] is not None:
            left_out[-1] = not left_out[-1]
    return "\n".join(lines)


def _read(path: str) -> Text:
    try:
        data = read_file(path, MOST_BYTES)
    except TooLarge as error:
        raise Refused(f"{path}: too large: {error}") from None
    source = data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
    return Text(path, _without_processor_branches(source))


def _is_device_code(path: str) -> bool:
    try:
        text = Path(path).read_bytes()[:MOST_BYTES]
    except OSError:
        return False
    return any(word in text for word in (b"__aicore__", b"__global__", b"AscendC", b"<<<", b"kernel_operator.h"))


def _blank(text: Text, chunk: Sequence[Token]) -> str:
    """The lines of what is left out, with their preprocessor lines: those of `#if` have their partners elsewhere."""
    pieces, done = [], chunk[0].start
    for token in chunk:
        if token.kind == "directive" and not _INCLUDE.match(token.text):
            lines = text.text.count("\n", done, token.start)
            pieces.append("\n" * max(lines, 1) + token.text)
            done = token.end
    return "".join([*pieces, "\n" * text.text.count("\n", done, chunk[-1].end)])


def _end_of_configuration(text: Text, chunk: list[Token], at: int) -> int:
    """The index of the first ``>`` of the ``>>>`` that ends what begins at *at*."""
    i = at + 1
    while i < len(chunk):
        token = chunk[i]
        if token.kind == "sign" and token.text in ("(", "[", "{"):
            i = text.closing(chunk, i)
        elif [t.text for t in chunk[i : i + 3]] == [">"] * 3 and chunk[i + 2].start == token.start + 2:
            return i
        elif token.text in (";", "}", ")"):
            break
        i += 1
    raise text.refused(chunk[at].start, "<<< without >>>")


# -- declarations ----------------------------------------------------------------------------------------------------


def _chunks(text: Text, tokens: list[Token]) -> Iterator[tuple[list[Token], bool]]:
    """The declarations, each with whether it stands in a namespace, and the preprocessor lines between them."""
    i = 0
    scopes: list[bool] = []
    while i < len(tokens):
        token = tokens[i]
        if token.kind == "directive":
            yield [token], any(scopes)
            i += 1
            continue
        if token.text == "}" and token.kind == "sign":
            if not scopes:
                raise text.refused(token.start, "'}' closes nothing")
            scopes.pop()
            i += 1
            continue
        entered = _scope(tokens, i)
        if entered:
            scopes.append(token.text != "extern")
            i = entered
            continue
        end = _end_of_chunk(text, tokens, i)
        yield tokens[i:end], any(scopes)
        i = end
    if scopes:
        raise text.refused(len(text.text), "a namespace or extern block is never closed")


def _scope(tokens: list[Token], at: int) -> int:
    """The index behind the ``{`` of a namespace or ``extern "C"`` block that begins here; 0 when none does."""
    i = at + (tokens[at].text == "inline")
    if i < len(tokens) and tokens[i].text == "namespace":
        i += 1
        while i < len(tokens) and (tokens[i].kind == "word" or tokens[i].text == "::"):
            i += 1
    elif tokens[at].text == "extern" and at + 1 < len(tokens) and tokens[at + 1].kind == "string":
        i = at + 2
    else:
        return 0
    return i + 1 if i < len(tokens) and tokens[i].text == "{" else 0


def _end_of_chunk(text: Text, tokens: list[Token], at: int) -> int:
    """The index behind the declaration that begins at *at*."""
    i, called, listed = at, False, False
    while i < len(tokens):
        token = tokens[i]
        if token.kind == "sign" and token.text in ("(", "["):
            called = called or token.text == "("
            i = text.closing(tokens, i)
        elif token.text == "{" and token.kind == "sign":
            i = text.closing(tokens, i)
            following = tokens[i + 1].text if i + 1 < len(tokens) else ""
            if called and following not in ((",", "{") if listed else (",", ";")):
                return i + 1
        elif token.text == "}" and token.kind == "sign":
            return i  # of the scope: the preprocessor chooses what stood here
        elif token.text == ";":
            return i + 1
        elif token.text == ":" and called:
            listed = True
        elif token.text == "=" or (token.text in _CLASSES and not called):
            called = False
            if token.text != "=" and any(t.text == "{" for t in tokens[i : i + 64]):
                i = _to_body(tokens, i)
                continue
        i += 1
    return len(tokens)


def _to_body(tokens: list[Token], at: int) -> int:
    """Past the head of a class to its body, or to the first sign that shows that there is none."""
    i = at + 1
    while i < len(tokens) and tokens[i].text not in ("{", ";", "(", "="):
        i += 1
    return i


def _kernel(text: Text, chunk: list[Token], scoped: bool) -> Kernel | None:
    """The kernel that a declaration declares; None of a specialisation, which adds no parameters. Raises Refused."""
    template = None
    tokens = [token for token in chunk if token.kind != "directive"]
    if tokens[0].text == "template":
        if len(tokens) < 2 or tokens[1].text != "<":
            return None  # an explicit instantiation
        deep, i = 0, 1
        while i < len(tokens):
            deep += {"<": 1, ">": -1}.get(tokens[i].text, 0)
            if not deep:
                break
            i += 1
        template = text.text[tokens[1].end : tokens[i].start].strip() if i < len(tokens) else ""
        if not template:
            return None
        tokens = tokens[i + 1 :]
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.text == "(" and token.kind == "sign":
            before = tokens[i - 1] if i else token
            end = text.closing(tokens, i)
            if before.text == ">":
                return None
            if (
                before.kind == "word"
                and not before.text.startswith("__")
                and before.text not in ("alignas", "decltype")
            ):
                parameters = tuple(_parameters(text, tokens[i + 1 : end], before.text))
                return Kernel(before.text, parameters, text.path, text.line(before.start), template, scoped)
            i = end
        elif token.text in ("{", ";"):
            break
        i += 1
    raise text.refused(chunk[0].start, "no name and parameters of a __global__ function are here")


def _parameters(text: Text, tokens: list[Token], kernel: str) -> Iterator[Parameter]:
    parts = split(text, tokens, angles=True)
    names: set[str] = set()
    for number, part in enumerate(parts):
        default = next((i for i, token in enumerate(part) if token.text == "="), len(part))
        words = [token for token in part[:default] if token.text not in _SPACES]
        if [token.text for token in words] == ["void"] and len(parts) == 1:
            return
        bad = next((token for token in words if token.text in ("(", "[", "&", ".", "...")), None)
        if bad is not None or not words:
            place = bad.start if bad is not None else tokens[0].start
            what = repr(bad.text) if bad is not None else "nothing"
            raise text.refused(
                place, f"kernel {kernel!r}: a parameter is a number, a struct or a pointer; {what} is none"
            )
        name = f"p{number}"
        if words[-1].kind == "word" and len(words) > 1 and words[-2].text not in ("::", "const", "unsigned", "signed"):
            name = words.pop().text
        if name in names:
            raise text.refused(words[0].start, f"kernel {kernel!r} has two parameters {name!r}")
        names.add(name)
        ctype = re.sub(r" ?(::|<|>|,) ?", r"\1", " ".join(token.text for token in words))
        if words[-1].text == "GM_ADDR":
            ctype = "uint8_t *"
        yield Parameter(re.sub(r"\* (?=\*)", "*", ctype), name)
