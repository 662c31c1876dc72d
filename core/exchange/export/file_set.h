// Several files that belong together, such as a report and its figures.
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace lockstep::exchange {

struct NewFile {
    QString path; ///< below the folder
    QByteArray bytes;
    bool isShared = false; ///< may be there already with the same bytes
};

/// What happens to files of the same names.
enum class Existing { Refuse, Replace };

/// Writes all of them or none, and makes the folder if it is not there. Error: a name that exists, a full disk, a
/// folder that cannot be made.
[[nodiscard]] Result<void> writeFiles(const QString& folder, const std::vector<NewFile>& files, Existing existing);

} // namespace lockstep::exchange
