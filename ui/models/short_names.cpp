#include "ui/models/short_names.h"

#include <algorithm>
#include <iterator>

namespace lockstep::ui {

namespace {

constexpr QChar Cut = u'…';

/// English and Chinese names have other commas between their parts.
QStringList partsOf(const QString& name, QString& comma)
{
    const bool isChinese = name.contains(u'，');
    comma = isChinese ? QStringLiteral("，") : QStringLiteral(", ");
    return name.split(comma);
}

/// Whether the same are equal as before.
bool areAsApart(const QStringList& names, const QStringList& shorter)
{
    for (qsizetype i = 0; i < names.size(); ++i) {
        for (qsizetype j = 0; j < i; ++j) {
            if (names[i] != names[j] && shorter[i] == shorter[j]) {
                return false;
            }
        }
    }
    return true;
}

/// Without the parts that all have; as they are where one would be left with nothing.
QStringList withoutShared(const QStringList& names)
{
    QString comma;
    QStringList shared = partsOf(names.front(), comma);
    for (const QString& name : names) {
        const QStringList parts = partsOf(name, comma);
        shared.removeIf([&parts](const QString& part) { return !parts.contains(part); });
    }
    QStringList shorter;
    for (const QString& name : names) {
        QStringList parts = partsOf(name, comma);
        parts.removeIf([&shared](const QString& part) { return shared.contains(part); });
        shorter << parts.join(comma);
    }
    return shorter.contains(QString()) || !areAsApart(names, shorter) ? names : shorter;
}

/// How many characters all begin with, or end with.
qsizetype sharedLength(const QStringList& names, bool atEnd)
{
    qsizetype length = 0;
    const auto at = [&](const QString& name) { return atEnd ? name[name.size() - 1 - length] : name[length]; };
    const auto isShared = [&](const QString& name) { return length < name.size() && at(name) == at(names.front()); };
    while (length < names.front().size() && std::ranges::all_of(names, isShared)) {
        ++length;
    }
    return length;
}

/// `…` for the characters that all begin with and end with.
QStringList withoutEnds(const QStringList& names)
{
    const qsizetype first = sharedLength(names, false);
    QStringList rests;
    std::ranges::transform(names, std::back_inserter(rests), [first](const QString& name) { return name.mid(first); });
    const qsizetype last = sharedLength(rests, true);
    QStringList shorter;
    for (const QString& rest : rests) {
        const QString middle = rest.left(rest.size() - last);
        if (middle.isEmpty()) {
            return names; // one of them begins or ends the others
        }
        shorter << (first > 1 ? QString(Cut) : names.front().left(first)) + middle
                + (last > 1 ? QString(Cut) : rest.right(last));
    }
    return areAsApart(names, shorter) ? shorter : names;
}

/// The longest beginning that fits, if it tells the name from all others; else the longest end.
QString cutAway(const QString& name, const QStringList& others, const std::function<bool(const QString&)>& fits)
{
    for (const bool keepsEnd : {false, true}) {
        const auto kept = [&](qsizetype length) { return keepsEnd ? name.right(length) : name.left(length); };
        const auto text = [&](qsizetype length) { return keepsEnd ? Cut + kept(length) : kept(length) + Cut; };
        qsizetype longest = 0;
        for (qsizetype tooLong = name.size(); tooLong - longest > 1;) {
            const qsizetype middle = longest + (tooLong - longest) / 2;
            (fits(text(middle)) ? longest : tooLong) = middle;
        }
        const QString part = kept(longest);
        const bool isApart = longest > 0 && std::ranges::none_of(others, [&](const QString& other) {
            return other != name && (keepsEnd ? other.endsWith(part) : other.startsWith(part));
        });
        if (isApart) {
            return text(longest);
        }
    }
    return name;
}

} // namespace

QStringList shortNames(const QStringList& names, const std::function<bool(const QString&)>& fits)
{
    QStringList shorter = names;
    for (const auto& shortened : {withoutShared, withoutEnds}) {
        if (names.size() < 2 || std::ranges::all_of(shorter, fits)) {
            break;
        }
        shorter = shortened(shorter);
    }
    QStringList cut;
    for (const QString& name : shorter) {
        cut << (fits(name) ? name : cutAway(name, shorter, fits));
    }
    return areAsApart(names, cut) ? cut : shorter;
}

} // namespace lockstep::ui
