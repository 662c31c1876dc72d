// Changes of the variants table, as functions from rows to rows.
#pragma once

#include "base/result.h"
#include "experiment/vary.h"
#include "ui/models/form/form_state.h"

#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::ui {

using Variants = std::vector<VariantRow>;

/// `wanted`, with a number after it where a variant has that name already.
[[nodiscard]] QString freeName(const Variants& variants, const QString& wanted);
/// The first colour that no variant has.
[[nodiscard]] std::size_t freeColor(const Variants& variants);

/// A variant after the last, with the values of the last.
[[nodiscard]] Variants withAdded(Variants variants, const QString& name);
/// A copy after the variant.
[[nodiscard]] Variants withDuplicate(Variants variants, std::size_t place);
[[nodiscard]] Variants without(Variants variants, std::size_t place);
/// The variant at `from` comes to stand at `to`.
[[nodiscard]] Variants withMoved(Variants variants, std::size_t from, std::size_t to);
/// Refuses an empty name and one that another variant has.
[[nodiscard]] Result<Variants> withName(Variants variants, std::size_t place, const QString& name);
/// Also in the part of the name that was made from the value.
void setCellText(Variants& variants, std::size_t place, const std::string& parameter, const QString& text);

/// How a column is filled with a list of values.
enum class Fill {
    EveryCombination, ///< every variant with every value
    OneEach ///< a value for each variant, from the first again where there are fewer; further ones make variants
};

/// Makes the column, or fills it again. `experiment`: what the variants share, which decides where the parameter
/// applies. Refuses a parameter that applies in no variant, and too many runs.
[[nodiscard]] Result<Variants> withColumn(
    const Variants& variants, const experiment::Spec& experiment, const experiment::VariedParameter& varied, Fill fill);
/// Without the column; variants that only differed by it become one.
[[nodiscard]] Variants withoutColumn(const Variants& variants, const experiment::Parameter& parameter);
/// Every value of one column with every value of another; other columns follow the first.
[[nodiscard]] Result<Variants> withCombined(const Variants& variants, const experiment::Spec& experiment,
    const experiment::Parameter& first, const experiment::Parameter& second);
/// `wanted` of the variants, drawn by the seed.
[[nodiscard]] Variants sampleOf(const Variants& variants, std::size_t wanted, std::uint64_t seed);

} // namespace lockstep::ui
