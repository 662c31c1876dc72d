// The tables of laboratory.json and of a key. Private to core/laboratory.
#pragma once

#include "laboratory/format/field_table.h"
#include "laboratory/laboratory.h"
#include "laboratory/laboratory_key.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

/// Reads laboratory.json; texts and code are not in it.
void readDescription(const FieldJson& json, Laboratory& into, const FieldReader& reader);
void readKeyFields(const FieldJson& json, LaboratoryKey& into, const FieldReader& reader);

/// One table for the schema and the reference page.
struct FieldTable {
    std::string_view name; ///< `laboratory`, `step`, `prediction`, ...
    std::string_view help;
    std::vector<FieldInfo> fields;
};
/// In the page's order: of laboratory.json, then those of a key, which begin with `key`.
[[nodiscard]] std::vector<FieldTable> fieldTables();
/// Tables that are kinds of steps, by the step's kind.
[[nodiscard]] std::vector<std::string_view> stepKinds();

} // namespace lockstep::laboratory
