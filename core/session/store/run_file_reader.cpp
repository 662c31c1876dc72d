#include "session/store/run_file_reader.h"

#include "analysis/rank_summary.h"
#include "analysis/summary.h"
#include "session/store/machine_columns.h"

#include <QSqlError>
#include <QVariant>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

template <typename T>
std::vector<T> column(const QSqlQuery& row, int place)
{
    const QByteArray bytes = row.value(place).toByteArray();
    std::vector<T> values(static_cast<std::size_t>(bytes.size()) / sizeof(T));
    if (!values.empty()) {
        std::memcpy(values.data(), bytes.constData(), values.size() * sizeof(T));
    }
    return values;
}

std::int64_t number(const QSqlQuery& row, int place)
{
    return row.value(place).toLongLong();
}

double real(const QSqlQuery& row, int place)
{
    const QVariant value = row.value(place);
    return value.isNull() ? analysis::NotMeasured : value.toDouble();
}

std::string text(const QSqlQuery& row, int place)
{
    return row.value(place).toString().toStdString();
}

std::int32_t rankOf(const QSqlQuery& row)
{
    return row.value(1).toInt();
}

void addHello(Delta& delta, const QSqlQuery& row)
{
    delta.hellos.push_back({rankOf(row),
        {row.value(2).toUInt(), text(row, 3), rankOf(row), row.value(4).toInt(), number(row, 5), text(row, 6),
            text(row, 7), text(row, 8)}});
}

void addPrepared(Delta& delta, const QSqlQuery& row)
{
    delta.prepared.push_back({rankOf(row),
        {text(row, 2), number(row, 3), number(row, 4), number(row, 5), number(row, 6), number(row, 7), number(row, 8),
            text(row, 9), text(row, 10), row.value(11).toInt()}});
}

void addSteps(Delta& delta, const QSqlQuery& row)
{
    wire::StepBatch batch;
    batch.step = column<std::int64_t>(row, 3);
    batch.endNs = column<std::int64_t>(row, 4);
    batch.wallNs = column<std::int64_t>(row, 5);
    batch.samples = column<std::int64_t>(row, 6);
    batch.batch = column<std::int64_t>(row, 7);
    batch.loss = column<double>(row, 8);
    batch.learningRate = column<double>(row, 9);
    batch.bytesSent = column<std::int64_t>(row, 10);
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        batch.phaseNs[phase] = column<std::int64_t>(row, 11 + static_cast<int>(phase));
    }
    // Not stored: the collector has split the waiting off with it.
    batch.arrivalNs.assign(batch.step.size(), 0);
    batch.hiddenNs = column<std::int64_t>(row, 11 + static_cast<int>(PhaseCount));
    if (batch.hiddenNs.empty()) { // nothing was hidden, or written before there was this column
        batch.hiddenNs.assign(batch.step.size(), 0);
    }
    const auto byKind = column<std::int64_t>(row, 12 + static_cast<int>(PhaseCount));
    // Of a program that knew other kinds: left out.
    if (const std::size_t each = batch.step.size(); each > 0 && byKind.size() == each * TrafficKindCount) {
        for (std::size_t kind = 0; kind < TrafficKindCount; ++kind) {
            const auto first = byKind.begin() + static_cast<std::ptrdiff_t>(kind * each);
            batch.bytesByKind[kind].assign(first, first + static_cast<std::ptrdiff_t>(each));
        }
    }
    std::size_t rows = SIZE_MAX;
    const auto eachColumn = [&batch](const auto& visit) {
        visit(batch.step), visit(batch.endNs), visit(batch.wallNs), visit(batch.samples), visit(batch.batch);
        visit(batch.loss), visit(batch.learningRate), visit(batch.bytesSent), visit(batch.arrivalNs);
        visit(batch.hiddenNs);
        for (auto& phase : batch.phaseNs) {
            visit(phase);
        }
        for (auto& kind : batch.bytesByKind) {
            if (batch.tellsKinds()) {
                visit(kind);
            }
        }
    };
    // A damaged file may hold columns of different lengths; what they have in common can be used.
    eachColumn([&rows](const auto& values) { rows = std::min(rows, values.size()); });
    eachColumn([rows](auto& values) { values.resize(rows); });
    delta.steps.push_back({rankOf(row), std::move(batch)});
}

void addSpans(Delta& delta, const QSqlQuery& row)
{
    wire::SpanBatch batch{column<std::int64_t>(row, 4), column<std::uint8_t>(row, 5), column<std::int64_t>(row, 6),
        column<std::int64_t>(row, 7), number(row, 3), column<std::int32_t>(row, 8)};
    const std::size_t rows
        = std::min({batch.step.size(), batch.phase.size(), batch.startNs.size(), batch.durationNs.size()});
    batch.microBatch.resize(rows, -1);
    batch.step.resize(rows);
    batch.phase.resize(rows);
    batch.startNs.resize(rows);
    batch.durationNs.resize(rows);
    delta.spans.push_back({rankOf(row), std::move(batch)});
}

void addTraffic(Delta& delta, const QSqlQuery& row)
{
    wire::TrafficBatch batch{column<std::int64_t>(row, 4), column<std::int64_t>(row, 5), column<std::int32_t>(row, 6),
        column<std::int32_t>(row, 7), column<std::int64_t>(row, 8), column<std::int64_t>(row, 9),
        column<std::int64_t>(row, 10), number(row, 3)};
    const std::size_t rows = std::min({batch.step.size(), batch.number.size(), batch.to.size(), batch.from.size(),
        batch.bytes.size(), batch.startNs.size(), batch.durationNs.size()});
    batch.step.resize(rows), batch.number.resize(rows), batch.to.resize(rows), batch.from.resize(rows);
    batch.bytes.resize(rows), batch.startNs.resize(rows), batch.durationNs.resize(rows);
    delta.traffic.push_back({rankOf(row), std::move(batch)});
}

void addMeasurement(Delta& delta, const QSqlQuery& row)
{
    delta.measurements.push_back({rankOf(row),
        {text(row, 2), text(row, 3), text(row, 4), number(row, 5), row.value(6).toBool(), number(row, 7),
            number(row, 8), number(row, 9), number(row, 10), number(row, 11)}});
}

void addVerification(Delta& delta, const QSqlQuery& row)
{
    delta.verifications.push_back({rankOf(row), {number(row, 2), real(row, 3), number(row, 4)}});
}

void addShare(Delta& delta, const QSqlQuery& row)
{
    delta.shares.push_back(
        {rankOf(row), {number(row, 2), number(row, 3), number(row, 4), column<std::int64_t>(row, 5)}});
}

void addEvaluation(Delta& delta, const QSqlQuery& row)
{
    delta.evaluations.push_back(
        {rankOf(row), {number(row, 2), number(row, 3), number(row, 4), number(row, 5), real(row, 6), real(row, 7)}});
}

void addLog(Delta& delta, const QSqlQuery& row)
{
    delta.logs.push_back(
        {rankOf(row), {number(row, 2), static_cast<wire::LogLevel>(row.value(3).toInt()), text(row, 4)}});
}

void addVitals(Delta& delta, const QSqlQuery& row)
{
    delta.vitals.push_back({rankOf(row), {number(row, 2), number(row, 3), number(row, 4)}});
}

/// Of a kind that the file does not have: 0.
MemoryBytes memoryBytes(const QSqlQuery& row, int place)
{
    const auto stored = column<std::int64_t>(row, place);
    MemoryBytes bytes{};
    std::copy_n(stored.begin(), std::min(stored.size(), bytes.size()), bytes.begin());
    return bytes;
}

void addMemory(Delta& delta, const QSqlQuery& row)
{
    delta.memory.push_back({rankOf(row),
        {number(row, 2), number(row, 3), memoryBytes(row, 4), memoryBytes(row, 5), number(row, 6), number(row, 7),
            number(row, 8), number(row, 9), memoryBytes(row, 10), number(row, 11)}});
}

void addApplied(Delta& delta, const QSqlQuery& row)
{
    delta.applied.push_back({rankOf(row),
        {static_cast<wire::Command>(row.value(2).toInt()), number(row, 3), number(row, 4), row.value(5).toInt(),
            real(row, 6)}});
}

void addMachine(Delta& delta, const QSqlQuery& row)
{
    delta.machines.push_back(machineOf(row));
}

void addMachineSample(Delta& delta, const QSqlQuery& row)
{
    delta.machineSamples.push_back(machineSampleOf(row));
}

void addRank(Delta& delta, const QSqlQuery& row)
{
    delta.ranks.push_back({rankOf(row), static_cast<RankState>(row.value(2).toInt()), text(row, 3)});
}

void addStatus(Delta& delta, const QSqlQuery& row)
{
    const auto status = analysis::statusFromName(text(row, 1));
    delta.statuses.push_back({status.value_or(analysis::RunStatus::Failed), text(row, 2), number(row, 3)});
}

struct Table {
    const char* name;
    void (*add)(Delta&, const QSqlQuery&);
};

constexpr Table Tables[] = {{"hellos", addHello}, {"prepared", addPrepared}, {"steps", addSteps}, {"spans", addSpans},
    {"traffic", addTraffic}, {"measurements", addMeasurement}, {"verifications", addVerification}, {"shares", addShare},
    {"evaluations", addEvaluation}, {"logs", addLog}, {"vitals", addVitals}, {"memory", addMemory},
    {"applied", addApplied}, {"machines", addMachine}, {"machine_samples", addMachineSample}, {"ranks", addRank},
    {"statuses", addStatus}};

/// One table, read row by row; `delta` is the one that its next row belongs to.
struct Cursor {
    QSqlQuery rows;
    void (*add)(Delta&, const QSqlQuery&);
    std::optional<qlonglong> delta;

    void advance() { delta = rows.next() ? std::optional<qlonglong>(rows.value(0).toLongLong()) : std::nullopt; }
};

Result<QStringList> tablesOf(Database& file)
{
    auto query = file.prepare(u"SELECT name FROM sqlite_master WHERE type = 'table'"_s);
    if (!query) {
        return query.error();
    }
    if (auto done = file.run(*query); !done) {
        return done.error();
    }
    QStringList names;
    while (query->next()) {
        names.append(query->value(0).toString());
    }
    return names;
}

} // namespace

Result<void> replayFile(Database& file, const std::function<bool(const Delta&)>& visit)
{
    const auto present = tablesOf(file);
    if (!present) {
        return present.error();
    }
    std::vector<Cursor> cursors;
    for (const Table& table : Tables) {
        if (!present->contains(QLatin1StringView(table.name))) {
            continue; // written before there was such a thing
        }
        auto query = file.prepare(u"SELECT * FROM %1 ORDER BY rowid"_s.arg(QLatin1StringView(table.name)));
        if (!query) {
            return query.error();
        }
        if (auto done = file.run(*query); !done) {
            return done;
        }
        cursors.push_back({std::move(*query), table.add, {}});
        cursors.back().advance();
    }
    for (;;) {
        std::optional<qlonglong> next;
        for (const Cursor& cursor : cursors) {
            next = cursor.delta && (!next || *cursor.delta < *next) ? cursor.delta : next;
        }
        if (!next) {
            // An error ends a query as its last row does.
            const auto broken = std::find_if(
                cursors.begin(), cursors.end(), [](const Cursor& cursor) { return cursor.rows.lastError().isValid(); });
            return broken == cursors.end() ? Result<void>()
                                           : Error{file.path().toStdString() + " cannot be read to its end: "
                                               + broken->rows.lastError().text().toStdString()};
        }
        Delta delta;
        for (Cursor& cursor : cursors) {
            while (cursor.delta == next) {
                cursor.add(delta, cursor.rows);
                cursor.advance();
            }
        }
        if (!visit(delta)) {
            return {};
        }
    }
}

namespace {

class CurveReader {
public:
    CurveReader(analysis::RunRecord& record, Summarise summarise)
        : m_record(record)
        , m_summarise(summarise)
        , m_summary(1)
        , m_losses(1)
    { }

    void add(const Delta& delta)
    {
        for (const auto& [rank, hello] : delta.hellos) {
            if (hello.worldSize != m_worldSize) {
                m_worldSize = hello.worldSize;
                m_summary = analysis::SummaryBuilder(m_worldSize);
                m_losses = analysis::StepLosses(m_worldSize);
            }
            m_summary.setHost(rank, hello.host);
        }
        for (const auto& [rank, facts] : delta.prepared) {
            m_trainSamples = std::max<std::int64_t>(1, facts.trainSamples);
            m_summary.setData(facts.trainSamples, facts.testSamples);
            m_summary.setCores(rank, facts.cores);
        }
        for (const auto& [rank, batch] : delta.steps) {
            addSteps(rank, batch);
        }
        for (const auto& [rank, result] : delta.evaluations) {
            m_evaluations.push_back(result);
            m_summary.addEvaluation(result.accuracy, result.loss);
        }
        for (const auto& [rank, measured] : delta.measurements) {
            analysis::addMeasurement(m_record.measurements, measurementOf(measured));
        }
        for (const auto& [rank, result] : delta.verifications) {
            m_summary.setVerification(result.maxRelativeDifference);
        }
        for (const auto& share : delta.shares) {
            analysis::addShare(m_record.shares, shareOf(share));
            m_summary.addShare(share.rank, share.what.labels);
        }
        for (const auto& sample : delta.memory) {
            m_summary.addMemory(memoryOf(sample));
        }
        for (const auto& [rank, applied] : delta.applied) {
            addIntervention(m_summary, applied);
            addIntervention(m_clock, applied);
        }
        for (const analysis::Machine& machine : delta.machines) {
            m_machines.add(machine);
        }
        for (const analysis::MachineSample& sample : delta.machineSamples) {
            m_machines.add(sample);
        }
        for (const auto& [rank, spans] : delta.spans) {
            session::addSpans(m_summary, rank, spans);
        }
    }

    void finish()
    {
        for (const analysis::WholeStep& step : m_steps) {
            append(m_record.loss, step.step, step.samples, step.endNs, step.loss);
        }
        for (const wire::Evaluation& result : m_evaluations) {
            append(m_record.accuracy, result.step, result.samples, result.endNs, result.accuracy);
        }
        m_record.ranks = m_ranks.summaries();
        m_record.machines = m_machines.figures();
        if (m_summarise == Summarise::FromRows) {
            m_record.summary = m_summary.summary();
        }
    }

private:
    void addSteps(std::int32_t rank, const wire::StepBatch& batch)
    {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const analysis::StepRow row = rowAt(batch, i);
            m_clock.addStep(row);
            if (const auto whole = m_losses.add(row)) {
                m_steps.push_back(*whole);
            }
            m_ranks.addStep(rank, row);
            if (m_summarise == Summarise::FromRows) {
                m_summary.addStep(rank, row);
            }
        }
    }

    void append(analysis::Curve& curve, std::int64_t step, std::int64_t samples, std::int64_t endNs, double value) const
    {
        curve.step.push_back(step);
        curve.epoch.push_back(static_cast<double>(samples) / static_cast<double>(m_trainSamples));
        curve.seconds.push_back(m_clock.secondsAt(endNs));
        curve.value.push_back(value);
    }

    analysis::RunRecord& m_record;
    Summarise m_summarise;
    analysis::SummaryBuilder m_summary;
    analysis::RankSummaryBuilder m_ranks;
    analysis::MachineFiguresBuilder m_machines;
    std::int32_t m_worldSize = 1;
    std::int64_t m_trainSamples = 1;
    analysis::StepLosses m_losses;
    analysis::RunClock m_clock;
    std::vector<analysis::WholeStep> m_steps;
    std::vector<wire::Evaluation> m_evaluations;
};

} // namespace

Result<void> readCurves(Database& file, analysis::RunRecord& record, Summarise summarise)
{
    CurveReader reader(record, summarise);
    auto done = replayFile(file, [&](const Delta& delta) {
        reader.add(delta);
        return true;
    });
    if (done) {
        reader.finish();
    }
    return done;
}

} // namespace lockstep::session
