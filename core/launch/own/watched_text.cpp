#include "launch/own/watched_text.h"

#include "base/translate.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

constexpr std::string_view Mark = "watch: {";
/// Of one place in the script's text.
constexpr qsizetype LongestPlace = 200;

struct Place {
    Text what;
    std::int64_t line = 0;
};

std::optional<Place> placeIn(const QJsonObject& found, QStringView key)
{
    const QJsonObject place = found[key].toObject();
    const QString what = place[u"what"_s].toString().left(LongestPlace);
    return what.isEmpty() ? std::nullopt
                          : std::optional(Place{verbatim(what.toStdString()), place[u"line"_s].toInteger()});
}

Text sentenceOf(const std::optional<Place>& loss, const std::optional<Place>& step)
{
    if (loss && step) {
        return {LS_TR("Messages", "Loss: %1, line %2. Step: %3, line %4."),
            {loss->what, loss->line, step->what, step->line}};
    }
    if (loss) {
        return {LS_TR("Messages", "Loss: %1, line %2. Step: not seen."), {loss->what, loss->line}};
    }
    return step ? Text(LS_TR("Messages", "Loss: not seen. Step: %1, line %2."), {step->what, step->line})
                : Text(LS_TR("Messages", "Loss and step: not seen."));
}

} // namespace

std::optional<Text> watchedText(const std::string& line)
{
    if (!line.starts_with(Mark)) {
        return std::nullopt;
    }
    const std::string_view json = std::string_view(line).substr(Mark.size() - 1);
    const QJsonDocument document
        = QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size())));
    if (!document.isObject()) {
        return std::nullopt;
    }
    const QJsonObject found = document.object();
    Text text = sentenceOf(placeIn(found, u"loss"), placeIn(found, u"step"));
    QStringList missing;
    for (const QJsonValue& each : found[u"missing"_s].toArray()) {
        missing += each.toString().left(LongestPlace);
    }
    if (!missing.isEmpty()) {
        text = {LS_TR("Messages", "%1 Not seen: %2."), {text, verbatim(missing.join(u", "_s).toStdString())}};
    }
    const QString file = found[u"file"_s].toString().left(LongestPlace);
    return file.isEmpty() ? text : Text(LS_TR("Messages", "%1: %2"), {verbatim(file.toStdString()), text});
}

} // namespace lockstep::launch
