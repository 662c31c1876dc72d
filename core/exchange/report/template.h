// Templates of reports: JSON files in resources/reports, or a user's own. A template says which headings, texts,
// charts, tables, findings and questions a report has, in English and Chinese; the runs give the numbers.
//
//   {"version": 1, "name": "optimizers", "experiments": ["optimizers"],
//    "title": {"en": "...", "zh": "..."},
//    "sections": [{"id": "aim", "heading": {...}, "content": [
//        {"text": {...}}, {"chart": "loss", "x": "epoch", "log": true, "caption": {...}},
//        {"chart": "parameter", "choice": "test_accuracy", "first": "optimizer.lr"}, {"chart": "timeline"},
//        {"table": "results", "columns": ["final_loss"], "caption": {...}}, {"findings": ["optimizers"]},
//        {"question": {...}}, {"method": "runs"}, {"listing": "spec"}]}]}
#pragma once

#include "base/result.h"
#include "exchange/report/report.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::report {

/// A text in both languages. If a template gives only one of them, both languages use it.
struct BothLanguages {
    std::string english;
    std::string chinese;

    [[nodiscard]] const std::string& in(Language language) const
    {
        return language == Language::Chinese ? chinese : english;
    }
};

enum class ItemKind { Text, Chart, Table, Findings, Question, Method, Listing };

struct Item {
    ItemKind kind = ItemKind::Text;
    std::string name; ///< of the chart, the table, the method's part or the listing
    std::string x; ///< of a chart
    bool isLogarithmic = false;
    std::string choice; ///< of a chart, as report::Chart has them
    std::string first;
    std::string second;
    std::vector<std::string> columns; ///< of the table of results; empty: those that have values
    std::vector<std::string> kinds; ///< of findings: the first parts of their names, `answer` or `rest`; empty: all
    BothLanguages text; ///< a caption, a text or a question
};

struct Section {
    std::string id; ///< unique in the template
    BothLanguages heading; ///< empty: none
    std::vector<Item> content;
};

struct Template {
    std::string name;
    std::vector<std::string> experiments; ///< that it is the standard template of
    BothLanguages title;
    std::vector<Section> sections;
};

inline constexpr std::size_t LongestTemplate = std::size_t{1} << 20; ///< bytes

/// Error: what is wrong and where, what is allowed.
[[nodiscard]] Result<Template> parseTemplate(std::string_view json);

/// One section, as a template has it.
[[nodiscard]] std::string toJson(const Section& section);
[[nodiscard]] Result<Section> parseSection(std::string_view json);

/// The built-in templates' names, and the JSON of one (compiled in from resources/reports).
[[nodiscard]] std::vector<std::string_view> templateNames();
[[nodiscard]] Result<std::string_view> builtInTemplateText(std::string_view name);
[[nodiscard]] Result<Template> builtInTemplate(std::string_view name);
/// Of an experiment; `comparison` where none is made for it.
[[nodiscard]] Template templateFor(std::string_view experiment);

/// What items call the charts and drawings of the window; a test compares them with those.
[[nodiscard]] std::span<const std::string_view> chartNames();
/// Names of the columns that a table of results may have.
[[nodiscard]] std::span<const std::string_view> resultColumns();

/// Error: names the first chart that is not among `charts`.
[[nodiscard]] Result<void> checkCharts(const Template& which, std::span<const std::string_view> charts);

} // namespace lockstep::report
