// A report as a value: headings, sentences with the figures that they rest on, charts, tables, questions. Writers turn
// it into files; the window shows, reorders and edits it.
#pragma once

#include "base/ids.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::report {

enum class Language { English, Chinese };

struct Heading {
    int level = 1; ///< 1 to 3
    std::string text;
};

enum class TextStyle { Plain, Strong, Emphasis, Code, Formula };

/// A part of a paragraph in one style.
struct Piece {
    std::string text;
    TextStyle style = TextStyle::Plain;
};

struct Paragraph {
    std::string text;
    std::vector<Piece> pieces{}; ///< whose texts together are `text`; empty: all is plain
};

/// A sentence that numbers support.
struct Sentence {
    std::string kind; ///< stable name: `optimizers.fastest`
    std::string text;
    std::vector<std::pair<std::string, double>> figures; ///< what the sentence rests on, by stable name
    std::vector<RunId> runs;
};

struct Sentences {
    std::vector<Sentence> list;
};

/// A place for a chart. The caller that draws gives its picture, by the block's key (picture.h).
struct Chart {
    std::string kind; ///< `loss`, as in `lockstep export --chart`
    std::string x; ///< of a chart over time: `step`, `epoch` or `seconds`; empty: steps
    bool isLogarithmic = false; ///< its y axis
    std::string choice; ///< what it shows: a figure's name, or a number as the window keeps it; empty: the first
    std::string first; ///< the parameter that it is drawn against; empty: chosen
    std::string second;
    std::string caption;
    std::string description; ///< for readers who cannot see it
};

struct Table {
    std::string caption;
    std::vector<std::string> header;
    std::vector<bool> isNumber; ///< by column: aligned right
    std::vector<std::vector<std::string>> rows; ///< as many cells as the header has
};

/// A question that the author of the report answers.
struct Question {
    std::string text;
    std::string answer; ///< empty: a place to write
};

/// Text as it is, in a font of fixed width: a spec, a command.
struct Listing {
    std::string text;
};

struct Block {
    std::string key; ///< stable between two reports of one template: edits refer to it
    std::variant<Heading, Paragraph, Sentences, Chart, Table, Question, Listing> content;
};

/// A line of the title page: `Name` and what is filled in; empty: a line to write on.
struct TitleLine {
    std::string label;
    std::string text;
};

/// Words of every report, in its language.
struct Words {
    std::string figure; ///< `Figure`, before its number
    std::string table;
    std::string answer; ///< in the place of an answer that is not given yet
};

struct Report {
    Language language = Language::English;
    Words words;
    std::string title;
    std::vector<TitleLine> titleLines;
    std::vector<Block> blocks;
};

/// Numbers charts, or tables, from 1 in the order of the blocks.
class Numbering {
public:
    int next(const Chart&) { return ++m_charts; }
    int next(const Table&) { return ++m_tables; }

private:
    int m_charts = 0;
    int m_tables = 0;
};

} // namespace lockstep::report
