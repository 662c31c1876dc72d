#include "ui/models/laboratory/laboratory_model.h"

#include "laboratory/outcome.h"
#include "language/shown_names.h"
#include "language/wording.h"
#include "ui/models/form/error_text.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/shown_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::ui {

using laboratory::Step;
using laboratory::StepState;

namespace {

constexpr int WatchEveryMs = 500;

std::vector<experiment::Override> overridesOf(const std::map<std::string, QString>& texts)
{
    std::vector<experiment::Override> overrides;
    for (const auto& [name, text] : texts) {
        if (!text.trimmed().isEmpty()) {
            overrides.push_back({name, text.trimmed().toStdString()});
        }
    }
    return overrides;
}

} // namespace

LaboratoryModel::LaboratoryModel(
    std::unique_ptr<laboratory::Work> work, RunLookup runs, std::optional<laboratory::LaboratoryKey> key)
    : m_work(std::move(work))
    , m_runs(std::move(runs))
    , m_key(std::move(key))
    , m_codeCheck(*m_work)
{
    m_watch.setInterval(WatchEveryMs);
    connect(&m_watch, &QTimer::timeout, this, [this] {
        if (const auto error = m_work->takeWriteError()) {
            Q_EMIT failed(errorText(*error));
        }
    });
    m_watch.start();
    connect(&m_codeCheck, &CodeCheck::changed, this, &LaboratoryModel::changed);
    connect(&m_codeCheck, &CodeCheck::failed, this, &LaboratoryModel::failed);
    // Where the student left off.
    const auto& steps = laboratory().steps;
    const auto open
        = std::ranges::find_if(steps, [this](const Step& step) { return stateOf(step) != StepState::Done; });
    m_current = open == steps.end() ? 0 : static_cast<int>(open - steps.begin());
}

const Step& LaboratoryModel::current() const
{
    return laboratory().steps[static_cast<std::size_t>(m_current)];
}

void LaboratoryModel::setCurrent(int index)
{
    if (index == m_current || index < 0 || index >= static_cast<int>(laboratory().steps.size())) {
        return;
    }
    writeTyped();
    m_current = index;
    Q_EMIT currentChanged();
}

StepState LaboratoryModel::stateOf(const Step& step) const
{
    return state().stateOf(laboratory(), step.id);
}

std::vector<analysis::RunRecord> LaboratoryModel::recordsOf(const Step& experiment) const
{
    std::vector<analysis::RunRecord> records;
    for (const RunId& run : state().runsOf(experiment.id)) {
        if (auto record = m_runs.record(run)) {
            records.push_back(*std::move(record));
        }
    }
    return language::named(std::move(records));
}

LaboratoryModel::RunCounts LaboratoryModel::countsOf(const Step& experiment) const
{
    RunCounts counts;
    counts.queued = m_runs.waiting ? m_runs.waiting(experiment.id) : 0;
    counts.known = counts.queued;
    for (const RunId& run : state().runsOf(experiment.id)) {
        if (const auto status = m_runs.status(run)) {
            const bool isQueued = *status == analysis::RunStatus::Queued;
            ++counts.known;
            counts.finished += *status == analysis::RunStatus::Finished ? 1 : 0;
            counts.queued += isQueued ? 1 : 0;
            counts.active += isQueued || analysis::isFinal(*status) ? 0 : 1;
        }
    }
    return counts;
}

bool LaboratoryModel::tell(const Result<void>& result)
{
    if (!result) {
        Q_EMIT failed(errorText(result.error()));
        return false;
    }
    Q_EMIT changed();
    return true;
}

bool LaboratoryModel::setStudents(const std::vector<laboratory::Student>& students)
{
    return tell(m_work->setStudents(students));
}

/// Without changed(): the form that is typed into shows it already.
bool LaboratoryModel::type(const laboratory::Answer& answer)
{
    const StepState before = stateOf(current());
    const auto typed = m_work->type(current().id, answer);
    if (!typed || stateOf(current()) != before) {
        return tell(typed);
    }
    return true;
}

/// Without changed(), as type().
bool LaboratoryModel::keepDraft(const laboratory::PredictionDraft& draft)
{
    const auto kept = m_work->keepDraft(current().id, draft);
    return kept || tell(kept);
}

bool LaboratoryModel::sealAnswer()
{
    const auto code = m_work->sealAnswer(current().id);
    return tell(code ? Result<void>() : code.error());
}

bool LaboratoryModel::seal(const laboratory::Prediction& prediction)
{
    const auto code = m_work->seal(current().id, prediction);
    return tell(code ? Result<void>() : code.error());
}

bool LaboratoryModel::comment(const QString& text)
{
    return text.trimmed().isEmpty() || tell(m_work->comment(current().id, text.trimmed().toStdString()));
}

bool LaboratoryModel::addClaim(const laboratory::Claim& claim)
{
    return tell(m_work->addClaim(current().id, claim));
}

bool LaboratoryModel::removeClaim(std::int64_t entry)
{
    return tell(m_work->removeClaim(current().id, entry));
}

bool LaboratoryModel::setDone()
{
    return stateOf(current()) == StepState::Done || tell(m_work->setDone(current().id));
}

bool LaboratoryModel::addRuns(const std::string& step, const std::vector<RunId>& runs)
{
    return tell(m_work->addRuns(step, runs));
}

void LaboratoryModel::writeTyped()
{
    m_codeCheck.writeTyped();
    if (const auto written = m_work->writeTyped(); !written) {
        Q_EMIT failed(errorText(written.error()));
    }
}

QString titleOf(const LaboratoryModel& model)
{
    const QString title = wordingText(model.laboratory().title);
    if (!model.work().isReadOnly()) {
        return title;
    }
    QStringList students;
    for (const laboratory::Student& each : model.state().students()) {
        students += shownName(each.number.empty() ? each.name : each.name + " " + each.number);
    }
    return LaboratoryModel::tr("%1: hand-in of %2").arg(title, students.join(LaboratoryModel::tr(", ")));
}

QString rangesText(const LaboratoryModel& model)
{
    std::vector<analysis::RunRecord> runs;
    for (const Step& step : model.laboratory().steps) {
        if (step.is<laboratory::ExperimentStep>()) {
            std::ranges::move(model.recordsOf(step), std::back_inserter(runs));
        }
    }
    const auto score = rangesHeld(model.laboratory(), model.state(), runs);
    const auto sentence = laboratory::rangesSentence(score);
    return sentence ? QString::fromStdString(language::findingSentence(*sentence)) : QString();
}

const Step* experimentOf(const LaboratoryModel& model, const Step& step)
{
    return step.is<laboratory::ExperimentStep>() ? &step : model.laboratory().find(laboratory::subjectOf(step));
}

bool needsNumber(const LaboratoryModel& model, const Step& experiment)
{
    const auto* kind = experiment.as<laboratory::ExperimentStep>();
    return kind != nullptr && kind->isSeededByNumber && model.state().number().empty();
}

Result<std::vector<experiment::RunSpec>> runsToStart(LaboratoryModel& model, const Step& experiment)
{
    LOCKSTEP_TRY_ASSIGN(
        const auto spec, model.work().specToRun(experiment.id, overridesOf(model.freeTextsOf(experiment.id))));
    return experiment::expand(spec);
}

QString runProblemOf(LaboratoryModel& model, const Step& experiment)
{
    if (model.work().isReadOnly()) {
        return LaboratoryModel::tr("This is a hand-in: it is only read.");
    }
    const auto predictions = model.state().unsealed(model.laboratory(), experiment.id);
    if (!predictions.empty()) {
        const Step* first = model.laboratory().find(predictions.front());
        return LaboratoryModel::tr("Seal this prediction first: %1")
            .arg(first == nullptr ? QString() : wordingText(first->title));
    }
    if (needsNumber(model, experiment)) {
        return LaboratoryModel::tr("Enter your student number first: the seed follows from it.");
    }
    const auto runs = runsToStart(model, experiment);
    return runs ? QString() : titledErrorText(runs.error());
}

} // namespace lockstep::ui
