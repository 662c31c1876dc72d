// The charts and tables that a question names, as laboratory.json has them. Private to core/laboratory.
#pragma once

#include "exchange/report/template.h"
#include "laboratory/format/field_table.h"
#include "laboratory/step_kinds.h"

#include <vector>

namespace lockstep::laboratory {

[[nodiscard]] const std::vector<FieldRow<report::Item>>& figureRows();
/// Of a question.
void takeFigures(const FieldJson& value, Step& into, const FieldReader& reader);

} // namespace lockstep::laboratory
