#include "ui/shell/views/saved_views.h"

#include "base/translate.h"
#include "store/view_files.h"
#include "ui/models/charts/annotations.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace lockstep::ui {

namespace {

const std::array<QLatin1String, 3> AxisNames{QLatin1String("steps"), QLatin1String("epochs"), QLatin1String("seconds")};

QJsonObject optionsAsJson(const ChartOptions& options)
{
    return {{QStringLiteral("against"), AxisNames.at(static_cast<std::size_t>(options.x))},
        {QStringLiteral("smoothing"), options.smoothing}, {QStringLiteral("log_x"), options.xScale == Scale::Log},
        {QStringLiteral("log_y"), options.yScale == Scale::Log}, {QStringLiteral("choice"), options.choice},
        {QStringLiteral("raw"), options.showsRaw}, {QStringLiteral("line_ends"), options.namesLineEnds},
        {QStringLiteral("seeds"), options.showsSeeds}, {QStringLiteral("first"), options.first},
        {QStringLiteral("second"), options.second}, {QStringLiteral("panels_by"), options.panelsBy},
        {QStringLiteral("annotations"), annotationsAsJson(options.annotations)}};
}

/// Takes the entries of an object one by one; the first that is wrong, or that nobody took, is the error.
class EntryReader {
public:
    explicit EntryReader(QJsonObject object)
        : m_object(std::move(object))
    { }

    QJsonValue take(const char* name, QJsonValue::Type type)
    {
        const QJsonValue value = m_object.take(QLatin1String(name));
        if (value.type() != type) {
            refuse(name);
        }
        return value;
    }
    QJsonValue takeIfThere(const char* name)
    {
        return m_object.contains(QLatin1String(name)) ? m_object.take(QLatin1String(name)) : QJsonValue::Undefined;
    }
    bool takeBool(const char* name) { return take(name, QJsonValue::Bool).toBool(); }
    QString takeText(const char* name) { return take(name, QJsonValue::String).toString(); }
    void refuse(const QString& name)
    {
        if (m_error.isEmpty()) {
            m_error = name;
        }
    }
    void refuse(const char* name) { refuse(QString::fromLatin1(name)); }
    /// Name of the first wrong entry; empty: none.
    [[nodiscard]] QString wrong() const
    {
        return !m_error.isEmpty() || m_object.isEmpty() ? m_error : m_object.begin().key();
    }

private:
    QJsonObject m_object;
    QString m_error;
};

ChartOptions optionsFromJson(EntryReader& entries)
{
    ChartOptions options;
    const auto* const axis = std::ranges::find(AxisNames, entries.takeText("against"));
    if (axis == AxisNames.end()) {
        entries.refuse("against");
    } else {
        options.x = static_cast<XAxis>(axis - AxisNames.begin());
    }
    options.smoothing = entries.take("smoothing", QJsonValue::Double).toDouble();
    if (!(options.smoothing >= 0.0 && options.smoothing < 1.0)) {
        entries.refuse("smoothing");
    }
    options.xScale = entries.takeBool("log_x") ? Scale::Log : Scale::Linear;
    options.yScale = entries.takeBool("log_y") ? Scale::Log : Scale::Linear;
    options.choice = entries.take("choice", QJsonValue::Double).toInt();
    options.showsRaw = entries.takeBool("raw");
    options.namesLineEnds = entries.takeBool("line_ends");
    options.showsSeeds = entries.takeBool("seeds");
    options.first = entries.takeText("first");
    options.second = entries.takeText("second");
    // A view of an earlier version has neither panels nor annotations.
    options.panelsBy = entries.takeIfThere("panels_by").toString();
    const QJsonValue annotations = entries.takeIfThere("annotations");
    if (auto read = annotationsFromJson(annotations)) {
        options.annotations = std::move(*read);
    } else if (!annotations.isUndefined()) {
        entries.refuse("annotations");
    }
    return options;
}

Error wrongEntry(const QString& name)
{
    return refusal({}, LS_TR("Refusals", "not a saved view: its entry %1 is missing, unknown or not allowed"),
        {verbatim(name.toStdString())});
}

} // namespace

QByteArray viewAsJson(const SavedView& view)
{
    QJsonArray runs;
    for (const RunId& id : view.runs) {
        runs.append(QString::fromStdString(id.text));
    }
    QJsonObject charts;
    for (const auto& [id, options] : view.charts) {
        charts[id] = optionsAsJson(options);
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("view"), store::ViewVersion}, {QStringLiteral("name"), view.name},
                             {QStringLiteral("opening"), view.opening}, {QStringLiteral("beside"), view.second},
                             {QStringLiteral("runs"), runs}, {QStringLiteral("charts"), charts}})
        .toJson();
}

Result<SavedView> viewFromJson(const QByteArray& text)
{
    QJsonParseError problem{};
    const QJsonDocument document = QJsonDocument::fromJson(text, &problem);
    if (!document.isObject()) {
        return refusal({}, LS_TR("Refusals", "not a saved view: %1"), {verbatim(problem.errorString().toStdString())});
    }
    EntryReader entries(document.object());
    const int version = entries.take("view", QJsonValue::Double).toInt();
    if (version > store::ViewVersion) {
        return refusal({}, LS_TR("Refusals", "saved by a newer version of Lockstep"));
    }
    SavedView view{entries.takeText("name"), entries.takeText("opening"), entries.takeText("beside"), {}, {}};
    if (view.name.isEmpty()) {
        entries.refuse("name");
    }
    for (const QJsonValue& id : entries.take("runs", QJsonValue::Array).toArray()) {
        view.runs.push_back({id.toString().toStdString()});
        if (!isRunId(view.runs.back().text)) {
            entries.refuse("runs");
        }
    }
    const QJsonObject charts = entries.take("charts", QJsonValue::Object).toObject();
    for (auto chart = charts.begin(); chart != charts.end(); ++chart) {
        EntryReader options(chart.value().toObject());
        view.charts[chart.key()] = optionsFromJson(options);
        if (!options.wrong().isEmpty()) {
            entries.refuse(QStringLiteral("charts.%1.%2").arg(chart.key(), options.wrong()));
        }
    }
    if (!entries.wrong().isEmpty()) {
        return wrongEntry(entries.wrong());
    }
    return view;
}

SavedViews::SavedViews(const QString& folder)
    : m_store(folder)
{ }

SavedViews::Listed SavedViews::list() const
{
    Listed listed;
    const QDir folder(store::viewsFolder(m_store));
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(name));
        const auto refuse = [&](Error error) {
            error.subject = file.fileName().toStdString();
            error.message = error.subject + ": " + error.message;
            listed.unreadable.push_back(std::move(error));
        };
        if (!file.open(QIODevice::ReadOnly)) {
            refuse(refusal({}, LS_TR("Refusals", "cannot be read: %1"), {verbatim(file.errorString().toStdString())}));
            continue;
        }
        if (file.size() > store::LargestView) {
            refuse(refusal({}, LS_TR("Refusals", "is larger than 1 MiB, too large for a saved view")));
            continue;
        }
        Result<SavedView> view = viewFromJson(file.readAll());
        if (view) {
            listed.views.push_back(std::move(*view));
        } else {
            refuse(view.error());
        }
    }
    std::ranges::sort(listed.views,
        [](const SavedView& a, const SavedView& b) { return QString::localeAwareCompare(a.name, b.name) < 0; });
    return listed;
}

Result<void> SavedViews::save(const SavedView& view) const
{
    return store::writeView(m_store, view.name, viewAsJson(view));
}

Result<void> SavedViews::remove(const QString& name) const
{
    QFile file(store::viewPath(m_store, name));
    if (!file.remove()) {
        return refusal(file.fileName().toStdString(), LS_TR("Refusals", "cannot be deleted: %1"),
            {verbatim(file.errorString().toStdString())});
    }
    return {};
}

} // namespace lockstep::ui
