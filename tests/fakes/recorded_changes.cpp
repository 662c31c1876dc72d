#include "fakes/recorded_changes.h"

#include "fakes/failing_calls.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace lockstep::fakes {

namespace {

struct Recording {
    int file = -1;
    std::string folder;
};

/// Never destroyed: threads of the program may outlive static objects.
Recording& recording()
{
    static auto* s_recording = new Recording;
    return *s_recording;
}

bool isRecorded(std::string_view path)
{
    const Recording& to = recording();
    return to.file >= 0 && path.starts_with(to.folder);
}

std::string linkOf(int descriptor)
{
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    std::array<char, PATH_MAX> path{};
    const ssize_t size = readlink(link.c_str(), path.data(), path.size());
    return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

unsigned long inodeOf(int descriptor)
{
    struct stat facts { };
    return fstat(descriptor, &facts) == 0 ? facts.st_ino : 0;
}

unsigned long inodeOf(const char* path)
{
    struct stat facts { };
    return lstat(path, &facts) == 0 ? facts.st_ino : 0;
}

/// One call, so that processes that share the file do not mix their lines.
void append(Change kind, unsigned long inode, std::string_view first, std::string_view second, off_t offset)
{
    const int before = errno;
    std::array<char, 128> head{};
    const int size = std::snprintf(head.data(), head.size(), "%c %lu %zu %zu %lld\n", static_cast<char>(kind), inode,
        first.size(), second.size(), static_cast<long long>(offset));
    const std::array<iovec, 3> parts{{{head.data(), static_cast<std::size_t>(size)},
        {const_cast<char*>(first.data()), first.size()}, {const_cast<char*>(second.data()), second.size()}}};
    static_cast<void>(syscall(SYS_writev, recording().file, parts.data(), parts.size()));
    errno = before;
}

} // namespace

void beginRecording()
{
    const char* wish = std::getenv("LOCKSTEP_RECORD_WRITES");
    const std::string text = wish == nullptr ? std::string() : wish;
    const std::size_t split = text.find(':');
    if (split == std::string::npos) {
        return;
    }
    Recording& to = recording();
    to.folder = text.substr(split + 1);
    to.file = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, text.substr(0, split).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
}

std::string pathIn(int folder, const char* path)
{
    if (*path == '/' || recording().file < 0) {
        return path;
    }
    if (folder != AT_FDCWD) {
        return linkOf(folder) + "/" + path;
    }
    std::array<char, PATH_MAX> here{};
    return getcwd(here.data(), here.size()) == nullptr ? std::string(path) : std::string(here.data()) + "/" + path;
}

Opening::Opening(const char* path, int flags)
{
    const int before = errno;
    if (recording().file >= 0 && (flags & (O_CREAT | O_TRUNC)) != 0) {
        const std::string whole = pathIn(AT_FDCWD, path);
        if (isRecorded(whole)) {
            m_isNew = inodeOf(whole.c_str()) == 0;
            m_empties = (flags & O_TRUNC) != 0;
            m_path = whole;
        }
    }
    errno = before;
}

int Opening::recorded(int descriptor) const
{
    if (descriptor >= 0 && !m_path.empty()) {
        if (m_isNew) {
            append(Change::Create, inodeOf(descriptor), m_path, {}, 0);
        } else if (m_empties) {
            append(Change::Truncate, inodeOf(descriptor), m_path, {}, 0);
        }
    }
    return descriptor;
}

ssize_t recordedWriteAt(int descriptor, const void* bytes, ssize_t written, off_t offset)
{
    if (recording().file >= 0 && written > 0 && isRecorded(linkOf(descriptor))) {
        append(Change::Write, inodeOf(descriptor), {static_cast<const char*>(bytes), static_cast<std::size_t>(written)},
            {}, offset);
    }
    return written;
}

ssize_t recordedWrite(int descriptor, const void* bytes, ssize_t written)
{
    if (recording().file < 0 || written <= 0) {
        return written;
    }
    const off_t end = lseek(descriptor, 0, SEEK_CUR);
    return end < written ? written : recordedWriteAt(descriptor, bytes, written, end - written);
}

ssize_t recordedWriteOfParts(int descriptor, const iovec* parts, int count, ssize_t written)
{
    std::string bytes;
    for (int i = 0; recording().file >= 0 && written > 0 && i < count; ++i) {
        bytes.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
    }
    return bytes.empty() ? written : recordedWrite(descriptor, bytes.data(), written);
}

int recordedSync(int descriptor, int result)
{
    if (recording().file >= 0 && result == 0) {
        if (const std::string path = linkOf(descriptor); isRecorded(path)) {
            append(Change::Sync, inodeOf(descriptor), path, {}, 0);
        }
    }
    return result;
}

int recordedTruncation(int descriptor, off_t size, int result)
{
    if (recording().file >= 0 && result == 0 && isRecorded(linkOf(descriptor))) {
        append(Change::Truncate, inodeOf(descriptor), {}, {}, size);
    }
    return result;
}

int recordedRename(const char* from, const char* to, int result)
{
    const std::string whole = pathIn(AT_FDCWD, to);
    if (result == 0 && isRecorded(whole)) {
        append(Change::Rename, inodeOf(to), pathIn(AT_FDCWD, from), whole, 0);
    }
    return result;
}

int recordedUnlink(const char* path, int result)
{
    const std::string whole = pathIn(AT_FDCWD, path);
    if (result == 0 && isRecorded(whole)) {
        append(Change::Unlink, 0, whole, {}, 0);
    }
    return result;
}

int recordedFolder(const char* path, int result)
{
    const std::string whole = pathIn(AT_FDCWD, path);
    if (result == 0 && isRecorded(whole)) {
        append(Change::MakeFolder, inodeOf(path), whole, {}, 0);
    }
    return result;
}

} // namespace lockstep::fakes
