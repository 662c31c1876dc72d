#include "exchange/export/tensorboard.h"

#include "exchange/export/event_record.h"
#include "experiment/spec.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace lockstep::exchange {

namespace {

constexpr double NsPerSecond = 1e9;
constexpr double NsPerMs = 1e6;

/// SessionEndInfo's status.
enum class SessionStatus : std::uint8_t { Unknown, Success, Failure, Running };

SessionStatus statusOf(analysis::RunStatus status)
{
    switch (status) {
    case analysis::RunStatus::Finished:
        return SessionStatus::Success;
    case analysis::RunStatus::Failed:
        return SessionStatus::Failure;
    default:
        return SessionStatus::Unknown; // stopped by the user, or interrupted
    }
}

/// google.protobuf.Value.
ProtoMessage hparamOf(const experiment::Value& value)
{
    ProtoMessage message;
    if (const auto* isOn = std::get_if<bool>(&value)) {
        message.integer(4, *isOn ? 1 : 0);
    } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        message.float64(2, static_cast<double>(*whole));
    } else if (const auto* real = std::get_if<double>(&value)) {
        message.float64(2, *real);
    } else {
        message.bytes(3, experiment::toText(value));
    }
    return message;
}

/// HParamsPluginData at the start of a session: every setting of the run.
ProtoMessage sessionStart(const analysis::RunRecord& record, double wallSeconds)
{
    ProtoMessage start;
    for (const auto& [key, value] : record.spec.settings) {
        ProtoMessage entry;
        entry.bytes(1, key).bytes(2, hparamOf(value).view());
        start.bytes(1, entry.view());
    }
    start.bytes(4, record.spec.name).float64(5, wallSeconds);
    ProtoMessage content;
    content.bytes(3, start.view());
    return content;
}

ProtoMessage sessionEnd(const analysis::RunRecord& record, double wallSeconds)
{
    ProtoMessage end;
    end.integer(1, static_cast<std::uint64_t>(statusOf(record.status))).float64(2, wallSeconds);
    ProtoMessage content;
    content.bytes(4, end.view());
    return content;
}

std::vector<ProtoMessage> scalarsOf(const StepRow& row)
{
    std::vector<ProtoMessage> values{scalarValue("loss", row.loss), scalarValue("learning_rate", row.learningRate),
        scalarValue("ms/step", static_cast<double>(row.wallNs) / NsPerMs)};
    const auto addTime = [&](std::string_view name, std::int64_t ns) {
        values.push_back(scalarValue("ms/" + std::string(name), static_cast<double>(ns) / NsPerMs));
    };
    for (const Phase phase : {Phase::Data, Phase::Forward, Phase::Backward, Phase::Optimize, Phase::Evaluate}) {
        addTime(nameOf(phase), row.nsOf(phase));
    }
    // What is unknown has no value.
    if (row.unattributedNs == 0) {
        addTime("communicate", row.nsOf(Phase::Communicate));
        addTime("wait", row.nsOf(Phase::Wait));
    } else if (row.nsOf(Phase::Communicate) > 0) {
        addTime("communicate_and_wait", row.nsOf(Phase::Communicate) + row.nsOf(Phase::Wait));
    }
    if (row.bytesSent >= 0) {
        values.push_back(scalarValue("bytes_sent", static_cast<double>(row.bytesSent)));
    }
    if (row.staleness >= 0) {
        values.push_back(scalarValue("staleness", static_cast<double>(row.staleness)));
    }
    return values;
}

} // namespace

TensorboardFiles::TensorboardFiles(const analysis::RunRecord& record)
    : m_record(record)
    , m_startSeconds(static_cast<double>(record.createdNs) / NsPerSecond)
{
    if (std::isfinite(record.summary.startSeconds)) {
        m_startSeconds += record.summary.startSeconds;
    }
}

void TensorboardFiles::add(const store::Delta& delta)
{
    for (const store::FromRank<wire::StepBatch>& batch : delta.steps) {
        for (const StepRow& row : batch.what.rows) {
            addRow(batch.rank, row);
        }
    }
}

void TensorboardFiles::addRow(std::int32_t rank, const StepRow& row)
{
    if (m_firstNs == 0) {
        m_firstNs = row.endNs - row.wallNs;
    }
    if (m_record.summary.resumption.step > 0) {
        m_ends[row.step] = std::max(m_ends[row.step], row.endNs);
    }
    QByteArray& events = m_ranks[rank];
    if (events.isEmpty()) {
        events = eventFileHead(m_startSeconds);
    }
    events += eventRecord(wallSeconds(row.endNs), row.step, scalarsOf(row));
}

double TensorboardFiles::wallSeconds(std::int64_t timeNs) const
{
    return m_startSeconds + static_cast<double>(timeNs - m_firstNs) / NsPerSecond;
}

/// The curves of a resumed run count from the first step of the run before it: its rows say when its steps were.
double TensorboardFiles::wallSeconds(const analysis::Curve& curve, std::size_t point) const
{
    const auto end = m_ends.find(curve.step[point]);
    return end == m_ends.end() ? m_startSeconds + curve.seconds[point] : wallSeconds(end->second);
}

QByteArray TensorboardFiles::curveEvents(std::string_view tag, const analysis::Curve& curve) const
{
    QByteArray events;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        events += eventRecord(wallSeconds(curve, i), curve.step[i], {scalarValue(tag, curve.value[i])});
    }
    return events;
}

QByteArray TensorboardFiles::runEvents() const
{
    const std::size_t steps = m_record.loss.size();
    const double end = steps == 0 ? m_startSeconds : wallSeconds(m_record.loss, steps - 1);
    QByteArray events = eventFileHead(m_startSeconds);
    events += eventRecord(m_startSeconds, 0,
        {hparamsValue("_hparams_/session_start_info", sessionStart(m_record, m_startSeconds)),
            textValue("spec/text_summary", "```json\n" + experiment::toJson(m_record.spec) + "\n```")});
    events += curveEvents("loss", m_record.loss);
    events += curveEvents("accuracy", m_record.accuracy);
    events += curveEvents("test_loss", m_record.testLoss);
    events += curveEvents("train_loss", m_record.trainLoss);
    for (const auto& [name, curve] : m_record.metrics) {
        events += curveEvents("metric/" + name, curve);
    }
    events += eventRecord(end, 0, {hparamsValue("_hparams_/session_end_info", sessionEnd(m_record, end))});
    return events;
}

std::vector<NewFile> TensorboardFiles::files(const QString& folder) const
{
    // The reader looks for "tfevents"; the digits are the time, as in names that TensorFlow gives.
    const QString name = QStringLiteral("events.out.tfevents.%1.lockstep")
                             .arg(static_cast<qint64>(m_startSeconds), 10, 10, QLatin1Char('0'));
    std::vector<NewFile> files{{folder + u'/' + name, runEvents()}};
    for (const auto& [rank, events] : m_ranks) {
        files.push_back({QStringLiteral("%1/rank%2/%3").arg(folder).arg(rank).arg(name), events});
    }
    return files;
}

} // namespace lockstep::exchange
