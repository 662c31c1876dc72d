#include "laboratory/format/markdown_check.h"

#include "analysis/plain_text.h"

#include <QRegularExpression>
#include <QString>

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

QString textOf(std::string_view markdown)
{
    return QString::fromUtf8(markdown.data(), static_cast<qsizetype>(markdown.size()));
}

/// Without fenced code, code in a line and formulas, in which < and ! mean themselves.
QString withoutCode(std::string_view markdown)
{
    static const QRegularExpression Fenced(u"^ {0,3}(```+|~~~+)[^\\n]*\\n.*?(^ {0,3}\\1[^\\n]*$|\\z)"_s,
        QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression Code(
        u"(`+)(?!`).*?(?<!`)\\1(?!`)"_s, QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression Formula(u"\\$\\$?[^$\\n]*\\$\\$?"_s);
    return textOf(markdown).remove(Fenced).remove(Code).remove(Formula);
}

const QRegularExpression& pictures()
{
    static const QRegularExpression Picture(u"!\\[[^\\]]*\\]\\(\\s*<?([^)\\s>]*)[^)]*\\)"_s);
    return Picture;
}

} // namespace

std::string htmlIn(std::string_view markdown)
{
    // A tag, an end of one, a comment, a declaration, an instruction; not `<https://...>`, which is a link.
    static const QRegularExpression Tag(u"<(/?[A-Za-z][A-Za-z0-9-]*(?![A-Za-z0-9+.-]*:)[^<]*>|!|\\?)"_s);
    constexpr std::size_t MostShown = 40;
    const auto found = Tag.match(withoutCode(markdown));
    return found.hasMatch() ? analysis::shortened(analysis::cleanLine(found.captured(0).toStdString()), MostShown)
                            : std::string();
}

std::string openFormulaIn(std::string_view markdown)
{
    const QString text = withoutCode(markdown).remove(u"\\$"_s);
    const auto sign = text.indexOf(u'$');
    if (sign < 0) {
        return {};
    }
    const auto begin = text.lastIndexOf(u'\n', sign) + 1;
    constexpr std::size_t MostShown = 40;
    return analysis::shortened(analysis::cleanLine(text.mid(begin).section(u'\n', 0, 0).toStdString()), MostShown);
}

std::vector<std::string> picturesIn(std::string_view markdown)
{
    std::vector<std::string> found;
    const QString text = withoutCode(markdown);
    for (auto match = pictures().globalMatch(text); match.hasNext();) {
        found.push_back(match.next().captured(1).toStdString());
    }
    return found;
}

} // namespace lockstep::laboratory
