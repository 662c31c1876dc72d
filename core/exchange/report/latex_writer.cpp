// LaTeX for XeLaTeX with PGFPlots: the text in one file, the numbers of the charts in .tsv files beside it. ctex sets
// Chinese, in English documents too.
#include "analysis/plain_text.h"
#include "exchange/report/escape.h"
#include "exchange/report/format_writers.h"
#include "exchange/report/table_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::report {

namespace {

using analysis::latexEscaped;

constexpr std::string_view Preamble
    = R"(% Made by Lockstep. Compile twice with XeLaTeX; the folder {0} stays beside this file.
\documentclass[11pt,a4paper]{{article}}
\usepackage[UTF8,scheme={1},fontset=fandol]{{ctex}}
{3}\usepackage[margin=25mm]{{geometry}}
\usepackage{{booktabs,longtable,array,fancyvrb,xcolor}}
\usepackage{{pgfplots}}
\pgfplotsset{{compat=1.16}}
\usepgfplotslibrary{{fillbetween}}
\usetikzlibrary{{patterns}}
\setlength{{\parskip}}{{4pt}}
\setlength{{\LTcapwidth}}{{\textwidth}}
\sloppy
\begin{{document}}
\title{{{2}}}
\author{{}}
\date{{}}
\maketitle
)";

/// Marks that English has in common with Chinese, in the width of English ones.
constexpr std::string_view EnglishMarks
    = "\\xeCJKDeclareCharClass{Default}{\"2013,\"2014,\"2018,\"2019,\"201C,\"201D,\"2026}\n";

/// A table with more columns is set smaller.
constexpr std::size_t ColumnsOfAPage = 6;

class LatexPage {
public:
    LatexPage(const Report& report, const Pictures& pictures, const std::string& name)
        : m_report(report)
        , m_pictures(pictures)
        , m_name(name)
        , m_folder(latexFolder(name))
    { }

    std::vector<File> files()
    {
        const bool isChinese = m_report.language == Language::Chinese;
        m_text = fmt::format(Preamble, m_folder, isChinese ? "chinese" : "plain", latexEscaped(m_report.title),
            isChinese ? "" : EnglishMarks);
        m_text += "\\begin{center}\n\\begin{tabular}{@{}l@{\\quad}p{70mm}@{}}\n";
        for (const TitleLine& line : m_report.titleLines) {
            m_text += latexEscaped(line.label) + " & " + (line.text.empty() ? "\\hrulefill" : latexEscaped(line.text))
                + " \\\\[4pt]\n";
        }
        m_text += "\\end{tabular}\n\\end{center}\n";
        for (const Block& block : m_report.blocks) {
            std::visit([&](const auto& content) { add(content, block); }, block.content);
        }
        m_text += "\\end{document}\n";
        m_files.insert(m_files.begin(), File{m_name + ".tex", m_text});
        return std::move(m_files);
    }

private:
    void add(const Heading& heading, const Block&)
    {
        const std::string_view command = heading.level == 1 ? "section"
            : heading.level == 2                            ? "subsection"
                                                            : "paragraph";
        m_text += fmt::format("\\{}{{{}}}\n", command, latexEscaped(heading.text));
    }

    void add(const Paragraph& paragraph, const Block&)
    {
        for (const std::string& each : paragraphsOf(paragraph.text)) {
            m_text += latexEscaped(each) + "\n\n";
        }
    }

    void add(const Sentences& sentences, const Block&)
    {
        m_text += "\\begin{itemize}\n";
        for (const Sentence& each : sentences.list) {
            m_text += "\\item " + latexEscaped(each.text) + "\n";
        }
        m_text += "\\end{itemize}\n";
    }

    /// `\caption`'s own counter would number what is left out differently: the number is written.
    [[nodiscard]] std::string caption(const std::string& word, int number, const std::string& text) const
    {
        return "\\textbf{" + latexEscaped(numbered(word, number)) + "}\\quad " + latexEscaped(text);
    }

    void add(const Chart& chart, const Block& block)
    {
        const Picture* picture = pictureOf(m_pictures, block);
        if (picture == nullptr || picture->tikz.empty()) {
            return;
        }
        const int number = m_numbering.next(chart);
        // One box, which no page divides, and no page ends between it and a heading.
        m_text += "\\par\\medskip\\noindent\\begin{minipage}{\\linewidth}\\centering\n" + picture->tikz
            + "\n\n\\parbox{\\linewidth}{\\small " + caption(m_report.words.figure, number, chart.caption)
            + "}\n\\end{minipage}\\par\\medskip\n";
        m_files.insert(m_files.end(), picture->data.begin(), picture->data.end());
    }

    static std::string rowOf(const std::vector<std::string>& cells, bool isKeptWithNext)
    {
        std::string text;
        for (const std::string& cell : cells) {
            text += (text.empty() ? "" : " & ") + (cell.empty() ? std::string("{}") : latexEscaped(cell));
        }
        return text + (isKeptWithNext ? " \\\\ \\nopagebreak\n" : " \\\\\n");
    }

    /// Between two columns are 6 pt, 0.0135 of the line.
    static std::string columnsOf(const Table& table)
    {
        std::string columns;
        const std::vector<double> shares = columnShares(table);
        for (std::size_t i = 0; i < shares.size(); ++i) {
            columns += fmt::format(">{{\\{}\\arraybackslash}}p{{{:.4f}\\linewidth}}",
                table.isNumber[i] ? "raggedleft" : "raggedright",
                shares[i] * (1.0 - 0.0135 * static_cast<double>(shares.size())));
        }
        return columns;
    }

    void add(const Table& table, const Block&)
    {
        const int number = m_numbering.next(table);
        m_text += fmt::format("{{{}\\setlength{{\\tabcolsep}}{{3pt}}\n\\begin{{longtable}}{{{}}}\n",
            table.header.size() > ColumnsOfAPage ? "\\scriptsize" : "\\small", columnsOf(table));
        m_text += fmt::format("\\multicolumn{{{}}}{{@{{}}p{{0.95\\linewidth}}}}{{\\small {}}} \\\\[3pt]\n\\toprule\n",
            table.header.size(), caption(m_report.words.table, number, table.caption));
        m_text += rowOf(table.header, false) + "\\midrule\n\\endhead\n";
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            m_text += rowOf(table.rows[row], isKeptTogether(table) && row + 1 < table.rows.size());
        }
        m_text += "\\bottomrule\n\\end{longtable}}\n";
    }

    void add(const Question& question, const Block& block)
    {
        m_text += "\\noindent\\textbf{" + latexEscaped(question.text) + "}\\nopagebreak\n\n";
        if (question.answer.empty()) {
            m_text += "\\noindent{\\color{gray}" + latexEscaped(m_report.words.answer) + "}\\vspace{18mm}\n\n";
        } else {
            add(Paragraph{question.answer, {}}, block);
        }
    }

    /// In a separate file, which LaTeX reads as it is: no line of it can be a command.
    void add(const Listing& listing, const Block&)
    {
        const std::string path = m_folder + "/listing-" + std::to_string(++m_listings) + ".txt";
        m_files.push_back({path, analysis::cleanText(listing.text) + "\n"});
        // Without the space that ctex sets between Chinese and other text.
        m_text += "\\VerbatimInput[fontsize=\\footnotesize,formatcom=\\xeCJKsetup{CJKecglue={}}]{" + path + "}\n";
    }

    const Report& m_report;
    const Pictures& m_pictures;
    std::string m_name;
    std::string m_folder;
    Numbering m_numbering;
    int m_listings = 0;
    std::string m_text;
    std::vector<File> m_files;
};

} // namespace

Result<std::vector<File>> writeLatex(const Report& report, const Pictures& pictures, const std::string& name)
{
    return LatexPage(report, pictures, name).files();
}

} // namespace lockstep::report
