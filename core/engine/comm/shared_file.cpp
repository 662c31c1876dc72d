#include "engine/comm/shared_file.h"

#include <sys/mman.h>
#include <unistd.h>

namespace lockstep::comm {

namespace {

Error sharedFileError(const char* call)
{
    return failure(LS_TR("Messages", "shared memory: %1: %2"), {verbatim(call), systemError()});
}

} // namespace

Result<int> makeSharedFile(const char* name, std::size_t bytes)
{
    const int descriptor = memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0) {
        return sharedFileError("memfd_create");
    }
    if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) {
        const Error error = sharedFileError("ftruncate");
        close(descriptor);
        return error;
    }
    return descriptor;
}

Result<void*> mapSharedFile(int descriptor, std::size_t bytes)
{
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    const Error error = sharedFileError("mmap");
    close(descriptor);
    return memory == MAP_FAILED ? Result<void*>(error) : Result<void*>(memory);
}

} // namespace lockstep::comm
