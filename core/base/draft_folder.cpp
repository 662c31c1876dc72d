#include "base/draft_folder.h"

#include "base/translate.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace lockstep {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view TemporaryPrefix = "lockstep-draft-";
/// For mkdtemp(), behind the prefix.
constexpr std::string_view Unique = "XXXXXX";

/// Not open: another process has it, it is gone, or it is another user's.
Descriptor lockOf(const std::string& folder)
{
    Descriptor opened(
        uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }));
    const bool isLocked
        = opened.isOpen() && uninterrupted([&] { return flock(opened.number(), LOCK_EX | LOCK_NB); }) == 0;
    // A process that clears may have had the lock between the two calls.
    struct stat facts { };
    const bool isThere
        = isLocked && fstat(opened.number(), &facts) == 0 && facts.st_nlink > 0 && facts.st_uid == geteuid();
    return isThere ? std::move(opened) : Descriptor();
}

std::string parentOf(const std::string& path)
{
    const std::string parent = fs::path(path).parent_path().string();
    return parent.empty() ? "." : parent;
}

} // namespace

Result<DraftFolder> DraftFolder::make(const std::string& parent, std::string_view prefix)
{
    clear(parent, prefix);
    DraftFolder draft;
    for (int attempt = 0; attempt < 5 && !draft.m_lock.isOpen(); ++attempt) {
        if (!draft.m_path.empty()) { // another process was about to clear it; or there are no locks here
            rmdir(draft.m_path.c_str());
        }
        std::string path = fmt::format("{}/{}{}", parent, prefix, Unique);
        if (mkdtemp(path.data()) == nullptr) {
            return failure(LS_TR("Messages", "nothing can be written to %1: %2"), {verbatim(parent), systemError()});
        }
        draft.m_path = path;
        draft.m_lock = lockOf(path);
    }
    return draft; // also without a lock, which some file systems do not have
}

Result<DraftFolder> DraftFolder::makeBeside(const std::string& target)
{
    return make(parentOf(target));
}

Result<DraftFolder> DraftFolder::makeTemporary()
{
    std::error_code failed;
    const fs::path folder = fs::temp_directory_path(failed);
    return make(failed ? "/tmp" : folder.string(), TemporaryPrefix);
}

void DraftFolder::clear(const std::string& parent, std::string_view prefix)
{
    std::error_code failed;
    for (fs::directory_iterator each(parent, failed), end; !failed && each != end; each.increment(failed)) {
        const std::string path = each->path().string();
        const std::string name = each->path().filename().string();
        if (name.size() != prefix.size() + Unique.size() || !name.starts_with(prefix)) {
            continue; // also a folder of the user's that happens to begin like a draft
        }
        if (const Descriptor lock = lockOf(path); lock.isOpen()) {
            std::error_code ignored;
            fs::remove_all(path, ignored);
        }
    }
}

DraftFolder& DraftFolder::operator=(DraftFolder&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_lock, other.m_lock);
    return *this;
}

DraftFolder::~DraftFolder()
{
    if (!m_path.empty()) {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
}

Result<void> DraftFolder::publish(std::string_view name, const std::string& target) const
{
    const int code = renameOnDisk(file(name), target);
    return code == 0 ? Result<void>()
                     : failure(LS_TR("Messages", "%1 cannot be written: %2"), {verbatim(target), systemError(code)});
}

int syncToDisk(const std::string& path)
{
    const Descriptor opened(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
    if (!opened.isOpen()) {
        return errno;
    }
    const int code = uninterrupted([&] { return fsync(opened.number()); }) == 0 ? 0 : errno;
    return code == EINVAL || code == EBADF ? 0 : code;
}

int renameOnDisk(const std::string& from, const std::string& to)
{
    if (const int code = syncToDisk(from); code != 0) {
        return code;
    }
    struct stat facts { };
    const bool replaces = lstat(to.c_str(), &facts) == 0;
    if (std::rename(from.c_str(), to.c_str()) != 0) {
        return errno;
    }
    const int code = syncToDisk(parentOf(to));
    if (code != 0 && !replaces) {
        static_cast<void>(std::rename(to.c_str(), from.c_str()));
    }
    return code;
}

std::optional<std::int64_t> freeBytes(const std::string& path)
{
    struct statvfs facts { };
    if (uninterrupted([&] { return statvfs(path.c_str(), &facts); }) != 0 || facts.f_blocks == 0) {
        return std::nullopt;
    }
    const auto unit = static_cast<std::uint64_t>(facts.f_frsize != 0 ? facts.f_frsize : facts.f_bsize);
    constexpr auto Most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const auto blocks = static_cast<std::uint64_t>(facts.f_bavail);
    return static_cast<std::int64_t>(unit != 0 && blocks > Most / unit ? Most : blocks * unit);
}

} // namespace lockstep
