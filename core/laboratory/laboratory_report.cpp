#include "analysis/figures/figure.h"
#include "analysis/numbers.h"
#include "base/translate.h"
#include "experiment/variant_name.h"
#include "laboratory/counted_variants.h"
#include "laboratory/format/markdown_check.h"
#include "laboratory/hand_in.h"

#include <algorithm>
#include <iterator>

namespace lockstep::laboratory {

namespace {

report::Chart chartOf(const std::string& kind, const std::string& x = {}, bool isLogarithmic = false)
{
    report::Chart chart;
    chart.kind = kind;
    chart.x = x;
    chart.isLogarithmic = isLogarithmic;
    return chart;
}

/// Makes the blocks of one report, step by step.
class ReportComposer {
public:
    ReportComposer(const Laboratory& laboratory, const WorkState& state, const report::Source& source)
        : m_laboratory(laboratory)
        , m_state(state)
        , m_source(source)
    { }

    report::Report report()
    {
        report::Report made;
        made.language = m_source.language;
        made.words = {m_source.say(LS_TR("Report", "Figure")), m_source.say(LS_TR("Report", "Table")),
            m_source.say(LS_TR("Report", "Write your answer here."))};
        made.title = inLanguage(m_laboratory.title);
        made.titleLines = titleLines();
        if (const std::string& aim = inLanguage(m_laboratory.aim); !aim.empty()) {
            add("aim", report::Paragraph{aim});
        }
        for (const Step& step : m_laboratory.steps) {
            const std::string& title = inLanguage(step.title);
            add(step.id,
                report::Heading{1, step.isOptional ? m_source.say(LS_TR("Report", "%1 (optional)"), {title}) : title});
            std::visit([&](const auto& content) { addStep(step, content); }, step.content);
        }
        addSeals();
        made.blocks = std::move(m_blocks);
        return made;
    }

private:
    void add(std::string key, decltype(report::Block::content) content)
    {
        m_blocks.push_back({std::move(key), std::move(content)});
    }
    [[nodiscard]] const std::string& inLanguage(const Wording& wording) const
    {
        return experiment::textOf(wording, m_source.language == report::Language::Chinese);
    }
    [[nodiscard]] std::string sentenceOf(const analysis::Finding& finding) const
    {
        return analysis::sentence(finding, [this](std::string_view text) {
            for (const char* context : {"Findings", "Parameters"}) {
                if (std::string found = m_source.say(context, text); found != text) {
                    return found;
                }
            }
            return m_source.say("Figures", text);
        });
    }
    /// The judgement before what was measured.
    [[nodiscard]] std::string judgedText(Judgement judgement, const analysis::Finding& finding) const
    {
        const std::string measured = sentenceOf(finding);
        switch (judgement) {
        case Judgement::NotMeasured:
            break;
        case Judgement::Holds:
            return m_source.say(LS_TR("Report", "Holds. %1"), {measured});
        case Judgement::DoesNotHold:
            return m_source.say(LS_TR("Report", "Does not hold. %1"), {measured});
        case Judgement::CannotBeTold:
            return m_source.say(LS_TR("Report", "Cannot be told. %1"), {measured});
        }
        return measured;
    }
    [[nodiscard]] std::vector<analysis::RunRecord> runsOf(std::string_view step) const
    {
        return runsOfStep(m_source.runs, m_state, step);
    }
    [[nodiscard]] std::vector<report::TitleLine> titleLines() const
    {
        std::vector<report::TitleLine> lines;
        if (const std::string& course = inLanguage(m_laboratory.course); !course.empty()) {
            lines.push_back({m_source.say(LS_TR("Report", "Course")), course});
        }
        for (const Student& each : m_state.students()) {
            lines.push_back({m_source.say(LS_TR("Report", "Name")), each.name});
            lines.push_back({m_source.say(LS_TR("Report", "Student number")), each.number});
        }
        lines.push_back({m_source.say(LS_TR("Report", "Date")), m_source.date});
        return lines;
    }
    void addText(const Step& step)
    {
        std::size_t number = 0;
        for (std::string& each : plainParagraphs(inLanguage(step.text))) {
            add(step.id + ".text." + std::to_string(++number), report::Paragraph{std::move(each)});
        }
    }

    void addStep(const Step& step, const TextStep&) { addText(step); }
    void addStep(const Step& step, const CodeStep&)
    {
        addText(step);
        if (isToRead(step)) {
            return;
        }
        const auto checks = m_state.checksOf(step.id);
        const bool isRight = std::ranges::any_of(checks, &CheckedCode::isRight);
        const std::string count = std::to_string(checks.size());
        add(step.id + ".check",
            report::Paragraph{checks.empty() ? m_source.say(LS_TR("Report", "Code not checked."))
                    : isRight
                    ? m_source.say(LS_TR("Report", "Code right on the student's computer, after %1 checks."), {count})
                    : m_source.say(
                        LS_TR("Report", "Code not right yet on the student's computer, after %1 checks."), {count})});
    }
    void addStep(const Step& step, const ExperimentStep& content)
    {
        addText(step);
        if (runsOf(step.id).empty()) {
            add(step.id + ".none", report::Paragraph{m_source.say(LS_TR("Report", "Not run."))});
            return;
        }
        const std::vector<std::string> charts
            = content.spec.about.charts.empty() ? std::vector<std::string>{"loss"} : content.spec.about.charts;
        for (const std::string& kind : charts) {
            add(step.id + ".chart." + kind, chartOf(kind));
        }
    }
    void addStep(const Step& step, const PredictionStep& content);
    void addStep(const Step& step, const QuestionStep& content);
    void addStep(const Step& step, const ClaimStep& content);
    void addComments(const Step& step, const std::vector<std::string>& comments);
    void addSeals();
    [[nodiscard]] std::string predictedText(const Prediction& prediction) const;

    const Laboratory& m_laboratory;
    const WorkState& m_state;
    const report::Source& m_source;
    std::vector<report::Block> m_blocks;
};

std::string ReportComposer::predictedText(const Prediction& prediction) const
{
    if (const auto* direction = std::get_if<DirectionPrediction>(&prediction.value)) {
        return direction->direction == Direction::Lower ? m_source.say(LS_TR("Report", "lower"))
            : direction->direction == Direction::Higher ? m_source.say(LS_TR("Report", "higher"))
                                                        : m_source.say(LS_TR("Report", "the same"));
    }
    if (const auto* order = std::get_if<OrderPrediction>(&prediction.value)) {
        return listed(order->variants, {}, " < ");
    }
    if (const auto* number = std::get_if<NumberPrediction>(&prediction.value)) {
        return m_source.say(LS_TR("Report", "%1, from %2 to %3"),
            {analysis::threeDigits(number->best), analysis::threeDigits(number->low),
                analysis::threeDigits(number->high)});
    }
    return m_source.say(LS_TR("Report", "a drawn curve"));
}

void ReportComposer::addComments(const Step& step, const std::vector<std::string>& comments)
{
    for (std::size_t i = 0; i < comments.size(); ++i) {
        add(step.id + ".comment." + std::to_string(i + 1),
            report::Paragraph{m_source.say(LS_TR("Report", "Added later: %1"), {comments[i]})});
    }
}

void ReportComposer::addStep(const Step& step, const PredictionStep& content)
{
    addText(step);
    const SealedPrediction* sealed = m_state.sealOf(step.id);
    if (sealed == nullptr) {
        add(step.id + ".none", report::Paragraph{m_source.say(LS_TR("Report", "No prediction."))});
        return;
    }
    const Outcome outcome = outcomeOf(sealed->prediction, step, runsOf(content.of.step));
    report::Table table;
    table.header = {m_source.say(LS_TR("Report", "Predicted")), m_source.say(LS_TR("Report", "Measured"))};
    table.isNumber = {false, false};
    table.rows = {{predictedText(sealed->prediction), judgedText(outcome.judgement, outcome.sentence)}};
    table.caption = m_source.say(LS_TR("Report", "Sealed at %1, code %2"), {sealed->at, sealed->code});
    add(step.id + ".prediction", std::move(table));
    if (content.form == PredictionForm::Curve && outcome.judgement != Judgement::NotMeasured) {
        add(step.id + ".curve",
            content.chart == SweepChart ? chartOf(content.chart)
                                        : chartOf(content.chart, content.x, content.isLogarithmic));
    }
    if (!sealed->prediction.reason.empty()) {
        add(step.id + ".reason",
            report::Paragraph{m_source.say(LS_TR("Report", "Reason given before: %1"), {sealed->prediction.reason})});
    }
    addComments(step, sealed->comments);
}

void ReportComposer::addStep(const Step& step, const QuestionStep& content)
{
    const auto choiceText = [&](const std::string& id) {
        const auto found = std::ranges::find(content.choices, id, &Choice::id);
        return found == content.choices.end() ? id : inLanguage(found->text);
    };
    const Answer answer = m_state.answerOf(step.id);
    report::Question question;
    question.text = listed(plainParagraphs(inLanguage(step.text)), {}, "\n");
    question.answer = content.form == QuestionForm::Choice ? choiceText(answer.text)
        : content.form == QuestionForm::Order              ? listed(answer.order, choiceText, " > ")
                                                           : answer.text;
    if (content.form == QuestionForm::Number && !answer.text.empty() && !inLanguage(content.unit).empty()) {
        question.answer += " " + inLanguage(content.unit);
    }
    add(step.id + ".answer", std::move(question));
    if (const SealedAnswer* sealed = m_state.sealedAnswerOf(step.id)) {
        addComments(step, sealed->comments);
    }
}

void ReportComposer::addStep(const Step& step, const ClaimStep& content)
{
    addText(step);
    const auto runs = runsOf(content.about.step);
    report::Sentences sentences;
    for (const MadeClaim& made : m_state.claimsOf(step.id)) {
        const Verdict verdict = verdictOf(made.claim, runs);
        const std::string text = judgedText(verdict.judgement, verdict.sentence);
        sentences.list.push_back({std::string(verdict.sentence.kind),
            made.claim.text.empty() ? text : m_source.say(LS_TR("Report", "Claim: %1 - %2"), {made.claim.text, text}),
            verdict.sentence.figures, verdict.sentence.runs});
    }
    if (sentences.list.empty()) {
        add(step.id + ".none", report::Paragraph{m_source.say(LS_TR("Report", "No claim."))});
    } else {
        add(step.id + ".claims", std::move(sentences));
    }
}

void ReportComposer::addSeals()
{
    report::Table table;
    table.header = {m_source.say(LS_TR("Report", "Step")), m_source.say(LS_TR("Report", "Sealed at (UTC)")),
        m_source.say(LS_TR("Report", "Code"))};
    table.isNumber = {false, false, false};
    for (const Step& step : m_laboratory.steps) {
        if (const SealedPrediction* sealed = m_state.sealOf(step.id)) {
            table.rows.push_back({inLanguage(step.title), sealed->at, sealed->code});
        } else if (const SealedAnswer* answer = m_state.sealedAnswerOf(step.id)) {
            table.rows.push_back({inLanguage(step.title), answer->at, answer->code});
        }
    }
    if (table.rows.empty()) {
        return;
    }
    table.caption = m_source.say(LS_TR("Report", "What was sealed, and when"));
    add("seals", report::Heading{1, m_source.say(LS_TR("Report", "Seals"))});
    add("seals.table", std::move(table));
    add("seals.note", report::Paragraph{m_source.say("Laboratory", WhatSealsShow)});
}

} // namespace

report::Report reportOf(const Laboratory& laboratory, const WorkState& state, const report::Source& source)
{
    return ReportComposer(laboratory, state, source).report();
}

} // namespace lockstep::laboratory
