/* Two programs that a script starts: the first one shares an event that is done, and each polls for a file of the other. */
#include "acl/acl.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 60 };

static int await_file(const char *name)
{
    for (int seconds = 0; seconds < LONGEST; seconds++) {
        if (access(name, F_OK) == 0)
            return 0;
        sleep(1);
    }
    printf("%s: nobody came\n", name);
    return 1;
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen("new", "wb");
    fwrite(data, size, 1, file);
    fclose(file);
    rename("new", name);
}

int main(int count, char **words)
{
    int first = count > 1 && !strcmp(words[1], "first");
    aclrtStream stream;
    aclrtEvent event;
    aclrtIpcEventHandle handle;
    if (aclInit(NULL) || aclrtSetDevice(0) || aclrtCreateStream(&stream))
        return 1;
    if (first) {
        if (aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC) || aclrtRecordEvent(event, stream) ||
            aclrtSynchronizeEvent(event) || aclrtIpcGetEventHandle(event, &handle))
            return 1;
        write_file("handle", &handle, sizeof handle);
        if (await_file("done"))
            return 1;
        printf("first: they met\n");
    } else {
        if (await_file("handle"))
            return 1;
        FILE *file = fopen("handle", "rb");
        if (fread(&handle, sizeof handle, 1, file) != 1 || fclose(file) || aclrtIpcOpenEventHandle(handle, &event) ||
            aclrtStreamWaitEvent(stream, event) || aclrtSynchronizeStream(stream))
            return 1;
        printf("second: it was there\n");
        write_file("done", "", 1);
    }
    aclrtDestroyEvent(event);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
