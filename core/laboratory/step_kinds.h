// The kinds of steps of a laboratory: what laboratory.json says of each.
#pragma once

#include "exchange/report/template.h"
#include "experiment/spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep::laboratory {

using experiment::Wording;

/// What is taken of a figure.
enum class Statistic : std::uint8_t {
    Mean, ///< of the variant's repeats, in the figure's unit
    Ratio, ///< of the variant's mean to the other's: 1.2 is 20 % more
    Difference ///< of the variant's mean less the other's, of shares: in points
};

/// A result: a figure of a variant in an experiment step, or of one variant against another.
struct Reference {
    std::string step; ///< the experiment step's id
    std::string figure; ///< analysis::Figure::name: `final_loss`
    std::string variant; ///< its name in the spec
    std::string against; ///< the other variant; empty: none
    std::vector<std::string> variants; ///< of an order: those to be ordered; empty: all of the step
    std::optional<Statistic> statistic{}; ///< as given
};
/// As given; else the mean without `against`, the difference of shares, and the ratio of all else.
[[nodiscard]] Statistic statisticOf(const Reference& of);

/// Markdown to read; done when the student says so.
struct TextStep { };

struct ExperimentStep {
    std::string preset; ///< its name; empty: `spec` was given
    experiment::Spec spec; ///< the preset's, or the one given
    std::vector<std::string> free; ///< names of parameters that the student may change; all others are locked
    bool isSeededByNumber = false; ///< the seed is seedOf() the student's number
    /// Parameters that are not shown until every question about this step is sealed: names, or beginnings that end in a
    /// dot such as `fault.`. Only such a step may set `fault.*`.
    std::vector<std::string> hidden;
};

enum class PredictionForm : std::uint8_t {
    Direction, ///< the variant's figure against the other's: lower, higher or the same
    Order, ///< the variants from the least to the greatest figure
    Number, ///< a number with the student's own range
    Curve ///< points drawn on empty axes
};

/// Of a curve: the time of a call over the size of its arrays.
inline constexpr std::string_view SweepChart = "sweep";
inline constexpr std::string_view BytesAxis = "bytes";

struct PredictionStep {
    PredictionForm form = PredictionForm::Direction;
    Wording lower; ///< of a direction: the words that answer the question; empty: `lower`, `higher`
    Wording higher;
    Reference of; ///< of a curve without a figure
    std::string chart; ///< of a curve: `loss`, `accuracy`, `train-loss`, `test-loss` or `sweep`
    std::string x; ///< of a curve: `step`, `epoch`, `seconds`, of `sweep` `bytes`; empty: `step`
    bool isLogarithmic = false; ///< of a curve: the y axis
};

enum class QuestionForm : std::uint8_t { Text, Number, Choice, Order };

struct Choice {
    std::string id;
    Wording text;
};

struct QuestionStep {
    QuestionForm form = QuestionForm::Text;
    Wording unit; ///< of a number; empty: none
    std::vector<Choice> choices; ///< of a choice and of an order
    Reference about; ///< whose charts stand beside it; `step` may be empty
    /// Of that step's runs, right before the answer in the report. A timeline and times by rank are of `about.variant`
    /// where that is given.
    std::vector<report::Item> figures;
};

struct ClaimStep {
    Reference about; ///< the experiment step that it is about
};

/// Code that the student writes from a template; run_trial.h checks it.
struct CodeStep {
    std::string templateFile; ///< `code/ring.py`
    std::string templateText; ///< what is in it
    std::string check; ///< the object as JSON: `{"kind":"optimizer","name":"adam"}`; empty: it is only shown
};

using StepContent = std::variant<TextStep, ExperimentStep, PredictionStep, QuestionStep, ClaimStep, CodeStep>;

struct Step {
    std::string id;
    Wording title;
    Wording text; ///< Markdown without HTML: of texts/ID.en.md and texts/ID.zh.md
    StepContent content;
    bool isOptional = false; ///< WorkState::missing() does not name it

    template <typename Kind>
    [[nodiscard]] const Kind* as() const
    {
        return std::get_if<Kind>(&content);
    }
    template <typename Kind>
    [[nodiscard]] bool is() const
    {
        return std::holds_alternative<Kind>(content);
    }
};

/// The experiment step that it is about; empty where there is none, and for experiment steps.
[[nodiscard]] std::string_view subjectOf(const Step& step);
[[nodiscard]] std::string_view nameOf(PredictionForm form);

} // namespace lockstep::laboratory
