// A folder for files that are not complete yet, beside the place that they are meant for. What a process that was
// killed has left there is removed by the next one that needs a draft in the same place. Also bytes onto the disk, and
// the room there is.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

class DraftFolder {
public:
    static constexpr std::string_view Standard = ".lockstep-draft-";

    /// In the folder `parent`, for this user alone, with a name that begins with `prefix`. Removes earlier ones first.
    [[nodiscard]] static Result<DraftFolder> make(const std::string& parent, std::string_view prefix = Standard);
    /// In the folder of the file that publish() is to make.
    [[nodiscard]] static Result<DraftFolder> makeBeside(const std::string& target);
    /// In the folder for temporary files.
    [[nodiscard]] static Result<DraftFolder> makeTemporary();
    /// Removes the drafts in `parent` whose process has ended.
    static void clear(const std::string& parent, std::string_view prefix = Standard);
    DraftFolder(DraftFolder&& other) noexcept = default;
    DraftFolder& operator=(DraftFolder&& other) noexcept;
    /// Removes it with all that is in it.
    ~DraftFolder();

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::string file(std::string_view name) const { return m_path + "/" + std::string(name); }
    /// Moves a file of it to `target`, on the same file system, in the place of a file that is there: whole or not at
    /// all, also after a power failure.
    [[nodiscard]] Result<void> publish(std::string_view name, const std::string& target) const;

private:
    DraftFolder() = default;

    std::string m_path; ///< empty: moved from
    Descriptor m_lock; ///< the kernel releases it with the process
};

/// What has been written to a file, or which names are in a folder, is on the disk. An error code; 0 also where the
/// file system cannot do it for a folder.
[[nodiscard]] int syncToDisk(const std::string& path);
/// Renames a finished file, after its bytes have reached the disk, and brings the new name there. An error code; then
/// there is no file of the new name, unless there was one before.
[[nodiscard]] int renameOnDisk(const std::string& from, const std::string& to);
/// That this user may still write there, in bytes; nothing where the file system does not say.
[[nodiscard]] std::optional<std::int64_t> freeBytes(const std::string& path);

} // namespace lockstep
