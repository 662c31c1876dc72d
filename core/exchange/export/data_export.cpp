#include "exchange/export/data_export.h"

#include "exchange/export/perfetto.h"
#include "exchange/export/run_json.h"
#include "exchange/export/run_rows.h"
#include "exchange/export/tensorboard.h"

#include <algorithm>

namespace lockstep::exchange {

namespace {

constexpr std::array<const char*, DataFormats.size()> FormatNames{"tensorboard", "perfetto", "json", "tables"};

/// The variant's name as a part of a path, and the id: names need not differ.
QString folderOf(const analysis::RunRecord& record)
{
    constexpr qsizetype MostLetters = 60;
    QString name = QString::fromStdString(record.label.empty() ? record.spec.name : record.label).left(MostLetters);
    for (QChar& each : name) {
        if (!each.isLetterOrNumber() && each != u'-' && each != u'_') {
            each = u'-';
        }
    }
    return name + u'-' + QString::fromStdString(record.id.text);
}

template <typename Takes>
Result<void> replayInto(const store::RunStore& store, const RunId& id, Takes& takes)
{
    return store.replay(id, [&takes](const store::Delta& delta) {
        takes.add(delta);
        return true;
    });
}

Result<std::vector<NewFile>> tensorboardFiles(const store::RunStore& store, const analysis::RunRecord& record)
{
    TensorboardFiles events(record);
    LOCKSTEP_TRY(replayInto(store, record.id, events));
    return events.files(folderOf(record));
}

Result<std::vector<NewFile>> perfettoFiles(
    const store::RunStore& store, const analysis::RunRecord& record, std::int64_t lastSteps)
{
    PerfettoTrace trace(record, lastSteps == 0 ? 0 : std::max<std::int64_t>(0, record.summary.steps - lastSteps + 1));
    LOCKSTEP_TRY(replayInto(store, record.id, trace));
    LOCKSTEP_TRY_ASSIGN(auto archive, trace.archive());
    return std::vector<NewFile>{{folderOf(record) + QStringLiteral(".perfetto.zip"), std::move(archive)}};
}

Result<std::vector<NewFile>> rowFiles(
    const store::RunStore& store, const analysis::RunRecord& record, DataFormat format)
{
    RunRows rows;
    LOCKSTEP_TRY(replayInto(store, record.id, rows));
    if (format == DataFormat::Tables) {
        return rows.toCsv(folderOf(record));
    }
    const std::string result = runsAsJson({record});
    return std::vector<NewFile>{{folderOf(record) + QStringLiteral(".json"),
        "{\"version\":1,\"result\":" + QByteArray::fromStdString(result) + ",\"rows\":" + rows.toJson() + "}\n"}};
}

} // namespace

const char* nameOf(DataFormat format)
{
    return FormatNames[static_cast<std::size_t>(format)];
}

std::optional<DataFormat> dataFormatFromName(QStringView name)
{
    const auto found = std::find_if(
        FormatNames.begin(), FormatNames.end(), [&](const char* each) { return name == QLatin1StringView(each); });
    return found == FormatNames.end()
        ? std::nullopt
        : std::optional(DataFormats[static_cast<std::size_t>(found - FormatNames.begin())]);
}

Result<std::vector<NewFile>> dataFiles(
    const store::RunStore& store, const RunId& id, DataFormat format, std::int64_t lastSteps)
{
    LOCKSTEP_TRY_ASSIGN(const auto record, store.load(id));
    switch (format) {
    case DataFormat::TensorBoard:
        return tensorboardFiles(store, record);
    case DataFormat::Perfetto:
        return perfettoFiles(store, record, lastSteps);
    case DataFormat::Json:
    case DataFormat::Tables:
        return rowFiles(store, record, format);
    }
    return failure(LS_TR("Messages", "unknown format"));
}

} // namespace lockstep::exchange
