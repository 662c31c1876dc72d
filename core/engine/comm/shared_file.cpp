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

Result<Descriptor> makeSharedFile(const char* name, std::size_t bytes)
{
    Descriptor file(memfd_create(name, MFD_CLOEXEC));
    if (!file.isOpen()) {
        return sharedFileError("memfd_create");
    }
    if (ftruncate(file.number(), static_cast<off_t>(bytes)) != 0) {
        return sharedFileError("ftruncate");
    }
    return file;
}

Result<void*> mapSharedFile(const Descriptor& file, std::size_t bytes)
{
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
    return memory == MAP_FAILED ? Result<void*>(sharedFileError("mmap")) : Result<void*>(memory);
}

} // namespace lockstep::comm
