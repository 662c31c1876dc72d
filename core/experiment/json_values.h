// JSON <-> assignments. Private to this room.
#pragma once

#include "base/result.h"
#include "experiment/value.h"

#include <nlohmann/json.hpp>

#include <string>

namespace lockstep::experiment {

using Json = nlohmann::ordered_json;

/// Checks every entry against its row; `where` ("base", "variant SGD") is part of the message for a wrong shape.
/// `skip` names one entry that is not a parameter ("name" of a variant).
[[nodiscard]] Result<Assignment> assignmentFromJson(
    const Json& object, const std::string& where, std::string_view skip = {});
[[nodiscard]] Json toJsonObject(const Assignment& assignment);

/// "optimizer.lrr is no parameter; did you mean optimizer.lr?"
[[nodiscard]] Error unknownParameter(std::string_view name);

} // namespace lockstep::experiment
