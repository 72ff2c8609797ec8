"""Builds the documentation site: ``python docs/site.py build/site``, then open ``build/site/index.html``.

Sphinx with MyST reads the pages as they lie in the repository. To them come pages that are made here: one for each kind of
finding (what ``ascend-sim explain KIND`` says), one for each lesson, and the API reference of docs/reference.py. Any
warning is an error, a link that leads nowhere among them; ``--links`` also asks the addresses in the net.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "README.zh-CN.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**/*.md", "examples/**/*.md")
LINK = re.compile(r"(\]\()([^()\s#]+)((?:#[\w-]+)?\))")
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)

CONFIGURATION = """\
project = "ascend_sim"
copyright = "the authors of ascend_sim"
html_title = "ascend_sim"
extensions = ["myst_parser"]
myst_heading_anchors = 6
html_theme = "furo"
html_show_sourcelink = False
html_extra_path = ["extra"]
exclude_patterns = ["extra"]
"""

INDEX = """\
# ascend_sim

A simulator of the Ascend NPU runtime (CANN / AscendCL) in pure Python: programs run unmodified on a laptop or in CI, with
the real return codes and ordering rules, the same way every time, and are told what is wrong with them.

Begin where you come from:

| you have | read |
|---|---|
| Python that does `import acl` | [pyACL programs](docs/entrances/pyacl.md) |
| C or C++ | [C and C++ programs](docs/entrances/cpp.md) |
| PyTorch | [PyTorch](docs/entrances/pytorch.md) |
| Ascend C kernels | [kernels](docs/entrances/kernels.md) |
| a class | [teaching](docs/entrances/teaching.md) |
| a pipeline | [CI](docs/entrances/ci.md) |

The <a href="api/index.html">API reference</a> is made from the docstrings.

"""


def toctree(caption: str, names: list[str]) -> str:
    """A part of the navigation."""
    return "\n".join([f"```{{toctree}}\n:hidden:\n:caption: {caption}\n", *names, "```", ""])


def stage(folder: Path) -> None:
    """Lay out the sources: the pages where they are in the repository, what they link to, and what is made."""
    pages = sorted({path.relative_to(ROOT) for pattern in PAGES for path in ROOT.glob(pattern)})
    made = {f"docs/findings/{kind}.md": text for kind, text in findings().items()} | lesson_pages()
    texts = {str(page): (ROOT / page).read_text(encoding="utf-8") for page in pages} | made
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(linked(text, Path(name), folder, set(texts)), encoding="utf-8")
    entrances = ["pyacl", "cpp", "pytorch", "kernels", "teaching", "ci"]
    rest = sorted(name for name in texts if name.startswith("docs/") and name.count("/") == 1)
    parts = [
        toctree("Begin", ["README", "README.zh-CN", *(f"docs/entrances/{name}" for name in entrances), "docs/which_tool"]),
        toctree("Learn", ["examples/lessons/README", *sorted(name[:-3] for name in made if "lessons" in name),
                          "examples/lessons/words", "examples/lessons/gallery/README", "examples/README",
                          "examples/lessons/zh/README", "examples/lessons/zh/words", "examples/lessons/zh/gallery/README"]),
        toctree("Findings", ["docs/findings/index"]),
        toctree("Reference", [*(name[:-3] for name in rest if name != "docs/which_tool.md"), "docs/semantics/README"]),
        toctree("Project", ["CHANGELOG", "CONTRIBUTING"]),
    ]  # fmt: skip
    listed = set(re.findall(r"^[\w/.-]+$", "\n".join(parts), re.MULTILINE))
    rooms = ("docs/semantics", "docs/findings")
    others = [name[:-3] for name in texts if name[:-3] not in listed and not name.startswith(rooms)]
    if others:
        parts.append(toctree("More", sorted(others)))
    (folder / "index.md").write_text(INDEX + "\n".join(parts), encoding="utf-8")
    for room in ("semantics", "findings"):
        names = sorted(Path(name).stem for name in texts if name.startswith(f"docs/{room}/"))
        index = folder / "docs" / room / ("README.md" if room == "semantics" else "index.md")
        with open(index, "a", encoding="utf-8") as file:
            file.write("\n" + toctree("Pages", [name for name in names if name not in ("README", "index")]))
    (folder / "conf.py").write_text(CONFIGURATION, encoding="utf-8")


def linked(text: str, page: Path, folder: Path, known: set[str]) -> str:
    """*text* with its links made fit: programs of lessons to their pages; files come along; folders are named only."""

    def replaced(match: re.Match[str]) -> str:
        target = match[2]
        if re.match(r"\w+:", target):
            return match[0]
        path = (ROOT / page.parent / target).resolve()
        if not path.is_relative_to(ROOT):
            return match[0]
        inside = path.relative_to(ROOT)
        if inside.suffix == ".py" and str(inside.with_suffix(".md")) in known:
            return f"{match[1]}{target[:-3]}.md{match[3]}"
        if path.is_dir():
            return f"{match[1]}{target.rstrip('/')}/README.md{match[3]}" if (path / "README.md").is_file() else match[0]
        if path.is_file() and str(inside) not in known:
            (folder / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / inside)
        return match[0]

    parts = re.split(f"({FENCE.pattern})", text, flags=FENCE.flags)
    return "".join(part if part.lstrip().startswith("```") else LINK.sub(replaced, part) for part in parts)


def findings() -> dict[str, str]:
    """A page for each kind, from the texts of ``ascend-sim explain``, and one that lists them."""
    from ascend_sim.cli.examples import LEGEND, complete
    from ascend_sim.cli.explain import advice
    from ascend_sim.findings.kinds import KINDS

    pages = {}
    for kind, meaning in KINDS.items():
        known = advice()[kind]
        lines = [f"# {kind}", "", f"{meaning[:1].upper()}{meaning[1:]}.", ""]
        lines += [escaped(known.text.replace("\n", "\n\n")), ""]
        if known.program:
            options = f" (`ascend-sim run {known.options}`)" if known.options else ""
            legend = "" if complete(known.program) else f" Before it: {LEGEND}"
            lines += ["## For example", "", f"This program has it{options}.{legend}", ""]
            lines += ["```python", known.program, "```", ""]
        if known.fixed:
            lines += ["Corrected:", "", "```python", known.fixed, "```", ""]
        if known.program:
            lines += [f"`ascend-sim explain {kind} --example` prints it ready to run.", ""]
        if known.cures:
            lines += ["## What to do", ""]
            for cure in known.cures:
                sentence, *code = cure.split("\n")
                lines.append(f"- {escaped(sentence)}")
                lines += ["", "  ```python", *(f"  {line}" for line in code), "  ```", ""] if code else []
        if known.page:
            lines += ["", f"In the manual: {known.page}"]
        pages[kind] = "\n".join(lines) + "\n"
    rows = "\n".join(f"| [{kind}]({kind}.md) | {meaning} |" for kind, meaning in KINDS.items())
    head = "# Kinds of findings\n\nEach has a page; `ascend-sim explain KIND` says the same.\n"
    pages["index"] = f"{head}\n| kind | meaning |\n|---|---|\n{rows}\n"
    return pages


def escaped(text: str) -> str:
    """Plain text as Markdown: what looks like markup is none."""
    return re.sub(r"([*<>\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", text)


def lesson_pages() -> dict[str, str]:
    """A page for each lesson: its comments as text, its code, its picture, what it prints, its exercise."""
    from ascend_sim.cli.teaching.exercises import exercise
    from ascend_sim.cli.teaching.folder import lessons
    from ascend_sim.cli.teaching.notebooks import parts

    pages = {}
    for lesson in lessons().values():
        stem = lesson.path.stem
        lines = [f"# Lesson {lesson.number}. {lesson.title}", "", lesson.text, ""]
        if (lesson.path.parent / "pictures" / f"{stem}.svg").is_file():
            lines += [f"![{lesson.title}](pictures/{stem}.svg)", ""]
        for kind, text in parts(lesson.path.read_text(encoding="utf-8").partition('"""\n')[2]):
            lines += [text, ""] if kind == "text" else ["```python", text, "```", ""]
        printed = (lesson.path.parent / "printed" / f"{stem}.txt").read_text(encoding="utf-8").rstrip()
        lines += ["## What it prints", "", "```text", printed, "```", ""]
        asked = exercise(lesson.number)
        if asked is not None:
            title, question = asked.question()
            start = f"`ascend-sim lesson {lesson.number} --start mine.py` writes the program"
            check = f"`ascend-sim lesson {lesson.number} --check mine.py` looks at what you made of it"
            lines += [f"## Exercise: {title}", "", question, "", f"{start}; {check}.", ""]
        pages[f"examples/lessons/{stem}.md"] = "\n".join(lines)
    return pages


def main(arguments: list[str] | None = None) -> int:
    """Build the site; 1 when something was wrong."""
    parser = argparse.ArgumentParser(description="Build the documentation site in a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--links", action="store_true", help="ask the addresses in the net, too")
    parser.add_argument("--no-reference", action="store_true", help="leave the API reference out")
    options = parser.parse_args(arguments)
    try:
        import furo  # noqa: F401
        import myst_parser  # noqa: F401
        import sphinx  # noqa: F401
    except ImportError as error:
        print(f"{error.name} is missing: pip install 'ascend-sim[docs]'", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="ascend-sim-site-") as name:
        folder = Path(name)
        stage(folder)
        api = folder / "extra" / "api"
        api.mkdir(parents=True)
        if options.no_reference:
            (api / "index.html").write_text("<title>API</title>left out", encoding="utf-8")
        elif subprocess.run([sys.executable, str(ROOT / "docs" / "reference.py"), str(api)], check=False).returncode:
            return 1
        builders = ("html", "linkcheck") if options.links else ("html",)
        for builder in builders:
            target = options.folder if builder == "html" else folder / "links"
            command = ["-m", "sphinx", "-q", "-W", "--keep-going", "-b", builder, "-d", str(folder / "doctrees")]
            if subprocess.run([sys.executable, *command, name, str(target)], check=False).returncode:
                return 1
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main())
