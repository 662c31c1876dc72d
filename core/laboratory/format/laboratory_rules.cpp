#include "laboratory/format/laboratory_rules.h"

#include "analysis/figures/figure.h"
#include "base/translate.h"
#include "experiment/parameter.h"
#include "laboratory/code/exercise.h"
#include "laboratory/format/field_table.h"
#include "laboratory/format/laboratory_files.h"
#include "laboratory/format/markdown_check.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <vector>

namespace lockstep::laboratory {

namespace {

using experiment::Parameter;

constexpr std::string_view FaultBeginning = "fault.";

/// Checks one laboratory; the path of what is wrong is the subject of the error.
class Rules {
public:
    Rules(const Laboratory& laboratory, std::vector<Error>& errors, std::vector<Error>& remarks)
        : m_laboratory(laboratory)
        , m_errors(errors)
        , m_remarks(remarks)
    { }

    void check()
    {
        if (m_laboratory.steps.empty()) {
            fail("steps", LS_TR("Messages", "it needs at least one step"));
        }
        std::set<std::string> ids;
        for (const Step& step : m_laboratory.steps) {
            if (!ids.insert(step.id).second) {
                fail(pathOf(step, "id"), LS_TR("Messages", "another step has this id"));
            }
            std::visit([&](const auto& content) { checkContent(step, content); }, step.content);
            checkOptional(step);
        }
        checkTexts();
        checkTitles();
    }

private:
    static std::string pathOf(const Step& step, std::string_view field)
    {
        return "steps." + step.id + "." + std::string(field);
    }
    void fail(std::string path, std::string_view pattern, std::vector<Text> arguments = {})
    {
        m_errors.push_back(refusal(std::move(path), pattern, std::move(arguments)));
    }
    void remark(std::string path, std::string_view pattern, std::vector<Text> arguments = {})
    {
        m_remarks.push_back(refusal(std::move(path), pattern, std::move(arguments)));
    }

    void checkContent(const Step&, const TextStep&) { }
    void checkContent(const Step& step, const ExperimentStep& content);
    void checkContent(const Step& step, const PredictionStep& content);
    void checkContent(const Step& step, const QuestionStep& content);
    void checkContent(const Step& step, const ClaimStep& content) { checkAbout(step, content.about); }
    void checkContent(const Step& step, const CodeStep& content)
    {
        if (!m_laboratory.files.contains(content.templateFile) || !content.templateFile.starts_with("code/")) {
            fail(pathOf(step, "template"), LS_TR("Messages", "%1 is not a file in its folder code"),
                {verbatim(content.templateFile)});
        }
        if (!content.check.empty() && exerciseOf(content) == nullptr) {
            remark(pathOf(step, "check"), LS_TR("Messages", "its kind is not one of %1; the code is only shown"),
                {verbatim(listed(exercises(), &Exercise::key))});
        }
    }

    void checkSettings(const Step& step, const ExperimentStep& content, const experiment::Assignment& settings);
    void checkNames(const Step& step, const ExperimentStep& content);
    void checkAbout(const Step& step, const Reference& about);
    void checkFigure(const Step& step, const PredictionStep& content);
    void failFigure(const Step& step, std::string_view field, const std::string& given);
    void checkVariant(const Step& step, const ExperimentStep& of, std::string_view field, const std::string& name);
    void checkVariants(const Step& step, const ExperimentStep& of, const PredictionStep& content);
    void checkUnused(const Step& step, const PredictionStep& content);
    const ExperimentStep* findSubject(const Step& step, std::string_view field, const std::string& id);
    void checkOptional(const Step& step);
    void checkTexts();
    void checkText(const std::string& file, const std::string& text);
    void checkTitles();

    const Laboratory& m_laboratory;
    std::vector<Error>& m_errors;
    std::vector<Error>& m_remarks;
};

/// Paths, programs and names of interfaces are of this machine, not of a laboratory's author.
bool isOfMachine(const Parameter& row)
{
    return row.type == experiment::Type::Path || row.name == nameOf(&experiment::RankSettings::program)
        || row.name == nameOf(&experiment::CommSettings::interface);
}

bool isTimed(const analysis::Figure& figure)
{
    return figure.unit == "ms" || figure.unit == "s" || figure.name.starts_with("samples_per_s");
}

const ExperimentStep* Rules::findSubject(const Step& step, std::string_view field, const std::string& id)
{
    const ExperimentStep* found = m_laboratory.experiment(id);
    if (found == nullptr) {
        fail(pathOf(step, field), LS_TR("Messages", "%1 is not an experiment step"), {verbatim(id)});
    }
    return found;
}

void Rules::checkSettings(const Step& step, const ExperimentStep& content, const experiment::Assignment& settings)
{
    for (const auto& [name, value] : settings) {
        const Parameter* row = experiment::findParameter(name);
        const bool isOwn = experiment::isOwnParameter(name);
        if (isOwn || (row != nullptr && isOfMachine(*row) && experiment::toText(value) != "")) {
            fail(pathOf(step, "experiment"),
                LS_TR("Messages", "it sets %1; a laboratory may not set programs, paths and interfaces"),
                {verbatim(name)});
        }
        if (name.starts_with(FaultBeginning) && !isHidden(content, name)) {
            fail(pathOf(step, "experiment"),
                LS_TR("Messages", "it sets %1; only a step that hides fault. may set faults"), {verbatim(name)});
        }
    }
}

void Rules::checkNames(const Step& step, const ExperimentStep& content)
{
    for (const std::string& name : content.free) {
        const Parameter* row = experiment::findParameter(name);
        if (row == nullptr) {
            fail(pathOf(step, "free"), LS_TR("Messages", "%1 is no parameter; `lockstep parameters` lists them all"),
                {verbatim(name)});
        } else if (isOfMachine(*row) || experiment::isOwnParameter(name)) {
            fail(pathOf(step, "free"), LS_TR("Messages", "%1 may not be free: it names programs, paths or interfaces"),
                {verbatim(name)});
        } else if (content.isSeededByNumber && name == nameOf(&experiment::TrainSettings::seed)) {
            fail(pathOf(step, "free"), LS_TR("Messages", "%1 may not be free: it is made of the student's number"),
                {verbatim(name)});
        }
        const auto isOfVariant = [&name](const experiment::Variant& each) { return each.values.contains(name); };
        if (std::ranges::any_of(content.spec.variants, isOfVariant)) {
            fail(pathOf(step, "free"), LS_TR("Messages", "%1 may not be free: the variants set it"), {verbatim(name)});
        }
    }
    for (const std::string& name : content.hidden) {
        const auto isMeant = [&name](const Parameter& row) {
            return row.name == name || (name.ends_with('.') && row.name.starts_with(name));
        };
        if (std::ranges::none_of(experiment::parameters(), isMeant)) {
            fail(pathOf(step, "hidden"),
                LS_TR("Messages", "%1 is no parameter and no beginning of one, such as fault."), {verbatim(name)});
        }
    }
    if (!content.hidden.empty() && m_laboratory.questionsAbout(step.id).empty()) {
        fail(pathOf(step, "hidden"),
            LS_TR("Messages", "it needs a question about this step: hidden settings are shown once that is sealed"));
    }
}

void Rules::checkContent(const Step& step, const ExperimentStep& content)
{
    const bool isGiven = content.preset.empty() && !content.spec.experiment.empty();
    if (content.preset.empty() && !isGiven) {
        fail(pathOf(step, "experiment"), LS_TR("Messages", "it needs an experiment, or a preset"));
        return;
    }
    checkSettings(step, content, content.spec.base);
    for (const experiment::Variant& variant : content.spec.variants) {
        checkSettings(step, content, variant.values);
    }
    checkNames(step, content);
    const auto charts = report::chartNames();
    for (const std::string& name : content.spec.about.charts) {
        if (std::ranges::find(charts, name) == charts.end()) {
            fail(pathOf(step, "experiment.charts"), LS_TR("Messages", "there is no chart %1; did you mean %2?"),
                {verbatim(name), verbatim(nearestOf(name, charts))});
        }
    }
    if (const auto runs = experiment::expand(content.spec); !runs) {
        fail(pathOf(step, "experiment"), LS_TR("Messages", "it cannot run: %1"), {runs.error()});
    }
}

void Rules::failFigure(const Step& step, std::string_view field, const std::string& given)
{
    std::vector<std::string_view> names;
    std::ranges::transform(analysis::figures(), std::back_inserter(names), &analysis::Figure::name);
    fail(pathOf(step, field), LS_TR("Messages", "there is no figure %1; did you mean %2?"),
        {verbatim(given), verbatim(nearestOf(given, names))});
}

void Rules::checkFigure(const Step& step, const PredictionStep& content)
{
    const analysis::Figure* figure = analysis::findFigure(content.of.figure);
    if (figure == nullptr) {
        failFigure(step, "of.figure", content.of.figure);
        return;
    }
    const Statistic statistic = statisticOf(content.of);
    const bool isShare = figure->kind == analysis::FigureKind::Share;
    if (content.form == PredictionForm::Number && isTimed(*figure) && statistic != Statistic::Ratio) {
        fail(pathOf(step, "of.against"),
            LS_TR("Messages",
                "%1 differs from machine to machine; predict its ratio to another variant: name that in against"),
            {verbatim(content.of.figure)});
    } else if (statistic != Statistic::Mean && content.of.against.empty()) {
        fail(pathOf(step, "of.against"), LS_TR("Messages", "it is missing: the other variant"));
    } else if ((statistic == Statistic::Difference) != isShare && statistic != Statistic::Mean) {
        fail(pathOf(step, "of.statistic"),
            LS_TR("Messages", "shares are compared by their difference in points, all other figures by their ratio"));
    }
}

void Rules::checkVariant(const Step& step, const ExperimentStep& of, std::string_view field, const std::string& name)
{
    if (of.spec.variants.empty() && name == of.spec.experiment) {
        return;
    }
    const auto found = std::ranges::find(of.spec.variants, name, &experiment::Variant::name);
    if (found == of.spec.variants.end()) {
        fail(pathOf(step, field), LS_TR("Messages", "the experiment has no variant \"%1\"; it has: %2"),
            {verbatim(name), verbatim(listed(of.spec.variants, &experiment::Variant::name))});
    } else if (!found->isEnabled) {
        fail(pathOf(step, field), LS_TR("Messages", "the variant \"%1\" is switched off"), {verbatim(name)});
    }
}

void Rules::checkAbout(const Step& step, const Reference& about)
{
    const ExperimentStep* of = findSubject(step, "about.step", about.step);
    if (of != nullptr && !about.variant.empty()) {
        checkVariant(step, *of, "about.variant", about.variant);
    }
    if (!about.figure.empty() && analysis::findFigure(about.figure) == nullptr) {
        failFigure(step, "about.figure", about.figure);
    }
}

void Rules::checkVariants(const Step& step, const ExperimentStep& of, const PredictionStep& content)
{
    if (content.form != PredictionForm::Order) {
        checkVariant(step, of, "of.variant", content.of.variant);
        if (!content.of.against.empty()) {
            checkVariant(step, of, "of.against", content.of.against);
        }
        if (content.of.variant == content.of.against) {
            fail(pathOf(step, "of.against"), LS_TR("Messages", "it is the variant itself"));
        }
        return;
    }
    for (const std::string& name : content.of.variants) {
        checkVariant(step, of, "of.variants", name);
    }
    const std::set<std::string> different(content.of.variants.begin(), content.of.variants.end());
    const std::size_t count = content.of.variants.empty() ? of.spec.variants.size() : different.size();
    if (count < 2 || different.size() != content.of.variants.size()) {
        fail(pathOf(step, "of.variants"), LS_TR("Messages", "an order needs at least two variants, each once"));
    }
}

void Rules::checkOptional(const Step& step)
{
    const Step* subject = m_laboratory.find(subjectOf(step));
    if (subject == nullptr || subject->isOptional == step.isOptional) {
        return;
    }
    if (subject->isOptional) {
        remark(pathOf(step, "optional"), LS_TR("Messages", "it is not optional, but its experiment %1 is"),
            {verbatim(subject->id)});
    } else if (step.is<PredictionStep>()) {
        fail(pathOf(step, "optional"),
            LS_TR("Messages", "its experiment %1 is not optional, and runs only once this prediction is sealed"),
            {verbatim(subject->id)});
    }
}

/// Fields that another form has.
void Rules::checkUnused(const Step& step, const PredictionStep& content)
{
    const bool isCurve = content.form == PredictionForm::Curve;
    const bool isOrder = content.form == PredictionForm::Order;
    const std::array<std::pair<const char*, bool>, 5> unused{
        {{"figure", isCurve && !content.of.figure.empty()}, {"chart", !isCurve && !content.chart.empty()},
            {"x", !isCurve && !content.x.empty()}, {"variant", isOrder && !content.of.variant.empty()},
            {"against", (isOrder || isCurve) && !content.of.against.empty()}}};
    for (const auto& [field, isThere] : unused) {
        if (isThere) {
            fail(pathOf(step, "of." + std::string(field)), LS_TR("Messages", "a prediction of the form %1 has none"),
                {verbatim(nameOf(content.form))});
        }
    }
}

void Rules::checkContent(const Step& step, const PredictionStep& content)
{
    checkUnused(step, content);
    const bool isCurve = content.form == PredictionForm::Curve;
    if (isCurve && content.chart.empty()) {
        fail(pathOf(step, "of.chart"),
            LS_TR("Messages", "a curve needs its chart: loss, accuracy, train-loss, test-loss, sweep"));
    }
    if (isCurve && (content.chart == SweepChart) != (content.x == BytesAxis)) {
        fail(pathOf(step, "of.x"), LS_TR("Messages", "the axis bytes is of the chart sweep, which has no other"));
    }
    if (!isCurve) {
        checkFigure(step, content);
    }
    if (content.form == PredictionForm::Direction && content.of.against.empty()) {
        fail(pathOf(step, "of.against"), LS_TR("Messages", "it is missing: the other variant"));
    }
    const ExperimentStep* of = findSubject(step, "of.step", content.of.step);
    if (of == nullptr) {
        return;
    }
    checkVariants(step, *of, content);
    const auto placeOf = [&](const std::string& id) {
        return std::ranges::find(m_laboratory.steps, id, &Step::id) - m_laboratory.steps.begin();
    };
    if (placeOf(step.id) > placeOf(content.of.step)) {
        fail(pathOf(step, "of.step"), LS_TR("Messages", "a prediction stands before its experiment, %1"),
            {verbatim(content.of.step)});
    }
}

void Rules::checkContent(const Step& step, const QuestionStep& content)
{
    const bool hasChoices = content.form == QuestionForm::Choice || content.form == QuestionForm::Order;
    std::set<std::string> ids;
    for (const Choice& each : content.choices) {
        if (!ids.insert(each.id).second) {
            fail(pathOf(step, "choices"), LS_TR("Messages", "two choices have the id %1"), {verbatim(each.id)});
        }
    }
    if (hasChoices != (content.choices.size() >= 2)) {
        fail(pathOf(step, "choices"),
            hasChoices ? LS_TR("Messages", "it needs at least two choices")
                       : LS_TR("Messages", "only the forms choice and order have choices"));
    }
    if (!content.about.step.empty()) {
        checkAbout(step, content.about);
    } else if (!content.figures.empty()) {
        fail(pathOf(step, "figures"), LS_TR("Messages", "it needs about: the experiment step whose runs they show"));
    }
}

void Rules::checkText(const std::string& file, const std::string& text)
{
    if (const std::string html = htmlIn(text); !html.empty()) {
        fail(file, LS_TR("Messages", "it has HTML, %1; only Markdown is shown"), {verbatim(html)});
    }
    if (const std::string open = openFormulaIn(text); !open.empty()) {
        fail(file, LS_TR("Messages", "a formula is not closed by a second $, in: %1"), {verbatim(open)});
    }
    for (const std::string& picture : picturesIn(text)) {
        if (!m_laboratory.files.contains(picture) || !picture.starts_with("pictures/")) {
            fail(file, LS_TR("Messages", "the picture %1 is not in its folder pictures"), {verbatim(picture)});
        }
    }
}

void Rules::checkTexts()
{
    std::array<std::vector<std::string>, 2> lacking; // by language
    for (const Step& step : m_laboratory.steps) {
        const std::array<std::pair<const char*, const std::string*>, 2> texts{
            {{"en", &step.text.en}, {"zh", &step.text.zh}}};
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const std::string file = textFileOf(step.id, texts[i].first);
            if (texts[i].second->empty() && !step.is<ExperimentStep>()) {
                lacking[i].push_back(file);
            }
            checkText(file, *texts[i].second);
            const std::string& title = i == 0 ? step.title.en : step.title.zh;
            if (title.empty()) {
                lacking[i].push_back(pathOf(step, "title." + std::string(texts[i].first)));
            }
        }
    }
    if (m_laboratory.title.en.empty()) {
        lacking[0].emplace_back("title.en");
    }
    if (m_laboratory.title.zh.empty()) {
        lacking[1].emplace_back("title.zh");
    }
    if (!lacking[0].empty() && !lacking[1].empty()) {
        const auto& fewer = lacking[0].size() <= lacking[1].size() ? lacking[0] : lacking[1];
        fail(fewer.front(), LS_TR("Messages", "it is missing or empty; one language must be complete (%1 missing)"),
            {static_cast<std::int64_t>(fewer.size())});
        return;
    }
    for (const auto& paths : lacking) {
        for (const std::string& path : paths) {
            remark(path, LS_TR("Messages", "it is missing or empty: readers of this language get the other one"));
        }
    }
}

void Rules::checkTitles()
{
    const auto check = [this](const std::string& path, const Wording& wording) {
        for (const std::string& text : {wording.en, wording.zh}) {
            if (const std::string html = htmlIn(text); !html.empty()) {
                fail(path, LS_TR("Messages", "it has HTML, %1; only plain text is shown"), {verbatim(html)});
            }
        }
    };
    check("title", m_laboratory.title);
    check("course", m_laboratory.course);
    check("aim", m_laboratory.aim);
    for (const Step& step : m_laboratory.steps) {
        check(pathOf(step, "title"), step.title);
    }
    std::set<std::string> known;
    for (const Step& step : m_laboratory.steps) {
        known.insert({textFileOf(step.id, "en"), textFileOf(step.id, "zh")});
    }
    for (const auto& [name, content] : m_laboratory.files) {
        if (name.starts_with("texts/") && !known.contains(name)) {
            remark(name, LS_TR("Messages", "no step has this text"));
        }
    }
}

} // namespace

void checkRules(const Laboratory& laboratory, std::vector<Error>& errors, std::vector<Error>& remarks)
{
    Rules(laboratory, errors, remarks).check();
}

} // namespace lockstep::laboratory
