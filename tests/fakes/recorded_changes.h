// What a program changes below one folder, written to a file in the order in which it was done: failing_calls.h has the
// format. Each function returns the result of the call that it is given.
#pragma once

#include <cstddef>
#include <string>

#include <sys/types.h>

struct iovec;

namespace lockstep::fakes {

/// As LOCKSTEP_RECORD_WRITES says.
void beginRecording();

/// A call that may make a file.
class Opening {
public:
    Opening(const char* path, int flags);
    /// Gives the descriptor.
    [[nodiscard]] int recorded(int descriptor) const;

private:
    std::string m_path; ///< empty: nothing is recorded
    bool m_isNew = false;
    bool m_empties = false;
};

[[nodiscard]] ssize_t recordedWrite(int descriptor, const void* bytes, ssize_t written);
[[nodiscard]] ssize_t recordedWriteAt(int descriptor, const void* bytes, ssize_t written, off_t offset);
[[nodiscard]] ssize_t recordedWriteOfParts(int descriptor, const iovec* parts, int count, ssize_t written);
[[nodiscard]] int recordedSync(int descriptor, int result);
[[nodiscard]] int recordedTruncation(int descriptor, off_t size, int result);
[[nodiscard]] int recordedRename(const char* from, const char* to, int result);
[[nodiscard]] int recordedUnlink(const char* path, int result);
[[nodiscard]] int recordedFolder(const char* path, int result);

/// A path relative to an open folder (or AT_FDCWD) as an absolute one.
[[nodiscard]] std::string pathIn(int folder, const char* path);

} // namespace lockstep::fakes
