// HTML: one file, with the charts as SVG in it and their data, which a script of ours draws where scripts run. It asks
// no host for anything, and its policy allows that one script, by its hash.
#include "exchange/report/escape.h"
#include "exchange/report/format_writers.h"
#include "exchange/report/page_script.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::report {

namespace {

constexpr std::string_view Style = R"(
:root { color-scheme: light; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.55 "Noto Sans", "Noto Sans CJK SC",
  "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "Segoe UI", Arial, sans-serif;
  color: #1c1c1c; background: #fff; }
h1 { font-size: 1.8rem; line-height: 1.25; } h2 { font-size: 1.3rem; margin-top: 2.2rem; } h3 { font-size: 1.1rem; }
dl.title { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; }
dl.title dt { color: #555; } dl.title dd { margin: 0; border-bottom: 1px solid #bbb; min-height: 1.5em; }
figure { margin: 1.5rem 0; } figure svg { width: 100%; height: auto; display: block; }
figcaption, caption { color: #333; font-size: .92rem; text-align: left; padding: .4rem 0; caption-side: top; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: .92rem; margin: 1rem 0; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #666; } td { white-space: pre-line; } td.n { white-space: nowrap; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { background: #f4f4f4; padding: .8rem; overflow-x: auto; font-size: .85rem; }
.question { font-weight: 600; } .answer { color: #777; border-left: 3px solid #ccc;
  padding-left: .8rem; min-height: 4em; }
figure.alive > svg { display: none; } .live canvas { display: block; width: 100%; height: 380px; }
.live .legend canvas { display: inline-block; width: 26px; height: 12px; margin-right: .35rem; }
.live button { font: inherit; font-size: .88rem; border: 1px solid #bbb; border-radius: 4px; background: #fff;
  margin: 0 .3rem .3rem 0; padding: .1rem .5rem; cursor: pointer; }
.live button[aria-pressed="false"] { opacity: .45; text-decoration: line-through; }
.live .readout { min-height: 1.5em; font-size: .88rem; font-variant-numeric: tabular-nums; }
.live .readout > * { margin-right: 1rem; } .live .hint { color: #666; font-size: .82rem; }
.live .tools input { vertical-align: middle; width: 12rem; margin-right: .6rem; }
@media print { figure.alive > svg { display: block; } .live { display: none; } body { max-width: none; margin: 0; } figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } }
)";

/// JSON as the content of a script element: no `<` ends the element, and no line separator ends a string.
std::string scriptData(const std::string& json)
{
    std::string text;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string_view rest = std::string_view(json).substr(i, 3);
        if (rest == "\u2028" || rest == "\u2029") {
            text += rest == "\u2028" ? "\\u2028" : "\\u2029";
            i += 2;
        } else if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
            text += fmt::format("\\u{:04x}", static_cast<unsigned>(json[i]));
        } else {
            text += json[i];
        }
    }
    return text;
}

/// The element alone, with ids that no other picture on the page has.
std::string inlineSvg(const std::string& svg, const std::string& description, int number)
{
    const std::size_t begin = svg.find("<svg");
    if (begin == std::string::npos) {
        return {};
    }
    std::string text = svg.substr(begin);
    const std::string own = "f" + std::to_string(number) + "-";
    for (const std::string_view before : {" id=\"", "url(#", "xlink:href=\"#"}) {
        for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
            at += before.size();
            text.insert(at, own);
        }
    }
    text.insert(4, " role=\"img\" aria-label=\"" + xmlEscaped(description) + "\"");
    return text;
}

class HtmlPage {
public:
    explicit HtmlPage(const Report& report, const Pictures& pictures)
        : m_report(report)
        , m_pictures(pictures)
    { }

    std::string text()
    {
        begin();
        for (const Block& block : m_report.blocks) {
            std::visit([&](const auto& content) { add(content, block); }, block.content);
        }
        m_text += "</main>\n";
        if (hasLiveChart()) {
            m_text += fmt::format("<script>{}</script>\n", pageScript());
        }
        return m_text + "</body>\n</html>\n";
    }

private:
    [[nodiscard]] bool hasLiveChart() const
    {
        return std::ranges::any_of(m_pictures, [](const auto& each) { return !each.second.live.empty(); });
    }

    void begin()
    {
        const std::string scripts = hasLiveChart() ? fmt::format("script-src 'sha256-{}'; ", pageScriptHash()) : "";
        m_text = fmt::format(R"(<!DOCTYPE html>
<html lang="{}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {}style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Lockstep">
<title>{}</title>
<style>{}</style>
</head>
<body>
<main>
<h1>{}</h1>
<dl class="title">
)",
            m_report.language == Language::Chinese ? "zh-CN" : "en", scripts, xmlEscaped(m_report.title), Style,
            xmlEscaped(m_report.title));
        for (const TitleLine& line : m_report.titleLines) {
            m_text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xmlEscaped(line.label), xmlEscaped(line.text));
        }
        m_text += "</dl>\n";
    }

    void add(const Heading& heading, const Block&)
    {
        m_text += fmt::format("<h{0}>{1}</h{0}>\n", heading.level + 1, xmlEscaped(heading.text));
    }

    void add(const Paragraph& paragraph, const Block&)
    {
        for (const std::string& each : paragraphsOf(paragraph.text)) {
            m_text += "<p>" + xmlEscaped(each) + "</p>\n";
        }
    }

    void add(const Sentences& sentences, const Block&)
    {
        m_text += "<ul>\n";
        for (const Sentence& each : sentences.list) {
            m_text += "<li>" + xmlEscaped(each.text) + "</li>\n";
        }
        m_text += "</ul>\n";
    }

    void add(const Chart& chart, const Block& block)
    {
        const Picture* picture = pictureOf(m_pictures, block);
        if (picture == nullptr) {
            return;
        }
        const int number = m_numbering.next(chart);
        m_text += "<figure>\n" + inlineSvg(picture->svg, chart.description, number);
        if (!picture->live.empty()) {
            m_text += "\n<script type=\"application/json\">" + scriptData(picture->live) + "</script>";
        }
        m_text += "\n<figcaption>" + xmlEscaped(numbered(m_report.words.figure, number)) + "&#8194;"
            + xmlEscaped(chart.caption) + "</figcaption>\n</figure>\n";
    }

    void addRow(const Table& table, const std::vector<std::string>& cells, std::string_view element)
    {
        m_text += "<tr>";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            m_text += fmt::format("<{0}{1}{2}>{3}</{0}>", element, element == "th" ? " scope=\"col\"" : "",
                table.isNumber[i] ? " class=\"n\"" : "", xmlEscaped(cells[i]));
        }
        m_text += "</tr>\n";
    }

    void add(const Table& table, const Block&)
    {
        m_text += "<div class=\"table\"><table>\n<caption>"
            + xmlEscaped(numbered(m_report.words.table, m_numbering.next(table))) + "&#8194;"
            + xmlEscaped(table.caption) + "</caption>\n<thead>";
        addRow(table, table.header, "th");
        m_text += "</thead>\n<tbody>\n";
        for (const auto& row : table.rows) {
            addRow(table, row, "td");
        }
        m_text += "</tbody>\n</table></div>\n";
    }

    void add(const Question& question, const Block& block)
    {
        m_text += "<p class=\"question\">" + xmlEscaped(question.text) + "</p>\n";
        if (question.answer.empty()) {
            m_text += "<p class=\"answer\">" + xmlEscaped(m_report.words.answer) + "</p>\n";
        } else {
            add(Paragraph{question.answer, {}}, block);
        }
    }

    void add(const Listing& listing, const Block&) { m_text += "<pre>" + xmlEscapedLines(listing.text) + "</pre>\n"; }

    const Report& m_report;
    const Pictures& m_pictures;
    Numbering m_numbering;
    std::string m_text;
};

} // namespace

Result<std::vector<File>> writeHtml(const Report& report, const Pictures& pictures, const std::string& name)
{
    return std::vector<File>{{name + ".html", HtmlPage(report, pictures).text()}};
}

} // namespace lockstep::report
