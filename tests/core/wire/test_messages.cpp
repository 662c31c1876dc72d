#include "base/random.h"
#include "program/test_class.h"
#include "wire/frame.h"
#include "wire/messages.h"

#include <lockstep_generated.h>

#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace lockstep;
using namespace lockstep::wire;

namespace {

using Bytes = std::vector<std::byte>;

StepBatch stepBatch(std::size_t rows)
{
    StepBatch batch;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto n = static_cast<std::int64_t>(i) + 1;
        StepRow row{.step = n,
            .endNs = n * 1000,
            .wallNs = 1000,
            .samples = 64 * n,
            .batch = 64,
            .loss = 1.0 / static_cast<double>(n),
            .learningRate = 0.1,
            .bytesSent = n,
            .arrivalNs = n * 1000 - 300,
            .hiddenNs = n % 2 * 7,
            .bytesByKind = Traffic{n, n + 1, n + 2, n + 3},
            .staleness = n % 3,
            .betweenHostsNs = n % 5};
        for (std::size_t p = 0; p < PhaseCount; ++p) {
            row.phaseNs[p] = n * 10 + static_cast<std::int64_t>(p);
        }
        batch.rows.push_back(row);
    }
    return batch;
}

TrafficBatch trafficBatch(std::size_t rows)
{
    TrafficBatch batch;
    batch.dropped = 2;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto n = static_cast<std::int64_t>(i);
        batch.rows.push_back({n, n % 3, i % 2 == 0 ? 1 : -1, i % 2 == 0 ? -1 : 3, n * 100, n * 7, 5});
    }
    return batch;
}

SpanBatch spanBatch(std::size_t rows)
{
    SpanBatch batch;
    batch.dropped = 3;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto n = static_cast<std::int64_t>(i);
        batch.rows.push_back({n, static_cast<Phase>(i % PhaseCount), n * 7, 5, static_cast<std::int32_t>(i % 4) - 1});
    }
    return batch;
}

/// The columns of four steps as a frame has them, to be put out of order.
struct StepColumns {
    using Column = std::vector<std::int64_t>;
    Column step{1, 2, 3, 4}, endNs{1, 2, 3, 4}, wallNs{1, 1, 1, 1}, samples{1, 2, 3, 4}, batch{1, 1, 1, 1};
    std::vector<double> loss{1, 1, 1, 1}, learningRate{1, 1, 1, 1};
    Column bytesSent{0, 0, 0, 0};
    std::vector<Column> phaseNs{PhaseCount, Column(4)};
    std::vector<Column> bytesByKind{};
};

Bytes framed(flatbuffers::FlatBufferBuilder& b, fb::Body kind, flatbuffers::Offset<void> body)
{
    b.Finish(fb::CreateFrame(b, kind, body), fb::FrameIdentifier());
    const auto bytes = std::as_bytes(std::span(b.GetBufferPointer(), b.GetSize()));
    return {bytes.begin(), bytes.end()};
}

Bytes payloadOf(const StepColumns& columns)
{
    flatbuffers::FlatBufferBuilder b;
    const auto tables = [&b](const std::vector<StepColumns::Column>& all) {
        std::vector<flatbuffers::Offset<fb::Column>> made;
        for (const StepColumns::Column& each : all) {
            made.push_back(fb::CreateColumnDirect(b, &each));
        }
        return made;
    };
    const auto phases = tables(columns.phaseNs);
    const auto kinds = tables(columns.bytesByKind);
    return framed(b, fb::Body::StepBatch,
        fb::CreateStepBatchDirect(b, &columns.step, &columns.endNs, &columns.wallNs, &columns.samples, &columns.batch,
            &columns.loss, &columns.learningRate, &columns.bytesSent, &phases, nullptr, nullptr, &kinds)
            .Union());
}

struct SpanColumns {
    std::vector<std::int64_t> step{1, 2, 3, 4}, startNs{1, 2, 3, 4}, durationNs{1, 1, 1, 1};
    std::vector<std::uint8_t> phase{0, 0, 0, 0};
};

Bytes payloadOf(const SpanColumns& columns)
{
    flatbuffers::FlatBufferBuilder b;
    return framed(b, fb::Body::SpanBatch,
        fb::CreateSpanBatchDirect(b, &columns.step, &columns.phase, &columns.startNs, &columns.durationNs).Union());
}

Hello helloOf(std::int32_t rank, std::int32_t worldSize, std::string host = {})
{
    Hello hello;
    hello.rank = rank;
    hello.worldSize = worldSize;
    hello.host = std::move(host);
    return hello;
}

/// One of each kind, with no field left at its default.
std::vector<Message> oneOfEach()
{
    return {Hello{7, "20261120-221403-k3f9", 3, 8, 4711, "host", "cuda:0", "1.13.1"},
        Prepared{"cpu", 8000, 2000, 625, 125, 101'770, 17, "MNIST, 8,000 + 2,000 images \xe5\x9b\xbe", "ring over shm",
            16, "v1:d", "v1:c", 20, -1, 40},
        stepBatch(37), spanBatch(11), Evaluation{5, 320, 99, 12, 0.75, 0.5, 0.25},
        LogLine{8, LogLevel::Warning, "a line", "v6:a line"}, Vitals{1, 2, 3, 4, 5, 6, 7},
        Applied{Command::SetLink, 4, 5, 6, 0.5},
        Goodbye{Outcome::Failed, 17, "loss became NaN", "m15:loss became NaN0:"},
        Welcome{9, "{\"version\":1}", ".workbench-1"}, Control{Command::RunSteps, 2, 1.5}, trafficBatch(9),
        Measurement{"all_reduce", "ring", "float32", 4096, true, 20, 5000, 9000, 5500, 1},
        Verification{50, 1e-6, 17, {2e-6, 0.0, 1e-7}}, Share{100, 7, 2, {40, 0, 60}},
        MemorySample{7, 8, {1, 2, 3, 4, 5, 6}, {2, 3, 4, 5, 6, 7}, 30, 40, 100, 110, {9, 8, 7, 6, 5, 4}, 50},
        Held{12, 99, 3, 50, 17, 49, 1088}, MetricBatch{{{1, 64, 10, 2.5}, {2, 128, 20, -1.0}}, "gradient norm"},
        CallBatch{
            {{Call::AllReduce, 3, 41, 4, 7, -1, 4096, 100, 90, 200}, {Call::Receive, 3, 2, 5, 3, 1, 8, 210, 220, 0}}, 2,
            900},
        ClockSample{{2, 3}, 17, -11'000'000'000, 40'000, 50},
        CheckpointPart{20, "rank-1.safetensors", 4096, 5000, {std::byte{0}, std::byte{255}, std::byte{7}}}};
}

Bytes payloadOf(const Message& message)
{
    auto frame = encode(message);
    return frame ? Bytes(frame->begin() + 4, frame->end()) : Bytes{};
}

} // namespace

class TestMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyKindComesBackAsItWas()
    {
        const std::vector<Message> messages = oneOfEach();
        QCOMPARE(messages.size(), std::variant_size_v<Message>);
        FrameDecoder decoder;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            QCOMPARE(messages[i].index(), i);
            const auto frame = encode(messages[i]);
            QVERIFY(frame);
            decoder.feed(*frame);
        }
        for (const Message& message : messages) {
            const auto frame = decoder.next();
            QVERIFY(frame && *frame);
            const auto back = decode(**frame);
            QVERIFY2(back, back ? "" : back.error().message.c_str());
            QVERIFY(*back == message);
        }
    }

    /// Encoding and decoding go by the place of a field: its name in lockstep.fbs must be at that place.
    void everyDescriptionIsTheSchemas()
    {
        QFile schema(QStringLiteral(LOCKSTEP_SOURCE_DIR "/core/wire/lockstep.fbs"));
        QVERIFY(schema.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(schema.readAll()).remove(QRegularExpression(QStringLiteral("//[^\n]*")));
        for (const Message& message : oneOfEach()) {
            const QString table = QLatin1String(fb::EnumNamesBody()[message.index() + 1]);
            const QRegularExpression body(QStringLiteral("table %1 \\{([^}]*)\\}").arg(table));
            QStringList expected;
            for (const QString& line : body.match(text).captured(1).split(u';', Qt::SkipEmptyParts)) {
                if (!line.trimmed().isEmpty()) {
                    expected += line.section(u':', 0, 0).trimmed();
                }
            }
            QStringList described;
            std::visit(
                [&described](const auto& what) {
                    what.fields([&](const Field& field, auto) { described += QLatin1String(field.name); });
                },
                message);
            QCOMPARE(described, expected);
            QVERIFY(!expected.isEmpty());
        }
    }

    void defaultsAndEmptyBatchesComeBack()
    {
        for (const Message& message : {Message(Hello{}), Message(StepBatch{}), Message(SpanBatch{}), Message(Goodbye{}),
                 Message(Welcome{}), Message(LogLine{}), Message(TrafficBatch{}), Message(Measurement{})}) {
            const auto back = decode(payloadOf(message));
            QVERIFY2(back, back ? "" : back.error().message.c_str());
            QVERIFY(*back == message);
        }
    }

    /// A rank of an earlier version does not send the loss on the training set: it is unknown, and not 0.
    void aLossThatIsNotSentIsUnknown()
    {
        flatbuffers::FlatBufferBuilder builder;
        const Bytes payload
            = framed(builder, fb::Body::Evaluation, fb::CreateEvaluation(builder, 5, 320, 99, 12, 0.75, 0.5).Union());
        const auto old = decode(payload);
        QVERIFY(old);
        QCOMPARE(std::get<Evaluation>(*old).loss, 0.5);
        QVERIFY(std::isnan(std::get<Evaluation>(*old).trainLoss));
        const auto zero = decode(payloadOf(Evaluation{5, 320, 99, 12, 1.0, 0.0, 0.0}));
        QVERIFY(zero);
        QCOMPARE(std::get<Evaluation>(*zero).trainLoss, 0.0);
    }

    void hiddenTimesThatAreAllZeroTakeNoBytes()
    {
        StepBatch some = stepBatch(100);
        StepBatch none = some;
        for (StepRow& row : none.rows) {
            row.hiddenNs = 0;
        }
        const auto encoded = encode(none);
        QVERIFY(encoded);
        QVERIFY(encoded->size() + 800 <= encode(some)->size());
        FrameDecoder decoder;
        decoder.feed(*encoded);
        const auto frame = decoder.next();
        QVERIFY(frame && *frame);
        QVERIFY(std::get<StepBatch>(*decode(**frame)) == none);
    }

    void valuesThatAreNoNumbersAreData()
    {
        StepBatch batch = stepBatch(3);
        batch.rows[0].loss = std::numeric_limits<double>::quiet_NaN();
        batch.rows[1].loss = std::numeric_limits<double>::infinity();
        batch.rows[2].loss = -std::numeric_limits<double>::infinity();
        const auto back = decode(payloadOf(batch));
        QVERIFY(back);
        const auto& rows = std::get<StepBatch>(*back).rows;
        QVERIFY(std::isnan(rows[0].loss));
        QCOMPARE(rows[1].loss, batch.rows[1].loss);
        QCOMPARE(rows[2].loss, batch.rows[2].loss);
    }

    void framesMayLieAnywhereInMemory()
    {
        const StepBatch batch = stepBatch(5);
        const Bytes payload = payloadOf(batch);
        for (std::size_t offset = 0; offset < 16; ++offset) {
            Bytes shifted(offset);
            shifted.insert(shifted.end(), payload.begin(), payload.end());
            const auto back = decode(std::span<const std::byte>(shifted).subspan(offset));
            QVERIFY(back && *back == Message(batch));
        }
    }

    void whatDoesNotFitIntoAFrameIsNotEncoded()
    {
        QVERIFY(!encode(stepBatch(40'000)));
        QVERIFY(!encode(LogLine{0, LogLevel::Info, std::string(MaxFrameBytes + 1, 'x')}));
        const auto large = encode(stepBatch(21'000));
        QVERIFY(large && large->size() < MaxFrameBytes);
    }

    void malformedMessagesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QByteArray>("cause");
        const auto row = [](const char* name, const auto& message, const char* cause) {
            const Bytes bytes = payloadOf(message);
            QTest::addRow("%s", name) << QByteArray(
                reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()))
                                      << QByteArray(cause);
        };
        StepColumns steps;
        steps.loss.pop_back();
        row("a column too short", steps, "loss has 3 values, step has 4");
        steps = {};
        steps.endNs.push_back(0);
        row("a column too long", steps, "end_ns has 5 values, step has 4");
        steps = {};
        steps.phaseNs[6].clear();
        row("a phase without values", steps, "phase_ns has 0 values, step has 4");
        steps = {};
        steps.phaseNs.pop_back();
        row("a phase too few", steps, "phase_ns has 6 columns, there are 7");
        steps = {};
        steps.bytesByKind = {{1, 2, 3, 4}};
        row("a kind of traffic too few", steps, "bytes_by_kind has 1 columns, there are 4");
        steps = {};
        steps.step.clear();
        row("no steps", steps, "4 values, step has 0");
        steps = {};
        steps.step[2] = -1;
        row("a negative step", steps, "step has a negative value");
        SpanColumns spans;
        spans.phase[1] = PhaseCount;
        row("an unknown phase", spans, "phase has a value");
        spans = {};
        spans.durationNs.pop_back();
        row("spans without duration", spans, "duration_ns has 3 values");
        TrafficBatch traffic = trafficBatch(4);
        traffic.rows[1].to = -2;
        row("a message to what is not a rank", traffic, "to has a value that is not a rank");
        row("an unknown command", Control{static_cast<Command>(9), 0, 0}, "command: 9");
        row("an unknown outcome", Goodbye{static_cast<Outcome>(4), 0, ""}, "outcome: 4");
        row("an unknown level", LogLine{0, static_cast<LogLevel>(255), ""}, "level: 255");
        row("a rank outside the world", helloOf(4, 4), "rank 4 of 4");
        row("a negative rank", helloOf(-1, 4), "rank -1 of 4");
        row("no world", helloOf(0, 0), "rank 0 of 0");
        row("a long line", LogLine{0, LogLevel::Info, std::string(65'537, 'x')}, "text has 65537 bytes");
        row("a long host", helloOf(0, 1, std::string(4097, 'x')), "host has 4097 bytes");
        row("a long spec", Welcome{1, std::string((1u << 20) + 1, ' ')}, "spec_json has 1048577 bytes");
        row("negative kind of memory", MemorySample{.step = 1, .most = {0, 0, -3, 0, 0, 0}}, "most: -3");
        row("negative memory", Vitals{0, -1, 0}, "resident_bytes: -1");
        row("negative run delay", Vitals{.runDelayNs = -1}, "run_delay_ns: -1");
    }

    void malformedMessagesAreRefused()
    {
        QFETCH(QByteArray, payload);
        QFETCH(QByteArray, cause);
        const auto message = decode(std::as_bytes(std::span(payload.constData(), std::size_t(payload.size()))));
        QVERIFY(!message);
        QVERIFY2(
            message.error().message.find(cause.toStdString()) != std::string::npos, message.error().message.c_str());
    }

    void truncatedMessagesAreRefused()
    {
        for (const Message& message : oneOfEach()) {
            const Bytes payload = payloadOf(message);
            for (std::size_t size = 0; size < payload.size(); ++size) {
                const auto back = decode(std::span<const std::byte>(payload).first(size));
                // Padding at the end may be missing; then the message is still the same one.
                QVERIFY(!back || *back == message);
                QVERIFY(size + 16 > payload.size() || !back);
            }
        }
    }

    void anyBytesAreSafeToDecode()
    {
        constexpr int Frames = 100'000;
        std::vector<Bytes> seeds;
        for (const Message& message : oneOfEach()) {
            seeds.push_back(payloadOf(message));
        }
        Random random(Seed{2026});
        QElapsedTimer timer;
        timer.start();
        int refused = 0;
        for (int i = 0; i < Frames; ++i) {
            Bytes bytes = seeds[random.below(seeds.size())];
            const std::uint64_t changes = 1 + random.below(8);
            for (std::uint64_t c = 0; c < changes; ++c) {
                // Offsets and lengths are what hurts: half of the changes are small or extreme 32-bit numbers.
                const std::size_t at = random.below(bytes.size());
                if (random.below(2) == 0 || at + 4 > bytes.size()) {
                    bytes[at] = static_cast<std::byte>(random.next() & 255);
                    continue;
                }
                const std::uint64_t kind = random.below(3);
                const auto value = static_cast<std::uint32_t>(kind == 0 ? random.below(256)
                        : kind == 1                                     ? 0xffffff00u + random.below(256)
                                                                        : random.next());
                std::memcpy(bytes.data() + at, &value, 4);
            }
            bytes.resize(random.below(8) == 0 ? random.below(bytes.size() + 1) : bytes.size());
            const auto message = decode(bytes);
            refused += message ? 0 : 1;
            if (message && std::holds_alternative<StepBatch>(*message)) {
                for (const StepRow& row : std::get<StepBatch>(*message).rows) {
                    QVERIFY(row.step >= 0 && row.samples >= 0 && row.batch >= 0);
                }
            }
        }
        QVERIFY2(timer.elapsed() < 60'000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(refused > Frames / 4); // the changes do reach the structure
        QVERIFY(refused < Frames); // and do not only destroy it
    }

    void randomBytesAreRefused()
    {
        Random random(Seed{11});
        for (int i = 0; i < 20'000; ++i) {
            Bytes bytes(random.below(512));
            for (std::byte& byte : bytes) {
                byte = static_cast<std::byte>(random.next() & 255);
            }
            QVERIFY(!decode(bytes));
        }
    }
};

LOCKSTEP_TEST(TestMessages)
#include "test_messages.moc"
