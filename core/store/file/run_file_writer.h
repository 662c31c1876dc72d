// Writes one run into its file. Private to the store.
#pragma once

#include "store/run_store.h"

#include <QString>

#include <functional>
#include <memory>

namespace lockstep::store {

/// Creates the file with the record in it; calls `ended` with the final record, for the index.
[[nodiscard]] Result<std::unique_ptr<RunWriter>> createRunFile(const QString& path, const analysis::RunRecord& record,
    std::function<Result<void>(const analysis::RunRecord&)> ended);

} // namespace lockstep::store
