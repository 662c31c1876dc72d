#include "ui/export/tex_text.h"

#include <array>

namespace lockstep::ui {

namespace {

struct TexSign {
    char16_t sign;
    const char* tex;
};

constexpr std::array<TexSign, 31> Signs{{
    {u'\\', "\\textbackslash{}"},
    {u'{', "\\{"},
    {u'}', "\\}"},
    {u'$', "\\$"},
    {u'&', "\\&"},
    {u'#', "\\#"},
    {u'_', "\\_"},
    {u'%', "\\%"},
    {u'~', "\\textasciitilde{}"},
    {u'^', "\\textasciicircum{}"},
    {u'-', "{-}"}, // two in a row would become a dash
    {u'<', "\\textless{}"},
    {u'>', "\\textgreater{}"},
    {u'|', "\\textbar{}"},
    {u'"', "\\textquotedbl{}"},
    {u'\'', "{'}"},
    {u'`', "{`}"},
    {u'\u2212', "\\ensuremath{-}"},
    {u'\u00d7', "\\ensuremath{\\times}"},
    {u'\u00b7', "\\ensuremath{\\cdot}"},
    {u'\u00b1', "\\ensuremath{\\pm}"},
    {u'\u00b5', "\\ensuremath{\\mu}"},
    {u'\u03bc', "\\ensuremath{\\mu}"},
    {u'\u03b1', "\\ensuremath{\\alpha}"},
    {u'\u03b2', "\\ensuremath{\\beta}"},
    {u'\u221e', "\\ensuremath{\\infty}"},
    {u'\u2264', "\\ensuremath{\\leq}"},
    {u'\u2265', "\\ensuremath{\\geq}"},
    {u'\u2248', "\\ensuremath{\\approx}"},
    {u'\u2192', "\\ensuremath{\\rightarrow}"},
    {u'\u207b', "\\ensuremath{^{-}}"},
}};

/// ⁰¹²³⁴⁵⁶⁷⁸⁹
constexpr std::u16string_view Superscripts = u"\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

} // namespace

QByteArray texText(const QString& text)
{
    QByteArray tex;
    for (const QChar each : text) {
        const char16_t sign = each.unicode();
        const auto* const known
            = std::find_if(Signs.begin(), Signs.end(), [sign](const TexSign& row) { return row.sign == sign; });
        const std::size_t power = Superscripts.find(sign);
        if (known != Signs.end()) {
            tex += known->tex;
        } else if (power != std::u16string_view::npos) {
            tex += "\\ensuremath{^{" + QByteArray::number(static_cast<int>(power)) + "}}";
        } else if (each.isSurrogate()) {
            tex += '?'; // text fonts of TeX have none of these
        } else if (each.category() == QChar::Other_Control || each.category() == QChar::Other_Format
            || each.category() == QChar::Separator_Line || each.category() == QChar::Separator_Paragraph) {
            tex += ' ';
        } else {
            tex += QString(each).toUtf8();
        }
    }
    return tex;
}

QByteArray texComment(const QString& text)
{
    QString line = text;
    for (QChar& each : line) {
        if (each.category() == QChar::Other_Control || each.category() == QChar::Separator_Line
            || each.category() == QChar::Separator_Paragraph) {
            each = u' ';
        }
    }
    return line.toUtf8();
}

QString texFileName(const QString& name)
{
    QString safe;
    for (const QChar each : name) {
        const char16_t sign = each.unicode();
        const bool isSafe = (sign >= u'a' && sign <= u'z') || (sign >= u'A' && sign <= u'Z')
            || (sign >= u'0' && sign <= u'9') || sign == u'_';
        safe += isSafe ? each : QChar(u'-');
    }
    return safe.isEmpty() ? QStringLiteral("chart") : safe;
}

bool hasChinese(const QByteArray& utf8)
{
    const QString text = QString::fromUtf8(utf8);
    return std::any_of(text.begin(), text.end(), [](QChar each) {
        const QChar::Script script = each.script();
        return script == QChar::Script_Han || (each.unicode() >= 0x3000 && each.unicode() <= 0x303f)
            || (each.unicode() >= 0xff00 && each.unicode() <= 0xffef);
    });
}

} // namespace lockstep::ui
