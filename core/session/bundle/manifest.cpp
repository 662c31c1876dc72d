#include "session/bundle/manifest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

using Json = nlohmann::ordered_json;

const char* const Format = "lockstep-bundle";

Error malformed()
{
    return Error{fmt::format("its {} is not that of a bundle", ManifestName)};
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
        return Error{
            fmt::format("it is a bundle of version {}, from a later version of Lockstep; this program reads {}",
                numberOf(json, "version"), BundleVersion)};
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

} // namespace

QString Manifest::specName(qsizetype place)
{
    return place == 0 ? u"spec.json"_s : u"spec-%1.json"_s.arg(place + 1);
}

QStringList Manifest::members() const
{
    QStringList names{QString::fromLatin1(ManifestName)};
    names += specs;
    names += QString::fromLatin1(EnvironmentName);
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
    Json names = Json::array();
    for (const QString& name : specs) {
        names.push_back(name.toStdString());
    }
    const Json json{{"format", Format}, {"version", BundleVersion}, {"specs", std::move(names)},
        {"environment", EnvironmentName}, {"names", hasNames}, {"views", Json::array()}, {"runs", std::move(list)}};
    return QByteArray::fromStdString(json.dump(2) + "\n");
}

Result<Manifest> Manifest::fromJson(const QByteArray& text)
{
    const Json json = Json::parse(text.toStdString(), nullptr, false);
    LOCKSTEP_TRY(checkVersion(json));
    const Json runs = json.value("runs", Json());
    const Json specs = json.value("specs", Json());
    const Json views = json.value("views", Json());
    if (!runs.is_array() || !specs.is_array() || views != Json::array()
        || textOf(json, "environment") != EnvironmentName) {
        return malformed();
    }
    Manifest manifest;
    manifest.hasNames = json.value("names", Json()) == true;
    for (const Json& run : runs) {
        LOCKSTEP_TRY_ASSIGN(auto bundled, runFrom(run));
        manifest.runs.push_back(std::move(bundled));
    }
    for (const Json& name : specs) {
        if (name != specName(manifest.specs.size()).toStdString()) {
            return malformed();
        }
        manifest.specs += specName(manifest.specs.size());
    }
    return manifest;
}

} // namespace lockstep::session
