#include "store/file/run_meta.h"

#include "analysis/figures/figure.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QFile>
#include <QVariant>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

using analysis::Summary;

nlohmann::ordered_json memoryToJson(const std::vector<analysis::RankMemory>& memory)
{
    auto list = nlohmann::ordered_json::array();
    for (const analysis::RankMemory& rank : memory) {
        list.push_back(
            {{"rank", rank.rank}, {"after_step", rank.afterStep}, {"most", rank.most}, {"most_of_sum", rank.mostOfSum},
                {"highest", rank.highest}, {"resident", rank.resident}, {"highest_resident", rank.highestResident},
                {"planned", rank.planned}, {"planned_highest", rank.plannedHighest}});
    }
    return list;
}

/// Missing or malformed values stay 0.
std::vector<analysis::RankMemory> memoryFromJson(const nlohmann::json& list)
{
    std::vector<analysis::RankMemory> memory;
    for (const auto& entry : list.is_array() ? list : nlohmann::json::array()) {
        if (!entry.is_object()) {
            continue;
        }
        const auto number
            = [](const nlohmann::json& value) { return value.is_number_integer() ? value.get<std::int64_t>() : 0; };
        const auto one = [&](const char* name) { return entry.contains(name) ? number(entry[name]) : 0; };
        const auto kinds = [&](const char* name) {
            MemoryBytes bytes{};
            const auto found = entry.find(name);
            for (std::size_t kind = 0;
                 found != entry.end() && found->is_array() && kind < std::min(bytes.size(), found->size()); ++kind) {
                bytes[kind] = number((*found)[kind]);
            }
            return bytes;
        };
        analysis::addMemory(memory,
            {static_cast<std::int32_t>(one("rank")), kinds("after_step"), kinds("most"), one("most_of_sum"),
                one("highest"), one("resident"), one("highest_resident"), kinds("planned"), one("planned_highest")});
    }
    return memory;
}

QString startOf(qint64 pid)
{
    QFile boot(u"/proc/sys/kernel/random/boot_id"_s);
    QFile stat(u"/proc/%1/stat"_s.arg(pid));
    if (!boot.open(QIODevice::ReadOnly) || !stat.open(QIODevice::ReadOnly)) {
        return {};
    }
    // The command's name may hold spaces and brackets: fields are counted from the last bracket on.
    const QByteArray line = stat.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    constexpr qsizetype StartTime = 19; // field 22 of proc(5), two of them before the bracket
    const bool zombie = !fields.isEmpty() && fields.first() == "Z";
    return fields.size() > StartTime && !zombie
        ? QString::fromLatin1(boot.readAll().trimmed()) + u' ' + QString::fromLatin1(fields[StartTime])
        : QString();
}

QString toQString(const std::string& value)
{
    return QString::fromStdString(value);
}

} // namespace

WriterIdentity WriterIdentity::ofThisProcess()
{
    const qint64 pid = QCoreApplication::applicationPid();
    return {pid, startOf(pid)};
}

bool WriterIdentity::isAlive() const
{
    return pid > 0 && !start.isEmpty() && startOf(pid) == start;
}

QString summaryToJson(const Summary& summary)
{
    nlohmann::ordered_json json;
    for (const analysis::Figure& figure : analysis::figures()) {
        if (figure.member != nullptr) {
            json[std::string(figure.name)] = summary.*figure.member; // NaN is written as null
        }
    }
    json["bytes_by_kind"] = summary.bytesByKind;
    json["verify_drifts"] = summary.verifyDrifts;
    json["interfered"] = analysis::namesOf(summary.interference);
    json["steps"] = summary.steps;
    json["train_samples"] = summary.trainSamples;
    json["test_samples"] = summary.testSamples;
    json["hosts"] = summary.hosts;
    json["cores"] = summary.cores;
    json["device"] = summary.device;
    json["dropped_spans"] = summary.droppedSpans;
    json["memory"] = memoryToJson(summary.memory);
    json["resumed_step"] = summary.resumption.step;
    json["scheduled_steps"] = summary.resumption.scheduledSteps;
    json["total_steps"] = summary.resumption.totalSteps;
    return toQString(json.dump());
}

Summary summaryFromJson(const QString& source)
{
    const auto json = nlohmann::json::parse(source.toStdString(), nullptr, false);
    Summary summary;
    if (!json.is_object()) {
        return summary;
    }
    for (const analysis::Figure& figure : analysis::figures()) {
        const auto found = json.find(figure.name);
        if (figure.member != nullptr && found != json.end() && found->is_number()) {
            summary.*figure.member = found->get<double>();
        }
    }
    const auto count = [&](const char* name) {
        const auto found = json.find(name);
        return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
    };
    summary.steps = count("steps");
    summary.trainSamples = count("train_samples");
    summary.testSamples = count("test_samples");
    summary.hosts = count("hosts");
    summary.cores = count("cores");
    summary.droppedSpans = count("dropped_spans");
    summary.resumption = {count("resumed_step"), count("scheduled_steps"), count("total_steps")};
    if (const auto device = json.find("device"); device != json.end() && device->is_string()) {
        summary.device = device->get<std::string>();
    }
    for (const auto& drift : json.value("verify_drifts", nlohmann::json::array())) {
        summary.verifyDrifts.push_back(drift.is_number() ? drift.get<double>() : analysis::NotMeasured);
    }
    std::vector<std::string> interfered;
    for (const auto& name : json.value("interfered", nlohmann::json::array())) {
        interfered.push_back(name.is_string() ? name.get<std::string>() : std::string());
    }
    summary.interference = analysis::interferenceFromNames(interfered);
    // A version with other kinds may have written it.
    if (const auto kinds = json.find("bytes_by_kind");
        kinds != json.end() && kinds->is_array() && kinds->size() == TrafficKindCount) {
        for (std::size_t kind = 0; kind < TrafficKindCount; ++kind) {
            summary.bytesByKind[kind]
                = (*kinds)[kind].is_number() ? (*kinds)[kind].get<double>() : analysis::NotMeasured;
        }
    }
    summary.memory = json.contains("memory") ? memoryFromJson(json["memory"]) : std::vector<analysis::RankMemory>();
    return summary;
}

QString tagsToJson(const std::vector<std::string>& tags)
{
    return toQString(nlohmann::json(tags).dump());
}

std::vector<std::string> tagsFromJson(const QString& source)
{
    const auto json = nlohmann::json::parse(source.toStdString(), nullptr, false);
    std::vector<std::string> tags;
    for (const auto& tag : json.is_array() ? json : nlohmann::json::array()) {
        if (tag.is_string()) {
            tags.push_back(tag.get<std::string>());
        }
    }
    return tags;
}

Result<void> setMeta(Database& file, const QString& key, const QString& value)
{
    LOCKSTEP_TRY(
        file.query(u"INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"_s, {key, value.isNull() ? u""_s : value}));
    return {};
}

Result<QString> meta(Database& file, const QString& key)
{
    LOCKSTEP_TRY_ASSIGN(auto query, file.query(u"SELECT value FROM meta WHERE key = ?"_s, {key}));
    return query.next() ? query.value(0).toString() : QString();
}

Result<void> writeMarks(Database& file, const analysis::RunRecord& record)
{
    LOCKSTEP_TRY(setMeta(file, u"label"_s, toQString(record.label)));
    LOCKSTEP_TRY(setMeta(file, u"tags"_s, tagsToJson(record.marks.tags)));
    LOCKSTEP_TRY(setMeta(file, u"note"_s, toQString(record.marks.note)));
    return setMeta(file, u"pinned"_s, record.marks.isPinned ? u"1"_s : u"0"_s);
}

Result<void> readMarks(Database& file, analysis::RunRecord& record)
{
    LOCKSTEP_TRY_ASSIGN(const QString label, meta(file, u"label"_s));
    LOCKSTEP_TRY_ASSIGN(const QString tags, meta(file, u"tags"_s));
    LOCKSTEP_TRY_ASSIGN(const QString note, meta(file, u"note"_s));
    LOCKSTEP_TRY_ASSIGN(const QString pinned, meta(file, u"pinned"_s));
    record.label = label.toStdString();
    record.marks = {tagsFromJson(tags), note.toStdString(), pinned == u"1"};
    return {};
}

Result<void> writeRecord(Database& file, const analysis::RunRecord& record, const WriterIdentity& writer)
{
    const std::vector<std::pair<QString, QString>> rows{{u"format"_s, QString::number(RunFormat)},
        {u"program"_s, QStringLiteral(LOCKSTEP_VERSION)}, {u"id"_s, toQString(record.id.text)},
        {u"spec"_s, toQString(experiment::toJson(record.spec))},
        {u"status"_s, toQString(std::string(nameOf(record.status)))}, {u"message"_s, toQString(record.message)},
        {u"message_data"_s, toQString(record.messageData)}, {u"created_ns"_s, QString::number(record.createdNs)},
        {u"summary"_s, summaryToJson(record.summary)}, {u"writer_pid"_s, QString::number(writer.pid)},
        {u"writer_start"_s, writer.start}, {u"imported_from"_s, toQString(record.importedFrom)}};
    for (const auto& [key, value] : rows) {
        LOCKSTEP_TRY(setMeta(file, key, value));
    }
    return writeMarks(file, record);
}

Result<analysis::RunRecord> readRecord(Database& file)
{
    const auto format = meta(file, u"format"_s);
    const std::string path = file.path().toStdString();
    if (!format || format->isEmpty()) {
        return failure(LS_TR("Messages", "run store: %1 is not a Lockstep run"), {verbatim(path)});
    }
    if (format->toInt() != RunFormat) {
        return failure(LS_TR("Messages", "run store: %1 is a run of format %2; this program reads %3"),
            {verbatim(path), verbatim(format->toStdString()), RunFormat});
    }
    std::map<QString, QString> values;
    for (const QString& key : {u"id"_s, u"spec"_s, u"status"_s, u"message"_s, u"message_data"_s, u"created_ns"_s,
             u"summary"_s, u"imported_from"_s}) {
        LOCKSTEP_TRY_ASSIGN(values[key], meta(file, key));
    }
    analysis::RunRecord record;
    record.id.text = values[u"id"_s].toStdString();
    auto spec = experiment::parseRunSpec(values[u"spec"_s].toStdString());
    const auto status = analysis::statusFromName(values[u"status"_s].toStdString());
    if (!isRunId(record.id.text) || !spec || !status) {
        const Error damaged = failure(LS_TR("Messages", "run store: %1 has a damaged record"), {verbatim(path)});
        return spec ? damaged : failure(LS_TR("Messages", "%1: %2"), {damaged, spec.error()});
    }
    record.spec = std::move(*spec);
    record.status = *status;
    record.message = values[u"message"_s].toStdString();
    record.messageData = values[u"message_data"_s].toStdString();
    record.createdNs = values[u"created_ns"_s].toLongLong();
    record.importedFrom = values[u"imported_from"_s].toStdString();
    record.summary = summaryFromJson(values[u"summary"_s]);
    if (record.summary.resumption.step == 0 && !record.spec.settings->checkpoint.from.empty()) {
        record.summary.trainSeconds = analysis::NotMeasured; // an earlier version left out the time before
    }
    LOCKSTEP_TRY(readMarks(file, record));
    return record;
}

Result<WriterIdentity> readWriter(Database& file)
{
    const auto pid = meta(file, u"writer_pid"_s);
    const auto start = meta(file, u"writer_start"_s);
    if (!pid || !start) {
        return (pid ? start : pid).error();
    }
    return WriterIdentity{pid->toLongLong(), *start};
}

} // namespace lockstep::store
