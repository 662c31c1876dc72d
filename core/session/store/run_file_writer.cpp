#include "session/store/run_file_writer.h"

#include "base/clock.h"
#include "session/store/database.h"
#include "session/store/run_meta.h"
#include "session/store/run_tables.h"

#include <QVariant>

#include <cmath>
#include <map>
#include <vector>

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

constexpr std::int64_t CommitEveryNs = 40'000'000;

template <typename Values>
QVariant blob(const Values& values)
{
    using T = typename Values::value_type;
    return QByteArray(reinterpret_cast<const char*>(values.data()), static_cast<qsizetype>(values.size() * sizeof(T)));
}

QVariant number(std::int64_t value)
{
    return QVariant::fromValue<qlonglong>(value);
}

QVariant real(double value)
{
    return std::isfinite(value) ? QVariant(value) : QVariant(QMetaType::fromType<double>());
}

QVariant text(const std::string& value)
{
    return QString::fromStdString(value.empty() ? std::string("") : value);
}

class RunFileWriter final : public RunWriter {
public:
    RunFileWriter(std::unique_ptr<Database> file, analysis::RunRecord record,
        std::function<Result<void>(const analysis::RunRecord&)> ended)
        : m_file(std::move(file))
        , m_record(std::move(record))
        , m_ended(std::move(ended))
    { }

    Result<void> add(const Delta& delta) override;
    Result<void> flush() override;
    Result<void> finish(
        analysis::RunStatus status, const std::string& message, const analysis::Summary& summary) override;

private:
    Result<void> begin();
    Result<void> insert(const char* table, const std::vector<QVariant>& values);
    Result<void> insertSteps(const FromRank<wire::StepBatch>& from);
    Result<void> insertAll(const Delta& delta);
    Result<void> insertRest(const Delta& delta);

    std::unique_ptr<Database> m_file;
    std::map<std::string, QSqlQuery> m_inserts;
    analysis::RunRecord m_record;
    std::function<Result<void>(const analysis::RunRecord&)> m_ended;
    qlonglong m_delta = 0;
    std::int64_t m_lastCommitNs = 0;
    bool m_isOpen = false;
};

Result<void> RunFileWriter::begin()
{
    if (m_isOpen) {
        return {};
    }
    auto done = m_file->exec(u"BEGIN IMMEDIATE"_s);
    m_isOpen = done.isOk();
    return done;
}

Result<void> RunFileWriter::insert(const char* table, const std::vector<QVariant>& values)
{
    auto found = m_inserts.find(table);
    if (found == m_inserts.end()) {
        const QString marks = QStringList(static_cast<qsizetype>(values.size()) + 1, u"?"_s).join(u',');
        auto query = m_file->prepare(u"INSERT INTO %1 VALUES(%2)"_s.arg(QLatin1StringView(table), marks));
        if (!query) {
            return query.error();
        }
        found = m_inserts.emplace(table, std::move(*query)).first;
    }
    QSqlQuery& query = found->second;
    query.bindValue(0, m_delta);
    int place = 0;
    for (const QVariant& value : values) {
        query.bindValue(++place, value);
    }
    return m_file->run(query);
}

namespace {

std::vector<std::int64_t> kindAfterKind(const wire::StepBatch& batch)
{
    std::vector<std::int64_t> all;
    for (const auto& kind : batch.bytesByKind) {
        all.insert(all.end(), kind.begin(), kind.end());
    }
    return all;
}

} // namespace

Result<void> RunFileWriter::insertSteps(const FromRank<wire::StepBatch>& from)
{
    const wire::StepBatch& b = from.what;
    return insert("steps",
        {from.rank, number(static_cast<std::int64_t>(b.size())), blob(b.step), blob(b.endNs), blob(b.wallNs),
            blob(b.samples), blob(b.batch), blob(b.loss), blob(b.learningRate), blob(b.bytesSent), blob(b.phaseNs[0]),
            blob(b.phaseNs[1]), blob(b.phaseNs[2]), blob(b.phaseNs[3]), blob(b.phaseNs[4]), blob(b.phaseNs[5]),
            blob(b.phaseNs[6]), b.hidesAny() ? blob(b.hiddenNs) : QVariant(),
            b.tellsKinds() ? blob(kindAfterKind(b)) : QVariant()});
}

Result<void> RunFileWriter::insertAll(const Delta& delta)
{
    for (const auto& [rank, what] : delta.hellos) {
        if (auto done = insert("hellos",
                {rank, what.protocol, text(what.runId), what.worldSize, number(what.pid), text(what.host),
                    text(what.device), text(what.libtorch)});
            !done) {
            return done;
        }
    }
    for (const auto& [rank, what] : delta.prepared) {
        if (auto done = insert("prepared",
                {rank, text(what.device), number(what.trainSamples), number(what.testSamples), number(what.totalSteps),
                    number(what.stepsPerEpoch), number(what.parameterCount), number(what.dataNs), text(what.dataset),
                    text(what.communication), what.cores});
            !done) {
            return done;
        }
    }
    for (const auto& from : delta.steps) {
        if (auto done = insertSteps(from); !done) {
            return done;
        }
    }
    for (const auto& [rank, what] : delta.spans) {
        if (auto done = insert("spans",
                {rank, number(static_cast<std::int64_t>(what.size())), number(what.dropped), blob(what.step),
                    blob(what.phase), blob(what.startNs), blob(what.durationNs),
                    what.hasMicroBatches() ? blob(what.microBatch) : QVariant()});
            !done) {
            return done;
        }
    }
    return insertRest(delta);
}

Result<void> RunFileWriter::insertRest(const Delta& delta)
{
    Result<void> done;
    for (const auto& [rank, what] : delta.traffic) {
        done = done ? insert("traffic",
                   {rank, number(static_cast<std::int64_t>(what.size())), number(what.dropped), blob(what.step),
                       blob(what.number), blob(what.to), blob(what.from), blob(what.bytes), blob(what.startNs),
                       blob(what.durationNs)})
                    : done;
    }
    for (const auto& [rank, what] : delta.measurements) {
        done = done ? insert("measurements",
                   {rank, text(what.collective), text(what.algorithm), text(what.type), number(what.bytes),
                       what.inPlace ? 1 : 0, number(what.calls), number(what.p50Ns), number(what.p99Ns),
                       number(what.meanNs), number(what.wrong)})
                    : done;
    }
    for (const auto& [rank, what] : delta.verifications) {
        done = done ? insert("verifications",
                   {rank, number(what.steps), real(what.maxRelativeDifference), number(what.atStep)})
                    : done;
    }
    for (const auto& [rank, what] : delta.shares) {
        done = done ? insert("shares",
                   {rank, number(what.samples), number(what.shared), number(what.redraws), blob(what.labels)})
                    : done;
    }
    for (const auto& [rank, what] : delta.evaluations) {
        done = done ? insert("evaluations",
                   {rank, number(what.step), number(what.samples), number(what.endNs), number(what.durationNs),
                       real(what.accuracy), real(what.loss)})
                    : done;
    }
    for (const auto& [rank, what] : delta.logs) {
        done = done ? insert("logs", {rank, number(what.timeNs), static_cast<int>(what.level), text(what.text)}) : done;
    }
    for (const auto& [rank, what] : delta.vitals) {
        done = done
            ? insert("vitals", {rank, number(what.timeNs), number(what.residentBytes), number(what.deviceBytes)})
            : done;
    }
    for (const auto& [rank, what] : delta.memory) {
        done = done ? insert("memory",
                   {rank, number(what.step), number(what.timeNs), blob(what.live), blob(what.most),
                       number(what.mostOfSum), number(what.highest), number(what.residentBytes),
                       number(what.highestResidentBytes), blob(what.planned), number(what.plannedHighest)})
                    : done;
    }
    for (const auto& [rank, what] : delta.applied) {
        done = done ? insert("applied",
                   {rank, static_cast<int>(what.command), number(what.step), number(what.timeNs), what.rank,
                       real(what.value)})
                    : done;
    }
    for (const analysis::Machine& machine : delta.machines) {
        done = done ? insert("machines", machineValues(machine)) : done;
    }
    for (const analysis::MachineSample& sample : delta.machineSamples) {
        done = done ? insert("machine_samples", machineSampleValues(sample)) : done;
    }
    for (const RankChange& change : delta.ranks) {
        done = done ? insert("ranks", {change.rank, static_cast<int>(change.state), text(change.message)}) : done;
    }
    for (const StatusChange& change : delta.statuses) {
        const std::string name(nameOf(change.status));
        done = done ? insert("statuses", {text(name), text(change.message), number(change.wallNs)}) : done;
        done = done ? setMeta(*m_file, u"status"_s, QString::fromStdString(name)) : done;
    }
    return done;
}

Result<void> RunFileWriter::add(const Delta& delta)
{
    if (delta.isEmpty()) {
        return {};
    }
    if (auto done = begin(); !done) {
        return done;
    }
    if (auto done = insertAll(delta); !done) {
        // A full disk has already made SQLite roll back; any other error leaves that to us.
        static_cast<void>(m_file->exec(u"ROLLBACK"_s).isOk());
        m_isOpen = false;
        return done;
    }
    ++m_delta;
    return monotonicNs() - m_lastCommitNs >= CommitEveryNs ? flush() : Result<void>();
}

Result<void> RunFileWriter::flush()
{
    if (!m_isOpen) {
        return {};
    }
    auto done = m_file->exec(u"COMMIT"_s);
    m_isOpen = !done;
    m_lastCommitNs = monotonicNs();
    return done;
}

Result<void> RunFileWriter::finish(
    analysis::RunStatus status, const std::string& message, const analysis::Summary& summary)
{
    m_record.status = status;
    m_record.message = message;
    m_record.summary = summary;
    if (auto done = begin(); !done) {
        return done;
    }
    // The run may have been renamed since it was begun.
    if (const auto label = meta(*m_file, u"label"_s); label) {
        m_record.label = label->toStdString();
    }
    if (auto done = writeRecord(*m_file, m_record, {}); !done) {
        return done;
    }
    if (auto done = flush(); !done) {
        return done;
    }
    m_inserts.clear();
    if (auto done = m_file->exec(u"PRAGMA wal_checkpoint(TRUNCATE)"_s); !done) {
        return done;
    }
    // From here on a copy of the file is the run. A reader that has it open only delays this.
    auto left = m_file->exec(u"PRAGMA journal_mode = DELETE"_s);
    static_cast<void>(left.isOk());
    m_file.reset();
    return m_ended(m_record);
}

} // namespace

Result<std::unique_ptr<RunWriter>> createRunFile(const QString& path, const analysis::RunRecord& record,
    std::function<Result<void>(const analysis::RunRecord&)> ended)
{
    auto file = Database::open(path, Access::Create);
    if (!file) {
        return file.error();
    }
    for (const char* pragma :
        {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA wal_autocheckpoint = 4000"}) {
        if (auto done = (*file)->exec(QLatin1StringView(pragma)); !done) {
            return done.error();
        }
    }
    if (auto begun = (*file)->exec(u"BEGIN IMMEDIATE"_s); !begun) {
        return begun.error();
    }
    for (const char* table : RunTables) {
        if (auto done = (*file)->exec(QLatin1StringView(table)); !done) {
            return done.error();
        }
    }
    if (auto done = writeRecord(**file, record, WriterIdentity::ofThisProcess()); !done) {
        return done.error();
    }
    if (auto done = (*file)->exec(u"COMMIT"_s); !done) {
        return done.error();
    }
    return std::unique_ptr<RunWriter>(std::make_unique<RunFileWriter>(std::move(*file), record, std::move(ended)));
}

} // namespace lockstep::session
