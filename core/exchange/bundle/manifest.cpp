#include "exchange/bundle/manifest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace lockstep::exchange {

using namespace Qt::StringLiterals;

namespace {

using Json = nlohmann::ordered_json;

const char* const Format = "lockstep-bundle";

Error malformed()
{
    return failure(LS_TR("Messages", "its %1 is not that of a bundle"), {verbatim(ManifestName)});
}

std::string textOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t numberOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

Result<void> checkVersion(const Json& json)
{
    if (!json.is_object() || textOf(json, "format") != Format || numberOf(json, "version") < 1) {
        return malformed();
    }
    if (numberOf(json, "version") > BundleVersion) {
        return failure(
            LS_TR("Messages", "it is a bundle of version %1, from a later version of Lockstep; this program reads %2"),
            {numberOf(json, "version"), BundleVersion});
    }
    return {};
}

Json jsonOf(const BundledRun& run)
{
    return {{"id", run.id.text}, {"file", run.member().toStdString()}, {"experiment", run.experiment},
        {"name", run.name}, {"repeat", run.repeat}, {"status", run.status}, {"steps", run.steps}};
}

Result<BundledRun> runFrom(const Json& json)
{
    if (!json.is_object() || !isRunId(textOf(json, "id"))) {
        return malformed();
    }
    BundledRun run{{textOf(json, "id")}, textOf(json, "experiment"), textOf(json, "name"),
        static_cast<int>(numberOf(json, "repeat")), textOf(json, "status"), numberOf(json, "steps")};
    if (textOf(json, "file") != run.member().toStdString()) {
        return malformed();
    }
    return run;
}

Json listOf(const QStringList& members)
{
    Json list = Json::array();
    for (const QString& name : members) {
        list.push_back(name.toStdString());
    }
    return list;
}

/// Members of one kind, which are numbered.
Result<QStringList> membersIn(const Json& json, const char* entry, QString (*nameOf)(qsizetype place))
{
    const Json list = json.value(entry, Json());
    if (!list.is_array()) {
        return malformed();
    }
    QStringList members;
    for (const Json& name : list) {
        if (name != nameOf(members.size()).toStdString()) {
            return malformed();
        }
        members += nameOf(members.size());
    }
    return members;
}

} // namespace

QString Manifest::specName(qsizetype place)
{
    return place == 0 ? u"spec.json"_s : u"spec-%1.json"_s.arg(place + 1);
}

QString Manifest::viewName(qsizetype place)
{
    return u"views/%1.json"_s.arg(place + 1);
}

QStringList Manifest::members() const
{
    QStringList names{QString::fromLatin1(ManifestName)};
    names += specs;
    names += QString::fromLatin1(EnvironmentName);
    names += views;
    for (const BundledRun& run : runs) {
        names += run.member();
    }
    return names;
}

QByteArray Manifest::toJson() const
{
    Json list = Json::array();
    for (const BundledRun& run : runs) {
        list.push_back(jsonOf(run));
    }
    const Json json{{"format", Format}, {"version", views.isEmpty() ? 1 : BundleVersion}, {"program", LOCKSTEP_VERSION},
        {"specs", listOf(specs)}, {"environment", EnvironmentName}, {"names", hasNames}, {"views", listOf(views)},
        {"runs", std::move(list)}};
    return QByteArray::fromStdString(json.dump(2) + "\n");
}

Result<Manifest> Manifest::fromJson(const QByteArray& text)
{
    const Json json = Json::parse(text.toStdString(), nullptr, false);
    LOCKSTEP_TRY(checkVersion(json));
    const Json runs = json.value("runs", Json());
    if (!runs.is_array() || textOf(json, "environment") != EnvironmentName) {
        return malformed();
    }
    Manifest manifest;
    manifest.hasNames = json.value("names", Json()) == true;
    for (const Json& run : runs) {
        LOCKSTEP_TRY_ASSIGN(auto bundled, runFrom(run));
        manifest.runs.push_back(std::move(bundled));
    }
    LOCKSTEP_TRY_ASSIGN(manifest.specs, membersIn(json, "specs", specName));
    LOCKSTEP_TRY_ASSIGN(manifest.views, membersIn(json, "views", viewName));
    return manifest;
}

} // namespace lockstep::exchange
