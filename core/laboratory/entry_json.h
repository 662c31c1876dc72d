// What students write as the JSON of journal entries and of handin.json. Private to core/laboratory.
#pragma once

#include "laboratory/claim.h"
#include "laboratory/journal.h"
#include "laboratory/prediction.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lockstep::laboratory {

inline constexpr std::size_t LongestStudent = 400; ///< bytes of a name or a number; of a hand-in more is cut off

[[nodiscard]] Json toJson(const std::vector<Student>& students);
[[nodiscard]] Json toJson(const Answer& answer);
[[nodiscard]] Json toJson(const Prediction& prediction);
[[nodiscard]] Json toJson(const PredictionDraft& draft);
[[nodiscard]] Json toJson(const Claim& claim);
// Nothing where it is not such an object.
[[nodiscard]] std::vector<Student> studentsFrom(const Json& json);
[[nodiscard]] std::optional<Answer> answerFrom(const Json& json);
[[nodiscard]] std::optional<Prediction> predictionFrom(const Json& json);
[[nodiscard]] std::optional<PredictionDraft> draftFrom(const Json& json);
[[nodiscard]] std::optional<Claim> claimFrom(const Json& json);
/// Empty where it is no text.
[[nodiscard]] std::string textIn(const Json& json, const char* name);
[[nodiscard]] std::vector<std::string> textsIn(const Json& json, const char* name);

} // namespace lockstep::laboratory
