#include "laboratory/code/code_verdict.h"

#include "analysis/plain_text.h"
#include "base/translate.h"
#include "laboratory/entry_json.h"
#include "language/language.h"
#include "language/wording.h"

#include <algorithm>
#include <array>

namespace lockstep::laboratory {

namespace {

constexpr std::size_t LongestCause = 300;

/// What an exception of PyTorch means for someone who writes it the first time.
struct KnownException {
    std::string_view key;
    std::string_view what; ///< part of what the exception says
    std::string_view name;
};

constexpr std::array KnownExceptions{
    KnownException{"no_grad_missing", "a leaf Variable that requires grad is being used in an in-place operation",
        LS_TR("Messages", "parameters are changed while autograd records: use torch.no_grad() in step")},
    KnownException{"no_update", "requires_grad not set on root",
        LS_TR("Messages", "the output is cut off from the graph: it is detached, or computed under no_grad")},
    KnownException{"rref_missing", "object has no attribute 'owner'",
        LS_TR("Messages",
            "the list has parameters themselves: put each into an rpc.RRef, on the rank that has the parameter")},
    KnownException{"grad_is_none", "'NoneType' object has no attribute 'zero_'",
        LS_TR("Messages", "param.grad is None before the first backward: zero_grad must allow that")},
};

const Json* firstError(const Trial& trial, std::size_t& rank)
{
    const Json* first = nullptr;
    for (std::size_t i = 0; i < trial.ranks.size(); ++i) {
        for (const Json* record : recordsOf(trial.ranks[i], "error")) {
            if (first == nullptr || integerIn(*record, "at") < integerIn(*first, "at")) {
                first = record;
                rank = i;
            }
        }
    }
    return first;
}

CodeVerdict raised(const Trial& trial, const Json& record, std::size_t rank)
{
    const std::string all = textIn(record, "what");
    const std::string said = all.substr(0, all.find("\nException raised from ")); // a stack of C++ follows
    const std::string what = analysis::shortened(analysis::cleanLine(said), LongestCause);
    const std::string kind = textIn(record, "type");
    const Text type
        = verbatim(kind.empty() ? "Exception" : analysis::shortened(analysis::cleanLine(kind), LongestCause));
    const auto line = std::clamp<std::int64_t>(integerIn(record, "line"), 0, 1'000'000);
    Error error = what.empty() ? failure(LS_TR("Messages", "the code raises %1"), {type})
                               : failure(LS_TR("Messages", "the code raises %1: %2"), {type, verbatim(what)});
    CodeVerdict verdict = wrong(
        trial.ranks.size() > 1 ? ofRank(std::move(error), Rank{static_cast<std::int32_t>(rank)}) : std::move(error),
        static_cast<int>(line));
    const auto known = std::ranges::find_if(
        KnownExceptions, [&](const KnownException& each) { return what.find(each.what) != std::string::npos; });
    if (known != KnownExceptions.end()) {
        verdict.mistake = known->key;
        verdict.mistakeName = Text(known->name);
    }
    verdict.output = trial.ranks[rank].output;
    return verdict;
}

std::string listedIn(const Json& record, const char* name)
{
    const std::vector<std::string> texts = textsIn(record, name);
    return analysis::shortened(analysis::cleanLine(listed(texts)), LongestCause);
}

CodeVerdict missing(const Json& record)
{
    const std::string found = listedIn(record, "found");
    return wrong(found.empty() ? failure(LS_TR("Messages", "the file has no %1"), {verbatim(listedIn(record, "names"))})
                               : failure(LS_TR("Messages", "the file has no %1; it has: %2"),
                                   {verbatim(listedIn(record, "names")), verbatim(found)}));
}

std::optional<Error> abnormalEnd(const RankTrial& rank)
{
    switch (rank.end.how) {
    case TrialEnd::TimeLimit:
        return failure(LS_TR("Messages", "the code did not end in time: it waits for something, or loops forever"));
    case TrialEnd::OtherLimit:
        return failureOf(rank.end.why);
    case TrialEnd::Signal:
        return failure(LS_TR("Messages", "the code was ended by signal %1"), {rank.end.code});
    case TrialEnd::Exited:
        if (rank.isCut) {
            return failure(LS_TR("Messages", "the records of the check are damaged or too large"));
        }
        if (rank.end.code != 0 || recordsOf(rank, "end").empty()) {
            return failure(
                LS_TR("Messages", "the code ended the check before its end, with exit code %1"), {rank.end.code});
        }
        break;
    case TrialEnd::AfterFailure:
    case TrialEnd::Cancelled:
        break;
    }
    return std::nullopt;
}

/// Of the record `still`, unless the rank went on; nullptr: it computes, has ended or had raised an exception. One that
/// comes later is of the end of the other rank.
const Json* lastStill(const RankTrial& rank)
{
    const Json* last = nullptr;
    for (const Json& record : rank.records) {
        const std::string kind = textIn(record, "record");
        if (kind == "error" && last == nullptr) {
            return nullptr;
        }
        last = kind == "still" ? &record : kind == "moves" || kind == "end" ? nullptr : last;
    }
    return last;
}

} // namespace

std::vector<std::string> verdictLines(const CodeVerdict& verdict)
{
    if (verdict.isRight()) {
        return {verdict.remark.empty()
                ? language::told(LS_TR("CommandLine", "Right."))
                : language::told(LS_TR("CommandLine", "Right: %1."), {language::worded(verdict.remark)})};
    }
    const std::string fault = language::errorLine(*verdict.fault);
    std::vector<std::string> lines{verdict.line > 0
            ? language::told(LS_TR("CommandLine", "Wrong, line %1: %2"), {std::to_string(verdict.line), fault})
            : language::told(LS_TR("CommandLine", "Wrong: %1"), {fault})};
    if (!verdict.mistakeName.empty()) {
        const std::string name = language::worded(verdict.mistakeName);
        lines.push_back(verdict.mistakeFormula.empty()
                ? language::told(LS_TR("CommandLine", "Known mistake: %1"), {name})
                : language::told(LS_TR("CommandLine", "Known mistake: %1 (%2)"), {name, verdict.mistakeFormula}));
    }
    return lines;
}

CodeVerdict atFunction(CodeVerdict verdict, const Trial& trial, std::initializer_list<std::string_view> names)
{
    if (verdict.isRight() || trial.ranks.empty()) {
        return verdict;
    }
    for (const std::string_view name : names) {
        for (const Json* record : recordsOf(trial.ranks.front(), "lines")) {
            const Json lines = record->value("lines", Json());
            if (verdict.line <= 0 && lines.is_object()) {
                verdict.line = static_cast<int>(std::clamp<std::int64_t>(integerIn(lines, name), 0, 1'000'000));
            }
        }
    }
    return verdict;
}

CodeVerdict wrong(Error fault, int line)
{
    CodeVerdict verdict;
    verdict.fault = std::move(fault);
    verdict.line = line;
    return verdict;
}

std::optional<CodeVerdict> brokenTrial(const Trial& trial)
{
    std::size_t rank = 0;
    if (const Json* record = firstError(trial, rank)) {
        return raised(trial, *record, rank);
    }
    for (const RankTrial& each : trial.ranks) {
        if (const auto records = recordsOf(each, "missing"); !records.empty()) {
            return missing(*records.front());
        }
    }
    for (std::size_t i = 0; i < trial.ranks.size(); ++i) {
        if (auto error = abnormalEnd(trial.ranks[i])) {
            CodeVerdict verdict
                = wrong(trial.ranks.size() > 1 ? ofRank(*std::move(error), Rank{static_cast<std::int32_t>(i)})
                                               : *std::move(error));
            verdict.output = trial.ranks[i].output;
            return verdict;
        }
    }
    return std::nullopt;
}

std::optional<CodeVerdict> standstill(const Trial& trial)
{
    std::optional<Text> all;
    int first = 0;
    for (std::size_t i = 0; i < trial.ranks.size(); ++i) {
        const Json* still = lastStill(trial.ranks[i]);
        if (still == nullptr) {
            return std::nullopt;
        }
        const auto line = static_cast<int>(std::clamp<std::int64_t>(integerIn(*still, "line"), 0, 1'000'000));
        Text part = line > 0 ? Text{LS_TR("Messages", "rank %1 waits in line %2"), {i, line}}
                             : Text{LS_TR("Messages", "rank %1 runs nothing of the file"), {i}};
        first = first > 0 ? first : line;
        all = all ? Text{LS_TR("Messages", "%1; %2"), {*all, std::move(part)}} : std::move(part);
    }
    return all ? std::optional(wrong(failure(LS_TR("Messages", "deadlock: %1"), {*all}), first)) : std::nullopt;
}

} // namespace lockstep::laboratory
