#include "analysis/figures/figure.h"
#include "analysis/numbers.h"
#include "base/translate.h"
#include "exchange/report/template.h"
#include "experiment/variant_name.h"
#include "laboratory/counted_variants.h"
#include "laboratory/format/markdown_blocks.h"
#include "laboratory/hand_in.h"
#include "language/shown_names.h"

#include <QDateTime>

#include <algorithm>
#include <iterator>
#include <map>

namespace lockstep::laboratory {

namespace {

/// In the place and to the minute where the report is made.
std::string localTime(const std::string& utc)
{
    const QDateTime at = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs);
    return at.isValid() ? at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")).toStdString() : utc;
}

/// The tables of results that the experiment's report has, and the answer to its question.
report::Section resultsSection(const ExperimentStep& step, const std::string& caption)
{
    report::Section section;
    section.id = "results";
    const report::Template usual = report::templateFor(step.spec.experiment);
    for (const report::Section& each : usual.sections) {
        std::ranges::copy_if(each.content, std::back_inserter(section.content), [](const report::Item& item) {
            return item.kind == report::ItemKind::Table && (item.name == "results" || item.name == "sweep");
        });
    }
    for (report::Item& table : section.content) {
        table.text = {caption, caption};
    }
    report::Item settings;
    settings.kind = report::ItemKind::Table;
    settings.name = "differences";
    section.content.push_back(settings);
    settings.name = "settings";
    section.content.push_back(settings);
    report::Item answer;
    answer.kind = report::ItemKind::Findings;
    answer.kinds = {"answer"};
    section.content.insert(section.content.begin(), answer);
    answer.kinds = {"machine"};
    section.content.push_back(answer);
    return section;
}

/// Those that the experiment opens with, over each axis over which its report draws them.
std::vector<report::Chart> chartsOf(const ExperimentStep& step)
{
    const std::vector<std::string>& own = step.spec.about.charts;
    const std::vector<std::string>& opened = own.empty() ? experiment::aboutPreset(step.spec.experiment).charts : own;
    const report::Template usual = report::templateFor(step.spec.experiment);
    std::vector<report::Chart> charts;
    for (const std::string& kind : opened.empty() ? std::vector<std::string>{"loss"} : opened) {
        const std::size_t before = charts.size();
        for (const report::Section& section : usual.sections) {
            for (const report::Item& item : section.content) {
                if (item.kind == report::ItemKind::Chart && item.name == kind && !item.x.empty()) {
                    charts.push_back({kind, item.x, item.isLogarithmic, {}, {}, {}, {}, {}});
                }
            }
        }
        if (charts.size() == before) {
            charts.push_back({kind, {}, false, {}, {}, {}, {}, {}});
        }
    }
    return charts;
}

/// Makes the blocks of one report, step by step.
class ReportComposer {
public:
    ReportComposer(const Laboratory& laboratory, const WorkState& state, const report::Source& source,
        const std::map<std::string, QByteArray>& code)
        : m_laboratory(laboratory)
        , m_state(state)
        , m_source(source)
        , m_code(code)
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
            const std::string title = numberOf(step.id) + ". " + inLanguage(step.title);
            add(step.id,
                report::Heading{1, step.isOptional ? m_source.say(LS_TR("Report", "%1 (optional)"), {title}) : title});
            std::visit([&](const auto& content) { addStep(step, content); }, step.content);
        }
        addMachine();
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
    /// `3`, of the third step.
    [[nodiscard]] std::string numberOf(std::string_view step) const
    {
        const auto found = std::ranges::find(m_laboratory.steps, step, &Step::id);
        return std::to_string(found - m_laboratory.steps.begin() + 1);
    }
    /// What a person reads for a variant of this experiment step.
    [[nodiscard]] std::string shownName(std::string_view step, const std::string& name) const
    {
        const ExperimentStep* experiment = m_laboratory.experiment(step);
        if (experiment == nullptr) {
            return name;
        }
        const auto& variants = experiment->spec.variants;
        const auto found = std::ranges::find(variants, name, &experiment::Variant::name);
        return found != variants.end()          ? language::shownName(experiment->spec.experiment, name, found->values)
            : experiment->spec.variants.empty() ? inLanguage(experiment->spec.about.title)
                                                : name;
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
    void addText(const Step& step) { addBlocks(step, blocksOf(inLanguage(step.text), inLanguage(step.title))); }
    void addBlocks(const Step& step, std::vector<BlockContent> blocks)
    {
        std::size_t number = 0;
        for (BlockContent& each : blocks) {
            add(step.id + ".text." + std::to_string(++number), std::move(each));
        }
    }
    /// Those of the runs that `isWanted`, with what is known beside their records.
    template <typename Condition>
    [[nodiscard]] report::Source sourceOf(Condition isWanted) const
    {
        report::Source source = m_source;
        source.runs.clear();
        source.facts.clear();
        for (std::size_t i = 0; i < m_source.runs.size(); ++i) {
            if (isWanted(m_source.runs[i])) {
                source.runs.push_back(m_source.runs[i]);
                source.facts.push_back(i < m_source.facts.size() ? m_source.facts[i] : report::RunFacts());
            }
        }
        return source;
    }

    void addStep(const Step& step, const TextStep&) { addText(step); }
    void addStep(const Step& step, const CodeStep&);
    void addStep(const Step& step, const ExperimentStep& content);
    void addStep(const Step& step, const PredictionStep& content);
    void addStep(const Step& step, const QuestionStep& content);
    void addStep(const Step& step, const ClaimStep& content);
    void addComments(const Step& step, const std::vector<std::string>& comments);
    void addMachine();
    void addSeals();
    [[nodiscard]] std::string predictedText(const Prediction& prediction, const Reference& of) const;
    [[nodiscard]] std::string orderText(const std::vector<std::string>& variants, const Reference& of) const;
    [[nodiscard]] std::string checkedText(const std::vector<CheckedCode>& checks) const;

    const Laboratory& m_laboratory;
    const WorkState& m_state;
    const report::Source& m_source;
    const std::map<std::string, QByteArray>& m_code;
    std::vector<report::Block> m_blocks;
};

std::string ReportComposer::checkedText(const std::vector<CheckedCode>& checks) const
{
    if (checks.empty()) {
        return m_source.say(LS_TR("Report", "Code not checked."));
    }
    const bool isRight = std::ranges::any_of(checks, &CheckedCode::isRight);
    if (checks.size() == 1) {
        return m_source.say(isRight ? LS_TR("Report", "Code right on the student's computer, at the first check.")
                                    : LS_TR("Report", "Code not right yet on the student's computer, after 1 check."));
    }
    return m_source.say(isRight ? LS_TR("Report", "Code right on the student's computer, after %1 checks.")
                                : LS_TR("Report", "Code not right yet on the student's computer, after %1 checks."),
        {std::to_string(checks.size())});
}

void ReportComposer::addStep(const Step& step, const CodeStep&)
{
    addText(step);
    if (isToRead(step)) {
        return;
    }
    add(step.id + ".check", report::Paragraph{checkedText(m_state.checksOf(step.id))});
    if (const auto code = m_code.find(step.id); code != m_code.end()) {
        add(step.id + ".code", report::Listing{code->second.trimmed().toStdString()});
    }
}

void ReportComposer::addStep(const Step& step, const ExperimentStep& content)
{
    addText(step);
    const std::vector<RunId> ids = m_state.runsOf(step.id);
    const report::Source own
        = sourceOf([&ids](const analysis::RunRecord& run) { return std::ranges::find(ids, run.id) != ids.end(); });
    if (own.runs.empty()) {
        add(step.id + ".none", report::Paragraph{m_source.say(LS_TR("Report", "Not run."))});
        return;
    }
    for (const report::Chart& chart : chartsOf(content)) {
        add(step.id + ".chart." + chart.kind + (chart.x.empty() ? "" : "." + chart.x), chart);
    }
    report::Template results;
    results.sections.push_back(resultsSection(content,
        m_source.say(LS_TR("Report", "Results of step %1; with repeats, means and 95 % confidence intervals"),
            {numberOf(step.id)})));
    report::Report composed = report::compose(results, own);
    for (report::Block& block : composed.blocks) {
        if (block.key != "question") { // it stands above the answer, or in the step's text
            add(step.id + "." + block.key, std::move(block.content));
        }
    }
}

std::string ReportComposer::orderText(const std::vector<std::string>& variants, const Reference& of) const
{
    return listed(
        variants, [&](const std::string& name) { return shownName(of.step, name); }, " < ");
}

std::string ReportComposer::predictedText(const Prediction& prediction, const Reference& of) const
{
    if (const auto* direction = std::get_if<DirectionPrediction>(&prediction.value)) {
        return direction->direction == Direction::Lower ? m_source.say(LS_TR("Report", "lower"))
            : direction->direction == Direction::Higher ? m_source.say(LS_TR("Report", "higher"))
                                                        : m_source.say(LS_TR("Report", "the same"));
    }
    if (const auto* order = std::get_if<OrderPrediction>(&prediction.value)) {
        return orderText(order->variants, of);
    }
    if (const auto* number = std::get_if<NumberPrediction>(&prediction.value)) {
        const Statistic statistic = statisticOf(of);
        return m_source.say(statistic == Statistic::Ratio ? LS_TR("Report", "%1 times, from %2 to %3")
                : statistic == Statistic::Difference      ? LS_TR("Report", "%1 points, from %2 to %3")
                                                          : LS_TR("Report", "%1, from %2 to %3"),
            {numberText(of, number->best), numberText(of, number->low), numberText(of, number->high)});
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
    std::string measured = judgedText(outcome.judgement, outcome.sentence);
    if (!outcome.order.empty()) {
        measured += (m_source.language == report::Language::Chinese ? "" : " ")
            + m_source.say(LS_TR("Report", "Measured order: %1."), {orderText(outcome.order, content.of)});
    }
    table.rows = {{predictedText(sealed->prediction, content.of), measured}};
    table.caption = m_source.say(LS_TR("Report", "Sealed at %1, seal code %2"), {localTime(sealed->at), sealed->code});
    add(step.id + ".prediction", std::move(table));
    if (content.form == PredictionForm::Curve && outcome.judgement != Judgement::NotMeasured) {
        const bool isSweep = content.chart == SweepChart;
        add(step.id + ".curve",
            report::Chart{content.chart, isSweep ? std::string() : content.x, !isSweep && content.isLogarithmic, {}, {},
                {}, {}, {}});
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
    std::vector<BlockContent> text = blocksOf(inLanguage(step.text), inLanguage(step.title));
    if (text.size() == 1 && std::holds_alternative<report::Paragraph>(text.front())) {
        question.text = std::get<report::Paragraph>(text.front()).text;
    } else {
        addBlocks(step, std::move(text));
        question.text = m_source.say(LS_TR("Report", "Answer"));
    }
    question.answer = content.form == QuestionForm::Choice ? choiceText(answer.text)
        : content.form == QuestionForm::Order              ? listed(answer.order, choiceText, " > ")
                                                           : answer.text;
    if (content.form == QuestionForm::Number && !answer.text.empty() && !inLanguage(content.unit).empty()) {
        question.answer += " " + inLanguage(content.unit);
    }
    add(step.id + ".answer", std::move(question));
    if (content.form == QuestionForm::Text && !runsOf(content.about.step).empty()) {
        add(step.id + ".see",
            report::Paragraph{m_source.say(LS_TR("Report", "The figures are in step %1, %2."),
                {numberOf(content.about.step), inLanguage(m_laboratory.find(content.about.step)->title)})});
    }
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
        const analysis::Finding stated = statedClaim(made.claim, shownName(content.about.step, made.claim.variant),
            shownName(content.about.step, made.claim.against));
        std::vector<std::string> parts{sentenceOf(stated), judgedText(verdict.judgement, verdict.sentence)};
        if (const auto tested = testedRuns(verdict)) {
            parts.push_back(sentenceOf(*tested));
        }
        if (!made.claim.text.empty()) {
            parts.push_back(m_source.say(LS_TR("Report", "In the student's words: %1"), {made.claim.text}));
        }
        sentences.list.push_back({std::string(verdict.sentence.kind),
            listed(parts, {}, m_source.language == report::Language::Chinese ? "" : " "), verdict.sentence.figures,
            verdict.sentence.runs});
    }
    if (sentences.list.empty()) {
        add(step.id + ".none", report::Paragraph{m_source.say(LS_TR("Report", "No claim."))});
    } else {
        add(step.id + ".claims", std::move(sentences));
    }
}

/// Names of hosts are left out, as in the hand-in.
void ReportComposer::addMachine()
{
    std::map<std::string, std::string> names;
    const auto nameOfHost = [&](const std::string& host) {
        const auto [found, isNew] = names.try_emplace(host);
        if (isNew) {
            found->second = m_source.say(LS_TR("Report", "Computer %1"), {std::to_string(names.size())});
        }
        return found->second;
    };
    report::Source all = sourceOf([](const analysis::RunRecord&) { return true; });
    for (analysis::RunRecord& run : all.runs) {
        for (analysis::MachineFigures& machine : run.machines) {
            machine.host = nameOfHost(machine.host);
        }
    }
    for (report::RunFacts& facts : all.facts) {
        facts.host.clear();
    }
    if (all.runs.empty()) {
        return;
    }
    report::Section section;
    section.id = "machine";
    for (const char* part : {"runs", "machine"}) {
        report::Item item;
        item.kind = report::ItemKind::Method;
        item.name = part;
        section.content.push_back(item);
    }
    report::Template method;
    method.sections.push_back(std::move(section));
    add("method", report::Heading{1, m_source.say(LS_TR("Report", "Runs and machine"))});
    report::Report composed = report::compose(method, all);
    for (report::Block& block : composed.blocks) {
        if (block.key != "question") {
            add("method." + block.key, std::move(block.content));
        }
    }
}

void ReportComposer::addSeals()
{
    report::Table table;
    table.header = {m_source.say(LS_TR("Report", "Step of the laboratory")), m_source.say(LS_TR("Report", "Sealed at")),
        m_source.say(LS_TR("Report", "Seal code"))};
    table.isNumber = {false, false, false};
    for (const Step& step : m_laboratory.steps) {
        if (const SealedPrediction* sealed = m_state.sealOf(step.id)) {
            table.rows.push_back({inLanguage(step.title), localTime(sealed->at), sealed->code});
        } else if (const SealedAnswer* answer = m_state.sealedAnswerOf(step.id)) {
            table.rows.push_back({inLanguage(step.title), localTime(answer->at), answer->code});
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

report::Report reportOf(const Laboratory& laboratory, const WorkState& state, const report::Source& source,
    const std::map<std::string, QByteArray>& code)
{
    return ReportComposer(laboratory, state, source, code).report();
}

} // namespace lockstep::laboratory
