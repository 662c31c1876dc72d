#include "analysis/figures/figure.h"
#include "analysis/numbers.h"
#include "base/translate.h"
#include "exchange/report/template.h"
#include "experiment/variant_name.h"
#include "laboratory/counted_variants.h"
#include "laboratory/format/markdown_blocks.h"
#include "laboratory/hand_in.h"
#include "laboratory/report_words.h"
#include "language/shown_names.h"

#include <QDateTime>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace lockstep::laboratory {

namespace {

/// In the place and to the minute where the report is made; no line divides it.
std::string localTime(const QDateTime& at)
{
    return at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd\u00A0HH:mm")).toStdString();
}
std::string localTime(const std::string& utc)
{
    const QDateTime at = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs);
    return at.isValid() ? localTime(at) : utc;
}

/// The tables of results that the experiment's report has, but for columns that stand at questions about it; and the
/// answer to its question.
report::Section resultsSection(
    const ExperimentStep& step, const std::vector<const Step*>& questions, const std::string& caption)
{
    std::set<std::string> elsewhere;
    for (const Step* question : questions) {
        for (const report::Item& item : question->as<QuestionStep>()->figures) {
            elsewhere.insert(item.columns.begin(), item.columns.end());
        }
    }
    report::Section section;
    section.id = "results";
    const report::Template usual = report::templateFor(step.spec.experiment);
    for (const report::Section& each : usual.sections) {
        std::ranges::copy_if(each.content, std::back_inserter(section.content), [](const report::Item& item) {
            return item.kind == report::ItemKind::Table && (item.name == "results" || item.name == "sweep");
        });
    }
    std::erase_if(section.content, [&elsewhere](report::Item& table) {
        const bool hadColumns = !table.columns.empty();
        std::erase_if(table.columns,
            [&elsewhere](const std::string& column) { return column == "ranks" || elsewhere.contains(column); });
        return hadColumns && table.columns.empty();
    });
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

bool isSame(const report::Chart& chart, const report::Item& item)
{
    const auto axis = [](const std::string& x) { return x.empty() ? std::string_view("step") : std::string_view(x); };
    return item.kind == report::ItemKind::Chart && item.name == chart.kind && axis(item.x) == axis(chart.x);
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
        , m_words(laboratory, source)
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
        addSeals();
        for (const Step& step : m_laboratory.steps) {
            const std::string title = m_words.numberOf(step.id) + ". " + inLanguage(step.title);
            add(step.id,
                report::Heading{1, step.isOptional ? m_source.say(LS_TR("Report", "%1 (optional)"), {title}) : title});
            std::visit([&](const auto& content) { addStep(step, content); }, step.content);
        }
        addMachine();
        made.blocks = std::move(m_blocks);
        return made;
    }

private:
    void add(std::string key, decltype(report::Block::content) content)
    {
        m_blocks.push_back({std::move(key), std::move(content)});
    }
    [[nodiscard]] std::vector<analysis::RunRecord> runsOf(std::string_view step) const
    {
        return language::named(runsOfStep(m_source.runs, m_state, step));
    }
    /// Beside when its prediction was sealed: whether it came first.
    [[nodiscard]] std::string firstRunOf(const Step& step) const
    {
        const std::vector<analysis::RunRecord> runs = runsOf(subjectOf(step));
        const auto first = std::ranges::min_element(runs, {}, &analysis::RunRecord::createdNs);
        return first == runs.end() ? m_source.say(LS_TR("Report", "Not run."))
                                   : localTime(QDateTime::fromMSecsSinceEpoch(first->createdNs / 1'000'000));
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
        source.runs = language::named(std::move(source.runs)); // apart from each other alone
        return source;
    }

    /// Kinds of the findings that stand in the report, as sentences or tables.
    [[nodiscard]] std::set<std::string> saidKinds() const
    {
        constexpr std::string_view OfTable = "finding:";
        std::set<std::string> kinds;
        for (const report::Block& block : m_blocks) {
            if (const auto* sentences = std::get_if<report::Sentences>(&block.content)) {
                std::ranges::transform(sentences->list, std::inserter(kinds, kinds.end()), &report::Sentence::kind);
            }
            if (const std::size_t at = block.key.find(OfTable); at != std::string::npos) {
                kinds.insert(block.key.substr(at + OfTable.size()));
            }
        }
        return kinds;
    }

    void addStep(const Step& step, const TextStep&) { addText(step); }
    void addStep(const Step& step, const CodeStep&);
    void addStep(const Step& step, const ExperimentStep& content);
    void addSections(const Step& step, report::Section section, const report::Source& own);
    [[nodiscard]] report::Source sourceOfStep(std::string_view experiment) const;
    void addStep(const Step& step, const PredictionStep& content);
    void addStep(const Step& step, const QuestionStep& content);
    void addFigures(const Step& step, const QuestionStep& content);
    void addStep(const Step& step, const ClaimStep& content);
    void addComments(const Step& step, const std::vector<std::string>& comments);
    void addMachine();
    void addSeals();
    [[nodiscard]] const std::string& inLanguage(const Wording& wording) const { return m_words.inLanguage(wording); }

    const Laboratory& m_laboratory;
    const WorkState& m_state;
    const report::Source& m_source;
    const ReportWords m_words;
    const std::map<std::string, QByteArray>& m_code;
    std::vector<report::Block> m_blocks;
};

void ReportComposer::addStep(const Step& step, const CodeStep&)
{
    if (step.isOptional && m_state.checksOf(step.id).empty() && !m_code.contains(step.id)) {
        add(step.id + ".none", report::Paragraph{m_source.say(LS_TR("Report", "Left empty."))});
        return;
    }
    addText(step);
    if (isToRead(step)) {
        return;
    }
    add(step.id + ".check", report::Paragraph{m_words.checkedText(m_state.checksOf(step.id))});
    if (const auto code = m_code.find(step.id); code != m_code.end()) {
        add(step.id + ".code", report::Listing{code->second.trimmed().toStdString()});
    }
}

void ReportComposer::addStep(const Step& step, const ExperimentStep& content)
{
    addText(step);
    const report::Source own = sourceOfStep(step.id);
    if (own.runs.empty()) {
        add(step.id + ".none", report::Paragraph{m_source.say(LS_TR("Report", "Not run."))});
        return;
    }
    const auto questions = m_laboratory.questionsAbout(step.id);
    for (const report::Chart& chart : chartsOf(content)) {
        const bool isAtQuestion = std::ranges::any_of(questions, [&chart](const Step* question) {
            return std::ranges::any_of(question->as<QuestionStep>()->figures,
                [&chart](const report::Item& item) { return isSame(chart, item); });
        });
        if (!isAtQuestion) {
            add(step.id + ".chart." + chart.kind + (chart.x.empty() ? "" : "." + chart.x), chart);
        }
    }
    addSections(step, resultsSection(content, questions, m_words.resultsOf(step.id)), own);
}

report::Source ReportComposer::sourceOfStep(std::string_view experiment) const
{
    const std::vector<RunId> ids = m_state.runsOf(experiment);
    return sourceOf([&ids](const analysis::RunRecord& run) { return std::ranges::find(ids, run.id) != ids.end(); });
}

void ReportComposer::addSections(const Step& step, report::Section section, const report::Source& own)
{
    report::Template made;
    made.sections.push_back(std::move(section));
    report::Report composed = report::compose(made, own);
    for (report::Block& block : composed.blocks) {
        if (block.key != "question") { // it stands above the answer, or in the step's text
            add(step.id + "." + block.key, std::move(block.content));
        }
    }
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
    std::string measured = m_words.judgedText(outcome.judgement, outcome.sentence);
    if (!outcome.order.empty()) {
        measured += (m_source.language == report::Language::Chinese ? "" : " ")
            + m_source.say(LS_TR("Report", "Measured order: %1."), {m_words.orderText(outcome.order, content.of)});
    }
    table.rows = {{m_words.predictedText(sealed->prediction, content), measured}};
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

/// What the answer refers to.
void ReportComposer::addFigures(const Step& step, const QuestionStep& content)
{
    const report::Source own = sourceOfStep(content.about.step);
    if (own.runs.empty() || content.figures.empty()) {
        return;
    }
    report::Section section{"figures", {}, content.figures};
    for (report::Item& item : section.content) {
        if (item.kind == report::ItemKind::Table && item.name == "results") {
            const std::string caption = m_words.resultsOf(content.about.step);
            item.text = {caption, caption};
        }
    }
    addSections(step, std::move(section), own);
}

void ReportComposer::addStep(const Step& step, const QuestionStep& content)
{
    const auto choiceText = [&](const std::string& id) {
        const auto found = std::ranges::find(content.choices, id, &Choice::id);
        return found == content.choices.end() ? id : inLanguage(found->text);
    };
    const Answer answer = m_state.answerOf(step.id);
    report::Question question;
    addText(step);
    addFigures(step, content);
    question.text = m_source.say(LS_TR("Report", "Answer"));
    question.answer = content.form == QuestionForm::Choice ? choiceText(answer.text)
        : content.form == QuestionForm::Order              ? listed(answer.order, choiceText, " > ")
                                                           : answer.text;
    if (content.form == QuestionForm::Number && !answer.text.empty() && !inLanguage(content.unit).empty()) {
        question.answer += " " + inLanguage(content.unit);
    }
    add(step.id + ".answer", std::move(question));
    if (content.form == QuestionForm::Text && content.figures.empty() && !runsOf(content.about.step).empty()) {
        add(step.id + ".see",
            report::Paragraph{m_source.say(LS_TR("Report", "The figures are in step %1, %2."),
                {m_words.numberOf(content.about.step), inLanguage(m_laboratory.find(content.about.step)->title)})});
    }
    if (const SealedAnswer* sealed = m_state.sealedAnswerOf(step.id)) {
        addComments(step, sealed->comments);
    }
}

void ReportComposer::addStep(const Step& step, const ClaimStep& content)
{
    addText(step);
    const auto runs = runsOf(content.about.step);
    const ExperimentStep& experiment = *m_laboratory.experiment(content.about.step);
    report::Sentences sentences;
    for (const MadeClaim& made : m_state.claimsOf(step.id)) {
        const Verdict verdict = verdictOf(made.claim, runs);
        std::vector<std::string> parts{m_words.sentenceOf(statedClaim(made.claim, experiment.spec)),
            m_words.judgedText(verdict.judgement, verdict.sentence)};
        if (const auto tested = testedRuns(verdict)) {
            parts.push_back(m_words.sentenceOf(*tested));
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
    all.said = saidKinds();
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
    table.header = {m_source.say(LS_TR("Report", "Step of the laboratory")), m_source.say(LS_TR("Report", "Result")),
        m_source.say(LS_TR("Report", "Sealed at")), m_source.say(LS_TR("Report", "First run")),
        m_source.say(LS_TR("Report", "Seal code"))};
    table.isNumber = {false, false, false, false, false};
    for (const Step& step : m_laboratory.steps) {
        const std::string title = m_words.numberOf(step.id) + ". " + inLanguage(step.title);
        if (const SealedPrediction* sealed = m_state.sealOf(step.id)) {
            const Outcome outcome = outcomeOf(sealed->prediction, step, runsOf(subjectOf(step)));
            table.rows.push_back(
                {title, m_words.wordOf(outcome.judgement), localTime(sealed->at), firstRunOf(step), sealed->code});
        } else if (const SealedAnswer* answer = m_state.sealedAnswerOf(step.id)) {
            table.rows.push_back({title, {}, localTime(answer->at), firstRunOf(step), answer->code});
        }
    }
    if (table.rows.empty()) {
        return;
    }
    table.caption = m_source.say(LS_TR("Report", "What was sealed, and when"));
    add("seals", report::Heading{1, m_source.say(LS_TR("Report", "Predictions and seals"))});
    if (const auto ranges = rangesSentence(rangesHeld(m_laboratory, m_state, m_source.runs))) {
        add("seals.ranges", report::Paragraph{m_words.sentenceOf(*ranges)});
    }
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
