#include "cli/pages/manual_pages.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lockstep::cli {

namespace {

constexpr std::size_t LongestLine = 80;

/// As text: roff reads backslashes, and dots and apostrophes at the beginning of a line; hyphens and quotes are ASCII.
std::string escaped(std::string_view text)
{
    std::string made = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char each : text) {
        switch (each) {
        case '\\':
            made += "\\e";
            break;
        case '-':
            made += "\\-";
            break;
        case '`':
            made += "\\(ga";
            break;
        case '\'':
            made += "\\(aq";
            break;
        case '"':
            made += "\\(dq";
            break;
        case '^':
            made += "\\(ha";
            break;
        case '~':
            made += "\\(ti";
            break;
        default:
            made += each;
        }
    }
    return made;
}

/// A paragraph's text in lines of at most 80 characters where its words allow it.
std::string filled(std::string_view text)
{
    std::string made;
    std::string line;
    while (!text.empty()) {
        const std::size_t end = text.find(' ');
        const std::string word = escaped(text.substr(0, end));
        if (!line.empty() && line.size() + 1 + word.size() > LongestLine) {
            made += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return made + line + "\n";
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::size_t indentOf(std::string_view line)
{
    const std::size_t indent = line.find_first_not_of(' ');
    return indent == std::string_view::npos ? line.size() : indent;
}

std::string upper(std::string text)
{
    std::ranges::transform(
        text, text.begin(), [](unsigned char each) { return static_cast<char>(std::toupper(each)); });
    return text;
}

/// A text of help: lines at the margin are paragraphs, and an indented line is a term with its explanation, which two
/// blanks separate from it or which stands deeper on the next lines.
std::string bodyOf(std::string_view text)
{
    std::string made;
    bool isParagraph = false; // a line that follows continues it
    std::size_t termIndent = 0; // 0: not after a term
    for (const std::string_view line : linesOf(text)) {
        const std::size_t indent = indentOf(line);
        const std::string_view words = line.substr(indent);
        if (words.empty()) {
            isParagraph = false;
            termIndent = 0;
        } else if (indent == 0) {
            made += (isParagraph || made.empty() ? "" : ".PP\n") + filled(words);
            isParagraph = true;
        } else if (termIndent != 0 && indent > termIndent && words.find("  ") == std::string_view::npos) {
            made += filled(words);
        } else {
            const std::size_t gap = words.find("  ");
            made += ".TP\n.B " + escaped(words.substr(0, gap)) + "\n";
            if (gap != std::string_view::npos) {
                made += filled(words.substr(words.find_first_not_of(' ', gap)));
            }
            termIndent = indent;
            isParagraph = false;
        }
    }
    return made;
}

std::string optionsOf(std::span<const OptionUsage> options)
{
    std::string made;
    for (const OptionUsage& option : options) {
        made += ".TP\n\\fB" + escaped(option.name) + "\\fP"
            + (option.value.empty() ? std::string() : " \\fI" + escaped(option.value) + "\\fP") + "\n"
            + filled(option.help);
    }
    return made;
}

std::string headOf(const std::string& name, const std::string& summary, const PageFoot& foot)
{
    return ".TH " + escaped(upper(name)) + " 1 \"" + foot.date + "\" \"Lockstep " + foot.version
        + "\" \"User Commands\"\n.SH NAME\n" + escaped(name) + " \\- " + escaped(summary) + "\n";
}

/// `lockstep run PRESET|SPEC.json [options]`: the first line of a help text, up to its explanation.
std::string_view synopsisOf(std::string_view line)
{
    return line.substr(0, line.find(": "));
}

/// A help text begins with its calls, of which each may have an explanation after a colon.
std::string synopsisAndDescription(std::string_view text, std::string_view summary)
{
    std::string calls = ".SH SYNOPSIS\n";
    std::string rest;
    const std::vector<std::string_view> lines = linesOf(text);
    std::size_t place = 0;
    for (; place < lines.size() && lines[place].starts_with("lockstep "); ++place) {
        const std::string_view call = synopsisOf(lines[place]);
        calls += (place == 0 ? ".B " : ".br\n.B ") + escaped(call) + "\n";
        if (call.size() != lines[place].size()) {
            rest += std::string(call) + ":\n" + std::string(lines[place].substr(call.size() + 2)) + "\n\n";
        }
    }
    for (; place < lines.size(); ++place) {
        rest += std::string(lines[place]) + "\n";
    }
    const std::string body = bodyOf(rest);
    return calls + ".SH DESCRIPTION\n" + (body.empty() ? filled(summary) : body);
}

std::string seeAlso(const std::string& names)
{
    return ".SH SEE ALSO\n" + names + "\n";
}

constexpr std::string_view ExitCodes = ".SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 2\nbad input, with one line on the "
                                       "standard error\n.TP\n.B 3\na run failed\n";

std::string pageOfVerb(const VerbUsage& verb, std::span<const VerbUsage> actions, const PageFoot& foot)
{
    std::string text
        = headOf("lockstep-" + verb.verb, verb.summary, foot) + synopsisAndDescription(verb.text, verb.summary);
    if (!verb.options.empty()) {
        text += ".SH OPTIONS\n" + optionsOf(verb.options);
    }
    for (const VerbUsage& action : actions) {
        text += ".SH OPTIONS OF " + escaped(upper(action.verb.substr(verb.verb.size() + 1))) + "\n"
            + optionsOf(action.options);
    }
    return text + std::string(ExitCodes) + seeAlso(".BR lockstep (1),\n.BR lockstep\\-rank (1)");
}

std::string pageOfProgram(std::span<const VerbUsage> usages, const PageFoot& foot)
{
    std::string text = headOf("lockstep", "a workbench for distributed machine learning", foot)
        + ".SH SYNOPSIS\n.B lockstep\n.RI [ FILE ...]\n.br\n.B lockstep\n.I VERB\n.RI [ options ]\n"
          ".SH DESCRIPTION\nWithout a verb, or with files to open, the program opens the workbench's window; with a "
          "verb it is a\ncommand. Results go to the standard output, progress and messages to the standard "
          "error.\n.SH VERBS\n";
    std::string pages;
    for (const VerbUsage& usage : usages) {
        if (!usage.verb.empty() && usage.verb.find(' ') == std::string::npos) {
            text += ".TP\n.BR lockstep\\-" + escaped(usage.verb) + " (1)\n" + escaped(usage.summary) + "\n";
        }
    }
    return text + ".SH OPTIONS\n"
        + optionsOf(std::vector<OptionUsage>{{"--lang", "en|zh", "the language of texts; goes with every verb"},
            {"--help", "", "lists the verbs"}, {"--version", "", "prints the version and the commit"}})
        + std::string(ExitCodes)
        + ".SH ENVIRONMENT\n.TP\n.B LOCKSTEP_STORE\nthe folder that keeps the runs\n.TP\n.B LOCKSTEP_RANK\nthe rank "
          "program, instead of the one beside this program\n"
        + seeAlso(".BR lockstep\\-rank (1)");
}

} // namespace

std::vector<ManualPage> pagesOfVerbs(std::span<const VerbUsage> usages, const PageFoot& foot)
{
    std::vector<ManualPage> pages{{"lockstep.1", pageOfProgram(usages, foot)}};
    for (std::size_t place = 0; place < usages.size();) {
        std::size_t end = place + 1;
        while (end < usages.size() && usages[end].verb.starts_with(usages[place].verb + " ")) {
            ++end;
        }
        pages.push_back({"lockstep-" + usages[place].verb + ".1",
            pageOfVerb(usages[place], usages.subspan(place + 1, end - place - 1), foot)});
        place = end;
    }
    return pages;
}

ManualPage pageOfRank(const VerbUsage& usage, const PageFoot& foot)
{
    // The first line has the program's name and what it is.
    const std::string_view text = std::string_view(usage.text).substr(usage.text.find('\n') + 1);
    return {"lockstep-rank.1",
        headOf("lockstep-rank", usage.summary, foot)
            + ".SH SYNOPSIS\n.B lockstep\\-rank\n.RI [ options ]\n.SH DESCRIPTION\n" + bodyOf(text)
            + seeAlso(".BR lockstep (1)")};
}

} // namespace lockstep::cli
