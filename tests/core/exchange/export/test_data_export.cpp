// Runs as TensorBoard event files, Perfetto traces and rows: read back by readers written from the formats'
// descriptions.
#include "exchange/bundle/zip_reader.h"
#include "exchange/export/data_export.h"
#include "exchange/export/event_record.h"
#include "exchange/export/file_set.h"
#include "exchange/export/perfetto.h"
#include "exchange/export/run_rows.h"
#include "exchange/export/tensorboard.h"
#include "program/test_class.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>
#include <QtEndian>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::exchange;
using namespace Qt::StringLiterals;

namespace {

constexpr std::int64_t Ms = 1'000'000;
constexpr std::int64_t BeginNs = 5'000'000'000'123;

/// A field of a message of Protocol Buffers.
struct ProtoField {
    int number = 0;
    quint64 integer = 0; ///< of wire types 0, 1 and 5
    QByteArray bytes; ///< of wire type 2
};

quint64 readVarint(const QByteArray& bytes, qsizetype& at)
{
    quint64 value = 0;
    for (int shift = 0; at < bytes.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        value |= static_cast<quint64>(byte & 0x7FU) << shift;
        if (byte < 0x80) {
            break;
        }
    }
    return value;
}

std::vector<ProtoField> fieldsOf(const QByteArray& bytes)
{
    std::vector<ProtoField> fields;
    for (qsizetype at = 0; at < bytes.size();) {
        const quint64 key = readVarint(bytes, at);
        ProtoField field{static_cast<int>(key >> 3), 0, {}};
        switch (key & 7U) {
        case 0:
            field.integer = readVarint(bytes, at);
            break;
        case 1:
            field.integer = qFromLittleEndian<quint64>(bytes.constData() + at);
            at += 8;
            break;
        case 2: {
            const auto size = static_cast<qsizetype>(readVarint(bytes, at));
            field.bytes = bytes.mid(at, size);
            at += size;
            break;
        }
        case 5:
            field.integer = qFromLittleEndian<quint32>(bytes.constData() + at);
            at += 4;
            break;
        default:
            return {};
        }
        fields.push_back(field);
    }
    return fields;
}

QByteArray bytesOf(const std::vector<ProtoField>& fields, int number)
{
    for (const ProtoField& field : fields) {
        if (field.number == number) {
            return field.bytes;
        }
    }
    return {};
}

quint32 masked(const QByteArray& bytes)
{
    const quint32 crc = crc32c({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

/// The events of a file, or none if a checksum or a length is wrong.
std::optional<std::vector<QByteArray>> eventsOf(const QByteArray& file)
{
    std::vector<QByteArray> events;
    for (qsizetype at = 0; at < file.size();) {
        const QByteArray length = file.mid(at, 8);
        const auto size = static_cast<qsizetype>(qFromLittleEndian<quint64>(length.constData()));
        const QByteArray event = file.mid(at + 12, size);
        if (event.size() != size || qFromLittleEndian<quint32>(file.constData() + at + 8) != masked(length)
            || qFromLittleEndian<quint32>(file.constData() + at + 12 + size) != masked(event)) {
            return std::nullopt;
        }
        events.push_back(event);
        at += 16 + size;
    }
    return events;
}

/// Step and value of a scalar, in the file's order.
std::vector<std::pair<quint64, float>> scalarsOf(const QByteArray& file, const QByteArray& tag)
{
    std::vector<std::pair<quint64, float>> values;
    for (const QByteArray& event : eventsOf(file).value_or(std::vector<QByteArray>())) {
        quint64 step = 0;
        for (const ProtoField& field : fieldsOf(event)) {
            step = field.number == 2 ? field.integer : step;
        }
        for (const ProtoField& value : fieldsOf(bytesOf(fieldsOf(event), 5))) {
            const auto parts = fieldsOf(value.bytes);
            if (bytesOf(parts, 1) != tag) {
                continue;
            }
            for (const ProtoField& part : parts) {
                if (part.number == 2) {
                    const auto bits = static_cast<quint32>(part.integer);
                    float number = 0.0F;
                    std::memcpy(&number, &bits, sizeof(number));
                    values.emplace_back(step, number);
                }
            }
        }
    }
    return values;
}

analysis::RunRecord recordOf(int steps)
{
    analysis::RunRecord record;
    record.id.text = "20261123-101500-abcd";
    record.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    record.spec.name = "SGD \"x\"";
    record.status = analysis::RunStatus::Finished;
    record.createdNs = 1'795'000'000'000'000'000;
    record.summary.steps = steps;
    for (int step = 1; step <= steps; ++step) {
        record.loss.step.push_back(step);
        record.loss.epoch.push_back(0.1 * step);
        record.loss.seconds.push_back(0.01 * step);
        record.loss.value.push_back(1.0 / step);
    }
    return record;
}

StepRow rowOf(std::int64_t step)
{
    StepRow row;
    row.step = step;
    row.endNs = BeginNs + step * 10 * Ms;
    row.wallNs = 10 * Ms;
    row.samples = 32 * step;
    row.batch = 16;
    row.loss = 1.0 / static_cast<double>(step);
    row.bytesSent = 4000;
    row.phaseNs = {0, 3 * Ms, 4 * Ms, 2 * Ms, Ms, 0, 0};
    return row;
}

/// Two ranks that send each other one message a step; rank 1's communication reaches into its backward.
Delta deltaOf(int steps)
{
    Delta delta;
    for (const std::int32_t rank : {0, 1}) {
        wire::Hello hello;
        hello.rank = rank;
        hello.host = "a host/with signs";
        delta.hellos.push_back({rank, hello});
        wire::StepBatch rows;
        wire::SpanBatch spans;
        wire::TrafficBatch traffic;
        for (std::int64_t step = 1; step <= steps; ++step) {
            const std::int64_t start = BeginNs + (step - 1) * 10 * Ms + rank * 7;
            rows.rows.push_back(rowOf(step));
            spans.rows.push_back({step, Phase::Forward, start, 3 * Ms, -1});
            spans.rows.push_back({step, Phase::Backward, start + 3 * Ms, 4 * Ms, -1});
            spans.rows.push_back({step, Phase::Communicate, start + 6 * Ms, 3 * Ms, -1});
            spans.rows.push_back({step, Phase::Communicate, start + 8 * Ms, 2 * Ms, -1});
            traffic.rows.push_back({step, 0, 1 - rank, 1 - rank, 4000, start + 6 * Ms, Ms});
        }
        traffic.dropped = rank;
        delta.steps.push_back({rank, rows});
        delta.spans.push_back({rank, spans});
        delta.traffic.push_back({rank, traffic});
    }
    return delta;
}

std::vector<NewFile> membersOf(const QByteArray& archive)
{
    QTemporaryFile file;
    const bool isWritten = file.open() && file.write(archive) == archive.size() && file.flush();
    const auto reader = isWritten ? ZipReader::open(file.fileName()) : Result<ZipReader>(Error{"cannot be written"});
    std::vector<NewFile> members;
    for (const ZipMember& each : reader ? reader->members() : std::vector<ZipMember>()) {
        const auto bytes = reader->read(each.name, MaxUnpackedBytes);
        members.push_back({each.name, bytes ? *bytes : QByteArray()});
    }
    return members;
}

QJsonArray eventsOfTrace(const QByteArray& archive)
{
    const auto members = membersOf(archive);
    return members.size() == 2 ? QJsonDocument::fromJson(members[1].bytes)[u"traceEvents"_s].toArray() : QJsonArray();
}

/// The first pair of slices on one track of which neither holds the other; empty: all nest.
QString crossing(const QJsonArray& events)
{
    std::map<int, std::vector<std::pair<double, double>>> tracks;
    for (const QJsonValue& event : events) {
        if (event[u"ph"_s].toString() == u"X"_s) {
            const double start = event[u"ts"_s].toDouble();
            const double end = start + event[u"dur"_s].toDouble();
            for (const auto& [otherStart, otherEnd] : tracks[event[u"tid"_s].toInt()]) {
                constexpr double Rounding = 1e-4; // µs; times have three decimals
                const bool apart = end <= otherStart + Rounding || otherEnd <= start + Rounding;
                const bool within = start >= otherStart - Rounding && end <= otherEnd + Rounding;
                const bool around = otherStart >= start - Rounding && otherEnd <= end + Rounding;
                if (!apart && !within && !around) {
                    return u"%1: %2 to %3 and %4 to %5"_s.arg(event[u"tid"_s].toInt())
                        .arg(start, 0, 'f', 3)
                        .arg(end, 0, 'f', 3)
                        .arg(otherStart, 0, 'f', 3)
                        .arg(otherEnd, 0, 'f', 3);
                }
            }
            tracks[event[u"tid"_s].toInt()].emplace_back(start, end);
        }
    }
    return {};
}

/// The slice of this event's track that holds its time.
bool isWithinASlice(const QJsonArray& events, const QJsonValue& flow)
{
    for (const QJsonValue& event : events) {
        const double start = event[u"ts"_s].toDouble();
        if (event[u"ph"_s].toString() == u"X"_s && event[u"tid"_s] == flow[u"tid"_s]
            && start <= flow[u"ts"_s].toDouble() && flow[u"ts"_s].toDouble() <= start + event[u"dur"_s].toDouble()) {
            return true;
        }
    }
    return false;
}

int countOf(const QJsonArray& events, const QString& phase)
{
    int count = 0;
    for (const QJsonValue& event : events) {
        count += event[u"ph"_s].toString() == phase ? 1 : 0;
    }
    return count;
}

} // namespace

class TestDataExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void crcIsThatOfTheStandard()
    {
        QCOMPARE(crc32c("123456789"), 0xE3069283U); // RFC 3720, B.4
        QCOMPARE(crc32c(std::string(32, '\0')), 0x8A9136AAU);
    }

    void everyScalarIsInTheEventFiles()
    {
        const auto record = recordOf(5);
        TensorboardFiles events(record);
        events.add(deltaOf(5));
        const auto files = events.files(u"sgd"_s);
        QCOMPARE(files.size(), std::size_t{3});
        QVERIFY(files[0].path.contains(u"tfevents"_s));
        QVERIFY(files[2].path.startsWith(u"sgd/rank1/"_s));
        for (const NewFile& file : files) {
            const auto all = eventsOf(file.bytes);
            QVERIFY(all.has_value());
            QCOMPARE(bytesOf(fieldsOf(all->front()), 3), QByteArray("brain.Event:2"));
        }
        const auto losses = scalarsOf(files[0].bytes, "loss");
        QCOMPARE(losses.size(), std::size_t{5});
        QCOMPARE(losses[2].first, quint64{3});
        QCOMPARE(losses[2].second, static_cast<float>(1.0 / 3.0));
        QCOMPARE(scalarsOf(files[2].bytes, "ms/backward")[4].second, 4.0F);
        QCOMPARE(scalarsOf(files[2].bytes, "ms/wait").size(), std::size_t{5});
        QVERIFY(files[0].bytes.contains("_hparams_/session_start_info"));
        QVERIFY(files[0].bytes.contains("optimizer.lr"));
    }

    void whatWasNotToldHasNoScalar()
    {
        const auto record = recordOf(1);
        Delta delta;
        StepRow row = rowOf(1);
        row.unattributedNs = 2 * Ms;
        row.bytesSent = -1;
        delta.steps.push_back({0, {{row}}});
        TensorboardFiles events(record);
        events.add(delta);
        const QByteArray file = events.files(u"x"_s)[1].bytes;
        QVERIFY(scalarsOf(file, "ms/wait").empty());
        QVERIFY(scalarsOf(file, "ms/communicate").empty());
        QVERIFY(scalarsOf(file, "bytes_sent").empty());
        QCOMPARE(scalarsOf(file, "ms/communicate_and_wait")[0].second, 3.0F);
    }

    void aTraceKeepsPerfettosRules()
    {
        PerfettoTrace trace(recordOf(4));
        trace.add(deltaOf(4));
        const auto archive = trace.archive();
        QVERIFY2(archive.isOk(), archive.isOk() ? "" : archive.error().message.c_str());
        const auto members = membersOf(*archive);
        QCOMPARE(members.size(), std::size_t{2});
        const QJsonObject manifest = QJsonDocument::fromJson(members[0].bytes)[u"perfetto_manifest"_s].toObject();
        QCOMPARE(manifest[u"version"_s].toInt(), 1);
        QCOMPARE(manifest[u"files"_s][0][u"path"_s].toString(), members[1].path);
        QCOMPARE(members[1].path, u"a-host-with-signs.json"_s);
        const QJsonArray events = eventsOfTrace(*archive);
        QCOMPARE(countOf(events, u"X"_s), 2 * 4 * 5);
        QCOMPARE(crossing(events), QString());
        QCOMPARE(countOf(events, u"s"_s), 2 * 4);
        QCOMPARE(countOf(events, u"f"_s), 2 * 4);
        for (const QJsonValue& event : events) {
            QVERIFY(event[u"ts"_s].toDouble() >= 0.0);
            QVERIFY(event[u"pid"_s].toInt() > 0);
            if (event[u"ph"_s].toString() == u"s"_s || event[u"ph"_s].toString() == u"f"_s) {
                QVERIFY(isWithinASlice(events, event));
            }
        }
    }

    void droppedMessagesHaveNoArrows()
    {
        Delta delta = deltaOf(2);
        delta.traffic[1].what.rows.erase(delta.traffic[1].what.rows.begin()); // step 1 of rank 1
        PerfettoTrace trace(recordOf(2));
        trace.add(delta);
        const QJsonArray events = eventsOfTrace(*trace.archive());
        QCOMPARE(countOf(events, u"s"_s), 2); // step 2, both ways
        QCOMPARE(countOf(events, u"f"_s), 2);
    }

    void onlyTheLastStepsAreTraced()
    {
        PerfettoTrace trace(recordOf(4), 4);
        trace.add(deltaOf(4));
        QCOMPARE(countOf(eventsOfTrace(*trace.archive()), u"X"_s), 2 * 5);
    }

    void hostsWhoseClocksWereNotComparedAreRefused()
    {
        Delta delta = deltaOf(1);
        delta.hellos[1].what.host = "another";
        PerfettoTrace trace(recordOf(1));
        trace.add(delta);
        const auto archive = trace.archive();
        QVERIFY(!archive.isOk());
        QCOMPARE(QString::fromStdString(archive.error().message),
            u"run 20261123-101500-abcd: ran on 2 hosts whose clocks were not compared; its times cannot be put on "
            "one axis"_s);
    }

    void hostsWhoseClocksWereMeasuredAreTraced()
    {
        Delta delta = deltaOf(1);
        delta.hellos[1].what.host = "another";
        delta.clocks.push_back({0, {{0}, 1, 0, 0, 0}});
        PerfettoTrace half(recordOf(1));
        half.add(delta);
        QVERIFY(!half.archive().isOk()); // rank 1's is not known
        delta.clocks.push_back({1, {{1}, 1, 0, 40'000, 50}});
        PerfettoTrace trace(recordOf(1));
        trace.add(delta);
        const auto archive = trace.archive();
        QVERIFY(archive.isOk());
        const auto members = membersOf(*archive);
        QVERIFY(std::ranges::any_of(members, [](const NewFile& member) {
            return member.bytes.contains("\"clock_errors\":[{\"ranks\":[1],\"error_ns\":40000}]");
        }));
    }

    void rowsHaveEveryStep()
    {
        RunRows rows;
        rows.add(deltaOf(3));
        const QJsonObject tables = QJsonDocument::fromJson(rows.toJson()).object();
        const QJsonArray columns = tables[u"steps"_s][u"columns"_s].toArray();
        const auto at = [&](const QString& name) { return columns.toVariantList().indexOf(QVariant(name)); };
        QCOMPARE(tables[u"steps"_s][u"rows"_s].toArray().size(), 6);
        const QJsonValue row = tables[u"steps"_s][u"rows"_s][5];
        QCOMPARE(row[at(u"rank"_s)].toInt(), 1);
        QCOMPARE(row[at(u"step"_s)].toInt(), 3);
        QCOMPARE(row[at(u"backward_ns"_s)].toInt(), static_cast<int>(4 * Ms));
        QVERIFY(row[at(u"bytes_by_kind_gradients"_s)].isNull());
        QCOMPARE(tables[u"spans"_s][u"rows"_s][0].toArray().size(), tables[u"spans"_s][u"columns"_s].toArray().size());
        // What is counted for a batch is not counted once more for each of its rows.
        const QJsonArray traffic = tables[u"traffic"_s][u"rows"_s].toArray();
        const auto dropped
            = tables[u"traffic"_s][u"columns"_s].toArray().toVariantList().indexOf(QVariant(u"dropped"_s));
        int sum = 0;
        for (const QJsonValue& each : traffic) {
            sum += each[dropped].toInt();
        }
        QCOMPARE(sum, 1);
    }

    void rowsAreSafeCsv()
    {
        Delta delta = deltaOf(1);
        delta.steps[0].what.rows[0].loss = std::nan("");
        delta.logs.push_back({0, {BeginNs, wire::LogLevel::Warning, "=cmd|' /C calc'!A0, \"x\""}});
        RunRows rows;
        rows.add(delta);
        for (const NewFile& file : rows.toCsv(u"x"_s)) {
            const QList<QByteArray> lines = file.bytes.split('\n');
            if (file.path == u"x/steps.csv"_s) {
                QCOMPARE(lines[0].count(','), lines[1].count(','));
                QVERIFY(!file.bytes.contains("nan") && !file.bytes.contains("null"));
            } else if (file.path == u"x/logs.csv"_s) {
                QVERIFY(lines[1].contains(",warning,\"'=cmd|"));
            }
        }
    }

    void aStoredRunHasEveryFormat()
    {
        const QTemporaryDir folder;
        auto store = RunStore::open(folder.path());
        QVERIFY(store.isOk());
        const auto id
            = (*store)->import(QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/data/runs/20261122-191949-et1d.run"));
        QVERIFY(id.isOk());
        for (const DataFormat format : DataFormats) {
            const auto files = dataFiles(**store, *id, format);
            QVERIFY2(files.isOk(), files.isOk() ? "" : files.error().text().c_str());
            QVERIFY(!files->empty());
            QVERIFY(dataFormatFromName(QString::fromLatin1(nameOf(format))) == format);
        }
        const auto json = dataFiles(**store, *id, DataFormat::Json);
        const QJsonDocument document = QJsonDocument::fromJson(json->front().bytes);
        const auto record = (*store)->load(*id);
        QCOMPARE(
            document[u"result"_s][u"runs"_s][0][u"summary"_s][u"final_loss"_s].toDouble(), record->summary.finalLoss);
        QVERIFY(!document[u"rows"_s][u"steps"_s][u"rows"_s].toArray().isEmpty());
    }
};

LOCKSTEP_TEST(TestDataExport)
#include "test_data_export.moc"
