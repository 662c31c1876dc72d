// Where the output of the ranks of a user's own program is kept: a folder beside the run's file.
#pragma once

#include "base/ids.h"

#include <QString>

#include <cstdint>

namespace lockstep::store {

/// `<store>/<id>.output`
[[nodiscard]] QString outputFolderOf(const QString& storeFolder, const RunId& id);
/// `<store>/<id>.output/rank0.txt`
[[nodiscard]] QString outputFileOf(const QString& storeFolder, const RunId& id, std::int32_t rank);

} // namespace lockstep::store
