#include "experiment/spec.h"

#include "experiment/choices.h"
#include "experiment/json_values.h"
#include "experiment/parameter.h"
#include "experiment/presets.h"
#include "experiment/vary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>

namespace lockstep::experiment {

namespace {

constexpr std::size_t MostPlaces = 100'000;

Result<Json> readObject(std::string_view text)
{
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || !json.is_object()) {
        return refusal("spec", LS_TR("Messages", "this is not a JSON object"));
    }
    const auto version = json.find("version");
    if (version == json.end() || !version->is_number_integer() || version->get<std::int64_t>() != SpecVersion) {
        return refusal("spec", LS_TR("Messages", "version: %1; this program reads version %2"),
            {version == json.end() ? Text(LS_TR("Messages", "missing")) : verbatim(version->dump()), SpecVersion});
    }
    return json;
}

Result<void> refuseUnknown(const Json& json, const std::set<std::string>& known)
{
    for (const auto& [name, value] : json.items()) {
        if (!known.contains(name)) {
            return refusal("spec", LS_TR("Messages", "%1 is not an entry of a spec; allowed: %2"),
                {verbatim(name), verbatim(listed(known))});
        }
    }
    return {};
}

Result<std::string> experimentName(const Json& json)
{
    const auto name = json.find("experiment");
    if (name == json.end() || !name->is_string()) {
        return refusal("spec", LS_TR("Messages", "experiment is missing; allowed: %1, or the name of a preset"),
            {verbatim(OwnExperiment)});
    }
    const auto names = presetNames();
    const bool isOwn = name->get<std::string>() == OwnExperiment;
    if (!isOwn && std::find(names.begin(), names.end(), name->get<std::string>()) == names.end()) {
        return refusal("spec", LS_TR("Messages", "experiment: %1 is not one of %2"),
            {verbatim(name->get<std::string>()), verbatim(std::string(OwnExperiment) + ", " + listed(names))});
    }
    return name->get<std::string>();
}

/// Of a colour: what no program of ours writes is none.
std::optional<std::size_t> placeIn(const Json& json)
{
    const auto place = json.find("place");
    const bool isOne = place != json.end() && place->is_number_unsigned() && *place <= MostPlaces;
    return isOne ? std::optional(place->get<std::size_t>()) : std::nullopt;
}

Result<std::vector<Variant>> readVariants(const Json& json)
{
    std::vector<Variant> variants;
    if (!json.contains("variants")) {
        return variants;
    }
    if (!json["variants"].is_array()) {
        return refusal("spec", LS_TR("Messages", "variants is not a list"));
    }
    std::set<std::string> names;
    for (const Json& entry : json["variants"]) {
        const auto name = entry.is_object() ? entry.find("name") : entry.end();
        if (!entry.is_object() || name == entry.end() || !name->is_string() || name->get<std::string>().empty()) {
            return refusal("spec", LS_TR("Messages", "every variant needs a name, this one has none: %1"),
                {verbatim(entry.dump())});
        }
        if (!names.insert(name->get<std::string>()).second) {
            return refusal(
                "spec", LS_TR("Messages", "two variants are named %1"), {verbatim(name->get<std::string>())});
        }
        const Json group = entry.value("group", Json(""));
        if (!group.is_string()) {
            return refusal("spec", LS_TR("Messages", "variant %1: group: %2 is not a string"),
                {verbatim(name->get<std::string>()), verbatim(group.dump())});
        }
        const Json enabled = entry.value("enabled", Json(true));
        if (!enabled.is_boolean()) {
            return refusal("spec", LS_TR("Messages", "variant %1: enabled: %2 is not true or false"),
                {verbatim(name->get<std::string>()), verbatim(enabled.dump())});
        }
        LOCKSTEP_TRY_ASSIGN(auto values,
            assignmentFromJson(entry, {LS_TR("Messages", "variant %1"), {verbatim(name->get<std::string>())}},
                {"name", "group", "enabled", "place"}));
        variants.push_back({name->get<std::string>(), std::move(values), group.get<std::string>(), enabled.get<bool>(),
            placeIn(entry)});
    }
    return variants;
}

Result<int> readRepeats(const Json& json)
{
    if (!json.contains("repeats")) {
        return 1;
    }
    const Json& repeats = json["repeats"];
    if (!repeats.is_number_integer() || repeats.get<std::int64_t>() < 1 || repeats.get<std::int64_t>() > 100) {
        return refusal("repeats", LS_TR("Messages", "%1 is not an integer in [1, 100]"), {verbatim(repeats.dump())});
    }
    return repeats.get<int>();
}

/// `"title": "A text"`, or `{"en": "A text", "zh": "..."}`.
Result<Wording> readWording(const Json& json, const std::string& key)
{
    const auto entry = json.find(key);
    if (entry == json.end()) {
        return Wording{};
    }
    if (entry->is_string()) {
        return Wording{entry->get<std::string>(), {}};
    }
    if (!entry->is_object()) {
        return refusal("spec", LS_TR("Messages", "%1: %2 is not a text, nor an object with en and zh"),
            {verbatim(key), verbatim(entry->dump())});
    }
    Wording wording;
    for (const auto& [language, text] : entry->items()) {
        if ((language != "en" && language != "zh") || !text.is_string()) {
            return refusal("spec", LS_TR("Messages", "%1: %2: %3 is not a text in en or zh"),
                {verbatim(key), verbatim(language), verbatim(text.dump())});
        }
        (language == "en" ? wording.en : wording.zh) = text.get<std::string>();
    }
    return wording;
}

Result<About> readAbout(const Json& json)
{
    About about;
    LOCKSTEP_TRY_ASSIGN(about.title, readWording(json, "title"));
    LOCKSTEP_TRY_ASSIGN(about.question, readWording(json, "question"));
    LOCKSTEP_TRY_ASSIGN(about.description, readWording(json, "description"));
    const Json charts = json.value("charts", Json::array());
    if (!charts.is_array()
        || std::any_of(charts.begin(), charts.end(), [](const Json& id) { return !id.is_string(); })) {
        return refusal(
            "spec", LS_TR("Messages", "charts: %1 is not a list of the names of charts"), {verbatim(charts.dump())});
    }
    about.charts = charts.get<std::vector<std::string>>();
    return about;
}

void writeWording(Json& json, const char* key, const Wording& wording)
{
    if (wording.zh.empty() && !wording.en.empty()) {
        json[key] = wording.en;
    } else if (!wording.zh.empty()) {
        json[key] = wording.en.empty() ? Json{{"zh", wording.zh}} : Json{{"en", wording.en}, {"zh", wording.zh}};
    }
}

} // namespace

Result<Spec> parseSpec(std::string_view text)
{
    LOCKSTEP_TRY_ASSIGN(const auto json, readObject(text));
    LOCKSTEP_TRY(refuseUnknown(
        json, {"version", "experiment", "title", "question", "description", "charts", "base", "variants", "repeats"}));
    LOCKSTEP_TRY_ASSIGN(auto about, readAbout(json));
    LOCKSTEP_TRY_ASSIGN(const auto experiment, experimentName(json));
    LOCKSTEP_TRY_ASSIGN(auto base, assignmentFromJson(json.value("base", Json::object()), verbatim("base")));
    LOCKSTEP_TRY_ASSIGN(auto variants, readVariants(json));
    LOCKSTEP_TRY_ASSIGN(const auto repeats, readRepeats(json));
    if (static_cast<std::size_t>(repeats) * std::max<std::size_t>(1, variants.size()) > MostRuns) {
        return refusal("spec", LS_TR("Messages", "variants times repeats give more than %1 runs"), {MostRuns});
    }
    return Spec{experiment, std::move(base), std::move(variants), repeats, std::move(about)};
}

std::string toJson(const Spec& spec)
{
    Json json{{"version", SpecVersion}, {"experiment", spec.experiment}};
    writeWording(json, "title", spec.about.title);
    writeWording(json, "question", spec.about.question);
    writeWording(json, "description", spec.about.description);
    if (!spec.about.charts.empty()) {
        json["charts"] = spec.about.charts;
    }
    json["base"] = toJsonObject(spec.base);
    if (!spec.variants.empty()) {
        json["variants"] = Json::array();
        const std::vector<std::size_t> places = placesOf(spec.variants);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Variant& variant = spec.variants[i];
            Json entry{{"name", variant.name}};
            if (!variant.group.empty()) {
                entry["group"] = variant.group;
            }
            if (!variant.isEnabled) {
                entry["enabled"] = false;
            }
            if (places[i] != i) {
                entry["place"] = places[i];
            }
            entry.update(toJsonObject(variant.values));
            json["variants"].push_back(std::move(entry));
        }
    }
    json["repeats"] = spec.repeats;
    return json.dump(2);
}

std::string toJson(const RunSpec& run)
{
    Json json{{"version", SpecVersion}, {"experiment", run.experiment}, {"name", run.name}, {"repeat", run.repeat},
        {"base", toJsonObject(run.settings)}};
    if (run.place) {
        json["place"] = *run.place;
    }
    writeWording(json, "title", run.title);
    writeWording(json, "question", run.question);
    addData(json, run);
    return json.dump();
}

Result<RunSpec> parseRunSpec(std::string_view text, std::int32_t ranks)
{
    LOCKSTEP_TRY_ASSIGN(const auto json, readObject(text));
    if (auto known = refuseUnknown(
            json, {"version", "experiment", "title", "question", "name", "repeat", "base", "data", "repeats", "place"});
        !known) {
        return json.contains("variants")
            ? refusal("spec",
                LS_TR("Messages", "it has variants; a rank runs one spec without them (lockstep run takes them all)"))
            : known.error();
    }
    LOCKSTEP_TRY_ASSIGN(const auto experiment, experimentName(json));
    LOCKSTEP_TRY_ASSIGN(auto base, assignmentFromJson(json.value("base", Json::object()), verbatim("base")));
    const Assignment asked = base;
    Value& worldSize = base.try_emplace("world_size", std::int64_t{0}).first->second;
    if (worldSize == Value(std::int64_t{0})) {
        worldSize = std::int64_t{ranks};
    }
    LOCKSTEP_TRY_ASSIGN(auto runs, expand(Spec{experiment, std::move(base), {}, 1}));
    RunSpec run = std::move(runs.front());
    run.place = placeIn(json);
    LOCKSTEP_TRY_ASSIGN(run.title, readWording(json, "title"));
    LOCKSTEP_TRY_ASSIGN(run.question, readWording(json, "question"));
    LOCKSTEP_TRY(readData(json, run));
    for (const auto& [key, value] : asked) {
        if (key != "world_size" && run.settings.at(key) != value) {
            run.notes.push_back(SettingWithoutEffect{key, {}}.textOfRun());
        }
    }
    if (json.contains("name") && json["name"].is_string()) {
        run.name = json["name"].get<std::string>();
    }
    if (json.contains("repeat") && json["repeat"].is_number_integer()) {
        run.repeat = json["repeat"].get<int>();
    }
    return run;
}

std::span<const std::string_view> presetNames()
{
    static const std::vector<std::string_view> Names = [] {
        std::vector<std::string_view> names;
        for (const PresetText& preset : presetTexts()) {
            names.push_back(preset.name);
        }
        return names;
    }();
    return Names;
}

Result<Spec> preset(std::string_view name)
{
    if (name == OwnExperiment) {
        return Spec{std::string(OwnExperiment), {}, {}, 1};
    }
    const auto found = std::ranges::find(presetTexts(), name, &PresetText::name);
    return found != presetTexts().end() ? parseSpec(found->json)
                                        : failure(LS_TR("Messages", "%1: no such preset; allowed: %2"),
                                            {verbatim(name), verbatim(listed(presetNames()))});
}

bool isSweep(const RunSpec& run)
{
    return is(run, Strategy::Collectives);
}

} // namespace lockstep::experiment
