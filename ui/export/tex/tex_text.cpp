#include "ui/export/tex/tex_text.h"

#include "analysis/plain_text.h"

#include <algorithm>

namespace lockstep::ui {

QByteArray texText(const QString& text)
{
    return QByteArray::fromStdString(analysis::latexEscaped(text.toStdString()));
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
