// The curves of runs as CSV (RFC 4180) in long form: run,name,repeat,series,step,epoch,seconds,value,
// imported_from.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"

#include <QString>

#include <span>

namespace lockstep::exchange {

/// Non-finite values are empty fields.
[[nodiscard]] QByteArray seriesCsv(std::span<const analysis::RunRecord> runs);

/// Written whole or not at all; a full disk is an error.
[[nodiscard]] Result<void> writeFile(const QString& path, const QByteArray& content);
/// In place: of a draft, which is renamed or removed.
[[nodiscard]] Result<void> writeWhole(const QString& path, const QByteArray& content);

} // namespace lockstep::exchange
