"""``npu-smi`` of the home: what programs and builds ask for the cards, answered from the table of the products.

The forms and the layout are those that programs parse (docs/semantics/native.md#npu-smi). Nothing is measured here: power,
temperature and loads are 0, and no process is listed. Stderr says that this is the simulator.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from ascend_sim._version import __version__
from ascend_sim.findings.output import tell
from ascend_sim.machine.profiles import DEFAULT_SOC, LIMITS, Profile, load_profile
from ascend_sim.options import options_of

__all__ = ["main"]

USAGE = """\
Usage: npu-smi info [-l | -m | -t TYPE -i ID [-c CHIP]]
       npu-smi -v | -h
TYPE:  """

_WRONG = 1
"""The exit code for words that npu-smi has not, or that are not answered here."""
_MIB = 1 << 20
_BUSES = (0xC1, 0x81, 0x41, 0x01, 0xC2, 0x82, 0x42, 0x02)
"""Buses of the cards of a server with eight."""

Fields = list[tuple[str, str]]


class WrongWord(Exception):
    """The command line is none that is answered; the message says why."""


@frozen
class Chip:
    """One device as npu-smi names it: a chip of a card."""

    device: int
    card: int
    number: int

    @property
    def bus(self) -> str:
        return f"0000:{_BUSES[self.device % 8] + self.device // 8 * 2:02X}:00.0"


@frozen
class Server:
    """The cards of the run: a product, and its chips."""

    profile: Profile
    memory_bytes: int
    chips: tuple[Chip, ...]

    @property
    def memory(self) -> int:
        """In MB, as npu-smi counts them."""
        return self.memory_bytes // _MIB

    @property
    def named_by_card(self) -> bool:
        """The name of the chip is not the one of the product: ``Ascend910`` and, of the card, ``9392``."""
        return "_" in self.profile.name

    @property
    def chip_name(self) -> str:
        """As the tables have it: ``910B3``, ``Ascend910``."""
        name = self.profile.name
        return name.partition("_")[0] if self.named_by_card else name.removeprefix("Ascend")

    @property
    def has_hbm(self) -> bool:
        return self.profile.memory_kind == "HBM"

    def cards(self) -> dict[int, list[Chip]]:
        found: dict[int, list[Chip]] = {}
        for chip in self.chips:
            found.setdefault(chip.card, []).append(chip)
        return found


def server_of(variables: Mapping[str, str]) -> Server:
    """The cards that a run with these variables has. Raises ValueError.

    The list of visible devices hides none: npu-smi shows the machine.
    """
    options = options_of(variables)
    profile = load_profile(options.get("soc", DEFAULT_SOC))
    memory = options["limits"].get("memory", getattr(profile, LIMITS["memory"]))
    count = options.get("devices", 1)
    both = 2 if profile.family == "910_93" else 1  # two chips stand on such a card
    return Server(profile, memory, tuple(Chip(i, i // both, i % both) for i in range(count)))


# -- the table -------------------------------------------------------------------------------------------------------


def _table(server: Server) -> str:
    """``npu-smi info``: two lines for each chip, and the processes."""
    wide = not server.has_hbm
    widths = (31, 17, 54) if wide else (27, 15, 52)
    gap, first = (8, 13) if wide else (6, 12)
    columns = ("Chip", "Device") if wide else ("Chip", "Phy-ID" if server.named_by_card else "")
    light, heavy = (f"+{'+'.join(sign * width for width in widths)}+" for sign in "-=")

    def line(*cells: str) -> str:
        return f"|{'|'.join(f' {cell}'.ljust(width) for cell, width in zip(cells, widths, strict=True))}|"

    title = f" npu-smi {__version__}".ljust(34 if not wide else 50) + f"Version: {__version__}"
    memory = f"{'Memory-Usage(MB)':<18}" + ("" if wide else "HBM-Usage(MB)")
    head = f"{'Power(W)':<{first}}{'Temp(C)':<18}Hugepages-Usage(page)"
    lines = [
        f"+{'-' * (sum(widths) + 2)}+",
        f"|{title.ljust(sum(widths) + 2)}|",
        light,
        line("NPU".ljust(gap) + "Name", "Health", head),
        line(columns[0].ljust(gap) + columns[1], "Bus-Id", "AICore(%)".ljust(first) + memory),
        heavy,
    ]
    for chip in server.chips:
        device = "" if not columns[1] else str(chip.device)
        used = f"{0:<5}/ {server.memory}"
        hbm = f"{f'{0:<5}/ 0':<18}{used}" if not wide else used
        power = f"{'0.0':<{first}}{'0':<18}{0:<5}/ 0"
        lines += [
            line(str(chip.card).ljust(gap) + server.chip_name, "OK", power),
            line(str(chip.number).ljust(gap) + device, chip.bus, f"{'0':<{first}}{hbm}"),
            heavy,
        ]
    rest = widths[2] - 26
    lines += [
        light,
        line(f"{'NPU':<8}Chip", "Process id", f"{'Process name':<25}| Process memory(MB)".ljust(rest)),
        heavy,
    ]
    for card in server.cards():
        lines += [f"| {f'No running processes found in NPU {card}'.ljust(sum(widths) + 1)}|", heavy]
    return "\n".join(lines)


def _mapping(server: Server) -> str:
    """``npu-smi info -m``."""
    columns = ["NPU ID", "Chip ID", "Chip Logic ID", *(["Chip Phy-ID"] if server.named_by_card else []), "Chip Name"]
    rows = [columns]
    name = server.chip_name if server.named_by_card else f"Ascend {server.chip_name}"
    for card, chips in server.cards().items():
        for chip in chips:
            physical = [str(chip.device)] if server.named_by_card else []
            rows.append([str(card), str(chip.number), str(chip.device), *physical, name])
        physical = ["-"] if server.named_by_card else []
        rows.append([str(card), str(len(chips)), "-", *physical, "Mcu"])
    return "\n".join("\t" + "".join(cell.ljust(31) for cell in row) for row in rows)


def _list(server: Server) -> str:
    """``npu-smi info -l``."""
    cards = server.cards()
    blocks = [[("Total Count", str(len(cards)))]]
    blocks += [[("NPU ID", str(card)), ("Chip Count", str(len(chips)))] for card, chips in cards.items()]
    return "\n\n".join(map(_written, blocks))


def _written(fields: Fields) -> str:
    return "\n".join(f"\t{name:<30} : {value}" for name, value in fields)


# -- questions of one type -------------------------------------------------------------------------------------------


def _memory(server: Server, chip: Chip) -> Fields:
    if server.has_hbm:
        return [("DDR Capacity(MB)", "0"), ("HBM Capacity(MB)", str(server.memory))]
    return [("DDR Capacity(MB)", str(server.memory))]


def _usages(server: Server, chip: Chip) -> Fields:
    kind = "HBM" if server.has_hbm else "DDR"
    names = [f"{kind} Usage Rate(%)", "Aicore Usage Rate(%)"]
    names += ["Aivector Usage Rate(%)"] if server.profile.vector_cores else []
    names += ["Aicpu Usage Rate(%)", "Ctrlcpu Usage Rate(%)", f"{kind} Bandwidth Usage Rate(%)"]
    return [(f"{kind} Capacity(MB)", str(server.memory)), *((name, "0") for name in names)]


def _common(server: Server, chip: Chip) -> Fields:
    profile = server.profile
    return [
        ("Memory Usage Rate(%)", "0"),
        *([("HBM Usage Rate(%)", "0")] if server.has_hbm else []),
        ("Aicore Usage Rate(%)", "0"),
        ("Aicore Freq(MHZ)", str(profile.cube_mhz)),
        ("Aicore curFreq(MHZ)", str(profile.cube_mhz)),
        ("Aicore Count", str(profile.cube_cores or profile.ai_cores)),
        ("Temperature(C)", "0"),
        ("NPU Real-time Power(W)", "0.0"),
    ]


def _health(server: Server, chip: Chip) -> Fields:
    return [("Health", "OK"), ("Error Code", "NA"), ("Error Information", "NA")]


def _board(server: Server, chip: Chip) -> Fields:
    if server.named_by_card:
        return [("Chip Name", server.chip_name)]
    return [("Chip Type", "Ascend"), ("Chip Name", server.chip_name)]


def _of_card(server: Server) -> Fields:
    """``-t board`` without a chip."""
    return [
        ("Product Name", server.profile.name), ("Model", "NA"), ("Manufacturer", "ascend-sim"), ("Serial Number", "NA"),
        ("Software Version", __version__), ("Firmware Version", "NA"), ("Board ID", "NA"), ("PCB ID", "NA"),
        ("BOM ID", "NA"), ("PCIe Bus Info", server.chips[0].bus),
    ]  # fmt: skip


_TYPES: dict[str, Callable[[Server, Chip], Fields]] = {
    "board": _board,
    "memory": _memory,
    "usages": _usages,
    "temp": lambda server, chip: [("NPU Temperature (C)", "0")],
    "power": lambda server, chip: [("NPU Real-time Power(W)", "0.0")],
    "common": _common,
    "health": _health,
    "product": lambda server, chip: [("Product Type", server.profile.name)],
    "proc-mem": lambda server, chip: [],
}
"""Type -> its lines for one chip."""


def _asked(server: Server, kind: str, card: int, number: int | None) -> str:
    """``npu-smi info -t TYPE -i CARD [-c CHIP]``."""
    chips = server.cards()[card]
    head = [("NPU ID", str(card))]
    if number is not None:
        named = (
            [("NPU Name", server.profile.name.partition("_")[2])] if kind == "board" and server.named_by_card else []
        )
        return _written([*head, *named, ("Chip ID", str(number)), *_TYPES[kind](server, chips[number])])
    count = ("Chip Count", str(len(chips)))
    if kind == "board":
        bus = [(name, chips[0].bus if name == "PCIe Bus Info" else value) for name, value in _of_card(server)]
        return _written([*head, *bus, count, ("Faulty Chip Count", "0")])
    blocks: list[Fields] = [[*head, count]]
    blocks += [[*_TYPES[kind](server, chip), ("Chip ID", str(chip.number))] for chip in chips]
    return "\n\n".join(map(_written, blocks))


# -- the command line ------------------------------------------------------------------------------------------------


def _number(option: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and int(text[:9]) < most):
        raise WrongWord(f"Error parameter of {option}: {text!r} is no number below {most}")
    return int(text)


def _info(server: Server, words: Sequence[str]) -> str:
    plain = {(): _table, ("-m",): _mapping, ("-l",): _list}
    if tuple(words) in plain:
        return plain[tuple(words)](server)
    given: dict[str, str] = {}
    rest = list(words)
    while rest:
        option = rest.pop(0)
        if option not in ("-t", "-i", "-c") or option in given or not rest:
            raise WrongWord(f"Error parameter: {option}")
        given[option] = rest.pop(0)
    kind = given.get("-t")
    if kind not in _TYPES:
        raise WrongWord(f"Error parameter of -t: {kind!r} is not one of {', '.join(_TYPES)}")
    cards = server.cards()
    if "-i" not in given:
        if "-c" in given:
            raise WrongWord("Error parameter: -c needs the card, -i")
        return "\n\n".join(_asked(server, kind, card, None) for card in cards)
    card = _number("-i", given["-i"], len(cards))
    number = _number("-c", given["-c"], len(cards[card])) if "-c" in given else None
    return _asked(server, kind, card, number)


def main(words: Sequence[str], variables: Mapping[str, str] | None = None) -> int:
    """Answer; the exit code is 0, or 1 for words that are not answered."""
    tell("this is npu-smi of the simulator: no card is here")
    help_text = USAGE + ", ".join(_TYPES)
    try:
        if list(words) in (["-v"], ["--version"]):
            print(f"npu-smi version: {__version__}")
        elif list(words) in (["-h"], ["--help"], ["info", "-h"], ["info", "--help"]):
            print(help_text)
        elif words and words[0] == "info":
            print(_info(server_of(os.environ if variables is None else variables), words[1:]))
        else:
            raise WrongWord(f"Error parameter: {' '.join(words) or 'a command is missing'}")
    except (WrongWord, ValueError) as error:
        print(f"{error}\n{help_text}", file=sys.stderr)
        return _WRONG
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
