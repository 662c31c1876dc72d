#include "ui/models/shown_text.h"

#include "analysis/plain_text.h"

#include <QTextDocument>

namespace lockstep::ui {

namespace {

constexpr std::size_t MostNameBytes = 1'000;
constexpr std::size_t MostToolTipBytes = 4'000;

} // namespace

QString shownText(std::string_view text)
{
    return QString::fromStdString(analysis::cleanText(text));
}

QString shownText(const QString& text)
{
    return shownText(std::string_view(text.toStdString()));
}

QString shownName(std::string_view name)
{
    return QString::fromStdString(analysis::shortened(analysis::cleanLine(name), MostNameBytes));
}

QString shownName(const QString& name)
{
    return shownName(std::string_view(name.toStdString()));
}

QString tipText(const QString& text)
{
    const QString shown
        = QString::fromStdString(analysis::shortened(analysis::cleanText(text.toStdString()), MostToolTipBytes));
    return Qt::mightBeRichText(shown) ? Qt::convertFromPlainText(shown) : shown;
}

QString menuText(const QString& name)
{
    return shownName(name).replace(u'&', QStringLiteral("&&"));
}

QString titleText(const QString& name)
{
    return shownName(name).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"));
}

QString fileNameOf(const QString& text)
{
    return QString::fromStdString(analysis::fileNameOf(text.toStdString()));
}

} // namespace lockstep::ui
