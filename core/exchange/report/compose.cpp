#include "exchange/report/compose.h"

#include "analysis/answers/question.h"
#include "analysis/findings/all_findings.h"
#include "analysis/findings/method_notes.h"
#include "analysis/table/finding_table.h"
#include "base/text.h"
#include "base/translate.h"
#include "exchange/report/counted_runs.h"
#include "exchange/report/method.h"
#include "exchange/report/results_table.h"
#include "experiment/spec_of_runs.h"
#include "experiment/variant_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <span>

namespace lockstep::report {

std::string specOf(std::span<const experiment::RunSpec> runs)
{
    using SpecJson = nlohmann::ordered_json;
    SpecJson list = SpecJson::array();
    for (const experiment::Spec& spec : experiment::specsOfRuns(runs)) {
        list.push_back(SpecJson::parse(experiment::toJson(spec)));
    }
    return list.size() == 1 ? list.front().dump(2) : list.dump(2);
}

namespace {

/// Of findings: those that no item of the template names.
constexpr std::string_view Rest = "rest";
/// Of findings: those that answer what the experiment asks (Role::Headline). Where a template has it, no other item
/// repeats them.
constexpr std::string_view Answer = "answer";

bool isAnswer(const Item& item)
{
    return item.kind == ItemKind::Findings && std::ranges::find(item.kinds, Answer) != item.kinds.end();
}

bool hasAnswer(const Template& which)
{
    return std::ranges::any_of(
        which.sections, [](const Section& section) { return std::ranges::any_of(section.content, isAnswer); });
}

/// Makes the blocks of one report; keys that would be there twice get a number.
class Composer {
public:
    Composer(const Template& which, const Source& source)
        : m_template(which)
        , m_source(source)
        , m_findings(analysis::findings(source.runs, source.interfered))
        , m_hasAnswer(hasAnswer(which))
    { }

    Report report()
    {
        Report made;
        made.language = m_source.language;
        made.words = {m_source.say(LS_TR("Report", "Figure")), m_source.say(LS_TR("Report", "Table")),
            m_source.say(LS_TR("Report", "Write your answer here."))};
        made.title = m_template.title.in(m_source.language);
        made.titleLines = {{m_source.say(LS_TR("Report", "Name")), m_source.author},
            {m_source.say(LS_TR("Report", "Student number")), m_source.number},
            {m_source.say(LS_TR("Report", "Date")), m_source.date}};
        if (!m_source.className.empty()) {
            made.titleLines.insert(
                made.titleLines.end() - 1, {m_source.say(LS_TR("Report", "Class")), m_source.className});
        }
        if (const experiment::RunSpec* own = ownExperiment(); own != nullptr) {
            made.title = inLanguage(own->title);
            const std::string question = inLanguage(own->question);
            if (!question.empty() && !m_hasAnswer) { // else it stands above the answer
                add("question", Paragraph{question});
            }
        }
        for (const Section& section : m_template.sections) {
            addSection(section);
        }
        made.blocks = std::move(m_blocks);
        return made;
    }

private:
    /// A run of the experiment that all runs are of, if that has another title than its preset.
    [[nodiscard]] const experiment::RunSpec* ownExperiment() const
    {
        if (m_source.runs.empty()) {
            return nullptr;
        }
        const experiment::RunSpec& first = m_source.runs.front().spec;
        const std::string key = experiment::experimentKey(first);
        const bool isOne = std::ranges::all_of(m_source.runs,
            [&key](const analysis::RunRecord& run) { return experiment::experimentKey(run.spec) == key; });
        return isOne && key != first.experiment ? &first : nullptr;
    }

    [[nodiscard]] const std::string& inLanguage(const experiment::Wording& wording) const
    {
        return experiment::textOf(wording, m_source.language == Language::Chinese);
    }

    void addSection(const Section& section)
    {
        const std::string& heading = section.heading.in(m_source.language);
        if (!heading.empty()) {
            m_blocks.push_back({section.id, Heading{1, heading}});
        }
        const std::size_t before = m_blocks.size();
        for (const Item& item : section.content) {
            addItem(section.id, item);
        }
        if (m_blocks.size() == before && !heading.empty() && std::ranges::all_of(section.content, isAnswer)) {
            m_blocks.pop_back();
        } else if (m_blocks.size() == before && !heading.empty()) {
            m_blocks.push_back({section.id + "/none",
                Paragraph{m_source.say(LS_TR("Report", "The chosen runs have no data on this."))}});
        }
    }

    void addItem(const std::string& section, const Item& item)
    {
        const std::string& text = item.text.in(m_source.language);
        switch (item.kind) {
        case ItemKind::Text:
            add(section + "/text", Paragraph{text});
            return;
        case ItemKind::Question:
            add(section + "/question", Question{text, {}});
            return;
        case ItemKind::Chart:
            add(section + "/chart:" + item.name + (item.x.empty() ? "" : ":" + item.x),
                Chart{item.name, item.x, item.isLogarithmic, item.choice, item.first, item.second, text, {}});
            return;
        case ItemKind::Table:
            addTable(section, item);
            return;
        case ItemKind::Findings:
            addFindings(section, item);
            return;
        case ItemKind::Method:
            for (Block& block : methodBlocks(m_source, item.name)) {
                add(section + "/" + block.key, std::move(block.content));
            }
            if (item.name == "runs") {
                addNotes(section);
            }
            return;
        case ItemKind::Listing:
            add(section + "/" + item.name, Listing{specOf(specs())});
            return;
        }
    }

    template <typename Content>
    void add(const std::string& key, Content content)
    {
        const int number = ++m_taken[key];
        m_blocks.push_back({number > 1 ? key + "#" + std::to_string(number) : key, std::move(content)});
    }

    void addTable(const std::string& section, const Item& item)
    {
        struct Made {
            Table table;
            std::string_view caption;
        };
        const auto make = [&]() -> Made {
            if (item.name == "settings") {
                return {settingsTable(m_source), LS_TR("Report", "Settings that all runs have in common")};
            }
            if (item.name == "differences") {
                return {differencesTable(m_source), LS_TR("Report", "The variants and what they differ in")};
            }
            if (item.name == "sweep") {
                return {sweepTable(m_source), LS_TR("Report", "Median time of a collective by message size")};
            }
            if (item.name == "left_out") {
                return {leftOutTable(m_source), LS_TR("Report", "Runs that are left out")};
            }
            return {resultsTable(m_source, item.columns),
                LS_TR("Report", "Results by variant; with repeats, means and 95 % confidence intervals")};
        };
        Made made = make();
        if (made.table.rows.empty()) {
            return;
        }
        const std::string& own = item.text.in(m_source.language);
        made.table.caption = own.empty() ? m_source.say(made.caption) : own;
        add(section + "/table:" + item.name, std::move(made.table));
    }

    void addFindings(const std::string& section, const Item& item)
    {
        const auto question = isAnswer(item) ? analysis::questionOf(m_source.runs) : std::nullopt;
        if (question) {
            add(section + "/asked", Paragraph{textOf(*question, m_source.language == Language::Chinese, translator())});
        }
        Sentences said;
        std::vector<const analysis::Finding*> tables;
        for (const analysis::Finding& finding : m_findings) {
            if (!belongsTo(finding, item)) {
                continue;
            }
            if (!finding.table.rows.empty()) {
                tables.push_back(&finding);
            }
            if (!finding.table.rows.empty() && finding.role != analysis::Role::Headline) {
                continue; // its sentence is the table's caption
            }
            said.list.push_back(
                {std::string(finding.kind), analysis::sentence(finding, translator()), finding.figures, finding.runs});
        }
        if (!said.list.empty()) {
            add(section + "/findings", std::move(said));
        }
        for (const analysis::Finding* finding : tables) {
            add(section + "/finding:" + std::string(finding->kind), tableOf(*finding));
        }
    }

    /// Of the entries that findings are made of.
    [[nodiscard]] analysis::Translator translator() const
    {
        return [this](std::string_view text) {
            for (const char* context : {"Findings", "Parameters"}) {
                if (std::string found = m_source.say(context, text); found != text) {
                    return found;
                }
            }
            return m_source.say("Figures", text);
        };
    }

    [[nodiscard]] Table tableOf(const analysis::Finding& finding) const
    {
        const analysis::TextTable texts = analysis::tableOf(finding, translator());
        const bool isAnswer = finding.role == analysis::Role::Headline;
        Table table;
        table.caption = isAnswer ? m_source.say(LS_TR("Report", "The numbers of the answer"))
                                 : analysis::sentence(finding, translator());
        table.rows = texts.rows;
        for (const analysis::TextTable::Header& header : texts.headers) {
            table.header.push_back(header.name);
            table.isNumber.push_back(header.isNumber);
        }
        return table;
    }

    /// How the findings were measured. That repeats are averaged is said beside it.
    void addNotes(const std::string& section)
    {
        std::string text;
        std::vector<analysis::Finding> said = m_findings;
        if (m_source.said) {
            std::erase_if(said, [this](const analysis::Finding& finding) {
                return !m_source.said->contains(std::string(finding.kind));
            });
        }
        for (const analysis::Finding& note : analysis::methodNotes(said, m_source.runs)) {
            if (note.kind != "method.repeats") {
                const bool needsSpace = !text.empty() && m_source.language != Language::Chinese;
                text += (needsSpace ? " " : "") + analysis::sentence(note, translator());
            }
        }
        if (!text.empty()) {
            add(section + "/method:notes", Paragraph{text});
        }
    }

    /// The answer, and the caveats that stand before it: they change it.
    [[nodiscard]] bool isOfAnswer(const analysis::Finding& finding) const
    {
        const auto first = std::ranges::find(m_findings, analysis::Role::Headline, &analysis::Finding::role);
        return finding.role == analysis::Role::Headline || (first != m_findings.end() && &finding < &*first);
    }

    [[nodiscard]] bool belongsTo(const analysis::Finding& finding, const Item& item) const
    {
        if (isAnswer(item) || (m_hasAnswer && isOfAnswer(finding))) {
            return isAnswer(item) && isOfAnswer(finding);
        }
        const bool isRest = std::ranges::find(item.kinds, Rest) != item.kinds.end() && !isNamed(finding);
        return item.kinds.empty() || isRest || isOf(finding, item.kinds);
    }

    [[nodiscard]] std::vector<experiment::RunSpec> specs() const
    {
        std::vector<experiment::RunSpec> specs;
        std::ranges::transform(m_source.runs, std::back_inserter(specs), &analysis::RunRecord::spec);
        return specs;
    }

    static bool isOf(const analysis::Finding& finding, const std::vector<std::string>& kinds)
    {
        return std::ranges::any_of(kinds,
            [&](const std::string& kind) { return finding.kind == kind || finding.kind.starts_with(kind + "."); });
    }

    /// Whether some item of the template asks for it by name: one of the answer takes headlines alone.
    [[nodiscard]] bool isNamed(const analysis::Finding& finding) const
    {
        return std::ranges::any_of(m_template.sections, [&](const Section& section) {
            return std::ranges::any_of(
                section.content, [&](const Item& item) { return !isAnswer(item) && isOf(finding, item.kinds); });
        });
    }

    const Template& m_template;
    const Source& m_source;
    std::vector<analysis::Finding> m_findings;
    bool m_hasAnswer;
    std::vector<Block> m_blocks;
    std::map<std::string, int> m_taken;
};

} // namespace

std::string Source::say(std::string_view context, std::string_view text) const
{
    return translate ? translate(context, text) : std::string(text);
}

std::string Source::say(std::string_view text) const
{
    return say("Report", text);
}

std::string Source::say(std::string_view text, std::initializer_list<std::string> arguments) const
{
    return filled(say(text), std::vector<std::string>(arguments));
}

Report compose(const Template& which, const Source& source)
{
    return Composer(which, source).report();
}

} // namespace lockstep::report
