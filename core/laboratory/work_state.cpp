#include "laboratory/work_state.h"

#include "base/translate.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <array>

namespace lockstep::laboratory {

namespace {

/// What a step of this kind lacks while it is not done.
MissingKind lackOf(const Step& step)
{
    constexpr std::array<MissingKind, 6> Lacks{MissingKind::Unread, MissingKind::WithoutRuns, MissingKind::Unpredicted,
        MissingKind::Unanswered, MissingKind::WithoutClaim, MissingKind::Unsolved};
    return isToRead(step) ? MissingKind::Unread : Lacks[step.content.index()];
}

} // namespace

std::string_view textOf(MissingKind kind)
{
    constexpr std::string_view Texts[] = {LS_TR("Laboratory", "no name and number"), LS_TR("Laboratory", "not read"),
        LS_TR("Laboratory", "no answer"), LS_TR("Laboratory", "no prediction"), LS_TR("Laboratory", "no runs"),
        LS_TR("Laboratory", "no claim"), LS_TR("Laboratory", "no right code")};
    return Texts[static_cast<std::size_t>(kind)];
}

void WorkState::take(const Entry& entry)
{
    switch (entry.kind) {
    case EntryKind::Student:
        takeStudents(entry);
        break;
    case EntryKind::Text:
        if (auto answer = answerFrom(entry.content.value("answer", Json()));
            answer && sealedAnswerOf(entry.step) == nullptr) {
            m_answers[entry.step] = *std::move(answer);
        }
        break;
    case EntryKind::Seal:
        takeSeal(entry);
        break;
    case EntryKind::Run:
        for (const std::string& id : textsIn(entry.content, "runs")) {
            if (isRunId(id)) {
                m_runs[entry.step].push_back({id});
            }
        }
        break;
    case EntryKind::Claim:
        takeClaim(entry);
        break;
    case EntryKind::Comment:
        takeComment(entry);
        break;
    case EntryKind::Draft:
        if (auto draft = draftFrom(entry.content.value("draft", Json()))) {
            m_drafts[entry.step] = *std::move(draft);
        }
        break;
    case EntryKind::Done:
        m_done.insert(entry.step);
        break;
    case EntryKind::Check:
        takeCheck(entry);
        break;
    case EntryKind::Begin:
    case EntryKind::Other:
        break;
    }
}

void WorkState::takeStudents(const Entry& entry)
{
    m_students = studentsFrom(entry.content.value("students", Json()));
}

void WorkState::takeSeal(const Entry& entry)
{
    // The first one counts: a second is nothing that this program writes.
    if (auto prediction = predictionFrom(entry.content.value("prediction", Json()))) {
        m_seals.try_emplace(entry.step, SealedPrediction{*std::move(prediction), entry.at, sealCodeOf(entry.hash), {}});
    } else if (auto answer = answerFrom(entry.content.value("answer", Json()))) {
        const auto [sealed, isNew] = m_sealedAnswers.try_emplace(
            entry.step, SealedAnswer{*std::move(answer), entry.at, sealCodeOf(entry.hash), {}});
        m_answers[entry.step] = sealed->second.answer;
    }
}

void WorkState::takeClaim(const Entry& entry)
{
    std::vector<MadeClaim>& claims = m_claims[entry.step];
    if (const Json removed = entry.content.value("removed", Json()); removed.is_number_integer()) {
        std::erase_if(claims, [&](const MadeClaim& each) { return each.entry == removed.get<std::int64_t>(); });
    } else if (auto claim = claimFrom(entry.content.value("claim", Json()))) {
        claims.push_back({entry.number, *std::move(claim), entry.at});
    }
}

void WorkState::takeComment(const Entry& entry)
{
    const std::string text = textIn(entry.content, "text");
    if (const auto sealed = m_seals.find(entry.step); sealed != m_seals.end()) {
        sealed->second.comments.push_back(text);
    }
    if (const auto sealed = m_sealedAnswers.find(entry.step); sealed != m_sealedAnswers.end()) {
        sealed->second.comments.push_back(text);
    }
}

void WorkState::takeCheck(const Entry& entry)
{
    m_checks[entry.step].push_back({entry.at, textIn(entry.content, "sha256"),
        entry.content.value("right", Json()) == true, textIn(entry.content, "mistake")});
}

std::string WorkState::number() const
{
    return m_students.empty() ? std::string() : m_students.front().number;
}

Answer WorkState::answerOf(std::string_view step) const
{
    const auto found = m_answers.find(step);
    return found == m_answers.end() ? Answer() : found->second;
}

const SealedAnswer* WorkState::sealedAnswerOf(std::string_view step) const
{
    const auto found = m_sealedAnswers.find(step);
    return found == m_sealedAnswers.end() ? nullptr : &found->second;
}

const SealedPrediction* WorkState::sealOf(std::string_view step) const
{
    const auto found = m_seals.find(step);
    return found == m_seals.end() ? nullptr : &found->second;
}

PredictionDraft WorkState::draftOf(std::string_view step) const
{
    const auto found = m_drafts.find(step);
    return found == m_drafts.end() ? PredictionDraft() : found->second;
}

std::vector<RunId> WorkState::runsOf(std::string_view step) const
{
    const auto found = m_runs.find(step);
    return found == m_runs.end() ? std::vector<RunId>() : found->second;
}

std::vector<RunId> WorkState::allRuns() const
{
    std::set<RunId> all;
    for (const auto& [step, runs] : m_runs) {
        all.insert(runs.begin(), runs.end());
    }
    return {all.begin(), all.end()};
}

std::vector<MadeClaim> WorkState::claimsOf(std::string_view step) const
{
    const auto found = m_claims.find(step);
    return found == m_claims.end() ? std::vector<MadeClaim>() : found->second;
}

std::vector<CheckedCode> WorkState::checksOf(std::string_view step) const
{
    const auto found = m_checks.find(step);
    return found == m_checks.end() ? std::vector<CheckedCode>() : found->second;
}

std::vector<std::string> WorkState::unsealed(const Laboratory& laboratory, std::string_view experimentStep) const
{
    std::vector<std::string> ids;
    for (const Step* step : laboratory.predictionsOf(experimentStep)) {
        if (sealOf(step->id) == nullptr) {
            ids.push_back(step->id);
        }
    }
    return ids;
}

StepState WorkState::stateOf(const Laboratory& laboratory, std::string_view id) const
{
    const Step* step = laboratory.find(id);
    if (step == nullptr) {
        return StepState::Open;
    }
    const auto doneIf = [](bool isDone) { return isDone ? StepState::Done : StepState::Open; };
    if (step->is<ExperimentStep>()) {
        return !runsOf(id).empty()             ? StepState::Done
            : unsealed(laboratory, id).empty() ? StepState::Ready
                                               : StepState::Waiting;
    }
    if (step->is<PredictionStep>()) {
        return doneIf(sealOf(id) != nullptr);
    }
    if (step->is<QuestionStep>()) {
        return doneIf(!answerOf(id).empty());
    }
    if (step->is<ClaimStep>()) {
        return doneIf(!claimsOf(id).empty());
    }
    return doneIf(isToRead(*step) ? m_done.contains(id) : std::ranges::any_of(checksOf(id), &CheckedCode::isRight));
}

std::vector<Missing> WorkState::missing(const Laboratory& laboratory) const
{
    std::vector<Missing> missing;
    const bool isNamed = std::ranges::any_of(
        m_students, [](const Student& each) { return !each.name.empty() && !each.number.empty(); });
    if (!isNamed) {
        missing.push_back({{}, MissingKind::Student});
    }
    for (const Step& step : laboratory.steps) {
        if (!step.isOptional && stateOf(laboratory, step.id) != StepState::Done) {
            missing.push_back({step.id, lackOf(step)});
        }
    }
    return missing;
}

bool WorkState::hidesEstimates(const Laboratory& laboratory, std::string_view experimentStep) const
{
    return !unsealed(laboratory, experimentStep).empty();
}

bool WorkState::hidesParameters(const Laboratory& laboratory, std::string_view experimentStep) const
{
    const ExperimentStep* content = laboratory.experiment(experimentStep);
    return content != nullptr && !content->hidden.empty()
        && std::ranges::any_of(laboratory.questionsAbout(experimentStep),
            [this](const Step* question) { return sealedAnswerOf(question->id) == nullptr; });
}

bool WorkState::hides(const Laboratory& laboratory, const RunId& run, std::string_view parameter) const
{
    return std::ranges::any_of(m_runs, [&](const auto& each) {
        const ExperimentStep* content = laboratory.experiment(each.first);
        return content != nullptr && std::ranges::find(each.second, run) != each.second.end()
            && isHidden(*content, parameter) && hidesParameters(laboratory, each.first);
    });
}

} // namespace lockstep::laboratory
