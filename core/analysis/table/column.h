// The columns of the table of runs: what a run is called, every figure of its summary, every parameter. The window, the
// filter and `lockstep runs` use the same names.
#pragma once

#include "analysis/figures/figure.h"
#include "analysis/run_record.h"
#include "base/result.h"
#include "experiment/parameter.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep::analysis {

/// How a column's values are read, compared and written.
enum class CellKind {
    Text,
    Date, ///< local time as `2026-11-23 14:05:09`
    Number,
    Share, ///< 0 to 1; written in percent
    Count,
    Bytes
};

/// A value of a run; monostate where there is none: not measured, or a parameter that does not apply.
using Cell = std::variant<std::monostate, double, std::string>;

/// What a run says of itself beside figures and parameters.
enum class Attribute {
    None,
    Id,
    Name,
    Variant,
    Experiment,
    Status,
    Started,
    Repeat,
    Ranks,
    ByHand,
    Changed,
    Tags,
    Note,
    Pinned,
    Imported,
    Message
};

struct Column {
    std::string_view name{}; ///< `accuracy`, `net.name`
    std::string_view label{}; ///< LS_TR(context(), ...)
    std::string_view help{};
    std::string_view unit{};
    CellKind kind = CellKind::Text;
    Attribute attribute = Attribute::None;
    const Figure* figure = nullptr;
    const experiment::Parameter* parameter = nullptr;

    /// Measured, and so with a mean over repeats.
    [[nodiscard]] bool isFigure() const { return figure != nullptr; }
    /// Of the translations of label, help and unit: `Columns`, `Figures`, `Parameters`.
    [[nodiscard]] const char* context() const;
    [[nodiscard]] bool isNumber() const { return kind != CellKind::Text && kind != CellKind::Date; }
};

/// All of them: attributes, figures, parameters in the table's order. They live as long as the program.
[[nodiscard]] std::span<const Column> columns();
/// By its whole name; nullptr for an unknown one.
[[nodiscard]] const Column* findColumn(std::string_view name);
/// Also by a short name: `net` for net.name, `lr` for optimizer.lr. `column: "acuracy" is unknown; did you mean
/// accuracy?`, `column: "seed" may be train.seed or dataset.seed`.
[[nodiscard]] Result<const Column*> columnNamed(std::string_view name);

[[nodiscard]] Cell cellOf(const Column& column, const RunRecord& run);
/// The number of a cell; NotMeasured for text and where there is none.
[[nodiscard]] double numberOf(const Cell& cell);
/// In full, as a file holds it: `0.9512`, `cnn`; empty where there is none.
[[nodiscard]] std::string rawText(const Cell& cell);
/// As a person reads it: `95.1 %`, `0.0921`; `–` where there is none.
[[nodiscard]] std::string readableText(const Column& column, const Cell& cell);

} // namespace lockstep::analysis
