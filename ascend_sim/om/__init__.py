"""Stand-ins for compiled models: the `.om` file of the simulator, written and read.

A genuine compiled model cannot be run here. A stand-in has the real header of 256 bytes, so that programs which look at
sizes and magic numbers are content, then a description in JSON, then an optional blob (an ONNX model). Reading one runs
no code: a Python body is looked up only when the user allowed its module.
"""

from ascend_sim.om.aipp import Aipp
from ascend_sim.om.container import HEADER_BYTES, Header, OmFile, OmFormatError, read, read_header, save, write
from ascend_sim.om.description import Body, Constant, Gears, ModelDescription, TensorDescription

__all__ = [
    "HEADER_BYTES", "Aipp", "Body", "Constant", "Gears", "Header", "ModelDescription", "OmFile", "OmFormatError",
    "TensorDescription", "read", "read_header", "save", "write",
]  # fmt: skip
