#include "laboratory/format/laboratory_fields.h"

#include "base/names.h"
#include "laboratory/code/exercise.h"
#include "laboratory/format/figure_fields.h"

#include <array>
#include <iterator>

namespace lockstep::laboratory {

namespace {

using Kind = FieldForm::Kind;

constexpr std::array<std::string_view, 4> PredictionForms{"direction", "order", "number", "curve"};
constexpr std::array<std::string_view, 4> QuestionForms{"text", "number", "choice", "order"};
constexpr std::array<std::string_view, 3> StatisticNames{"mean", "ratio", "difference"};

template <std::size_t N>
FieldForm choiceOf(const std::array<std::string_view, N>& names)
{
    return {Kind::Choice, {}, {names.begin(), names.end()}};
}

/// The enumerator of this name, which is one of them.
template <typename Enum, std::size_t N>
Enum enumeratorOf(const FieldJson& value, const std::array<std::string_view, N>& names)
{
    return static_cast<Enum>(std::ranges::find(names, value.get_ref<const std::string&>()) - names.begin());
}

/// A row that keeps a text, or a wording, in a member.
template <auto Member, typename T>
void takeText(const FieldJson& value, T& into, const FieldReader&)
{
    into.*Member = value.get<std::string>();
}
template <auto Member, typename T>
void takeWording(const FieldJson& value, T& into, const FieldReader&)
{
    into.*Member = wordingFrom(value);
}
template <auto Member, typename T>
void takeInteger(const FieldJson& value, T& into, const FieldReader&)
{
    into.*Member = value.get<int>();
}
void takeVersion(const FieldJson& value, const FieldReader& reader)
{
    const auto version = value.get<std::int64_t>();
    if (version > LaboratoryVersion) {
        reader.fail(LS_TR("Messages", "version %1 is of a later Lockstep; this program reads %2"),
            {version, LaboratoryVersion});
    } else if (version < 1) {
        reader.fail(LS_TR("Messages", "there is no version %1; it is %2"), {version, LaboratoryVersion});
    }
}

constexpr std::array<std::string_view, 5> CurveCharts{"loss", "accuracy", "train-loss", "test-loss", SweepChart};
constexpr std::array<std::string_view, 4> CurveAxes{"step", "epoch", "seconds", BytesAxis};

/// Of what a prediction is about: the result, or the chart of a curve.
const std::vector<FieldRow<PredictionStep>>& subjectRows()
{
    static const std::vector<FieldRow<PredictionStep>> Rows{
        {{"step", {Kind::Id}, true, "The id of the experiment step."},
            [](const FieldJson& value, PredictionStep& into, const FieldReader&) {
                into.of.step = value.get<std::string>();
            }},
        {{"figure", {Kind::Text}, false,
             "The figure's name, as in `result.json`: `final_loss`, `test_accuracy`, `ms_per_step_typical`. Not of a "
             "curve."},
            [](const FieldJson& value, PredictionStep& into, const FieldReader&) {
                into.of.figure = value.get<std::string>();
            }},
        {{"variant", {Kind::Text}, false, "The variant's name in the spec. Not of an order."},
            [](const FieldJson& value, PredictionStep& into, const FieldReader&) {
                into.of.variant = value.get<std::string>();
            }},
        {{"against", {Kind::Text}, false,
             "The variant that it is compared with: needed by a direction, and by a number whose figure is a time or a "
             "throughput."},
            [](const FieldJson& value, PredictionStep& into, const FieldReader&) {
                into.of.against = value.get<std::string>();
            }},
        {{"variants", {Kind::Texts}, false, "Of an order: the variants to be ordered. Without it: all of the step."},
            [](const FieldJson& value, PredictionStep& into, const FieldReader&) {
                into.of.variants = textsFrom(value);
            }},
        {{"statistic", choiceOf(StatisticNames), false,
             "`mean` of the repeats; `ratio` to the other variant; `difference` of shares, in points. Without it: the "
             "mean; with `against` the ratio, of shares the difference."},
            [](const FieldJson& value, PredictionStep& into, const FieldReader&) {
                into.of.statistic = enumeratorOf<Statistic>(value, StatisticNames);
            }},
        {{"chart", choiceOf(CurveCharts), false,
             "Of a curve: what is drawn. `sweep`: the median time of a call in ms, of a variant that measures "
             "collectives."},
            takeText<&PredictionStep::chart, PredictionStep>},
        {{"x", choiceOf(CurveAxes), false,
             "Of a curve: the horizontal axis. Without it: `step`. Of `sweep` it is `bytes`, which is logarithmic."},
            takeText<&PredictionStep::x, PredictionStep>},
        {{"log", {Kind::Flag}, false, "Of a curve: a logarithmic vertical axis."},
            [](const FieldJson& value, PredictionStep& into, const FieldReader&) {
                into.isLogarithmic = value.get<bool>();
            }},
    };
    return Rows;
}

const std::vector<FieldRow<Reference>>& aboutRows()
{
    static const std::vector<FieldRow<Reference>> Rows{
        {{"step", {Kind::Id}, true, "The id of the experiment step whose charts stand beside it."},
            takeText<&Reference::step, Reference>},
        {{"figure", {Kind::Text}, false, "The figure that it is about."}, takeText<&Reference::figure, Reference>},
        {{"variant", {Kind::Text}, false, "The variant that it is about."}, takeText<&Reference::variant, Reference>},
    };
    return Rows;
}

const std::vector<FieldRow<Choice>>& choiceRows()
{
    static const std::vector<FieldRow<Choice>> Rows{
        {{"id", {Kind::Id}, true, "By which the key names it."}, takeText<&Choice::id, Choice>},
        {{"text", {Kind::TextOrWording}, true, "What the student reads."}, takeWording<&Choice::text, Choice>},
    };
    return Rows;
}

template <typename Content>
void takeAbout(const FieldJson& value, Step& into, const FieldReader& reader)
{
    readFields<Reference>(value, aboutRows(), std::get<Content>(into.content).about, reader);
}

void takeSubject(const FieldJson& value, Step& into, const FieldReader& reader)
{
    readFields<PredictionStep>(value, subjectRows(), std::get<PredictionStep>(into.content), reader);
}

constexpr std::string_view BothGiven = LS_TR("Messages", "an experiment and a preset are given; leave one out");

void takeSpec(const FieldJson& value, Step& into, const FieldReader& reader)
{
    auto spec = experiment::parseSpec(value.dump(-1, ' ', false, FieldJson::error_handler_t::replace));
    if (!spec) {
        reader.fail(LS_TR("Messages", "its spec: %1"), {spec.error()});
        return;
    }
    auto& step = std::get<ExperimentStep>(into.content);
    if (!step.preset.empty()) {
        reader.fail(BothGiven);
    }
    step.spec = *std::move(spec);
}

void takePreset(const FieldJson& value, Step& into, const FieldReader& reader)
{
    auto& step = std::get<ExperimentStep>(into.content);
    if (!step.spec.experiment.empty()) {
        reader.fail(BothGiven);
        return;
    }
    step.preset = value.get<std::string>();
    auto spec = experiment::preset(step.preset);
    if (!spec || step.preset == experiment::OwnExperiment) {
        reader.fail(LS_TR("Messages", "there is no preset %1; allowed: %2"),
            {verbatim(step.preset), verbatim(listed(experiment::presetNames()))});
        return;
    }
    step.spec = *std::move(spec);
}

void takeChoices(const FieldJson& value, Step& into, const FieldReader& reader)
{
    for (const FieldJson& each : value) {
        Choice choice;
        readFields<Choice>(each, choiceRows(), choice, reader);
        std::get<QuestionStep>(into.content).choices.push_back(std::move(choice));
    }
}

const std::vector<FieldRow<Step>>& experimentRows()
{
    static const std::vector<FieldRow<Step>> Rows{
        {{"experiment", {Kind::Any, "a spec as a preset file has it"}, false,
             "The spec, as `lockstep run SPEC.json` reads it: base, variants, repeats, title, question, charts. This "
             "field or `preset`. It may not set paths, `rank.program` or `comm.interface`."},
            takeSpec},
        {{"preset", {Kind::Text}, false, "The name of a built-in experiment (`lockstep presets`)."}, takePreset},
        {{"free", {Kind::Texts}, false, "Parameters that the student may change. All others are locked."},
            [](const FieldJson& value, Step& into, const FieldReader&) {
                std::get<ExperimentStep>(into.content).free = textsFrom(value);
            }},
        {{"seed", choiceOf(std::array<std::string_view, 1>{"number"}), false,
             "`number`: the seed is made of the student's number, so that each student measures other runs."},
            [](const FieldJson&, Step& into, const FieldReader&) {
                std::get<ExperimentStep>(into.content).isSeededByNumber = true;
            }},
        {{"hidden", {Kind::Texts}, false,
             "Parameters that are hidden until every question about this step is sealed: names, or beginnings such as "
             "`fault.`. Only a step that hides `fault.` may set `fault.*`."},
            [](const FieldJson& value, Step& into, const FieldReader&) {
                std::get<ExperimentStep>(into.content).hidden = textsFrom(value);
            }},
    };
    return Rows;
}

const std::vector<FieldRow<Step>>& predictionRows()
{
    static const std::vector<FieldRow<Step>> Rows{
        {{"form", choiceOf(PredictionForms), true,
             "`direction`: lower, higher or the same, of a variant against another. `order`: the variants from the "
             "least to the greatest figure. `number`: a number with the student's own range. `curve`: drawn on empty "
             "axes."},
            [](const FieldJson& value, Step& into, const FieldReader&) {
                std::get<PredictionStep>(into.content).form = enumeratorOf<PredictionForm>(value, PredictionForms);
            }},
        {{"lower", {Kind::TextOrWording}, false,
             "Of a direction: the word that answers the question where the figure is lower, such as `shorter`."},
            [](const FieldJson& value, Step& into, const FieldReader&) {
                std::get<PredictionStep>(into.content).lower = wordingFrom(value);
            }},
        {{"higher", {Kind::TextOrWording}, false, "The same where it is higher."},
            [](const FieldJson& value, Step& into, const FieldReader&) {
                std::get<PredictionStep>(into.content).higher = wordingFrom(value);
            }},
        {{"of", {Kind::Object, "of"}, true, "What is predicted."}, takeSubject},
    };
    return Rows;
}

const std::vector<FieldRow<Step>>& questionRows()
{
    static const std::vector<FieldRow<Step>> Rows{
        {{"form", choiceOf(QuestionForms), true,
             "`text`: free text. `number`: a number, with its unit. `choice`: one of the choices. `order`: the choices "
             "in order."},
            [](const FieldJson& value, Step& into, const FieldReader&) {
                std::get<QuestionStep>(into.content).form = enumeratorOf<QuestionForm>(value, QuestionForms);
            }},
        {{"unit", {Kind::TextOrWording}, false, "Of a number."},
            [](const FieldJson& value, Step& into, const FieldReader&) {
                std::get<QuestionStep>(into.content).unit = wordingFrom(value);
            }},
        {{"choices", {Kind::Objects, "choice"}, false, "Of a choice and of an order: at least two."}, takeChoices},
        {{"about", {Kind::Object, "about"}, false, "The experiment step whose charts stand beside it."},
            takeAbout<QuestionStep>},
        {{"figures", {Kind::Objects, "figure"}, false,
             "What the answer refers to: the report has these charts and tables of that step's runs right before it."},
            takeFigures},
    };
    return Rows;
}

const std::vector<FieldRow<Step>>& claimRows()
{
    static const std::vector<FieldRow<Step>> Rows{
        {{"about", {Kind::Object, "about"}, true, "The experiment step that the claim is about."},
            takeAbout<ClaimStep>},
    };
    return Rows;
}

const std::vector<FieldRow<Step>>& codeRows()
{
    static const std::vector<FieldRow<Step>> Rows{
        {{"template", {Kind::Text}, true, "A file of the laboratory: `code/ring.py`."},
            [](const FieldJson& value, Step& into, const FieldReader&) {
                std::get<CodeStep>(into.content).templateFile = value.get<std::string>();
            }},
        {{"check", {Kind::Object, "check"}, false,
             "How the code is checked: data such as seeds and shapes, never code. Without it the template is only "
             "shown."},
            [](const FieldJson& value, Step& into, const FieldReader& reader) {
                checkExercise(value, reader);
                std::get<CodeStep>(into.content).check = value.dump();
            }},
    };
    return Rows;
}

const std::vector<FieldRow<Step>>& textRows()
{
    static const std::vector<FieldRow<Step>> Rows;
    return Rows;
}

/// The kinds of steps: in the order of StepContent.
struct StepKind {
    std::string_view name;
    std::string_view help;
    const std::vector<FieldRow<Step>>& (*rows)();
    StepContent (*made)();
};

template <typename Content>
StepContent makeContent()
{
    return Content();
}

constexpr std::array StepKinds{
    StepKind{"text", "To read. Its text is needed.", textRows, makeContent<TextStep>},
    StepKind{"experiment", "To run. Its text is optional.", experimentRows, makeContent<ExperimentStep>},
    StepKind{"prediction", "To predict before the experiment runs. Stands before its experiment. Its text is needed.",
        predictionRows, makeContent<PredictionStep>},
    StepKind{"question", "To answer. Its text is the question.", questionRows, makeContent<QuestionStep>},
    StepKind{"claim",
        "To claim something about an experiment's runs, with a verdict by their figures. Its text is "
        "needed.",
        claimRows, makeContent<ClaimStep>},
    StepKind{"code",
        "To write, from a template. *Check* runs the student's file in processes of its own. Its text is needed.",
        codeRows, makeContent<CodeStep>},
};

const std::vector<FieldRow<Step>>& stepRows()
{
    static const std::vector<FieldRow<Step>> Rows{
        {{"id", {Kind::Id}, true, "Unique. Its texts are `texts/ID.en.md` and `texts/ID.zh.md`."},
            takeText<&Step::id, Step>},
        {{"kind", {Kind::Choice, {}, stepKinds()}, true, "What the step is: the fields of each kind follow."},
            [](const FieldJson&, Step&, const FieldReader&) {}},
        {{"title", {Kind::Wording}, true, "In the list of steps."}, takeWording<&Step::title, Step>},
        {{"optional", {Kind::Flag}, false,
             "true: the step is shown as optional and is not missing from a hand-in without it. It may give points. A "
             "prediction is optional only with its experiment."},
            [](const FieldJson& value, Step& into, const FieldReader&) { into.isOptional = value.get<bool>(); }},
    };
    return Rows;
}

void takeSteps(const FieldJson& value, Laboratory& into, const FieldReader& reader)
{
    for (const FieldJson& each : value) {
        const std::string id = each.is_object() && each.contains("id") && each["id"].is_string()
            ? each["id"].get<std::string>()
            : std::to_string(into.steps.size() + 1);
        const FieldReader ofStep = reader.in(id);
        const FieldJson kind = each.is_object() ? each.value("kind", FieldJson()) : FieldJson();
        const auto found = std::ranges::find_if(StepKinds,
            [&kind](const StepKind& row) { return kind.is_string() && kind.get<std::string>() == row.name; });
        std::vector<FieldRow<Step>> rows = stepRows();
        Step step;
        if (found != StepKinds.end()) {
            step.content = found->made();
            std::ranges::copy(found->rows(), std::back_inserter(rows));
        } else if (each.is_object()) {
            ofStep.fail(LS_TR("Messages", "its kind is not one of %1"), {verbatim(listed(stepKinds()))});
            into.steps.push_back(std::move(step));
            continue;
        }
        readFields<Step>(each, rows, step, ofStep);
        into.steps.push_back(std::move(step));
    }
}

const std::vector<FieldRow<Laboratory>>& laboratoryRows()
{
    static const std::vector<FieldRow<Laboratory>> Rows{
        {{"version", {Kind::Version, {}, {}, 1.0}, true, "1. A later version is refused."},
            [](const FieldJson& value, Laboratory&, const FieldReader& reader) { takeVersion(value, reader); }},
        {{"id", {Kind::Id}, true, "Names the laboratory in hand-ins and folders."},
            takeText<&Laboratory::id, Laboratory>},
        {{"revision", {Kind::Integer, {}, {}, 1.0}, true, "Raise it whenever what was handed out is changed."},
            takeInteger<&Laboratory::revision, Laboratory>},
        {{"minutes", {Kind::Integer, {}, {}, 1.0}, false, "About how long it takes."},
            takeInteger<&Laboratory::minutes, Laboratory>},
        {{"title", {Kind::Wording}, true, "In the gallery and on the report."},
            takeWording<&Laboratory::title, Laboratory>},
        {{"course", {Kind::Wording}, false, "On the report."}, takeWording<&Laboratory::course, Laboratory>},
        {{"aim", {Kind::Wording}, false, "One or two sentences, in the gallery."},
            takeWording<&Laboratory::aim, Laboratory>},
        {{"steps", {Kind::Objects, "step"}, true, "In order; at least one."}, takeSteps},
    };
    return Rows;
}

void takeAnswer(const FieldJson& value, KeyEntry& into, const FieldReader&)
{
    if (value.is_array()) {
        into.order = textsFrom(value);
    } else {
        into.answer = value.is_string() ? value.get<std::string>() : value.dump();
    }
}

const std::vector<FieldRow<KeyEntry>>& keyEntryRows()
{
    static const std::vector<FieldRow<KeyEntry>> Rows{
        {{"answer", {Kind::Answer}, false,
             "A number, a formula of the step's settings such as `2*(n-1)/n*bytes`, the id of a choice, a list of ids "
             "in order, or a text."},
            takeAnswer},
        {{"tolerance", {Kind::Number}, false, "Of a number, relative: 0.05 is 5 %."},
            [](const FieldJson& value, KeyEntry& into, const FieldReader&) { into.tolerance = value.get<double>(); }},
        {{"points", {Kind::Number}, false,
             "The most that the step gives. A prediction gives them all for being made, right or not."},
            [](const FieldJson& value, KeyEntry& into, const FieldReader&) { into.points = value.get<double>(); }},
        {{"rubric", {Kind::Wording}, false, "What a good answer has, for the marker."},
            takeWording<&KeyEntry::rubric, KeyEntry>},
    };
    return Rows;
}

const std::vector<FieldRow<LaboratoryKey>>& keyRows()
{
    static const std::vector<FieldRow<LaboratoryKey>> Rows{
        {{"version", {Kind::Version, {}, {}, 1.0}, false, "1. A later version is refused."},
            [](const FieldJson& value, LaboratoryKey&, const FieldReader& reader) { takeVersion(value, reader); }},
        {{"laboratory", {Kind::Id}, true, "The laboratory's id."}, takeText<&LaboratoryKey::laboratory, LaboratoryKey>},
        {{"revision", {Kind::Integer, {}, {}, 1.0}, true, "The laboratory's revision."},
            takeInteger<&LaboratoryKey::revision, LaboratoryKey>},
        {{"steps", {Kind::ObjectsById, "key step"}, true, "By the ids of steps."},
            [](const FieldJson& value, LaboratoryKey& into, const FieldReader& reader) {
                for (const auto& [id, entry] : value.items()) {
                    readFields<KeyEntry>(entry, keyEntryRows(), into.steps[id], reader.in(id));
                }
            }},
    };
    return Rows;
}

template <typename T>
FieldTable tableOf(std::string_view name, std::string_view help, const std::vector<FieldRow<T>>& rows)
{
    FieldTable table{name, help, {}};
    std::ranges::transform(rows, std::back_inserter(table.fields), &FieldRow<T>::info);
    return table;
}

} // namespace

void readDescription(const FieldJson& json, Laboratory& into, const FieldReader& reader)
{
    readFields<Laboratory>(json, laboratoryRows(), into, reader);
}

void readKeyFields(const FieldJson& json, LaboratoryKey& into, const FieldReader& reader)
{
    readFields<LaboratoryKey>(json, keyRows(), into, reader);
}

std::string_view nameOf(PredictionForm form)
{
    return PredictionForms[static_cast<std::size_t>(form)];
}

std::vector<std::string_view> stepKinds()
{
    return namesOf(StepKinds, &StepKind::name);
}

std::vector<FieldTable> fieldTables()
{
    std::vector<FieldTable> tables{tableOf("laboratory", "The whole of laboratory.json.", laboratoryRows()),
        tableOf("step", "What every step has.", stepRows())};
    for (const StepKind& kind : StepKinds) {
        tables.push_back(tableOf(kind.name, kind.help, kind.rows()));
    }
    tables.push_back(tableOf("of", "What a prediction is of.", subjectRows()));
    tables.push_back(tableOf("about", "What a question or claim is about.", aboutRows()));
    tables.push_back(tableOf("figure",
        "A chart or a table in the report. `timeline` and `ranks` are of `about.variant`, if given.", figureRows()));
    tables.push_back(tableOf("choice", "One choice of a question.", choiceRows()));
    tables.push_back(
        tableOf("key", "The whole of a key: key.json in the folder, NAME.key beside what was handed out.", keyRows()));
    tables.push_back(tableOf("key step", "What the key has of a step.", keyEntryRows()));
    return tables;
}

} // namespace lockstep::laboratory
