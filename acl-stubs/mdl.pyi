"""acl.mdl: models: loading, describing, datasets, execution."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def load_from_file(model_path: str, /) -> tuple[int, int]:
    """model_id, ret = acl.mdl.load_from_file(model_path)

    Parameters, by position only:
        model_path: a str

    Returns model_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.load_from_file args parse failed!') for arguments of another number or type.

    Calls aclmdlLoadFromFile:

        aclError aclmdlLoadFromFile(const char* modelPath, uint32_t* modelId);
        In Python: modelId, ret = aclmdlLoadFromFile(modelPath)

        Load a stand-in (or what is registered for the path); returns the model's id.

        Codes: 100000 NULL, 145002 cannot be read, 145006 no model or a compiled one, 145001 no aclInit (static models),
        500002 its body cannot run here, 107002.
    """

def unload(model_id: int, /) -> int:
    """ret = acl.mdl.unload(model_id)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.unload args parse failed!') for arguments of another number or type.

    Calls aclmdlUnload:

        aclError aclmdlUnload(uint32_t modelId);
        In Python: ret = aclmdlUnload(modelId)

        Forget a model; nothing is awaited. Codes: 100000 it belongs to a bundle, 145003 unknown or unloaded.
    """

def query_size(file_name: str, /) -> tuple[int, int, int]:
    """work_size, weight_size, ret = acl.mdl.query_size(file_name)

    Parameters, by position only:
        file_name: a str

    Returns work_size, weight_size, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.query_size args parse failed!') for arguments of another number or type.

    Calls aclmdlQuerySize:

        aclError aclmdlQuerySize(const char* fileName, size_t* workSize, size_t* weightSize);
        In Python: workSize, weightSize, ret = aclmdlQuerySize(fileName)

        Bytes of work (0 of dynamic models) and weight memory.

        Codes: 100000 NULL, 145002, 145006 shorter than the magic number, 145001, 145000 the header, 545003, 545004.
    """

def execute(model_id: int, input: int, output: int, /) -> int:
    """ret = acl.mdl.execute(model_id, input, output)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        input: an int: an address, a handle or a size
        output: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.execute args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlExecute:

        aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output);
        In Python: ret = aclmdlExecute(modelId, input, output)

        Run a model and wait for it. Outputs without an address get memory, which the caller frees with aclrtFree.

        Codes: 100000 NULL, a place without a data buffer, a dynamic model with too few inputs or a shape outside its range;
        145001; 145003; 500002 other numbers of buffers, too small ones, run async before; 107002; what its task fails with.
    """

def execute_async(model_id: int, input: int, output: int, stream: int, /) -> int:
    """ret = acl.mdl.execute_async(model_id, input, output, stream)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        input: an int: an address, a handle or a size
        output: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.execute_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlExecuteAsync:

        aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output, aclrtStream stream);
        In Python: ret = aclmdlExecuteAsync(modelId, input, output, stream)

        Queue a model on *stream* (NULL: the default stream); only dynamic models ask the stream's allocator.

        Codes: as aclmdlExecute; 500002 run blocking before; 107017, 107003.
    """

def create_dataset() -> int:
    """dataset = acl.mdl.create_dataset()

    Returns dataset (int).

    Raises TypeError('acl.mdl.create_dataset args parse failed') for arguments of another number or type.

    Calls aclmdlCreateDataset:

        aclmdlDataset* aclmdlCreateDataset();
        In Python: value = aclmdlCreateDataset()

        A dataset without buffers; aclmdlAddDatasetBuffer adds them in the order of the model.

        Returns the value alone; there is no code.

        Page: Models.
    """

def destroy_dataset(dataset: int, /) -> int:
    """ret = acl.mdl.destroy_dataset(dataset)

    Parameters, by position only:
        dataset: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.destroy_dataset args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlDestroyDataset:

        aclError aclmdlDestroyDataset(const aclmdlDataset* dataset);
        In Python: ret = aclmdlDestroyDataset(dataset)

        Its tensor descriptors go with it, the data buffers stay. Codes: 100000 NULL.
    """

def get_dataset_buffer(dataset: int, index: int, /) -> int:
    """data_buffer = acl.mdl.get_dataset_buffer(dataset, index)

    Parameters, by position only:
        dataset: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns data_buffer (int).

    Raises TypeError('acl.mdl.get_dataset_buffer args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetDatasetBuffer:

        aclDataBuffer* aclmdlGetDatasetBuffer(const aclmdlDataset* dataset, size_t index);
        In Python: value = aclmdlGetDatasetBuffer(dataset, index)

        The data buffer at *index*; NULL behind the end and for NULL.

        Returns the value alone; there is no code.
    """

def get_dataset_num_buffers(dataset: int, /) -> int:
    """num = acl.mdl.get_dataset_num_buffers(dataset)

    Parameters, by position only:
        dataset: an int: an address, a handle or a size

    Returns num (int).

    Raises TypeError('acl.mdl.get_dataset_num_buffers args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetDatasetNumBuffers:

        size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset* dataset);
        In Python: value = aclmdlGetDatasetNumBuffers(dataset)

        How many there are; 0 for NULL.

        Returns the value alone; there is no code.
    """

def add_dataset_buffer(dataset: int, data_buffer: int, /) -> tuple[int, int]:
    """dataset, ret = acl.mdl.add_dataset_buffer(dataset, data_buffer)

    Parameters, by position only:
        dataset: an int: an address, a handle or a size
        data_buffer: an int: an address, a handle or a size

    Returns dataset, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.add_dataset_buffer args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlAddDatasetBuffer:

        aclError aclmdlAddDatasetBuffer(aclmdlDataset* dataset, aclDataBuffer* dataBuffer);
        In Python: ret = aclmdlAddDatasetBuffer(dataset, dataBuffer)

        One more data buffer, which is not looked at before an execution. Codes: 100000 NULL.
    """

def get_output_size_by_index(desc: int, index: int, /) -> int:
    """size = acl.mdl.get_output_size_by_index(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns size (int).

    Raises TypeError('acl.mdl.get_output_size_by_index args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetOutputSizeByIndex:

        size_t aclmdlGetOutputSizeByIndex(aclmdlDesc* modelDesc, size_t index);
        In Python: value = aclmdlGetOutputSizeByIndex(modelDesc, index)

        Bytes of an output, as aclmdlGetInputSizeByIndex counts them.

        Returns the value alone; there is no code.
    """

def get_num_inputs(desc: int, /) -> int:
    """num = acl.mdl.get_num_inputs(desc)

    Parameters, by position only:
        desc: an int: an address, a handle or a size

    Returns num (int).

    Raises TypeError('acl.mdl.get_num_inputs args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetNumInputs:

        size_t aclmdlGetNumInputs(aclmdlDesc* modelDesc);
        In Python: value = aclmdlGetNumInputs(modelDesc)

        How many inputs, the one of the gear included; 0 for NULL.

        Returns the value alone; there is no code.
    """

def get_num_outputs(desc: int, /) -> int:
    """num = acl.mdl.get_num_outputs(desc)

    Parameters, by position only:
        desc: an int: an address, a handle or a size

    Returns num (int).

    Raises TypeError('acl.mdl.get_num_outputs args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetNumOutputs:

        size_t aclmdlGetNumOutputs(aclmdlDesc* modelDesc);
        In Python: value = aclmdlGetNumOutputs(modelDesc)

        How many outputs; 0 for NULL.

        Returns the value alone; there is no code.
    """

def get_input_size_by_index(desc: int, index: int, /) -> int:
    """size = acl.mdl.get_input_size_by_index(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns size (int).

    Raises TypeError('acl.mdl.get_input_size_by_index args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputSizeByIndex:

        size_t aclmdlGetInputSizeByIndex(aclmdlDesc* modelDesc, size_t index);
        In Python: value = aclmdlGetInputSizeByIndex(modelDesc, index)

        Bytes: of the largest gear, or at the ends of the ranges, 0 when one has no end; 0 for NULL, behind the end.

        Returns the value alone; there is no code.
    """

def create_desc() -> int:
    """desc = acl.mdl.create_desc()

    Returns desc (int).

    Raises TypeError('acl.mdl.create_desc args parse failed') for arguments of another number or type.

    Calls aclmdlCreateDesc:

        aclmdlDesc* aclmdlCreateDesc();
        In Python: value = aclmdlCreateDesc()

        A description of no model yet; aclmdlGetDesc fills it.

        Returns the value alone; there is no code.

        Page: Models.
    """

def get_desc(desc: int, model_id: int, /) -> int:
    """ret = acl.mdl.get_desc(desc, model_id)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        model_id: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetDesc:

        aclError aclmdlGetDesc(aclmdlDesc* modelDesc, uint32_t modelId);
        In Python: ret = aclmdlGetDesc(modelDesc, modelId)

        Describe a loaded model; a failure leaves the description empty.

        Codes: 100000 NULL; 145001 (static models); 145003 unknown.
    """

def destroy_desc(desc: int, /) -> int:
    """ret = acl.mdl.destroy_desc(desc)

    Parameters, by position only:
        desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.destroy_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlDestroyDesc:

        aclError aclmdlDestroyDesc(aclmdlDesc* modelDesc);
        In Python: ret = aclmdlDestroyDesc(modelDesc)

        Destroy a description of aclmdlCreateDesc. Codes: 100000 NULL.
    """

def load_from_mem(model_ptr: int, model_size: int, /) -> tuple[int, int]:
    """model_id, ret = acl.mdl.load_from_mem(model_ptr, model_size)

    Parameters, by position only:
        model_ptr: an int: an address, a handle or a size
        model_size: an int: an address, a handle or a size

    Returns model_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.load_from_mem args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlLoadFromMem:

        aclError aclmdlLoadFromMem(const void* model, size_t modelSize, uint32_t* modelId);
        In Python: modelId, ret = aclmdlLoadFromMem(model, modelSize)

        Load a model from host memory. Codes: 100000 NULL, 0 or less than a header of 256 bytes; as aclmdlLoadFromFile.
    """

def load_from_file_with_mem(model_path: str, work_ptr: int, work_size: int, weight_ptr: int, weight_size: int, /) -> tuple[int, int]:
    """model_id, ret = acl.mdl.load_from_file_with_mem(model_path, work_ptr, work_size, weight_ptr, weight_size)

    Parameters, by position only:
        model_path: a str
        work_ptr: an int: an address, a handle or a size
        work_size: an int: an address, a handle or a size
        weight_ptr: an int: an address, a handle or a size
        weight_size: an int: an address, a handle or a size

    Returns model_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.load_from_file_with_mem args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlLoadFromFileWithMem:

        aclError aclmdlLoadFromFileWithMem(const char* modelPath, uint32_t* modelId, void* workPtr, size_t workSize, void* weightPtr, size_t weightSize);
        In Python: modelId, ret = aclmdlLoadFromFileWithMem(modelPath, workPtr, workSize, weightPtr, weightSize)

        Load with work and weight memory of the caller's; NULL: the model allocates. Codes: 145000 too small.
    """

def load_from_mem_with_mem(model_ptr: int, model_size: int, work_ptr: int, work_size: int, weight_ptr: int, weight_size: int, /) -> tuple[int, int]:
    """model_id, ret = acl.mdl.load_from_mem_with_mem(model_ptr, model_size, work_ptr, work_size, weight_ptr, weight_size)

    Parameters, by position only:
        model_ptr: an int: an address, a handle or a size
        model_size: an int: an address, a handle or a size
        work_ptr: an int: an address, a handle or a size
        work_size: an int: an address, a handle or a size
        weight_ptr: an int: an address, a handle or a size
        weight_size: an int: an address, a handle or a size

    Returns model_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.load_from_mem_with_mem args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlLoadFromMemWithMem:

        aclError aclmdlLoadFromMemWithMem(const void* model, size_t modelSize, uint32_t* modelId, void* workPtr, size_t workSize, void* weightPtr, size_t weightSize);
        In Python: modelId, ret = aclmdlLoadFromMemWithMem(model, modelSize, workPtr, workSize, weightPtr, weightSize)

        Load from host memory, with memory of the caller's or NULL. Codes: as aclmdlLoadFromMem; 145000 too small.
    """

def query_size_from_mem(model_ptr: int, model_size: int, /) -> tuple[int, int, int]:
    """work_size, weight_size, ret = acl.mdl.query_size_from_mem(model_ptr, model_size)

    Parameters, by position only:
        model_ptr: an int: an address, a handle or a size
        model_size: an int: an address, a handle or a size

    Returns work_size, weight_size, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.query_size_from_mem args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlQuerySizeFromMem:

        aclError aclmdlQuerySizeFromMem(const void* model, size_t modelSize, size_t* workSize, size_t* weightSize);
        In Python: workSize, weightSize, ret = aclmdlQuerySizeFromMem(model, modelSize)

        Sizes that a model in host memory needs. Codes: 100000 NULL or 0; else as aclmdlQuerySize.
    """

def set_dynamic_batch_size(model_id: int, dataset: int, index: int, batch_size: int, /) -> int:
    """ret = acl.mdl.set_dynamic_batch_size(model_id, dataset, index, batch_size)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        dataset: an int: an address, a handle or a size
        index: an int: an address, a handle or a size
        batch_size: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_dynamic_batch_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetDynamicBatchSize:

        aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset* dataset, size_t index, uint64_t batchSize);
        In Python: ret = aclmdlSetDynamicBatchSize(modelId, dataset, index, batchSize)

        Choose the batch size; it is written to the buffer at *index*, the input ``ascend_mbatch_shape_data``.

        The dataset changes before the checks behind the first. Codes: 100000 NULL, 0, no buffer or address there; 145012
        less than 4 bytes; 145003 unknown or dynamic model; 145013 no gear.
    """

def set_dynamic_hw_size(model_id: int, dataset: int, index: int, height: int, width: int, /) -> int:
    """ret = acl.mdl.set_dynamic_hw_size(model_id, dataset, index, height, width)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        dataset: an int: an address, a handle or a size
        index: an int: an address, a handle or a size
        height: an int: an address, a handle or a size
        width: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_dynamic_hw_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetDynamicHWSize:

        aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset* dataset, size_t index, uint64_t height, uint64_t width);
        In Python: ret = aclmdlSetDynamicHWSize(modelId, dataset, index, height, width)

        Choose the gear of height and width of an image. Codes: as aclmdlSetDynamicBatchSize; 145012 less than 8 bytes.
    """

def get_cur_output_dims(desc: int, index: int, /) -> tuple[dict[str, Any], int]:
    """dims_dict, ret = acl.mdl.get_cur_output_dims(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns dims_dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_cur_output_dims args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetCurOutputDims:

        aclError aclmdlGetCurOutputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
        In Python: dims, ret = aclmdlGetCurOutputDims(modelDesc, index)

        Dims of an output in the gear that the model remembers; else as aclmdlGetOutputDims.

        Codes: 100000 NULL, behind the end; 200001 a dynamic model; 145001, 145003 the model is not loaded.
    """

def get_first_aipp_info(model_id: int, index: int, /) -> tuple[dict[str, Any] | None, int]:
    """dict or None, ret = acl.mdl.get_first_aipp_info(model_id, index)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        index: an int: an address, a handle or a size

    Returns dict or None, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_first_aipp_info args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetFirstAippInfo:

        aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index, aclAippInfo* aippInfo);
        In Python: aippInfo, ret = aclmdlGetFirstAippInfo(modelId, index)

        The preprocessing of an input; of dynamic AIPP only what the network takes (srcFormat and what follows).

        Codes: 145001, 145003 unknown model; 100000 behind the end; 145015 no AIPP there; 500002 more than 128 gears.
    """

def create_aipp(batch_size: int, /) -> int:
    """aipp = acl.mdl.create_aipp(batch_size)

    Parameters, by position only:
        batch_size: an int: an address, a handle or a size

    Returns aipp (int).

    Raises TypeError('acl.mdl.create_aipp args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlCreateAIPP:

        aclmdlAIPP* aclmdlCreateAIPP(uint64_t batchSize);
        In Python: value = aclmdlCreateAIPP(batchSize)

        Settings for *batch* images; NULL for 0.

        Returns the value alone; there is no code.
    """

def destroy_aipp(aipp: int, /) -> int:
    """ret = acl.mdl.destroy_aipp(aipp)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.destroy_aipp args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlDestroyAIPP:

        aclError aclmdlDestroyAIPP(const aclmdlAIPP* aippParmsSet);
        In Python: ret = aclmdlDestroyAIPP(aippParmsSet)

        Destroy a handle of aclmdlCreateAIPP. Codes: 100000 NULL.
    """

def get_input_dims(desc: int, index: int, /) -> tuple[dict[str, Any], int]:
    """dims_dict, ret = acl.mdl.get_input_dims(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns dims_dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_input_dims args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputDims:

        aclError aclmdlGetInputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
        In Python: dims, ret = aclmdlGetInputDims(modelDesc, index)

        Dims, open ones -1; a name of 128 characters or more is replaced. Codes: 100000 NULL, behind the end, 300000.
    """

def get_input_dims_v2(desc: int, index: int, /) -> tuple[dict[str, Any], int]:
    """dims_dict, ret = acl.mdl.get_input_dims_v2(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns dims_dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_input_dims_v2 args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputDimsV2:

        aclError aclmdlGetInputDimsV2(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
        In Python: dims, ret = aclmdlGetInputDimsV2(modelDesc, index)

        Dims of an input; of images for static preprocessing (AIPP) their product is the size: YUV420SP has 1.5 H rows.

        Codes: as aclmdlGetInputDims.
    """

def get_output_dims(desc: int, index: int, /) -> tuple[dict[str, Any], int]:
    """dims_dict, ret = acl.mdl.get_output_dims(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns dims_dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_output_dims args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetOutputDims:

        aclError aclmdlGetOutputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
        In Python: dims, ret = aclmdlGetOutputDims(modelDesc, index)

        Dims of an output, with gears of the largest one. Codes: as aclmdlGetInputDims.
    """

def get_input_name_by_index(desc: int, index: int, /) -> str:
    """name = acl.mdl.get_input_name_by_index(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns name (str).

    Raises TypeError('acl.mdl.get_input_name_by_index args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputNameByIndex:

        const char* aclmdlGetInputNameByIndex(const aclmdlDesc* modelDesc, size_t index);
        In Python: value = aclmdlGetInputNameByIndex(modelDesc, index)

        The name; empty for NULL and behind the end.

        Returns the value alone; there is no code.
    """

def get_output_name_by_index(desc: int, index: int, /) -> str:
    """name = acl.mdl.get_output_name_by_index(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns name (str).

    Raises TypeError('acl.mdl.get_output_name_by_index args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetOutputNameByIndex:

        const char* aclmdlGetOutputNameByIndex(const aclmdlDesc* modelDesc, size_t index);
        In Python: value = aclmdlGetOutputNameByIndex(modelDesc, index)

        The name of an output; empty for NULL and behind the end.

        Returns the value alone; there is no code.
    """

def get_input_format(desc: int, index: int, /) -> int:
    """format = acl.mdl.get_input_format(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns format (int).

    Raises TypeError('acl.mdl.get_input_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputFormat:

        aclFormat aclmdlGetInputFormat(const aclmdlDesc* modelDesc, size_t index);
        In Python: value = aclmdlGetInputFormat(modelDesc, index)

        The format; -1 for NULL and behind the end.

        Returns the value alone; there is no code.
    """

def get_output_format(desc: int, index: int, /) -> int:
    """format = acl.mdl.get_output_format(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns format (int).

    Raises TypeError('acl.mdl.get_output_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetOutputFormat:

        aclFormat aclmdlGetOutputFormat(const aclmdlDesc* modelDesc, size_t index);
        In Python: value = aclmdlGetOutputFormat(modelDesc, index)

        The format of an output; -1 for NULL and behind the end.

        Returns the value alone; there is no code.
    """

def get_input_data_type(desc: int, index: int, /) -> int:
    """data_type = acl.mdl.get_input_data_type(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns data_type (int).

    Raises TypeError('acl.mdl.get_input_data_type args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputDataType:

        aclDataType aclmdlGetInputDataType(const aclmdlDesc* modelDesc, size_t index);
        In Python: value = aclmdlGetInputDataType(modelDesc, index)

        The data type; -1 for NULL and behind the end.

        Returns the value alone; there is no code.
    """

def get_output_data_type(desc: int, index: int, /) -> int:
    """data_type = acl.mdl.get_output_data_type(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns data_type (int).

    Raises TypeError('acl.mdl.get_output_data_type args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetOutputDataType:

        aclDataType aclmdlGetOutputDataType(const aclmdlDesc* modelDesc, size_t index);
        In Python: value = aclmdlGetOutputDataType(modelDesc, index)

        The data type of an output; -1 for NULL and behind the end.

        Returns the value alone; there is no code.
    """

def get_input_index_by_name(desc: int, name: str, /) -> tuple[int, int]:
    """index, ret = acl.mdl.get_input_index_by_name(desc, name)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        name: a str

    Returns index, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_input_index_by_name args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputIndexByName:

        aclError aclmdlGetInputIndexByName(const aclmdlDesc* modelDesc, const char* name, size_t* index);
        In Python: index, ret = aclmdlGetInputIndexByName(modelDesc, name)

        The index of an input. Codes: 100000 NULL, unknown.
    """

def get_output_index_by_name(desc: int, name: str, /) -> tuple[int, int]:
    """index, ret = acl.mdl.get_output_index_by_name(desc, name)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        name: a str

    Returns index, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_output_index_by_name args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetOutputIndexByName:

        aclError aclmdlGetOutputIndexByName(const aclmdlDesc* modelDesc, const char* name, size_t* index);
        In Python: index, ret = aclmdlGetOutputIndexByName(modelDesc, name)

        The index of an output. Codes: 100000 NULL, unknown.
    """

def get_dynamic_batch(desc: int, /) -> tuple[dict[str, Any], int]:
    """{batchCount,batch}, ret = acl.mdl.get_dynamic_batch(desc)

    Parameters, by position only:
        desc: an int: an address, a handle or a size

    Returns {batchCount,batch}, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_dynamic_batch args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetDynamicBatch:

        aclError aclmdlGetDynamicBatch(const aclmdlDesc* modelDesc, aclmdlBatch* batch);
        In Python: batch, ret = aclmdlGetDynamicBatch(modelDesc)

        The batch gears; none without. Codes: 100000 NULL, 300000 more than 128.
    """

def get_dynamic_hw(desc: int, index: int, /) -> tuple[dict[str, Any], int]:
    """{hwCount,hw}, ret = acl.mdl.get_dynamic_hw(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns {hwCount,hw}, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_dynamic_hw args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetDynamicHW:

        aclError aclmdlGetDynamicHW(const aclmdlDesc* modelDesc, size_t index, aclmdlHW* hw);
        In Python: hw, ret = aclmdlGetDynamicHW(modelDesc, index)

        The gears of height and width; *index* is not looked at. Codes: 100000 NULL, 300000 more than 128.
    """

def set_aipp_input_format(aipp: int, format: int, /) -> int:
    """ret = acl.mdl.set_aipp_input_format(aipp, format)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        format: one of
            ACL_YUV420SP_U8 = 1
            ACL_XRGB8888_U8 = 2
            ACL_RGB888_U8 = 3
            ACL_YUV400_U8 = 4
            ACL_NC1HWC0DI_FP16 = 5
            ACL_NC1HWC0DI_S8 = 6
            ACL_ARGB8888_U8 = 7
            ACL_YUYV_U8 = 8
            ACL_YUV422SP_U8 = 9
            ACL_AYUV444_U8 = 10
            ...

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_input_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPInputFormat:

        aclError aclmdlSetAIPPInputFormat(aclmdlAIPP* aippParmsSet, aclAippInputFormat inputFormat);
        In Python: ret = aclmdlSetAIPPInputFormat(aippParmsSet, inputFormat)

        The format of the images, an aclAippInputFormat. Codes: 100000 NULL, no member.
    """

def set_aipp_csc_params(aipp: int, csc_switch: int, r0c0: int, r0c1: int, r0c2: int, r1c0: int, r1c1: int, r1c2: int, r2c0: int, r2c1: int, r2c2: int, output_bias_r0: int, output_bias_r1: int, output_bias_r2: int, input_bias_r0: int, input_bias_r1: int, input_bias_r2: int, /) -> int:
    """ret = acl.mdl.set_aipp_csc_params(aipp, csc_switch, r0c0, r0c1, r0c2, r1c0, r1c1, r1c2, r2c0, r2c1, r2c2, output_bias_r0, output_bias_r1, output_bias_r2, input_bias_r0, input_bias_r1, input_bias_r2)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        csc_switch: an int of 8 bits
        r0c0: an int of 16 bits
        r0c1: an int of 16 bits
        r0c2: an int of 16 bits
        r1c0: an int of 16 bits
        r1c1: an int of 16 bits
        r1c2: an int of 16 bits
        r2c0: an int of 16 bits
        r2c1: an int of 16 bits
        r2c2: an int of 16 bits
        output_bias_r0: an int of 8 bits, unsigned
        output_bias_r1: an int of 8 bits, unsigned
        output_bias_r2: an int of 8 bits, unsigned
        input_bias_r0: an int of 8 bits, unsigned
        input_bias_r1: an int of 8 bits, unsigned
        input_bias_r2: an int of 8 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_csc_params args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPCscParams:

        aclError aclmdlSetAIPPCscParams(aclmdlAIPP* aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0, int16_t cscMatrixR0C1, int16_t cscMatrixR0C2, int16_t cscMatrixR1C0, int16_t cscMatrixR1C1, int16_t cscMatrixR1C2, int16_t cscMatrixR2C0, int16_t cscMatrixR2C1, int16_t cscMatrixR2C2, uint8_t cscOutputBiasR0, uint8_t cscOutputBiasR1, uint8_t cscOutputBiasR2, uint8_t cscInputBiasR0, uint8_t cscInputBiasR1, uint8_t cscInputBiasR2);
        In Python: ret = aclmdlSetAIPPCscParams(aippParmsSet, cscSwitch, cscMatrixR0C0, cscMatrixR0C1, cscMatrixR0C2, cscMatrixR1C0, cscMatrixR1C1, cscMatrixR1C2, cscMatrixR2C0, cscMatrixR2C1, cscMatrixR2C2, cscOutputBiasR0, cscOutputBiasR1, cscOutputBiasR2, cscInputBiasR0, cscInputBiasR1, cscInputBiasR2)

        Colour conversion: nine numbers of the matrix in 256ths, three output biases, three input biases.

        Off: the numbers are not looked at. The switch counts even when a number is refused. Codes: 100000 NULL, a switch
        other than 0 and 1, a matrix outside -32677 to 32676.
    """

def set_aipp_rbuv_swap_switch(aipp: int, switch: int, /) -> int:
    """ret = acl.mdl.set_aipp_rbuv_swap_switch(aipp, switch)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        switch: an int of 8 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_rbuv_swap_switch args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPRbuvSwapSwitch:

        aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP* aippParmsSet, int8_t rbuvSwapSwitch);
        In Python: ret = aclmdlSetAIPPRbuvSwapSwitch(aippParmsSet, rbuvSwapSwitch)

        Exchange R and B, or U and V. Codes: 100000 NULL, other than 0 and 1.
    """

def set_aipp_ax_swap_switch(aipp: int, switch: int, /) -> int:
    """ret = acl.mdl.set_aipp_ax_swap_switch(aipp, switch)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        switch: an int of 8 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_ax_swap_switch args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPAxSwapSwitch:

        aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP* aippParmsSet, int8_t axSwapSwitch);
        In Python: ret = aclmdlSetAIPPAxSwapSwitch(aippParmsSet, axSwapSwitch)

        X or A comes first in memory. Codes: 100000 NULL, other than 0 and 1.
    """

def set_aipp_src_image_size(aipp: int, w: int, h: int, /) -> int:
    """ret = acl.mdl.set_aipp_src_image_size(aipp, w, h)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        w: an int of 32 bits
        h: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_src_image_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPSrcImageSize:

        aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP* aippParmsSet, int32_t srcImageSizeW, int32_t srcImageSizeH);
        In Python: ret = aclmdlSetAIPPSrcImageSize(aippParmsSet, srcImageSizeW, srcImageSizeH)

        Size of the images in pixels. Codes: 100000 NULL, a width outside 2 to 4096, a height outside 1 to 4096.
    """

def set_aipp_crop_params(aipp: int, switch: int, x: int, y: int, w: int, h: int, batch_index: int, /) -> int:
    """ret = acl.mdl.set_aipp_crop_params(aipp, switch, x, y, w, h, batch_index)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        switch: an int of 8 bits
        x: an int of 32 bits
        y: an int of 32 bits
        w: an int of 32 bits
        h: an int of 32 bits
        batch_index: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_crop_params args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPCropParams:

        aclError aclmdlSetAIPPCropParams(aclmdlAIPP* aippParmsSet, int8_t cropSwitch, int32_t cropStartPosW, int32_t cropStartPosH, int32_t cropSizeW, int32_t cropSizeH, uint64_t batchIndex);
        In Python: ret = aclmdlSetAIPPCropParams(aippParmsSet, cropSwitch, cropStartPosW, cropStartPosH, cropSizeW, cropSizeH, batchIndex)

        What is cut out, in pixels.

        Codes: 100000 NULL, an image behind the batch, a switch other than 0 and 1, a start outside 0 to 4095, a size
        outside 1 to 4096.
    """

def set_aipp_padding_params(aipp: int, switch: int, top: int, bottom: int, left: int, right: int, batch_index: int, /) -> int:
    """ret = acl.mdl.set_aipp_padding_params(aipp, switch, top, bottom, left, right, batch_index)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        switch: an int of 8 bits
        top: an int of 32 bits
        bottom: an int of 32 bits
        left: an int of 32 bits
        right: an int of 32 bits
        batch_index: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_padding_params args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPPaddingParams:

        aclError aclmdlSetAIPPPaddingParams(aclmdlAIPP* aippParmsSet, int8_t paddingSwitch, int32_t paddingSizeTop, int32_t paddingSizeBottom, int32_t paddingSizeLeft, int32_t paddingSizeRight, uint64_t batchIndex);
        In Python: ret = aclmdlSetAIPPPaddingParams(aippParmsSet, paddingSwitch, paddingSizeTop, paddingSizeBottom, paddingSizeLeft, paddingSizeRight, batchIndex)

        Pixels of 0 around the image. Codes: 100000 NULL, an image behind the batch, a switch, sizes outside 0 to 32.
    """

def set_aipp_dtc_pixel_mean(aipp: int, c0: int, c1: int, c2: int, c3: int, batch_index: int, /) -> int:
    """ret = acl.mdl.set_aipp_dtc_pixel_mean(aipp, c0, c1, c2, c3, batch_index)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        c0: an int of 16 bits
        c1: an int of 16 bits
        c2: an int of 16 bits
        c3: an int of 16 bits
        batch_index: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_dtc_pixel_mean args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPDtcPixelMean:

        aclError aclmdlSetAIPPDtcPixelMean(aclmdlAIPP* aippParmsSet, int16_t dtcPixelMeanChn0, int16_t dtcPixelMeanChn1, int16_t dtcPixelMeanChn2, int16_t dtcPixelMeanChn3, uint64_t batchIndex);
        In Python: ret = aclmdlSetAIPPDtcPixelMean(aippParmsSet, dtcPixelMeanChn0, dtcPixelMeanChn1, dtcPixelMeanChn2, dtcPixelMeanChn3, batchIndex)

        The mean of each channel. Codes: 100000 NULL, an image behind the batch, outside 0 to 255.
    """

def set_aipp_dtc_pixel_min(aipp: int, c0: float, c1: float, c2: float, c3: float, batch_index: int, /) -> int:
    """ret = acl.mdl.set_aipp_dtc_pixel_min(aipp, c0, c1, c2, c3, batch_index)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        c0: a number
        c1: a number
        c2: a number
        c3: a number
        batch_index: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_dtc_pixel_min args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPDtcPixelMin:

        aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP* aippParmsSet, float dtcPixelMinChn0, float dtcPixelMinChn1, float dtcPixelMinChn2, float dtcPixelMinChn3, uint64_t batchIndex);
        In Python: ret = aclmdlSetAIPPDtcPixelMin(aippParmsSet, dtcPixelMinChn0, dtcPixelMinChn1, dtcPixelMinChn2, dtcPixelMinChn3, batchIndex)

        The least value of each channel, kept as float16. Codes: 100000 NULL, an image behind the batch, not 0 to 255.
    """

def set_aipp_pixel_var_reci(aipp: int, c0: float, c1: float, c2: float, c3: float, batch_index: int, /) -> int:
    """ret = acl.mdl.set_aipp_pixel_var_reci(aipp, c0, c1, c2, c3, batch_index)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        c0: a number
        c1: a number
        c2: a number
        c3: a number
        batch_index: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_pixel_var_reci args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPPixelVarReci:

        aclError aclmdlSetAIPPPixelVarReci(aclmdlAIPP* aippParmsSet, float dtcPixelVarReciChn0, float dtcPixelVarReciChn1, float dtcPixelVarReciChn2, float dtcPixelVarReciChn3, uint64_t batchIndex);
        In Python: ret = aclmdlSetAIPPPixelVarReci(aippParmsSet, dtcPixelVarReciChn0, dtcPixelVarReciChn1, dtcPixelVarReciChn2, dtcPixelVarReciChn3, batchIndex)

        What each channel is multiplied with, kept as float16.

        Codes: 100000 NULL, an image behind the batch, outside -65504 to 65504.
    """

def set_input_aipp(model_id: int, dataset: int, index: int, aipp: int, /) -> int:
    """ret = acl.mdl.set_input_aipp(model_id, dataset, index, aipp)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        dataset: an int: an address, a handle or a size
        index: an int: an address, a handle or a size
        aipp: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_input_aipp args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetInputAIPP:

        aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset* dataset, size_t index, const aclmdlAIPP* aippParmsSet);
        In Python: ret = aclmdlSetInputAIPP(modelId, dataset, index, aippParmsSet)

        Write the settings to the buffer at *index*, the input ``ascend_dynamic_aipp_data``; the next run reads them.

        Codes: 100000 NULL, another input, settings that are incomplete or do not make what the model takes, no buffer or
        address; 145001; 145003 unknown model; 145012 the buffer is too short; and as a copy to the device.
    """

def set_input_dynamic_dims(model_id: int, dataset: int, index: int, dims_dict: dict[str, Any], /) -> int:
    """ret = acl.mdl.set_input_dynamic_dims(model_id, dataset, index, dims_dict)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        dataset: an int: an address, a handle or a size
        index: an int: an address, a handle or a size
        dims_dict: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_input_dynamic_dims args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetInputDynamicDims:

        aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset* dataset, size_t index, const aclmdlIODims* dims);
        In Python: ret = aclmdlSetInputDynamicDims(modelId, dataset, index, dims)

        Choose the gear of the dims of all inputs, one after the other; the dataset notes them at the very end.

        Codes: 100000 NULL, no dims, no buffer or address; 145001; 145003 unknown or dynamic model; 145012 a wrong number
        of dims, another fixed dim, or too short a buffer; 145013 no gear.
    """

def get_input_dynamic_gear_count(desc: int, index: int, /) -> tuple[int, int]:
    """count, ret = acl.mdl.get_input_dynamic_gear_count(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns count, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_input_dynamic_gear_count args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputDynamicGearCount:

        aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc* modelDesc, size_t index, size_t* gearCount);
        In Python: gearCount, ret = aclmdlGetInputDynamicGearCount(modelDesc, index)

        How many gears of dims. Codes: 100000 NULL or another index than (size_t)-1, 300000 more than 128.
    """

def get_input_dynamic_dims(desc: int, index: int, gear_count: int, /) -> tuple[list[Any], int]:
    """list of dims_dict, ret = acl.mdl.get_input_dynamic_dims(desc, index, gear_count)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size
        gear_count: an int: an address, a handle or a size

    Returns list of dims_dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_input_dynamic_dims args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputDynamicDims:

        aclError aclmdlGetInputDynamicDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims, size_t gearCount);
        In Python: dims, ret = aclmdlGetInputDynamicDims(modelDesc, index, gearCount)

        The dims of all inputs for each gear. Codes: 100000 NULL, index, too few places; 500001 over 128 dims.
    """

def create_and_get_op_desc(device_id: int, stream_id: int, task_id: int, op_name_len: int, /) -> tuple[str, int, int, int, int, int]:
    """op_name, input_desc, num_inputs, output_desc, num_outputs, ret = acl.mdl.create_and_get_op_desc(device_id, stream_id, task_id, op_name_len)

    Parameters, by position only:
        device_id: an int of 32 bits, unsigned
        stream_id: an int of 32 bits, unsigned
        task_id: an int of 32 bits, unsigned
        op_name_len: an int: an address, a handle or a size

    Returns op_name, input_desc, num_inputs, output_desc, num_outputs, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.create_and_get_op_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlCreateAndGetOpDesc:

        aclError aclmdlCreateAndGetOpDesc(uint32_t deviceId, uint32_t streamId, uint32_t taskId, char* opName, size_t opNameLen, aclTensorDesc** inputDesc, size_t* numInputs, aclTensorDesc** outputDesc, size_t* numOutputs);
        In Python: inputDesc, numInputs, outputDesc, numOutputs, ret = aclmdlCreateAndGetOpDesc(deviceId, streamId, taskId, opName, opNameLen)

        Name (written to *name*) and tensors of the operator that a task of a static model was; ids as exceptions tell.

        The arrays belong to the caller: aclGetTensorDescByIndex reads them, aclDestroyTensorDesc on the first one frees all.
        A stand-in is one task: see ascend_sim.models.op_descs for which of its operators is named. Codes: 100000 NULL,
        *room* not larger than the name, no inputs or no outputs; 500000 *room* above 2^31 - 1; 500002 no such task, a
        dynamic model, one loaded with ACL_MDL_WITHOUT_GRAPH_INT32 or unloaded.
    """

def init_dump() -> int:
    """ret = acl.mdl.init_dump()

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.init_dump args parse failed') for arguments of another number or type.

    Calls aclmdlInitDump:

        aclError aclmdlInitDump();
        In Python: ret = aclmdlInitDump()

        Begin to dump. Codes: 100001 without aclInit, 100002 called before.

        Returns the code: 0 when the call succeeds.

        Page: 18 dump configuration. Not on: IPV350.
    """

def finalize_dump() -> int:
    """ret = acl.mdl.finalize_dump()

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.finalize_dump args parse failed') for arguments of another number or type.

    Calls aclmdlFinalizeDump:

        aclError aclmdlFinalizeDump();
        In Python: ret = aclmdlFinalizeDump()

        Dump no more, models that are loaded included. Codes: 100001 without aclInit, 100045 without aclmdlInitDump.

        Returns the code: 0 when the call succeeds.

        Page: 18 dump configuration. Not on: IPV350.
    """

def get_aipp_type(model_id: int, index: int, /) -> tuple[int, int, int]:
    """type, attached_index, ret = acl.mdl.get_aipp_type(model_id, index)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        index: an int: an address, a handle or a size

    Returns type, attached_index, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_aipp_type args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetAippType:

        aclError aclmdlGetAippType(uint32_t modelId, size_t index, aclmdlInputAippType* type, size_t* dynamicAttachedDataIndex);
        In Python: type, dynamicAttachedDataIndex, ret = aclmdlGetAippType(modelId, index)

        An aclmdlInputAippType, and for dynamic AIPP the index of the input with the settings, else 0xFFFFFFFF.

        Codes: 145001, 145003 unknown model; 100000 behind the end.
    """

def set_aipp_by_input_index(model_id: int, dataset: int, index: int, aipp: int, /) -> int:
    """ret = acl.mdl.set_aipp_by_input_index(model_id, dataset, index, aipp)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        dataset: an int: an address, a handle or a size
        index: an int: an address, a handle or a size
        aipp: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_by_input_index args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPByInputIndex:

        aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset* dataset, size_t index, const aclmdlAIPP* aippParmsSet);
        In Python: ret = aclmdlSetAIPPByInputIndex(modelId, dataset, index, aippParmsSet)

        Write the settings of the input with the images, found by its index; the next run reads them.

        Codes: 100000 NULL, behind the end of the dataset; 145001; 145003; 500000 that input has no dynamic AIPP; else as
        aclmdlSetInputAIPP.
    """

def set_dump(config_path: str = ..., /) -> int:
    """ret = acl.mdl.set_dump(config_path)

    Parameters, by position only:
        config_path: a str; may be left out

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_dump args parse failed!') for arguments of another number or type.

    Calls aclmdlSetDump:

        aclError aclmdlSetDump(const char* dumpCfgPath);
        In Python: ret = aclmdlSetDump(dumpCfgPath)

        Take over the ``dump`` section of a file; models that are loaded from now on follow it.

        Codes: 100001 without aclInit, 100045 without aclmdlInitDump, 100000 NULL, 100003 no file, 100006 no JSON, 100009 a
        section that is refused.
    """

def dump_reg_callback(func: Callable[..., object] | None, flag: int, /) -> int:
    """ret = acl.mdl.dump_reg_callback(func, flag)

    Parameters, by position only:
        func: a callable; None and 0 are NULL
        flag: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.dump_reg_callback args parse failed!') for arguments of another number or type.

    Calls acldumpRegCallback:

        aclError acldumpRegCallback(int32_t (*messageCallback)(const acldumpChunk*, int32_t), int32_t flag);
        In Python: ret = acldumpRegCallback(messageCallback, flag)

        Hand dumps to a callback, as the address of an acldumpChunk and its size. Codes: 500001 NULL, a flag.
    """

def dump_unreg_callback() -> None:
    """acl.mdl.dump_unreg_callback()

    Returns None.

    Raises TypeError('acl.mdl.dump_unreg_callback args parse failed') for arguments of another number or type.

    Calls acldumpUnregCallback:

        void acldumpUnregCallback();
        In Python: acldumpUnregCallback()

        Dumps are files again.

        Returns nothing.

        Page: 18 dump configuration. Not on: IPV350.
    """

def load_with_config(handle: int, /) -> tuple[int, int]:
    """model_id, ret = acl.mdl.load_with_config(handle)

    Parameters, by position only:
        handle: an int: an address, a handle or a size

    Returns model_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.load_with_config args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlLoadWithConfig:

        aclError aclmdlLoadWithConfig(const aclmdlConfigHandle* handle, uint32_t* modelId);
        In Python: modelId, ret = aclmdlLoadWithConfig(handle)

        Load as the options say; the path decides when there is memory, too.

        Codes: 100000 NULL, no model, an option of the load type is missing, a weight path with a load from a file,
        WITHOUT_GRAPH and a dynamic model; else as aclmdlLoadFromFile and aclmdlLoadFromFileWithQ.
    """

def create_config_handle() -> int:
    """handle = acl.mdl.create_config_handle()

    Returns handle (int).

    Raises TypeError('acl.mdl.create_config_handle args parse failed') for arguments of another number or type.

    Calls aclmdlCreateConfigHandle:

        aclmdlConfigHandle* aclmdlCreateConfigHandle();
        In Python: value = aclmdlCreateConfigHandle()

        Options for aclmdlLoadWithConfig, none set.

        Returns the value alone; there is no code.

        Page: Models.
    """

def destroy_config_handle(handle: int, /) -> int:
    """ret = acl.mdl.destroy_config_handle(handle)

    Parameters, by position only:
        handle: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.destroy_config_handle args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlDestroyConfigHandle:

        aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle* handle);
        In Python: ret = aclmdlDestroyConfigHandle(handle)

        Destroy a handle of aclmdlCreateConfigHandle. Codes: 100000 NULL.
    """

def set_config_opt(handle: int, attr: int, value: Any, /) -> int:
    """ret = acl.mdl.set_config_opt(handle, attr, value)

    Parameters, by position only:
        handle: an int: an address, a handle or a size
        attr: an int of 32 bits
        value: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_config_opt args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetConfigOpt:

        aclError aclmdlSetConfigOpt(aclmdlConfigHandle* handle, aclmdlConfigAttr attr, const void* attrValue, size_t valueSize);
        In Python: ret = aclmdlSetConfigOpt(handle, attr, attrValue, valueSize)

        Set an option; *value* is the address of it, for a path of the pointer to the text.

        Codes: 100000 NULL, unknown attribute, a size that is not the option's (4 or 8 bytes), a value outside its range.
    """

def get_tensor_real_name(desc: int, name: str, /) -> str | None:
    """name = acl.mdl.get_tensor_real_name(desc, name)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        name: a str

    Returns name (str or None).

    Raises TypeError('acl.mdl.get_tensor_real_name args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetTensorRealName:

        const char* aclmdlGetTensorRealName(const aclmdlDesc* modelDesc, const char* name);
        In Python: value = aclmdlGetTensorRealName(modelDesc, name)

        The name behind one that aclmdlGet*Dims replaced because it was too long; NULL for NULL and unknown ones.

        Returns the value alone; there is no code.
    """

def set_dataset_tensor_desc(dataset: int, tensor_desc: int, index: int, /) -> tuple[int, int]:
    """dataset, ret = acl.mdl.set_dataset_tensor_desc(dataset, tensor_desc, index)

    Parameters, by position only:
        dataset: an int: an address, a handle or a size
        tensor_desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns dataset, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_dataset_tensor_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetDatasetTensorDesc:

        aclError aclmdlSetDatasetTensorDesc(aclmdlDataset* dataset, aclTensorDesc* tensorDesc, size_t index);
        In Python: ret = aclmdlSetDatasetTensorDesc(dataset, tensorDesc, index)

        Keep a copy of *desc* for the tensor at *index*; NULL: none. Codes: 100000 NULL dataset, behind the end.
    """

def get_dataset_tensor_desc(dataset: int, index: int, /) -> int:
    """tensor_desc = acl.mdl.get_dataset_tensor_desc(dataset, index)

    Parameters, by position only:
        dataset: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns tensor_desc (int).

    Raises TypeError('acl.mdl.get_dataset_tensor_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetDatasetTensorDesc:

        aclTensorDesc* aclmdlGetDatasetTensorDesc(const aclmdlDataset* dataset, size_t index);
        In Python: value = aclmdlGetDatasetTensorDesc(dataset, index)

        The dataset's own descriptor; NULL before one was set or an execution made one, behind the end, and for NULL.

        Returns the value alone; there is no code.
    """

def get_op_attr(desc: int, op_name: str, attr: str, /) -> str | None:
    """value = acl.mdl.get_op_attr(desc, op_name, attr)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        op_name: a str
        attr: a str

    Returns value (str or None).

    Raises TypeError('acl.mdl.get_op_attr args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetOpAttr:

        const char* aclmdlGetOpAttr(aclmdlDesc* modelDesc, const char* opName, const char* attr);
        In Python: value = aclmdlGetOpAttr(modelDesc, opName, attr)

        The original names of an operator (``_datadump_original_op_names``, the only attribute); NULL for all else.

        Returns the value alone; there is no code.
    """

def get_aipp_data_size(batch_size: int, /) -> tuple[int, int]:
    """size, ret = acl.mdl.get_aipp_data_size(batch_size)

    Parameters, by position only:
        batch_size: an int: an address, a handle or a size

    Returns size, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_aipp_data_size args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetAippDataSize:

        aclError aclmdlGetAippDataSize(uint64_t batchSize, size_t* size);
        In Python: size, ret = aclmdlGetAippDataSize(batchSize)

        Bytes of the settings of *batch* images on the device. Codes: 100000 for 0.
    """

def create_exec_config_handle() -> int:
    """handle = acl.mdl.create_exec_config_handle()

    Returns handle (int).

    Raises TypeError('acl.mdl.create_exec_config_handle args parse failed') for arguments of another number or type.

    Calls aclmdlCreateExecConfigHandle:

        aclmdlExecConfigHandle* aclmdlCreateExecConfigHandle();
        In Python: value = aclmdlCreateExecConfigHandle()

        Options for aclmdlExecuteV2: no time limits.

        Returns the value alone; there is no code.

        Page: Models.
    """

def destroy_exec_config_handle(handle: int, /) -> int:
    """ret = acl.mdl.destroy_exec_config_handle(handle)

    Parameters, by position only:
        handle: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.destroy_exec_config_handle args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlDestroyExecConfigHandle:

        aclError aclmdlDestroyExecConfigHandle(const aclmdlExecConfigHandle* handle);
        In Python: ret = aclmdlDestroyExecConfigHandle(handle)

        Destroy a handle of aclmdlCreateExecConfigHandle. Codes: 100000 NULL.
    """

def set_exec_config_opt(handle: int, attr: int, value: int, /) -> int:
    """ret = acl.mdl.set_exec_config_opt(handle, attr, value)

    Parameters, by position only:
        handle: an int: an address, a handle or a size
        attr: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_exec_config_opt args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetExecConfigOpt:

        aclError aclmdlSetExecConfigOpt(aclmdlExecConfigHandle* handle, aclmdlExecConfigAttr attr, const void* attrValue, size_t valueSize);
        In Python: ret = aclmdlSetExecConfigOpt(handle, attr, attrValue, valueSize)

        Set a time limit in ms, -1 none. Codes: 100000 NULL, unknown attribute, not 4 bytes, below -1.
    """

def execute_v2(model_id: int, input: int, output: int, stream: int, handle: int, /) -> int:
    """ret = acl.mdl.execute_v2(model_id, input, output, stream, handle)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        input: an int: an address, a handle or a size
        output: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size
        handle: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.execute_v2 args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlExecuteV2:

        aclError aclmdlExecuteV2(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output, aclrtStream stream, const aclmdlExecConfigHandle* handle);
        In Python: ret = aclmdlExecuteV2(modelId, input, output, stream, handle)

        Execute with options. A static model runs on *stream*, which is waited for even when it could not run.

        The time limits of the options stay for the whole process. Codes: as aclmdlExecute; 100000 NULL options;
        507046 not done in time.
    """

def get_desc_from_file(desc: int, path: str, /) -> int:
    """ret = acl.mdl.get_desc_from_file(desc, path)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        path: a str

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_desc_from_file args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetDescFromFile:

        aclError aclmdlGetDescFromFile(aclmdlDesc* modelDesc, const char* modelPath);
        In Python: ret = aclmdlGetDescFromFile(modelDesc, modelPath)

        Describe a model without loading it. Codes: 100000 NULL; 145002; 145006.
    """

def get_desc_from_mem(desc: int, model_ptr: int, size: int, /) -> int:
    """ret = acl.mdl.get_desc_from_mem(desc, model_ptr, size)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        model_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_desc_from_mem args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetDescFromMem:

        aclError aclmdlGetDescFromMem(aclmdlDesc* modelDesc, const void* model, size_t modelSize);
        In Python: ret = aclmdlGetDescFromMem(modelDesc, model, modelSize)

        Describe a model in host memory. Codes: 100000 NULL or 0; 145006.
    """

def get_input_dims_range(desc: int, index: int, /) -> tuple[dict[str, Any], int]:
    """{rangeCount,range}, ret = acl.mdl.get_input_dims_range(desc, index)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns {rangeCount,range}, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.get_input_dims_range args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlGetInputDimsRange:

        aclError aclmdlGetInputDimsRange(const aclmdlDesc* modelDesc, size_t index, aclmdlIODimsRange* dimsRange);
        In Python: dimsRange, ret = aclmdlGetInputDimsRange(modelDesc, index)

        [least, most] of each dim; none for a model with gears, whatever the index.

        Codes: 100000 NULL, behind the end; 500000 another number of ranges than of dims, or more than 128.
    """

def bundle_load_from_file(path: str, /) -> tuple[int, int]:
    """bundle_id, ret = acl.mdl.bundle_load_from_file(path)

    Parameters, by position only:
        path: a str

    Returns bundle_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.bundle_load_from_file args parse failed!') for arguments of another number or type.

    Calls aclmdlBundleLoadFromFile:

        aclError aclmdlBundleLoadFromFile(const char* modelPath, uint32_t* bundleId);
        In Python: bundleId, ret = aclmdlBundleLoadFromFile(modelPath)

        Load every model of a bundle. Codes: 100000 NULL, no bundle or cut off, 145002, 145006, 200001 OM2, as loads.
    """

def bundle_load_from_mem(model_ptr: int, size: int, /) -> tuple[int, int]:
    """bundle_id, ret = acl.mdl.bundle_load_from_mem(model_ptr, size)

    Parameters, by position only:
        model_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size

    Returns bundle_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.bundle_load_from_mem args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlBundleLoadFromMem:

        aclError aclmdlBundleLoadFromMem(const void* model, size_t modelSize, uint32_t* bundleId);
        In Python: bundleId, ret = aclmdlBundleLoadFromMem(model, modelSize)

        Load a bundle from host memory. Codes: as aclmdlBundleLoadFromFile; 100000 NULL or 0.
    """

def bundle_unload(bundle_id: int, /) -> int:
    """ret = acl.mdl.bundle_unload(bundle_id)

    Parameters, by position only:
        bundle_id: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.bundle_unload args parse failed!') for arguments of another number or type.

    Calls aclmdlBundleUnload:

        aclError aclmdlBundleUnload(uint32_t bundleId);
        In Python: ret = aclmdlBundleUnload(bundleId)

        Unload its models and forget it. Codes: 148053 unknown.
    """

def bundle_get_model_id(bundle_id: int, index: int, /) -> tuple[int, int]:
    """model_id, ret = acl.mdl.bundle_get_model_id(bundle_id, index)

    Parameters, by position only:
        bundle_id: an int of 32 bits, unsigned
        index: an int: an address, a handle or a size

    Returns model_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.bundle_get_model_id args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlBundleGetModelId:

        aclError aclmdlBundleGetModelId(uint32_t bundleId, size_t index, uint32_t* modelId);
        In Python: modelId, ret = aclmdlBundleGetModelId(bundleId, index)

        The id of a model. Codes: 148053 unknown, 200001 opened with aclmdlBundleInitFrom*, 100000 behind the end.
    """

def bundle_get_model_num(bundle_id: int, /) -> tuple[int, int]:
    """num, ret = acl.mdl.bundle_get_model_num(bundle_id)

    Parameters, by position only:
        bundle_id: an int of 32 bits, unsigned

    Returns num, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.bundle_get_model_num args parse failed!') for arguments of another number or type.

    Calls aclmdlBundleGetModelNum:

        aclError aclmdlBundleGetModelNum(uint32_t bundleId, size_t* modelNum);
        In Python: modelNum, ret = aclmdlBundleGetModelNum(bundleId)

        How many models it has. Codes: 148053 unknown.
    """

def set_aipp_scf_params(aipp: int, switch: int, in_w: int, in_h: int, out_w: int, out_h: int, batch_index: int, /) -> int:
    """ret = acl.mdl.set_aipp_scf_params(aipp, switch, in_w, in_h, out_w, out_h, batch_index)

    Parameters, by position only:
        aipp: an int: an address, a handle or a size
        switch: an int of 8 bits
        in_w: an int of 32 bits
        in_h: an int of 32 bits
        out_w: an int of 32 bits
        out_h: an int of 32 bits
        batch_index: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.mdl.set_aipp_scf_params args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlSetAIPPScfParams:

        aclError aclmdlSetAIPPScfParams(aclmdlAIPP* aippParmsSet, int8_t scfSwitch, int32_t scfInputSizeW, int32_t scfInputSizeH, int32_t scfOutputSizeW, int32_t scfOutputSizeH, uint64_t batchIndex);
        In Python: ret = aclmdlSetAIPPScfParams(aippParmsSet, scfSwitch, scfInputSizeW, scfInputSizeH, scfOutputSizeW, scfOutputSizeH, batchIndex)

        Scaling: kept, and refused by aclmdlSetInputAIPP, as no product has it.

        Codes: 100000 NULL, an image behind the batch, a switch other than 0 and 1, sizes outside 16 to 4096 (1920 for the
        width that comes out).
    """

def load_from_file_with_q(path: str, input_q_ptr: int, input_q_num: int, output_q_ptr: int, output_q_num: int, /) -> tuple[int, int]:
    """model_id, ret = acl.mdl.load_from_file_with_q(path, input_q_ptr, input_q_num, output_q_ptr, output_q_num)

    Parameters, by position only:
        path: a str
        input_q_ptr: an int: an address, a handle or a size
        input_q_num: an int: an address, a handle or a size
        output_q_ptr: an int: an address, a handle or a size
        output_q_num: an int: an address, a handle or a size

    Returns model_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.load_from_file_with_q args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlLoadFromFileWithQ:

        aclError aclmdlLoadFromFileWithQ(const char* modelPath, uint32_t* modelId, const uint32_t* inputQ, size_t inputQNum, const uint32_t* outputQ, size_t outputQNum);
        In Python: modelId, ret = aclmdlLoadFromFileWithQ(modelPath, inputQ, inputQNum, outputQ, outputQNum)

        Load a model that runs by itself: a message of each input queue is an execution (docs/semantics/models.md).

        Codes: as from a file; 200001 an OM2 model, 100000 no queues, 145008 not one for each tensor, or unknown; 207000
        shapes that are not fixed, pictures.
    """

def load_from_mem_with_q(model_ptr: int, size: int, input_q_ptr: int, input_q_num: int, output_q_ptr: int, output_q_num: int, /) -> tuple[int, int]:
    """model_id, ret = acl.mdl.load_from_mem_with_q(model_ptr, size, input_q_ptr, input_q_num, output_q_ptr, output_q_num)

    Parameters, by position only:
        model_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size
        input_q_ptr: an int: an address, a handle or a size
        input_q_num: an int: an address, a handle or a size
        output_q_ptr: an int: an address, a handle or a size
        output_q_num: an int: an address, a handle or a size

    Returns model_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.mdl.load_from_mem_with_q args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclmdlLoadFromMemWithQ:

        aclError aclmdlLoadFromMemWithQ(const void* model, size_t modelSize, uint32_t* modelId, const uint32_t* inputQ, size_t inputQNum, const uint32_t* outputQ, size_t outputQNum);
        In Python: modelId, ret = aclmdlLoadFromMemWithQ(model, modelSize, inputQ, inputQNum, outputQ, outputQNum)

        As aclmdlLoadFromFileWithQ, from host memory. Codes as there.
    """
