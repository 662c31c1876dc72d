#include "ui/export/tex/tex_text.h"

#include "analysis/plain_text.h"

#include <algorithm>

namespace lockstep::ui {

QByteArray texText(const QString& text)
{
    // Names are in one line already: an end of a line is the chart's own.
    return QByteArray::fromStdString(analysis::latexEscaped(QString(text).replace(u'\n', u' ').toStdString()));
}

QByteArray texComment(const QString& text)
{
    return QByteArray::fromStdString(analysis::cleanLine(text.toStdString()));
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
