#include "exchange/report/template.h"

#include "base/translate.h"
#include "exchange/report/template_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace lockstep::report {

namespace {

using TemplateJson = nlohmann::json;

constexpr std::string_view General = "comparison";
constexpr int TemplateVersion = 1;

struct Kind {
    std::string_view key;
    ItemKind kind;
    std::span<const std::string_view> names; ///< allowed values; empty: any, or a text
    std::vector<std::string_view> alsoAllowed;
};

constexpr std::array<std::string_view, 5> Tables{"results", "settings", "differences", "sweep", "left_out"};
constexpr std::array<std::string_view, 3> Methods{"runs", "machine", "commands"};
constexpr std::array<std::string_view, 1> Listings{"spec"};
constexpr std::array<std::string_view, 3> TimeAxes{"step", "epoch", "seconds"};

const std::vector<Kind>& kinds()
{
    static const std::vector<Kind> All{{"text", ItemKind::Text, {}, {}},
        {"chart", ItemKind::Chart, {}, {"x", "log", "choice", "first", "second", "caption"}},
        {"table", ItemKind::Table, Tables, {"columns", "caption"}}, {"findings", ItemKind::Findings, {}, {}},
        {"question", ItemKind::Question, {}, {}}, {"method", ItemKind::Method, Methods, {}},
        {"listing", ItemKind::Listing, Listings, {}}};
    return All;
}

Error unknown(const std::string& where, const std::string& name, std::span<const std::string_view> allowed)
{
    return refusal(where, LS_TR("Refusals", "\"%1\" is unknown; allowed: %2"),
        {verbatim(name), verbatim(fmt::format("{}", fmt::join(allowed, ", ")))});
}

Result<BothLanguages> readText(const TemplateJson& value, const std::string& where)
{
    BothLanguages text;
    if (value.is_string()) {
        text.english = text.chinese = value.get<std::string>();
        return text;
    }
    if (!value.is_object() || value.empty()) {
        return refusal(where, LS_TR("Refusals", "needs a text, or {\"en\": \"...\", \"zh\": \"...\"}"));
    }
    for (const auto& [key, part] : value.items()) {
        if ((key != "en" && key != "zh") || !part.is_string()) {
            return refusal(
                where, LS_TR("Refusals", "%1 is not a text in a known language; allowed: en, zh"), {verbatim(key)});
        }
        (key == "en" ? text.english : text.chinese) = part.get<std::string>();
    }
    if (text.english.empty() || text.chinese.empty()) {
        (text.english.empty() ? text.english : text.chinese) = text.english.empty() ? text.chinese : text.english;
    }
    return text;
}

Result<std::string> readName(
    const TemplateJson& value, const std::string& where, std::span<const std::string_view> allowed)
{
    if (!value.is_string()) {
        return refusal(where, LS_TR("Refusals", "needs a name"));
    }
    const auto name = value.get<std::string>();
    if (!allowed.empty() && std::ranges::find(allowed, name) == allowed.end()) {
        return unknown(where, name, allowed);
    }
    return name;
}

Result<std::vector<std::string>> readNames(
    const TemplateJson& value, const std::string& where, std::span<const std::string_view> allowed)
{
    if (!value.is_array()) {
        return refusal(where, LS_TR("Refusals", "needs a list of names"));
    }
    std::vector<std::string> names;
    for (const TemplateJson& each : value) {
        LOCKSTEP_TRY_ASSIGN(auto name, readName(each, where, allowed));
        names.push_back(std::move(name));
    }
    return names;
}

Result<void> checkKeys(const TemplateJson& value, const std::string& where, std::span<const std::string_view> allowed)
{
    if (!value.is_object()) {
        return refusal(where, LS_TR("Refusals", "needs an object"));
    }
    for (const auto& [key, unused] : value.items()) {
        if (std::ranges::find(allowed, key) == allowed.end()) {
            return unknown(where, key, allowed);
        }
    }
    return {};
}

/// The options of an item beside what it is.
Result<void> readOptions(Item& item, const TemplateJson& value, const std::string& where)
{
    if (value.contains("x")) {
        LOCKSTEP_TRY_ASSIGN(item.x, readName(value["x"], where + ".x", TimeAxes));
    }
    if (value.contains("log")) {
        if (!value["log"].is_boolean()) {
            return refusal(where + ".log", LS_TR("Refusals", "needs true or false"));
        }
        item.isLogarithmic = value["log"].get<bool>();
    }
    for (const auto& [key, text] : std::initializer_list<std::pair<const char*, std::string*>>{
             {"choice", &item.choice}, {"first", &item.first}, {"second", &item.second}}) {
        if (value.contains(key)) {
            LOCKSTEP_TRY_ASSIGN(*text, readName(value[key], where + "." + key, {}));
        }
    }
    if (value.contains("columns")) {
        LOCKSTEP_TRY_ASSIGN(item.columns, readNames(value["columns"], where + ".columns", resultColumns()));
    }
    if (value.contains("caption")) {
        LOCKSTEP_TRY_ASSIGN(item.text, readText(value["caption"], where + ".caption"));
    }
    return {};
}

Result<Item> readItem(const TemplateJson& value, const std::string& where)
{
    std::vector<std::string_view> names;
    for (const Kind& kind : kinds()) {
        names.push_back(kind.key);
        if (!value.is_object() || !value.contains(kind.key)) {
            continue;
        }
        std::vector<std::string_view> allowed{kind.key};
        allowed.insert(allowed.end(), kind.alsoAllowed.begin(), kind.alsoAllowed.end());
        LOCKSTEP_TRY(checkKeys(value, where, allowed));
        Item item;
        item.kind = kind.kind;
        const TemplateJson& what = value[std::string(kind.key)];
        const std::string place = where + "." + std::string(kind.key);
        if (kind.kind == ItemKind::Text || kind.kind == ItemKind::Question) {
            LOCKSTEP_TRY_ASSIGN(item.text, readText(what, place));
        } else if (kind.kind == ItemKind::Findings) {
            LOCKSTEP_TRY_ASSIGN(item.kinds, readNames(what, place, {}));
        } else {
            LOCKSTEP_TRY_ASSIGN(item.name, readName(what, place, kind.names));
        }
        LOCKSTEP_TRY(readOptions(item, value, where));
        return item;
    }
    return refusal(where, LS_TR("Refusals", "needs one of %1"), {verbatim(fmt::format("{}", fmt::join(names, ", ")))});
}

Result<Section> readSection(const TemplateJson& value, const std::string& where)
{
    constexpr std::array<std::string_view, 3> Keys{"id", "heading", "content"};
    LOCKSTEP_TRY(checkKeys(value, where, Keys));
    for (const std::string_view key : Keys) {
        if (!value.contains(key)) {
            return refusal(where, LS_TR("Refusals", "needs \"%1\""), {verbatim(key)});
        }
    }
    Section section;
    LOCKSTEP_TRY_ASSIGN(section.id, readName(value["id"], where + ".id", {}));
    LOCKSTEP_TRY_ASSIGN(section.heading, readText(value["heading"], where + ".heading"));
    if (!value["content"].is_array()) {
        return refusal(where + ".content", LS_TR("Refusals", "needs a list"));
    }
    for (std::size_t i = 0; i < value["content"].size(); ++i) {
        LOCKSTEP_TRY_ASSIGN(auto item, readItem(value["content"][i], fmt::format("{}.content[{}]", where, i)));
        section.content.push_back(std::move(item));
    }
    return section;
}

Result<void> readSections(Template& made, const TemplateJson& sections)
{
    if (!sections.is_array() || sections.empty()) {
        return refusal("sections", LS_TR("Refusals", "needs a list with at least one section"));
    }
    std::set<std::string> ids;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        LOCKSTEP_TRY_ASSIGN(auto section, readSection(sections[i], fmt::format("sections[{}]", i)));
        if (!ids.insert(section.id).second) {
            return refusal(
                fmt::format("sections[{}].id", i), LS_TR("Refusals", "\"%1\" appears twice"), {verbatim(section.id)});
        }
        made.sections.push_back(std::move(section));
    }
    return {};
}

} // namespace

Result<Template> parseTemplate(std::string_view json)
{
    if (json.size() > LongestTemplate) {
        return refusal({}, LS_TR("Refusals", "the template is larger than 1 MiB"));
    }
    const TemplateJson value = TemplateJson::parse(json, nullptr, false);
    if (value.is_discarded()) {
        return refusal({}, LS_TR("Refusals", "the template is not JSON"));
    }
    constexpr std::array<std::string_view, 5> Keys{"version", "name", "experiments", "title", "sections"};
    LOCKSTEP_TRY(checkKeys(value, "template", Keys));
    if (!value.contains("version") || value["version"] != TemplateVersion) {
        return refusal("version", LS_TR("Refusals", "a template of this version of Lockstep has \"version\": 1"));
    }
    for (const std::string_view key : {Keys[1], Keys[3], Keys[4]}) {
        if (!value.contains(key)) {
            return refusal("template", LS_TR("Refusals", "needs \"%1\""), {verbatim(key)});
        }
    }
    Template made;
    LOCKSTEP_TRY_ASSIGN(made.name, readName(value["name"], "name", {}));
    LOCKSTEP_TRY_ASSIGN(made.title, readText(value["title"], "title"));
    if (value.contains("experiments")) {
        LOCKSTEP_TRY_ASSIGN(made.experiments, readNames(value["experiments"], "experiments", {}));
    }
    LOCKSTEP_TRY(readSections(made, value["sections"]));
    return made;
}

namespace {

TemplateJson jsonOf(const BothLanguages& text)
{
    return {{"en", text.english}, {"zh", text.chinese}};
}

TemplateJson jsonOf(const Item& item)
{
    const auto kind = std::ranges::find(kinds(), item.kind, &Kind::kind);
    const std::string key(kind->key);
    TemplateJson made;
    if (item.kind == ItemKind::Text || item.kind == ItemKind::Question) {
        made[key] = jsonOf(item.text);
        return made;
    }
    made[key] = item.kind == ItemKind::Findings ? TemplateJson(item.kinds) : TemplateJson(item.name);
    if (item.kind == ItemKind::Chart) {
        made["log"] = item.isLogarithmic;
        for (const auto& [name, text] : std::initializer_list<std::pair<const char*, const std::string*>>{
                 {"x", &item.x}, {"choice", &item.choice}, {"first", &item.first}, {"second", &item.second}}) {
            if (!text->empty()) {
                made[name] = *text;
            }
        }
    }
    if (!item.columns.empty()) {
        made["columns"] = item.columns;
    }
    if (!item.text.english.empty()) {
        made["caption"] = jsonOf(item.text);
    }
    return made;
}

} // namespace

std::string toJson(const Section& section)
{
    TemplateJson content = TemplateJson::array();
    for (const Item& item : section.content) {
        content.push_back(jsonOf(item));
    }
    const TemplateJson made{{"id", section.id}, {"heading", jsonOf(section.heading)}, {"content", std::move(content)}};
    return made.dump(-1, ' ', false, TemplateJson::error_handler_t::replace);
}

Result<Section> parseSection(std::string_view json)
{
    const TemplateJson value = TemplateJson::parse(json, nullptr, false);
    if (value.is_discarded()) {
        return refusal("section", LS_TR("Refusals", "the template is not JSON"));
    }
    return readSection(value, "section");
}

std::vector<std::string_view> templateNames()
{
    std::vector<std::string_view> names;
    for (const TemplateText& each : templateTexts()) {
        names.push_back(each.name);
    }
    return names;
}

Result<std::string_view> builtInTemplateText(std::string_view name)
{
    const auto texts = templateTexts();
    const auto found = std::ranges::find(texts, name, &TemplateText::name);
    if (found == texts.end()) {
        return unknown("template", std::string(name), templateNames());
    }
    return found->json;
}

Result<Template> builtInTemplate(std::string_view name)
{
    LOCKSTEP_TRY_ASSIGN(const auto text, builtInTemplateText(name));
    return parseTemplate(text);
}

std::span<const std::string_view> chartNames()
{
    static constexpr std::array<std::string_view, 26> Names{"loss", "accuracy", "train-loss", "test-loss", "time",
        "labels", "shares", "skew", "comm", "ranks", "staleness", "sweep", "bandwidth", "speed-up", "efficiency",
        "throughput", "split", "target", "memory", "traffic", "metric", "machine", "parameter", "heat-map", "net",
        "timeline"};
    return Names;
}

Template templateFor(std::string_view experiment)
{
    for (const std::string_view name : templateNames()) {
        auto made = builtInTemplate(name);
        if (made && std::ranges::find(made->experiments, experiment) != made->experiments.end()) {
            return std::move(*made);
        }
    }
    return std::move(*builtInTemplate(General));
}

Result<void> checkCharts(const Template& which, std::span<const std::string_view> charts)
{
    for (const Section& section : which.sections) {
        for (const Item& item : section.content) {
            if (item.kind == ItemKind::Chart && std::ranges::find(charts, item.name) == charts.end()) {
                return unknown(fmt::format("{}.chart", section.id), item.name, charts);
            }
        }
    }
    return {};
}

} // namespace lockstep::report
