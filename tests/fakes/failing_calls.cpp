// Stands before the C library's functions for files and sockets. Which call fails, and with which error, is decided in
// one place, failsNow(); the functions below name what each can fail with.
#include "fakes/failing_calls.h"

#include "fakes/recorded_changes.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace lockstep::fakes;

namespace {

/// What a call can fail with.
enum Failure : unsigned {
    Interrupted = 1u << 0,
    Again = 1u << 1,
    Short = 1u << 2,
    Reset = 1u << 3,
    NoSpace = 1u << 4,
    TooManyFiles = 1u << 5,
    NoMemory = 1u << 6,
};

constexpr unsigned MakesFile = NoSpace | NoMemory;
constexpr unsigned MakesDescriptor = TooManyFiles | NoMemory;

struct Named {
    const char* name;
    int error;
    Failure failure;
};
constexpr std::array<Named, 7> Errors{{{"EINTR", EINTR, Interrupted}, {"EAGAIN", EAGAIN, Again},
    {"short", ShortTransfer, Short}, {"ECONNRESET", ECONNRESET, Reset}, {"ENOSPC", ENOSPC, NoSpace},
    {"EMFILE", EMFILE, TooManyFiles}, {"ENOMEM", ENOMEM, NoMemory}}};

/// The function that this library stands before.
template <typename Function>
Function* real(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define REAL(name) static const auto s_real = real<decltype(name)>(#name)

pid_t thread()
{
    return static_cast<pid_t>(syscall(SYS_gettid));
}

class Injection {
public:
    void arm(int error, long at, Fails who)
    {
        const auto* row = std::ranges::find(Errors, error, &Named::error);
        m_calls = 0;
        m_at = at;
        m_error = error;
        m_thread = who == Fails::CallingThread ? thread() : 0;
        m_failure = row == Errors.end() ? 0u : unsigned{row->failure};
    }
    long disarm()
    {
        m_failure = 0;
        return m_calls;
    }
    /// Whether this call is the one; then errno is set, unless it is a short transfer.
    bool failsNow(unsigned failures, const void* place)
    {
        if ((failures & m_failure.load(std::memory_order_relaxed)) == 0 || (m_thread != 0 && thread() != m_thread)) {
            return false;
        }
        if (m_countsPlaces && !isNewPlace(place)) {
            return false;
        }
        if (++m_calls != m_at) {
            return false;
        }
        errno = m_error > 0 ? m_error : errno;
        return true;
    }
    [[nodiscard]] bool isShort() const { return m_error == ShortTransfer; }
    void readEnvironment();
    void writeCount() const;

private:
    bool isNewPlace(const void* place)
    {
        const std::lock_guard lock(m_mutex);
        return m_places.insert(place).second;
    }

    std::atomic<unsigned> m_failure = 0;
    std::atomic<long> m_calls = 0;
    long m_at = 0;
    int m_error = 0;
    pid_t m_thread = 0;
    bool m_countsPlaces = false;
    std::mutex m_mutex;
    std::set<const void*> m_places;
};

/// Never destroyed: threads of the program may outlive static objects.
Injection& injection()
{
    static auto* s_injection = new Injection;
    return *s_injection;
}

void Injection::readEnvironment()
{
    const char* wish = std::getenv("LOCKSTEP_FAIL");
    if (wish == nullptr) {
        return;
    }
    const std::string text(wish);
    const std::size_t first = text.find(':');
    const std::size_t last = text.rfind(':');
    if (first == last || text.substr(last + 1) != program_invocation_short_name) {
        return;
    }
    m_countsPlaces = text[first + 1] == 's';
    const auto* row
        = std::ranges::find_if(Errors, [name = text.substr(0, first)](const Named& each) { return name == each.name; });
    if (row != Errors.end()) {
        arm(row->error, std::atol(text.c_str() + first + (m_countsPlaces ? 2 : 1)), Fails::AnyThread);
    }
}

void Injection::writeCount() const
{
    const char* path = std::getenv("LOCKSTEP_FAIL_COUNT");
    if (path == nullptr || m_failure == 0) {
        return;
    }
    const std::string line = std::to_string(m_calls) + "\n";
    const auto opened
        = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    static_cast<void>(syscall(SYS_write, opened, line.data(), line.size()));
    static_cast<void>(syscall(SYS_close, opened));
}

__attribute__((constructor)) void begin()
{
    injection().readEnvironment();
    beginRecording();
}
__attribute__((destructor)) void end()
{
    injection().writeCount();
}

#define FAILS(failures) injection().failsNow((failures), __builtin_return_address(0))

bool isSocket(int descriptor)
{
    struct stat facts { };
    return fstat(descriptor, &facts) == 0 && S_ISSOCK(facts.st_mode);
}

bool neverBlocks(int descriptor)
{
    return (fcntl(descriptor, F_GETFL) & O_NONBLOCK) != 0;
}

/// Of a transfer of more than a byte; the program's own messages are left alone.
unsigned transferFailures(int descriptor, std::size_t size, unsigned more)
{
    if (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO) {
        return 0;
    }
    unsigned failures = Interrupted | more | (size > 1 ? Short : 0u);
    if (isSocket(descriptor)) {
        failures = (failures & ~static_cast<unsigned>(NoSpace)) | Reset | (neverBlocks(descriptor) ? Again : 0u);
    }
    return failures;
}

} // namespace

/// The body of a transfer: it fails, or moves half, or does what it should.
#define TRANSFER(more, call)                                                                                           \
    if (const unsigned can = transferFailures(descriptor, size, more); can != 0 && FAILS(can)) {                       \
        if (!injection().isShort()) {                                                                                  \
            return -1;                                                                                                 \
        }                                                                                                              \
        size /= 2;                                                                                                     \
    }                                                                                                                  \
    return call

#define FAIL_OR(failures, call)                                                                                        \
    if (FAILS(failures)) {                                                                                             \
        return -1;                                                                                                     \
    }                                                                                                                  \
    return call

#pragma GCC diagnostic ignored "-Wmissing-declarations"
#pragma GCC diagnostic ignored "-Wredundant-decls"

extern "C" {

[[gnu::visibility("default")]] void lockstepArm(int error, long at, Fails who)
{
    injection().arm(error, at, who);
}
[[gnu::visibility("default")]] long lockstepDisarm()
{
    return injection().disarm();
}

ssize_t read(int descriptor, void* bytes, std::size_t size)
{
    REAL(read);
    TRANSFER(0, s_real(descriptor, bytes, size));
}
ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset)
{
    REAL(pread);
    TRANSFER(0, s_real(descriptor, bytes, size, offset));
}
ssize_t pread64(int descriptor, void* bytes, std::size_t size, off64_t offset)
{
    REAL(pread64);
    TRANSFER(0, s_real(descriptor, bytes, size, offset));
}
ssize_t write(int descriptor, const void* bytes, std::size_t size)
{
    REAL(write);
    TRANSFER(NoSpace, recordedWrite(descriptor, bytes, s_real(descriptor, bytes, size)));
}
ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset)
{
    REAL(pwrite);
    TRANSFER(NoSpace, recordedWriteAt(descriptor, bytes, s_real(descriptor, bytes, size, offset), offset));
}
ssize_t pwrite64(int descriptor, const void* bytes, std::size_t size, off64_t offset)
{
    REAL(pwrite64);
    TRANSFER(NoSpace, recordedWriteAt(descriptor, bytes, s_real(descriptor, bytes, size, offset), offset));
}
ssize_t writev(int descriptor, const iovec* parts, int count)
{
    REAL(writev);
    if (const unsigned can = transferFailures(descriptor, 0, NoSpace); can != 0 && FAILS(can)) {
        return -1;
    }
    return recordedWriteOfParts(descriptor, parts, count, s_real(descriptor, parts, count));
}
ssize_t send(int descriptor, const void* bytes, std::size_t size, int flags)
{
    REAL(send);
    TRANSFER((flags & MSG_DONTWAIT) != 0 ? Again : 0u, s_real(descriptor, bytes, size, flags));
}
ssize_t recv(int descriptor, void* bytes, std::size_t size, int flags)
{
    REAL(recv);
    TRANSFER((flags & MSG_DONTWAIT) != 0 ? Again : 0u, s_real(descriptor, bytes, size, flags));
}
ssize_t sendmsg(int descriptor, const msghdr* message, int flags)
{
    REAL(sendmsg);
    FAIL_OR(Interrupted | Reset, s_real(descriptor, message, flags));
}
ssize_t recvmsg(int descriptor, msghdr* message, int flags)
{
    REAL(recvmsg);
    FAIL_OR(Interrupted | Reset, s_real(descriptor, message, flags));
}

#define OPEN(name)                                                                                                     \
    int name(const char* path, int flags, ...)                                                                         \
    {                                                                                                                  \
        REAL(name);                                                                                                    \
        std::va_list more;                                                                                             \
        va_start(more, flags);                                                                                         \
        const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;                                         \
        va_end(more);                                                                                                  \
        if (FAILS(Interrupted | MakesDescriptor | ((flags & O_CREAT) != 0 ? unsigned{NoSpace} : 0u))) {                \
            return -1;                                                                                                 \
        }                                                                                                              \
        const Opening opening(path, flags);                                                                            \
        return opening.recorded(s_real(path, flags, mode));                                                            \
    }
OPEN(open)
OPEN(open64)

#define OPEN_STREAM(name)                                                                                              \
    FILE* name(const char* path, const char* mode)                                                                     \
    {                                                                                                                  \
        REAL(name);                                                                                                    \
        const bool writes = std::strpbrk(mode, "wa") != nullptr;                                                       \
        if (FAILS(Interrupted | MakesDescriptor | (writes ? unsigned{NoSpace} : 0u))) {                                \
            return nullptr;                                                                                            \
        }                                                                                                              \
        const Opening opening(path, writes ? O_CREAT | (*mode == 'w' ? O_TRUNC : 0) : 0);                              \
        FILE* stream = s_real(path, mode);                                                                             \
        static_cast<void>(opening.recorded(stream == nullptr ? -1 : fileno(stream)));                                  \
        return stream;                                                                                                 \
    }
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

int fsync(int descriptor)
{
    REAL(fsync);
    FAIL_OR(NoSpace, recordedSync(descriptor, s_real(descriptor)));
}
int fdatasync(int descriptor)
{
    REAL(fdatasync);
    FAIL_OR(NoSpace, recordedSync(descriptor, s_real(descriptor)));
}
int ftruncate(int descriptor, off_t size) noexcept
{
    REAL(ftruncate);
    FAIL_OR(Interrupted | NoSpace, recordedTruncation(descriptor, size, s_real(descriptor, size)));
}
int ftruncate64(int descriptor, off64_t size) noexcept
{
    REAL(ftruncate64);
    FAIL_OR(Interrupted | NoSpace, recordedTruncation(descriptor, size, s_real(descriptor, size)));
}
int rename(const char* from, const char* to) noexcept
{
    REAL(rename);
    FAIL_OR(MakesFile, recordedRename(from, to, s_real(from, to)));
}
int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) noexcept
{
    REAL(renameat2);
    FAIL_OR(MakesFile, recordedRename(from, to, s_real(fromFolder, from, toFolder, to, flags)));
}
int unlink(const char* path) noexcept
{
    REAL(unlink);
    return recordedUnlink(path, s_real(path));
}
int rmdir(const char* path) noexcept
{
    REAL(rmdir);
    return recordedUnlink(path, s_real(path));
}
int remove(const char* path) noexcept
{
    REAL(remove);
    return recordedUnlink(path, s_real(path));
}
int unlinkat(int folder, const char* path, int flags) noexcept
{
    REAL(unlinkat);
    const std::string whole = pathIn(folder, path);
    return recordedUnlink(whole.c_str(), s_real(folder, path, flags));
}
int mkdir(const char* path, mode_t mode) noexcept
{
    REAL(mkdir);
    FAIL_OR(MakesFile, recordedFolder(path, s_real(path, mode)));
}
char* mkdtemp(char* path)
{
    REAL(mkdtemp);
    if (FAILS(MakesFile)) {
        return nullptr;
    }
    char* made = s_real(path);
    static_cast<void>(recordedFolder(path, made == nullptr ? -1 : 0));
    return made;
}

int socket(int domain, int type, int protocol) noexcept
{
    REAL(socket);
    FAIL_OR(MakesDescriptor, s_real(domain, type, protocol));
}
int socketpair(int domain, int type, int protocol, int ends[2]) noexcept
{
    REAL(socketpair);
    FAIL_OR(MakesDescriptor, s_real(domain, type, protocol, ends));
}
int pipe2(int ends[2], int flags) noexcept
{
    REAL(pipe2);
    FAIL_OR(MakesDescriptor, s_real(ends, flags));
}
int eventfd(unsigned initial, int flags) noexcept
{
    static const auto s_real = real<int(unsigned, int)>("eventfd");
    FAIL_OR(MakesDescriptor, s_real(initial, flags));
}
int accept4(int descriptor, sockaddr* address, socklen_t* length, int flags)
{
    REAL(accept4);
    FAIL_OR(MakesDescriptor | Interrupted | (neverBlocks(descriptor) ? Again : 0u),
        s_real(descriptor, address, length, flags));
}
int connect(int descriptor, const sockaddr* address, socklen_t length)
{
    REAL(connect);
    if (FAILS(Interrupted)) { // the kernel still connects
        static_cast<void>(s_real(descriptor, address, length));
        errno = EINTR;
        return -1;
    }
    return s_real(descriptor, address, length);
}
int poll(pollfd* entries, nfds_t count, int timeoutMs)
{
    REAL(poll);
    FAIL_OR(Interrupted | NoMemory, s_real(entries, count, timeoutMs));
}
void* mmap(void* address, std::size_t size, int protection, int flags, int descriptor, off_t offset) noexcept
{
    REAL(mmap);
    if (descriptor >= 0 && FAILS(NoMemory)) {
        return MAP_FAILED;
    }
    return s_real(address, size, protection, flags, descriptor, offset);
}
void* mmap64(void* address, std::size_t size, int protection, int flags, int descriptor, off64_t offset) noexcept
{
    REAL(mmap64);
    if (descriptor >= 0 && FAILS(NoMemory)) {
        return MAP_FAILED;
    }
    return s_real(address, size, protection, flags, descriptor, offset);
}
void _exit(int code)
{
    REAL(_exit);
    injection().writeCount();
    s_real(code);
    __builtin_unreachable();
}
void _Exit(int code) noexcept
{
    REAL(_Exit);
    injection().writeCount();
    s_real(code);
    __builtin_unreachable();
}
pid_t fork() noexcept
{
    REAL(fork);
    FAIL_OR(Again | NoMemory, s_real());
}

} // extern "C"
