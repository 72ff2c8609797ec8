/* Values of all kinds over the border: outputs, structs, arrays, texts, NULL, callbacks, logs. */
#include "acl/acl.h"

#include <stdio.h>
#include <string.h>

static int calls;
static void on_stream(aclrtStream stream, aclrtStreamState state, void *data)
{
    (void)stream;
    calls += *(int *)data + (int)state;
}

int main(void)
{
    void *device = NULL, *host = NULL;
    aclrtStream stream = NULL;
    uint32_t count = 0;
    int32_t id = -1;
    size_t free_bytes = 0, total = 0;
    int ten = 10;
    aclInit(NULL);
    int code = aclrtGetDeviceCount(&count);
    printf("count %d %u\n", code, count);
    aclrtSetDevice(1);
    code = aclrtGetDevice(&id);
    printf("device %d %d\n", code, id);
    code = aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total);
    printf("memory %d %d\n", code, free_bytes > 0 && free_bytes <= total);
    printf("register %d\n", aclrtRegStreamStateCallback("me", on_stream, &ten));
    aclrtCreateStream(&stream);
    aclrtDestroyStream(stream);
    printf("states %d\n", calls);
    code = aclrtMalloc(NULL, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    const char *text = aclGetRecentErrMsg();
    printf("null output %d %d\n", code, text != NULL && strstr(text, "devPtr") != NULL);
    aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtPtrAttributes attributes;
    memset(&attributes, 0xff, sizeof attributes);
    code = aclrtPointerGetAttributes(device, &attributes);
    printf("attributes %d device %u type %d\n", code, attributes.location.id,
           attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE);
    aclrtMallocAttribute attribute = {ACL_RT_MEM_ATTR_MODULE_ID, {.moduleId = 3}};
    aclrtMallocConfig config = {&attribute, 1};
    printf("config %d\n", aclrtMallocHostWithCfg(&host, 128, &config));
    aclCANNPackageVersion version;
    memset(&version, 0, sizeof version);
    code = aclsysGetCANNVersion(ACL_PKG_NAME_RUNTIME, &version);
    printf("version %d %d\n", code, version.version[0] != 0);
    int64_t dims[2] = {2, 3};
    aclTensorDesc *desc = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
    printf("desc %zu %zu\n", aclGetTensorDescSize(desc), aclGetTensorDescElementCount(desc));
    aclDestroyTensorDesc(desc);
    printf("half %.2f %#x\n", aclFloat16ToFloat(0x4248), aclFloatToFloat16(1.5f));
    const aclCannAttr *list = NULL;
    size_t number = 0;
    code = aclGetCannAttributeList(&list, &number);
    printf("list %d %d\n", code, number > 0 && list != NULL);
    aclrtLabel labels[2] = {NULL, NULL};
    aclrtLabelList label_list = NULL;
    aclrtCreateLabel(&labels[0]);
    aclrtCreateLabel(&labels[1]);
    code = aclrtCreateLabelList(labels, 2, &label_list);
    printf("labels %d %d\n", code, label_list != NULL);
    aclrtDestroyLabelList(label_list);
    aclrtDestroyLabel(labels[0]);
    aclrtDestroyLabel(labels[1]);
    aclAppLog(ACL_ERROR, __func__, "values.c", __LINE__, "%d of %s", 7, "log");
    printf("soc %s twice %d\n", aclrtGetSocName(), aclrtGetSocName() == aclrtGetSocName());
    aclrtFreeHost(host);
    aclrtFree(device);
    aclrtResetDevice(1);
    printf("end %d\n", aclFinalize());
    return 0;
}
