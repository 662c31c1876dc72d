// A laboratory as a person names it.
#pragma once

#include "laboratory/read_laboratory.h"

#include <QString>

#include <algorithm>

namespace lockstep::laboratory {

/// The shipped laboratory of this id, or else the one of this path.
[[nodiscard]] inline Result<Laboratory> laboratoryNamed(const QString& word)
{
    const auto shipped = shippedLaboratories();
    const auto found = std::ranges::find(shipped, word.toStdString(), &ShippedLaboratory::id);
    return readLaboratory(found == shipped.end() ? word : found->path);
}

} // namespace lockstep::laboratory
