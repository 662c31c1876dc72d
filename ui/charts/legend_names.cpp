#include "ui/charts/legend_names.h"

#include "ui/models/short_names.h"

#include <algorithm>
#include <iterator>

namespace lockstep::ui {

namespace {

bool isJoint(QChar each)
{
    return !each.isLetterOrNumber() && !each.isSurrogate(); // a pair is one character
}

qsizetype sharedBeginning(const QStringList& names)
{
    qsizetype length = 0;
    const auto isShared
        = [&](const QString& name) { return length < name.size() && name[length] == names.front()[length]; };
    while (length < names.front().size() && std::ranges::all_of(names, isShared)) {
        ++length;
    }
    // Back to the beginning of a word: `seed9`, not `9`.
    while (length > 0 && !isJoint(names.front()[length - 1])) {
        --length;
    }
    return length;
}

QString reversed(const QString& text)
{
    QString turned;
    std::ranges::reverse_copy(text, std::back_inserter(turned));
    return turned;
}

/// Without the words that all begin and end with.
QStringList ownWords(const QStringList& names)
{
    const qsizetype first = sharedBeginning(names);
    QStringList turned;
    for (const QString& name : names) {
        turned += reversed(name.mid(first));
    }
    const qsizetype last = sharedBeginning(turned);
    QStringList shorter;
    for (const QString& name : names) {
        shorter += name.mid(first, name.size() - first - last).trimmed();
    }
    const bool isWhole = std::ranges::none_of(shorter, [](const QString& name) { return name.isEmpty(); });
    return isWhole ? shorter : names;
}

/// The longest beginning that fits with `… 7` behind it.
QString numbered(const QString& name, qsizetype number, const std::function<bool(const QString&)>& fits)
{
    const QString end = QStringLiteral("… %1").arg(number);
    qsizetype kept = name.size();
    while (kept > 0 && !fits(name.left(kept) + end)) {
        --kept;
    }
    return name.left(kept) + end;
}

} // namespace

QStringList legendNames(const QStringList& names, const std::function<bool(const QString&)>& fits)
{
    if (names.size() < 2 || std::ranges::all_of(names, fits)) {
        return names.size() == 1 ? shortNames(names, fits) : names;
    }
    QStringList shorter = ownWords(names);
    if (!std::ranges::all_of(shorter, fits)) {
        shorter = shortNames(shorter, fits);
    }
    for (qsizetype i = 0; i < shorter.size(); ++i) {
        if (!fits(shorter[i])) {
            shorter[i] = numbered(shorter[i], i + 1, fits);
        }
    }
    return shorter;
}

} // namespace lockstep::ui
