// Variants made from lists of values: `--vary key=v1,v2`, and the columns that the window fills and combines.
#pragma once

#include "base/random.h"
#include "base/result.h"
#include "experiment/spec.h"
#include "experiment/value.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::experiment {

struct Parameter;

/// More runs than this are refused: variants times repeats.
inline constexpr std::size_t MostRuns = 1000;

/// A parameter and the values that it takes, no two of them equal.
struct VariedParameter {
    const Parameter* parameter = nullptr; ///< a row of the table
    std::vector<Value> values;
};

/// Reads `train.batch=16,32`. Errors name what was given: an unknown parameter, a value that it does not allow, one
/// that is there twice.
[[nodiscard]] Result<VariedParameter> parseVaried(std::string_view text);
/// Values separated by commas; those of a list parameter by `;`, as they have commas themselves.
[[nodiscard]] Result<std::vector<Value>> parseValues(const Parameter& parameter, std::string_view text);
/// The text that parseValues reads back.
[[nodiscard]] std::string valuesText(const Parameter& parameter, std::span<const Value> values);

enum class Spacing { Linear, Logarithmic };

/// `count` numbers from `first` to `last`, both included, at equal distances or equal ratios. Rounded to three
/// significant digits between the ends, for an integer to whole numbers; what becomes equal is there once.
[[nodiscard]] Result<std::vector<Value>> valuesInRange(
    const Parameter& parameter, double first, double last, int count, Spacing spacing);

/// Every variant with every combination of the values, the last parameter changing fastest; without variants the
/// combinations alone. Of combinations that are equal, because a parameter does not apply in them, one is made.
/// Names are the variant's with the values: `SGD lr=0.1 batch=32`. Refuses a parameter that is given twice, that
/// several variants set for themselves or that applies in none of them, and more than MostRuns runs.
[[nodiscard]] Result<Spec> vary(Spec spec, std::span<const VariedParameter> varied);

/// The part that vary() adds to a name: `lr=0.1`; of a `net.name` the value alone.
[[nodiscard]] std::string namePart(const Parameter& parameter, const Value& value);
/// Whether vary() adds this word to a name for this value: `lr=0.1`, `optimizer.lr=0.1`.
[[nodiscard]] bool isNamedBy(std::string_view word, const Parameter& parameter, const Value& value);
/// The name without the part of this parameter that vary() added; as it is where it has none.
[[nodiscard]] std::string withoutNamePart(std::string_view name, const Parameter& parameter);
/// The name with that part for another value.
[[nodiscard]] std::string withNamePart(std::string_view name, const Parameter& parameter, const Value& value);

/// `wanted` of the numbers 0 .. count - 1, drawn without replacement and ascending; all if there are fewer.
[[nodiscard]] std::vector<std::size_t> randomSample(std::size_t count, std::size_t wanted, Seed seed);

} // namespace lockstep::experiment
