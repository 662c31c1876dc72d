// The files that students handed in: a folder, or the archive that an LMS makes, of any nesting. Names are the LMS's
// and say nothing of who it was.
#pragma once

#include "base/draft_folder.h"
#include "base/result.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::laboratory::grading {

struct Submission {
    std::string name; ///< below the folder, or in the archive
    QString path; ///< on the disk; empty where it was refused
    std::optional<Error> refused{}; ///< why it could not be unpacked
    bool isLate = false; ///< Canvas writes `LATE` into the name
    std::int64_t upload = 0; ///< Canvas's number of the upload, which rises with time; 0: not known
};

struct Submissions {
    std::vector<Submission> handIns; ///< by name
    std::vector<std::string> others; ///< files that are no hand-ins
};

/// Hand-ins by their suffix. Archives in archives are opened up to three deep; their files are unpacked into
/// `unpacked` under numbers. Links are not followed. Error: nothing there can be read.
[[nodiscard]] Result<Submissions> submissionsIn(const QString& path, const DraftFolder& unpacked);

} // namespace lockstep::laboratory::grading
