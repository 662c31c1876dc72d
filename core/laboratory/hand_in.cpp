#include "laboratory/hand_in.h"

#include "analysis/plain_text.h"
#include "base/draft_folder.h"
#include "base/translate.h"
#include "laboratory/code/run_trial.h"
#include "laboratory/counted_variants.h"
#include "laboratory/entry_json.h"
#include "laboratory/hand_in_names.h"
#include "laboratory/read_laboratory.h"
#include "language/language.h"

#include <QDateTime>
#include <QFile>

#include <algorithm>
#include <cmath>

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

Json numberJson(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

std::string englishOf(const analysis::Finding& finding)
{
    return analysis::sentence(finding, [](std::string_view text) { return std::string(text); });
}

Json outcomeJson(const Outcome& outcome)
{
    return {{"judgement", std::string(nameOf(outcome.judgement))}, {"measured", numberJson(outcome.measured)},
        {"low", numberJson(outcome.low)}, {"high", numberJson(outcome.high)},
        {"residual", numberJson(outcome.residual)}, {"in_range", outcome.isInRange}, {"order", outcome.order},
        {"pairs", outcome.pairs}, {"pairs_told", outcome.pairsTold}, {"pairs_agreeing", outcome.pairsAgreeing},
        {"repeats", outcome.repeats}, {"text", englishOf(outcome.sentence)}};
}

Json verdictJson(const Verdict& verdict)
{
    return {{"judgement", std::string(nameOf(verdict.judgement))},
        {"difference", numberJson(verdict.difference.difference)}, {"low", numberJson(verdict.difference.low)},
        {"high", numberJson(verdict.difference.high)}, {"in_points", verdict.difference.isInPoints},
        {"repeats", verdict.repeats}, {"more_repeats", verdict.moreRepeats}, {"text", englishOf(verdict.sentence)}};
}

/// What handin.json says of a work, from its journal and its runs.
class HandInJson {
public:
    HandInJson(const Work& work, std::span<const analysis::RunRecord> runs)
        : m_laboratory(work.laboratory())
        , m_state(work.state())
        , m_runs(runs)
    { }

    [[nodiscard]] Json predictions() const
    {
        Json list = Json::array();
        for (const Step& step : m_laboratory.steps) {
            if (const SealedPrediction* sealed = m_state.sealOf(step.id)) {
                list.push_back({{"step", step.id}, {"at", sealed->at}, {"code", sealed->code},
                    {"prediction", toJson(sealed->prediction)}, {"comments", sealed->comments},
                    {"outcome", outcomeJson(outcomeOf(sealed->prediction, step, runsOf(subjectOf(step))))}});
            }
        }
        return list;
    }
    [[nodiscard]] Json answers() const
    {
        Json list = Json::array();
        for (const Step& step : m_laboratory.steps) {
            const Answer answer = m_state.answerOf(step.id);
            const SealedAnswer* sealed = m_state.sealedAnswerOf(step.id);
            if (step.is<QuestionStep>() && !answer.empty()) {
                list.push_back({{"step", step.id}, {"answer", toJson(answer)},
                    {"sealed_at", sealed == nullptr ? Json() : Json(sealed->at)},
                    {"code", sealed == nullptr ? Json() : Json(sealed->code)}});
            }
        }
        return list;
    }
    [[nodiscard]] Json claims() const
    {
        Json list = Json::array();
        for (const Step& step : m_laboratory.steps) {
            for (const MadeClaim& made : m_state.claimsOf(step.id)) {
                list.push_back({{"step", step.id}, {"at", made.at}, {"claim", toJson(made.claim)},
                    {"verdict", verdictJson(verdictOf(made.claim, runsOf(subjectOf(step))))}});
            }
        }
        return list;
    }
    [[nodiscard]] Json missing() const
    {
        Json list = Json::array();
        for (const Missing& each : m_state.missing(m_laboratory)) {
            list.push_back({{"step", each.step}, {"what", std::string(textOf(each.kind))}});
        }
        return list;
    }
    /// What the student's machine said. Marking checks the code itself.
    [[nodiscard]] Json code() const
    {
        Json list = Json::array();
        for (const Step& step : m_laboratory.steps) {
            const auto* code = step.as<CodeStep>();
            for (const CheckedCode& each : m_state.checksOf(step.id)) {
                list.push_back({{"step", step.id}, {"file", code == nullptr ? std::string() : code->templateFile},
                    {"at", each.at}, {"sha256", each.sha256}, {"right", each.isRight}, {"mistake", each.mistake}});
            }
        }
        return list;
    }
    [[nodiscard]] Json runs() const
    {
        Json list = Json::array();
        for (const Step& step : m_laboratory.steps) {
            for (const RunId& id : m_state.runsOf(step.id)) {
                list.push_back({{"step", step.id}, {"run", id.text}});
            }
        }
        return list;
    }

private:
    [[nodiscard]] std::vector<analysis::RunRecord> runsOf(std::string_view step) const
    {
        return runsOfStep(m_runs, m_state, step);
    }

    const Laboratory& m_laboratory;
    const WorkState& m_state;
    std::span<const analysis::RunRecord> m_runs;
};

Json handInJson(const Work& work, std::span<const analysis::RunRecord> runs, const std::string& version,
    const std::vector<std::string>& machine)
{
    const language::TextsIn english(language::TextLanguage::English);
    const Laboratory& laboratory = work.laboratory();
    const HandInJson json(work, runs);
    const auto& fault = work.journal().fault();
    return {{"format", HandInFormat}, {"version", HandInVersion}, {"program", version},
        {"at", QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString()},
        {"laboratory", {{"id", laboratory.id}, {"revision", laboratory.revision}, {"sha256", laboratory.sha256}}},
        {"students", toJson(work.state().students())},
        {"journal",
            {{"entries", work.journal().entries().size()}, {"head", work.journal().head()},
                {"fault", fault ? Json(fault->text()) : Json()}, {"note", std::string(WhatSealsShow)}}},
        {"predictions", json.predictions()}, {"answers", json.answers()}, {"claims", json.claims()},
        {"code", json.code()}, {"missing", json.missing()}, {"runs", json.runs()}, {"machine", machine}};
}

/// The student's files. One that is there and cannot be handed in is an Error: left out, it would earn nothing.
Result<std::map<std::string, QByteArray>> studentsCode(const Work& work)
{
    std::map<std::string, QByteArray> code;
    for (const Step& step : work.laboratory().steps) {
        if (!step.is<CodeStep>()) {
            continue;
        }
        QFile file(codeFileOf(work, step));
        if (!file.exists()) {
            continue;
        }
        if (file.size() > LargestCode) {
            return failure(
                LS_TR("Messages", "%1 has more than %2 bytes"), {verbatim(file.fileName().toStdString()), LargestCode});
        }
        if (!file.open(QIODevice::ReadOnly)) {
            return failure(LS_TR("Messages", "%1 cannot be read: %2"),
                {verbatim(file.fileName().toStdString()), verbatim(file.errorString().toStdString())});
        }
        code[step.id] = file.readAll();
    }
    return code;
}

} // namespace

QString handInName(const std::vector<Student>& students, const Laboratory& laboratory)
{
    constexpr std::size_t LongestNumber = 32;
    constexpr std::size_t LongestName = 40;
    constexpr std::size_t LongestId = 30;
    const Student first = students.empty() ? Student() : students.front();
    std::string name;
    for (const auto& [text, most] : {std::pair(normalizedNumber(first.number), LongestNumber),
             std::pair(first.name, LongestName), std::pair(laboratory.id, LongestId)}) {
        // Cut to whole characters; the sign of that is no part of a name.
        std::string part = analysis::readableName(text);
        if (part.size() > most) {
            part = analysis::readableName(analysis::shortened(part, most));
        }
        name += (name.empty() || part.empty() ? "" : "-") + part;
    }
    return QString::fromStdString(name) + QLatin1StringView(HandInSuffix);
}

Result<HandInDraft> HandInDraft::create(const Work& work, const store::RunStore& store, const std::string& version)
{
    HandInDraft draft;
    std::vector<analysis::RunRecord> runs;
    for (const RunId& id : work.state().allRuns()) {
        auto run = store.load(id);
        if (!run) {
            ++draft.m_lostRuns;
        } else {
            runs.push_back(*std::move(run));
        }
    }
    if (!runs.empty()) {
        LOCKSTEP_TRY_ASSIGN(draft.m_bundle, exchange::BundleDraft::create(store, runs, exchange::Names::LeaveOut));
    }
    const auto machine = draft.m_bundle ? draft.m_bundle->contents().environment : std::vector<std::string>();
    draft.m_missing = work.state().missing(work.laboratory());
    draft.m_json = handInJson(work, runs, version, machine).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    std::vector<archive::ZipInput> files;
    for (const auto& [name, content] : work.laboratory().files) {
        files.push_back({name, content.toStdString()});
    }
    LOCKSTEP_TRY_ASSIGN(std::string laboratory, archive::zipped(files));
    draft.m_files = {
        {HandInName, draft.m_json}, {HandInLaboratory, std::move(laboratory)}, {HandInJournal, work.journal().bytes()}};
    LOCKSTEP_TRY_ASSIGN(draft.m_code, studentsCode(work));
    for (const auto& [step, code] : draft.m_code) {
        const std::string& name = work.laboratory().find(step)->as<CodeStep>()->templateFile;
        if (std::ranges::find(draft.m_files, name, &archive::ZipInput::name) == draft.m_files.end()) {
            draft.m_files.push_back({name, code.toStdString()});
        }
    }
    return draft;
}

std::optional<exchange::BundleContents> HandInDraft::runs() const
{
    return m_bundle ? std::optional<exchange::BundleContents>(m_bundle->contents()) : std::nullopt;
}

std::vector<std::string> HandInDraft::members() const
{
    std::vector<std::string> names;
    std::ranges::transform(m_files, std::back_inserter(names), &archive::ZipInput::name);
    if (m_bundle) {
        names.emplace_back(HandInRuns);
    }
    return names;
}

Result<void> HandInDraft::write(const QString& path) const
{
    std::vector<archive::ZipInput> files = m_files;
    if (!m_bundle) {
        return archive::writeZip(path.toStdString(), files);
    }
    LOCKSTEP_TRY_ASSIGN(const auto folder, DraftFolder::makeBeside(path.toStdString()));
    const std::string runs = folder.file(HandInRuns);
    LOCKSTEP_TRY(m_bundle->write(QString::fromStdString(runs)));
    files.push_back({HandInRuns, {}, runs});
    return archive::writeZip(path.toStdString(), files);
}

} // namespace lockstep::laboratory
