#include "laboratory/grading/mark_work.h"

#include "analysis/finding.h"
#include "analysis/plain_text.h"
#include "base/translate.h"
#include "laboratory/careful_json.h"
#include "laboratory/counted_variants.h"
#include "laboratory/entry_json.h"
#include "language/shown_names.h"
#include "language/wording.h"

#include <QRegularExpression>
#include <QString>

#include <algorithm>
#include <cmath>

namespace lockstep::laboratory::grading {

using namespace Qt::StringLiterals;

namespace {

/// Of an answer without a tolerance in the key.
constexpr double StandardTolerance = 0.01;
constexpr std::size_t LongestNote = 400;
constexpr std::size_t LongestAnswer = 20'000; ///< that a marker reads, in bytes

/// `Holds: Last batch loss of Adam against SGD is -12 %.`
Text judgedNote(Judgement judgement, const analysis::Finding& sentence)
{
    const Text measured = verbatim(language::findingSentence(sentence));
    switch (judgement) {
    case Judgement::Holds:
        return {LS_TR("Messages", "Holds: %1"), {measured}};
    case Judgement::DoesNotHold:
        return {LS_TR("Messages", "Does not hold: %1"), {measured}};
    case Judgement::CannotBeTold:
        return {LS_TR("Messages", "Cannot be told: %1"), {measured}};
    case Judgement::NotMeasured:
        break;
    }
    return measured;
}

/// The entry of a list in handin.json that `is` says; null: none.
template <typename Is>
Json statedIn(const Json& handIn, const char* list, Is is)
{
    if (handIn.is_object() && handIn.contains(list) && handIn[list].is_array()) {
        for (const Json& each : handIn[list]) {
            if (each.is_object() && is(each)) {
                return each;
            }
        }
    }
    return {};
}

/// What the student saw; an id that the question does not have, as it is.
std::string choiceText(const QuestionStep& question, const std::string& id)
{
    const auto found = std::ranges::find(question.choices, id, &Choice::id);
    return found == question.choices.end() ? id : language::inLanguage(found->text);
}

Json memberOf(const Json& json, const char* name)
{
    return json.is_object() ? json.value(name, Json()) : Json();
}

class WorkMarker {
public:
    WorkMarker(const Laboratory& laboratory, const LaboratoryKey& key, const ReadWork& work, const CheckCode& checkCode)
        : m_laboratory(laboratory)
        , m_key(key)
        , m_work(work)
        , m_state(work.handIn.state)
        , m_checkCode(checkCode)
        , m_stated(carefulJson(work.handIn.json))
    { }

    std::vector<StepMark> marks()
    {
        std::vector<StepMark> all;
        for (const Step& step : m_laboratory.steps) {
            const auto entry = m_key.steps.find(step.id);
            if (entry != m_key.steps.end() && entry->second.points > 0.0) {
                StepMark mark{step.id, entry->second.points};
                std::visit([&](const auto& content) { markStep(step, content, entry->second, mark); }, step.content);
                all.push_back(std::move(mark));
            }
        }
        return all;
    }

private:
    [[nodiscard]] std::vector<analysis::RunRecord> runsOf(std::string_view step) const
    {
        return runsOfStep(m_work.runs, m_state, step);
    }
    void markStep(const Step& step, const TextStep&, const KeyEntry& entry, StepMark& mark) const
    {
        mark.automatic = m_state.stateOf(m_laboratory, step.id) == StepState::Done ? entry.points : 0.0;
    }
    void markStep(const Step& step, const CodeStep&, const KeyEntry& entry, StepMark& mark) const
    {
        const CodeMark verdict = m_checkCode(m_laboratory, step, m_work);
        mark.note = verdict.note;
        if (verdict.share) {
            mark.automatic = entry.points * *verdict.share;
        }
    }
    void markStep(const Step& step, const ExperimentStep& content, const KeyEntry& entry, StepMark& mark) const;
    void markStep(const Step& step, const PredictionStep& content, const KeyEntry& entry, StepMark& mark) const;
    void markStep(const Step& step, const QuestionStep& content, const KeyEntry& entry, StepMark& mark) const;
    void markStep(const Step& step, const ClaimStep& content, const KeyEntry& entry, StepMark& mark) const;
    void markNumber(const QuestionStep& content, const Answer& answer, const KeyEntry& entry, StepMark& mark) const;
    [[nodiscard]] bool ranBefore(std::string_view experiment, const SealedPrediction& sealed) const;
    static void compareStated(const Json& stated, Judgement judgement, StepMark& mark);

    const Laboratory& m_laboratory;
    const LaboratoryKey& m_key;
    const ReadWork& m_work;
    const WorkState& m_state;
    const CheckCode& m_checkCode;
    const Json m_stated;
};

/// The share of the variants that have a finished run in the hand-in.
void WorkMarker::markStep(const Step& step, const ExperimentStep& content, const KeyEntry& entry, StepMark& mark) const
{
    const auto expected = experiment::expand(content.spec);
    const auto runs = runsOf(step.id);
    std::vector<std::string> names;
    if (expected) {
        std::ranges::transform(*expected, std::back_inserter(names), &experiment::RunSpec::name);
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const auto there = std::ranges::count_if(
        names, [&runs](const std::string& name) { return !countedVariant(runs, name).runs.empty(); });
    mark.automatic
        = names.empty() ? 0.0 : entry.points * static_cast<double>(there) / static_cast<double>(names.size());
    mark.note = {LS_TR("Messages", "%1 runs; finished ones of %2 of %3 variants"), {runs.size(), there, names.size()}};
    const std::size_t named = m_state.runsOf(step.id).size();
    if (named > runs.size()) {
        mark.remarks.emplace_back(
            LS_TR("Messages", "%1 runs of the journal are not in the hand-in"), std::vector<Text>{named - runs.size()});
    }
    if (content.isSeededByNumber && !isFree(content, nameOf(&experiment::TrainSettings::seed))) {
        const auto own = specOf(step, m_state.number());
        const auto seeded = own ? experiment::expand(*own) : Result<std::vector<experiment::RunSpec>>(own.error());
        const auto isForeign = [&](const analysis::RunRecord& run) {
            return !seeded || std::ranges::none_of(*seeded, [&run](const experiment::RunSpec& each) {
                return each.settings->train.seed == run.spec.settings->train.seed;
            });
        };
        if (const auto foreign = std::ranges::count_if(runs, isForeign); foreign > 0) {
            mark.remarks.emplace_back(
                LS_TR("Messages", "%1 runs do not have the seed of the student's number"), std::vector<Text>{foreign});
        }
    }
}

/// By the journal's order, not by its times.
bool WorkMarker::ranBefore(std::string_view experiment, const SealedPrediction& sealed) const
{
    for (const Entry& entry : m_work.handIn.journal.entries()) {
        if (entry.kind == EntryKind::Seal && sealCodeOf(entry.hash) == sealed.code) {
            return false;
        }
        if (entry.kind == EntryKind::Run && entry.step == experiment) {
            return true;
        }
    }
    return false;
}

void WorkMarker::markStep(const Step& step, const PredictionStep& content, const KeyEntry& entry, StepMark& mark) const
{
    const SealedPrediction* sealed = m_state.sealOf(step.id);
    if (sealed == nullptr) {
        mark.automatic = 0.0;
        mark.note = LS_TR("Messages", "no prediction");
        return;
    }
    if (ranBefore(content.of.step, *sealed)) {
        mark.automatic = 0.0;
        mark.note = LS_TR("Messages", "sealed after the experiment had run");
        return;
    }
    mark.automatic = entry.points;
    const Outcome outcome = outcomeOf(sealed->prediction, step, runsOf(content.of.step));
    mark.note = judgedNote(outcome.judgement, outcome.sentence);
    const Json stated
        = memberOf(statedIn(m_stated, "predictions", [&](const Json& each) { return textIn(each, "step") == step.id; }),
            "outcome");
    compareStated(stated, outcome.judgement, mark);
    const Json value = memberOf(stated, "measured");
    if (value.is_number() && std::isfinite(outcome.measured)
        && std::abs(value.get<double>() - outcome.measured) > 1e-6 * std::abs(outcome.measured)) {
        mark.remarks.emplace_back(LS_TR("Messages", "the hand-in states %1; its runs give %2"),
            std::vector<Text>{verbatim(Json(value).dump()), verbatim(Json(outcome.measured).dump())});
    }
}

/// Work that was handed in before its runs had ended states nothing.
void WorkMarker::compareStated(const Json& stated, Judgement judgement, StepMark& mark)
{
    const std::string said = textIn(stated, "judgement");
    if (!said.empty() && said != nameOf(Judgement::NotMeasured) && said != nameOf(judgement)) {
        mark.remarks.emplace_back(LS_TR("Messages", "the hand-in states %1; its runs give %2"),
            std::vector<Text>{verbatim(analysis::shortened(said, 40)), verbatim(nameOf(judgement))});
    }
}

void WorkMarker::markNumber(
    const QuestionStep& content, const Answer& answer, const KeyEntry& entry, StepMark& mark) const
{
    // The student may have changed free parameters: the settings that were run count.
    auto run = runForFormula(m_laboratory, content);
    if (run) {
        const auto runs = runsOf(content.about.step);
        const CountedVariant own = countedVariant(runs, run->name);
        run = own.runs.empty() ? *run : own.runs.front()->spec;
    }
    const auto right = run ? formulaValue(entry.answer, *run) : Result<double>(run.error());
    if (!right) {
        mark.remarks.emplace_back(right.error());
        return;
    }
    const double tolerance = entry.tolerance.value_or(StandardTolerance) * std::abs(*right) + 1e-12;
    const bool isRight = std::ranges::any_of(
        typedNumbers(answer.text, content.unit), [&](double given) { return std::abs(given - *right) <= tolerance; });
    mark.automatic = isRight ? entry.points : 0.0;
    const auto computed = computedAnswer(entry.answer, *run, content.unit.en);
    mark.note = {LS_TR("Messages", "%1 (key: %2)"),
        {verbatim(analysis::cleanLine(analysis::shortened(answer.text, 80))),
            verbatim(computed ? *computed : entry.answer)}};
}

void WorkMarker::markStep(const Step& step, const QuestionStep& content, const KeyEntry& entry, StepMark& mark) const
{
    const Answer answer = m_state.answerOf(step.id);
    if (answer.empty()) {
        mark.automatic = 0.0;
        mark.note = LS_TR("Messages", "no answer");
        return;
    }
    switch (content.form) {
    case QuestionForm::Text:
        mark.note = verbatim(analysis::cleanText(analysis::shortened(answer.text, LongestAnswer)));
        return;
    case QuestionForm::Number:
        if (!entry.answer.empty()) {
            markNumber(content, answer, entry, mark);
        }
        return;
    case QuestionForm::Choice:
        if (!entry.answer.empty()) {
            mark.automatic = answer.text == entry.answer ? entry.points : 0.0;
        }
        mark.note = verbatim(analysis::cleanLine(analysis::shortened(choiceText(content, answer.text), LongestNote)));
        return;
    case QuestionForm::Order:
        if (!entry.order.empty()) {
            mark.automatic = entry.points * pairsRight(answer.order, entry.order);
        }
        mark.note = verbatim(analysis::cleanLine(analysis::shortened(
            listed(
                answer.order, [&](const std::string& id) { return choiceText(content, id); }, " > "),
            LongestNote)));
        return;
    }
}

/// The share of the claims that hold.
void WorkMarker::markStep(const Step& step, const ClaimStep& content, const KeyEntry& entry, StepMark& mark) const
{
    const auto claims = m_state.claimsOf(step.id);
    const auto runs = runsOf(content.about.step);
    mark.automatic = 0.0;
    mark.note = LS_TR("Messages", "no claim");
    std::size_t holding = 0;
    for (const MadeClaim& made : claims) {
        const Verdict verdict = verdictOf(made.claim, runs);
        holding += verdict.judgement == Judgement::Holds ? 1 : 0;
        const Text note = judgedNote(verdict.judgement, verdict.sentence);
        mark.note = &made == &claims.front() ? note : Text("%1 %2", {mark.note, note});
        const Json claim = toJson(made.claim);
        const Json stated = statedIn(m_stated, "claims",
            [&](const Json& each) { return textIn(each, "step") == step.id && memberOf(each, "claim") == claim; });
        compareStated(memberOf(stated, "verdict"), verdict.judgement, mark);
    }
    if (!claims.empty()) {
        mark.automatic = entry.points * static_cast<double>(holding) / static_cast<double>(claims.size());
    }
}

} // namespace

CodeMark codeNotRun(const Laboratory&, const Step&, const ReadWork&)
{
    return {{}, LS_TR("Messages", "code not run")};
}

std::vector<StepMark> markedSteps(
    const Laboratory& laboratory, const LaboratoryKey& key, const ReadWork& work, const CheckCode& checkCode)
{
    return WorkMarker(laboratory, key, work, checkCode).marks();
}

std::vector<double> typedNumbers(std::string_view text, const Wording& unit)
{
    QString number = QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min<std::size_t>(text.size(), 100)));
    number = number.normalized(QString::NormalizationForm_KC).trimmed();
    for (const std::string& each : {unit.en, unit.zh}) {
        if (const QString ending = QString::fromStdString(each); !ending.isEmpty() && number.endsWith(ending)) {
            number = number.chopped(ending.size()).trimmed();
        }
    }
    number.replace(QChar(0x2212), u'-');
    std::vector<double> readings;
    const auto read = [&readings](const QString& each) {
        bool isNumber = false;
        const double value = each.toDouble(&isNumber);
        if (isNumber && std::isfinite(value)) {
            readings.push_back(value);
        }
    };
    static const QRegularExpression Thousands(u"\\A-?\\d{1,3}(,\\d{3})+(\\.\\d*)?\\z"_s);
    if (Thousands.match(number).hasMatch()) {
        read(QString(number).remove(u','));
    }
    if (number.count(u',') == 1 && !number.contains(u'.')) {
        number.replace(u',', u'.');
    }
    read(number);
    return readings;
}

double pairsRight(const std::vector<std::string>& answer, const std::vector<std::string>& right)
{
    const auto place = [&answer](const std::string& id) { return std::ranges::find(answer, id) - answer.begin(); };
    std::size_t agreeing = 0;
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        for (std::size_t j = i + 1; j < right.size(); ++j) {
            ++pairs;
            agreeing += place(right[i]) < place(right[j]) ? 1 : 0;
        }
    }
    return pairs == 0 ? 0.0 : static_cast<double>(agreeing) / static_cast<double>(pairs);
}

} // namespace lockstep::laboratory::grading
