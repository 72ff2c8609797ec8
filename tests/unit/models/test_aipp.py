"""Parameters of image preprocessing: kept, and refused where they belong to nobody."""

from ascend_sim import ascendcl as C
from ascend_sim.om import TensorDescription
from tests.unit.models.conftest import Models, neg


def test_parameters_are_kept_for_each_image(models: Models) -> None:
    aipp = C.aclmdlCreateAIPP(2)
    assert C.aclmdlCreateAIPP(0) == 0
    assert C.aclmdlSetAIPPInputFormat(aipp, C.ACL_RGB888_U8) == 0
    assert C.aclmdlSetAIPPCscParams(aipp, 1, *range(9), *range(6)) == 0
    assert C.aclmdlSetAIPPDtcPixelMin(aipp, 0.5, 1, 2, 3, 1) == 0
    assert C.aclmdlSetAIPPDtcPixelMin(aipp, 0.5, 1, 2, 3, 2) == 100000
    assert C.aclmdlSetAIPPCropParams(aipp, 1, 0, 0, 224, 224, 0) == 0
    assert C.aclmdlSetAIPPCropParams(0, 1, 0, 0, 224, 224, 0) == 100000
    kept = models.sim.handles[aipp].values  # type: ignore[attr-defined]
    assert kept["DtcPixelMin 1"] == (0.5, 1, 2, 3, 1)
    assert C.aclmdlDestroyAIPP(aipp) == 0
    assert C.aclmdlDestroyAIPP(0) == 100000
    number = models.load(neg())
    assert C.aclmdlSetInputAIPP(number, 1, 0, 1) == 207000
    assert models.kinds() == ["not-modelled"]


def test_the_type_of_an_input(models: Models) -> None:
    image = TensorDescription("x", 0, (4,), aipp=True)
    extra = TensorDescription("ascend_dynamic_aipp_data", 4, (160,))
    number = models.load(neg(inputs=(image, extra)))
    assert C.aclmdlGetAippType(number, 0) == (2, 1, 0)
    assert C.aclmdlGetAippType(number, 1) == (0, 0xFFFFFFFF, 0)
    assert C.aclmdlGetAippType(number, 2)[-1] == 100000
    assert C.aclmdlGetAippType(99, 0)[-1] == 145003
