// JSON <-> assignments. Private to this room.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "experiment/value.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

namespace lockstep::experiment {

using Json = nlohmann::ordered_json;

/// Checks every entry against its row; `where` ("base", "variant SGD") is part of the message for a wrong shape.
/// `skipped` names entries that are no parameters ("name" of a variant).
[[nodiscard]] Result<Assignment> assignmentFromJson(
    const Json& object, const Text& where, std::initializer_list<std::string_view> skipped = {});
[[nodiscard]] Json toJsonObject(const Assignment& assignment);

/// RunSpec::data as the member `data`, where its net is not that of the data set's name; and back.
void addData(Json& json, const RunSpec& run);
[[nodiscard]] Result<void> readData(const Json& json, RunSpec& run);

/// "optimizer.lrr is no parameter; did you mean optimizer.lr?"
[[nodiscard]] Error unknownParameter(std::string_view name);

} // namespace lockstep::experiment
