#include "analysis/table/column.h"

#include "analysis/numbers.h"
#include "analysis/study/changed_settings.h"
#include "base/edit_distance.h"
#include "base/translate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <iterator>
#include <map>

namespace lockstep::analysis {

namespace {

using experiment::Parameter;

std::vector<Column> attributeColumns()
{
    using enum Attribute;
    return {
        {"name", LS_TR("Columns", "Run"), LS_TR("Columns", "The run's name, or that of its variant."), {},
            CellKind::Text, Name},
        {"experiment", LS_TR("Columns", "Experiment"), LS_TR("Columns", "The experiment that the run belongs to."), {},
            CellKind::Text, Experiment},
        {"variant", LS_TR("Columns", "Variant"), LS_TR("Columns", "The variant of the experiment."), {}, CellKind::Text,
            Variant},
        {"status", LS_TR("Columns", "Status"), LS_TR("Columns", "How the run ended, or its current state."), {},
            CellKind::Text, Status},
        {"started", LS_TR("Columns", "Started"), LS_TR("Columns", "When the run was started."), {}, CellKind::Date,
            Started},
        {"changed", LS_TR("Columns", "Changed settings"),
            LS_TR("Columns", "Settings that differ from the built-in experiment."), {}, CellKind::Text, Changed},
        {"tags", LS_TR("Columns", "Tags"), LS_TR("Columns", "Your own words for this run, separated by commas."), {},
            CellKind::Text, Tags},
        {"note", LS_TR("Columns", "Note"), LS_TR("Columns", "Your own remark on this run."), {}, CellKind::Text, Note},
        {"pinned", LS_TR("Columns", "Pinned"),
            LS_TR("Columns", "Pinned runs stay on top and are never deleted by a rule."), {}, CellKind::Text, Pinned},
        {"imported", LS_TR("Columns", "Imported from"),
            LS_TR("Columns", "The file that the run was imported from; empty for runs measured in this store."), {},
            CellKind::Text, Imported},
        {"by_hand", LS_TR("Columns", "Changed by hand"),
            LS_TR("Columns", "What was changed by hand during the run: paused, slowed, link."), {}, CellKind::Text,
            ByHand},
        {"message", LS_TR("Columns", "Message"), LS_TR("Columns", "Why the run failed or stopped."), {}, CellKind::Text,
            Message},
        {"id", LS_TR("Columns", "Id"), LS_TR("Columns", "The run's id, which names its file."), {}, CellKind::Text, Id},
        {"repeat", LS_TR("Columns", "Repeat"), LS_TR("Columns", "Number of the repeat, from 1."), {}, CellKind::Count,
            Repeat},
        {"ranks", LS_TR("Columns", "Ranks"), LS_TR("Columns", "Number of processes."), {}, CellKind::Count, Ranks},
        {"steps", LS_TR("Columns", "Steps done"), LS_TR("Columns", "Number of training steps done."), {},
            CellKind::Count, Steps},
        {"peak_memory", LS_TR("Columns", "Peak memory"),
            LS_TR("Columns", "The most memory that tensors of one rank took at any time; the largest of all ranks."),
            "B", CellKind::Bytes, PeakMemory},
    };
}

Column figure(std::string_view name, double Summary::*member, CellKind kind, std::string_view unit,
    std::string_view label, std::string_view help)
{
    return {name, label, help, unit, kind, Attribute::None, member};
}

std::vector<Column> trainingFigures()
{
    using enum CellKind;
    return {
        figure("loss", &Summary::finalLoss, Number, {}, LS_TR("Columns", "Last loss"),
            LS_TR("Columns", "Training loss of the last step.")),
        figure("best_loss", &Summary::bestLoss, Number, {}, LS_TR("Columns", "Best loss"),
            LS_TR("Columns", "The lowest training loss of any step.")),
        figure("accuracy", &Summary::testAccuracy, Share, "%", LS_TR("Columns", "Accuracy"),
            LS_TR("Columns", "Share of the test set that the last evaluation classified correctly.")),
        figure("best_accuracy", &Summary::bestTestAccuracy, Share, "%", LS_TR("Columns", "Best accuracy"),
            LS_TR("Columns", "The highest accuracy of any evaluation on the test set.")),
        figure("label_skew", &Summary::labelSkew, Number, {}, LS_TR("Columns", "Label skew"),
            LS_TR("Columns", "How much the labels of the ranks' shares differ from those of the whole set: 0 to 1.")),
        figure("staleness", &Summary::staleness, Number, "steps", LS_TR("Columns", "Staleness"),
            LS_TR("Columns", "Mean age of the gradients that an asynchronous server applied.")),
        figure("max_staleness", &Summary::largestStaleness, Number, "steps", LS_TR("Columns", "Largest staleness"),
            LS_TR("Columns", "The age of the oldest gradient that an asynchronous server applied.")),
        figure("verify_difference", &Summary::verifyMaxRelativeDifference, Number, {},
            LS_TR("Columns", "Difference from a single process"),
            LS_TR("Columns", "Largest relative difference of the losses from those of a single process.")),
    };
}

std::vector<Column> timeFigures()
{
    using enum CellKind;
    return {
        figure("ms_per_step", &Summary::msPerStep, Number, "ms", LS_TR("Columns", "Time per step"),
            LS_TR("Columns", "Mean time per step after 10 warm-up steps, without evaluation and pauses.")),
        figure("samples_per_s", &Summary::samplesPerSecond, Number, {}, LS_TR("Columns", "Samples per second"),
            LS_TR("Columns", "Training samples per second of all ranks.")),
        figure("train_seconds", &Summary::trainSeconds, Number, "s", LS_TR("Columns", "Training time"),
            LS_TR("Columns", "From the start of the first step to the end of the last, without pauses.")),
        figure("comm_ms_per_step", &Summary::commMsPerStep, Number, "ms", LS_TR("Columns", "Communication per step"),
            LS_TR("Columns", "Mean over ranks; includes waiting where it cannot be told apart.")),
        figure("wait_ms_per_step", &Summary::waitMsPerStep, Number, "ms", LS_TR("Columns", "Waiting per step"),
            LS_TR("Columns", "Mean time per step that a rank waits for others.")),
        figure("comm_share", &Summary::commFraction, Share, "%", LS_TR("Columns", "Share of communication"),
            LS_TR("Columns", "Communication as a share of the step, without waiting.")),
        figure("comms_with_wait", &Summary::commWithWaitFraction, Share, "%",
            LS_TR("Columns", "Share of communication and waiting"),
            LS_TR("Columns",
                "Communication and waiting for other ranks as a share of the step; GPT-NeoX and DeepSpeed call it "
                "%comms.")),
        figure("overlap", &Summary::overlapFraction, Share, "%", LS_TR("Columns", "Overlap"),
            LS_TR("Columns", "Share of the communication that overlapped with the backward pass.")),
        figure("exposed_ms_per_step", &Summary::exposedMsPerStep, Number, "ms",
            LS_TR("Columns", "Exposed communication per step"),
            LS_TR("Columns", "Communication and waiting that no computation overlapped; mean over ranks.")),
        figure("critical_comm_ms_per_step", &Summary::criticalCommMsPerStep, Number, "ms",
            LS_TR("Columns", "Communication on the critical path"),
            LS_TR("Columns", "Mean time per step that communication takes on the critical path.")),
        figure("critical_share", &Summary::criticalShare, Share, "%",
            LS_TR("Columns", "Largest share of the critical path"),
            LS_TR("Columns", "Share of the critical path's time spent on the rank that takes up most of it.")),
        figure("bubble", &Summary::bubbleFraction, Share, "%", LS_TR("Columns", "Bubble"),
            LS_TR("Columns", "Share of a pipeline's time in which stages are idle.")),
        figure("bytes_per_step", &Summary::bytesPerStep, Bytes, "B", LS_TR("Columns", "Bytes per step"),
            LS_TR("Columns", "Bytes sent by one rank in a step, mean.")),
        figure("start_seconds", &Summary::startSeconds, Number, "s", LS_TR("Columns", "Start-up time"),
            LS_TR("Columns", "From the start of the rank processes to the first step.")),
        figure("seconds_to_first_loss", &Summary::secondsToFirstLoss, Number, "s",
            LS_TR("Columns", "Time to the first loss"), LS_TR("Columns", "From the start of Lockstep.")),
    };
}

CellKind cellKindOf(const Parameter& parameter)
{
    switch (parameter.type) {
    case experiment::Type::Integer:
        return CellKind::Count;
    case experiment::Type::Real:
        return CellKind::Number;
    case experiment::Type::Boolean:
    case experiment::Type::Choice:
    case experiment::Type::Text:
    case experiment::Type::Path:
    case experiment::Type::IntegerList:
    case experiment::Type::RealList:
    case experiment::Type::Scalar:
        return CellKind::Text;
    }
    return CellKind::Text;
}

std::vector<Column> allColumns()
{
    std::vector<Column> all = attributeColumns();
    std::ranges::copy(trainingFigures(), std::back_inserter(all));
    std::ranges::copy(timeFigures(), std::back_inserter(all));
    for (const Parameter& row : experiment::parameters()) {
        all.push_back({row.name, row.label, row.help, row.unit, cellKindOf(row), Attribute::None, nullptr, &row});
    }
    return all;
}

/// Of a column: that in results and JSON, or the word that people use; empty if it has none.
std::string_view otherName(std::string_view word)
{
    static const std::map<std::string_view, std::string_view> Others{{"final_loss", "loss"},
        {"test_accuracy", "accuracy"}, {"acc", "accuracy"}, {"data", nameOf(&experiment::DatasetSettings::name)},
        {"seed", nameOf(&experiment::TrainSettings::seed)}, {"tag", "tags"}, {"notes", "note"}, {"label", "name"},
        {"run", "name"}, {"memory", "peak_memory"}, {"date", "started"}};
    const auto found = Others.find(word);
    return found == Others.end() ? std::string_view() : found->second;
}

std::string closestColumn(std::string_view name)
{
    std::string best;
    std::size_t smallest = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (const Column& column : columns()) {
        const std::string_view last = column.name.substr(column.name.rfind('.') + 1);
        // `net` is short for net.name.
        const bool hasShortName = column.name.ends_with(".name");
        const std::string_view shortName = column.name.substr(0, column.name.size() - (hasShortName ? 5 : 0));
        const std::size_t away = std::min(editDistance(name, shortName), editDistance(name, last) + 1);
        if (away < smallest) {
            smallest = away;
            best = column.name;
        }
    }
    return best;
}

Error unknownColumn(std::string_view name)
{
    const std::string meant = closestColumn(name);
    return meant.empty() ? refusal("column",
               LS_TR("Refusals",
                   "\"%1\" is unknown; allowed are figures such as accuracy and parameters such as net.name"),
               {verbatim(name)})
                         : refusal("column", LS_TR("Refusals", "\"%1\" is unknown; did you mean %2?"),
                             {verbatim(name), verbatim(meant)});
}

Cell textCell(std::string text)
{
    return text.empty() ? Cell() : Cell(std::move(text));
}

std::string dateText(std::int64_t wallNs)
{
    const std::time_t seconds = wallNs / 1'000'000'000;
    std::tm local{};
    localtime_r(&seconds, &local);
    std::array<char, 32> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local);
    return {text.data(), size};
}

Cell peakMemory(const Summary& summary)
{
    std::int64_t most = 0;
    for (const RankMemory& rank : summary.memory) {
        most = std::max(most, rank.highest);
    }
    return most > 0 ? Cell(static_cast<double>(most)) : Cell();
}

Cell attributeCell(Attribute attribute, const RunRecord& run)
{
    switch (attribute) {
    case Attribute::None:
        return {};
    case Attribute::Id:
        return textCell(run.id.text);
    case Attribute::Name:
        return textCell(displayName(run));
    case Attribute::Variant:
        return textCell(run.spec.name);
    case Attribute::Experiment:
        return textCell(run.spec.experiment);
    case Attribute::Status:
        return std::string(nameOf(run.status));
    case Attribute::Started:
        return hasStarted(run) ? textCell(dateText(run.createdNs)) : Cell();
    case Attribute::Repeat:
        return static_cast<double>(run.spec.repeat + 1);
    case Attribute::Ranks:
        return run.spec.settings.contains(nameOf(&experiment::RankSettings::worldSize))
            ? Cell(static_cast<double>(ranksOf(run)))
            : Cell();
    case Attribute::Steps:
        return hasStarted(run) ? Cell(static_cast<double>(run.summary.steps)) : Cell();
    case Attribute::PeakMemory:
        return peakMemory(run.summary);
    case Attribute::ByHand:
        return textCell(listed(namesOf(run.summary.interference)));
    case Attribute::Changed:
        return textCell(changedText(run));
    case Attribute::Tags:
        return textCell(listed(run.marks.tags));
    case Attribute::Note:
        return textCell(run.marks.note);
    case Attribute::Pinned:
        return std::string(run.marks.isPinned ? "yes" : "no");
    case Attribute::Imported:
        return textCell(run.importedFrom);
    case Attribute::Message:
        return textCell(run.message);
    }
    return {};
}

Cell parameterCell(const Parameter& parameter, const RunRecord& run)
{
    const auto found = run.spec.settings.find(std::string(parameter.name));
    if (found == run.spec.settings.end() || !applies(parameter, run.spec.settings)) {
        return {};
    }
    if (const auto* whole = std::get_if<std::int64_t>(&found->second)) {
        return static_cast<double>(*whole);
    }
    if (const auto* real = std::get_if<double>(&found->second)) {
        return *real;
    }
    return textCell(experiment::toText(found->second));
}

} // namespace

bool Column::isFigure() const
{
    return figure != nullptr || attribute == Attribute::PeakMemory || attribute == Attribute::Steps;
}

std::span<const Column> columns()
{
    static const std::vector<Column> all = allColumns();
    return all;
}

const Column* findColumn(std::string_view name)
{
    const auto all = columns();
    const auto found = std::ranges::find(all, name, &Column::name);
    return found == all.end() ? nullptr : &*found;
}

Result<const Column*> columnNamed(std::string_view name)
{
    if (const Column* column = findColumn(name)) {
        return column;
    }
    if (const std::string_view other = otherName(name); !other.empty()) {
        return findColumn(other);
    }
    if (const Column* column = findColumn(std::string(name) + ".name")) {
        return column;
    }
    std::vector<const Column*> ending;
    for (const Column& column : columns()) {
        // Who writes `rank` means the ranks, hardly fault.rank.
        if (column.name.ends_with("." + std::string(name)) && !column.name.starts_with("fault.")) {
            ending.push_back(&column);
        }
    }
    if (ending.empty()) {
        return unknownColumn(name);
    }
    if (ending.size() > 1) {
        return refusal("column", LS_TR("Refusals", "\"%1\" may be %2 or %3; write the whole name"),
            {verbatim(name), verbatim(ending[0]->name), verbatim(ending[1]->name)});
    }
    return ending.front();
}

Cell cellOf(const Column& column, const RunRecord& run)
{
    if (column.figure != nullptr) {
        const double value = run.summary.*column.figure;
        return std::isnan(value) ? Cell() : Cell(value);
    }
    return column.parameter != nullptr ? parameterCell(*column.parameter, run) : attributeCell(column.attribute, run);
}

double numberOf(const Cell& cell)
{
    const auto* number = std::get_if<double>(&cell);
    return number == nullptr ? NotMeasured : *number;
}

std::string rawText(const Cell& cell)
{
    if (const auto* number = std::get_if<double>(&cell)) {
        return experiment::toText(*number);
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? std::string() : *text;
}

std::string readableText(const Column& column, const Cell& cell)
{
    const auto* number = std::get_if<double>(&cell);
    if (number == nullptr) {
        return std::holds_alternative<std::monostate>(cell) ? "–" : std::get<std::string>(cell);
    }
    if (column.parameter != nullptr) {
        return experiment::toText(*number); // as it was set
    }
    switch (column.kind) {
    case CellKind::Share:
        return onePlace(*number * 100.0) + " %";
    case CellKind::Count:
        return grouped(std::llround(*number));
    case CellKind::Bytes:
        return bytesText(*number);
    case CellKind::Number:
    case CellKind::Text:
    case CellKind::Date:
        return threeDigits(*number);
    }
    return {};
}

} // namespace lockstep::analysis
