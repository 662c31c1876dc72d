// Writes a zip archive: equal members give equal bytes.
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

#include <span>

namespace lockstep::session {

struct ZipInput {
    QString name;
    QByteArray content; ///< where there is no file
    QString file{}; ///< its content is the member's
};

/// Members in their order, dated 1980. Replaces `path` when the archive is whole. No member is compressed more than
/// ZipReader allows.
[[nodiscard]] Result<void> writeZip(const QString& path, std::span<const ZipInput> members);

} // namespace lockstep::session
