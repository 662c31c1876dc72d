// What resources/python/lockstep.py sends and reads, against our own verifier and encoder.
#include "program/test_class.h"
#include "wire/frame.h"
#include "wire/messages.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::wire;

class TestPythonFrames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyFrameIsVerified();
    void factsAndTexts();
    void stepsSayWhatIsTold();
    void spansEndWhereCommunicationBegins();
    void metrics();
    void blocksOfARunThatTakesTurns();
    void readsWhatTheWorkbenchSends();

private:
    [[nodiscard]] static QByteArray python(const QStringList& more, const QByteArray& input = {});
    template <typename M>
    [[nodiscard]] M message(std::size_t place) const
    {
        return std::get<M>(m_messages.at(place));
    }

    std::vector<Message> m_messages;
};

QByteArray TestPythonFrames::python(const QStringList& more, const QByteArray& input)
{
    QProcess process;
    process.start(QStringLiteral("python3"),
        QStringList{QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/core/wire/python_frames.py"),
            QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/python")}
            + more);
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished(60'000);
    if (process.exitCode() != 0) {
        qWarning("%s", process.readAllStandardError().constData());
    }
    return process.readAllStandardOutput();
}

void TestPythonFrames::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); // what the script asserts
    qputenv("PYTHONDONTWRITEBYTECODE", "1");
    const QByteArray bytes = python({});
    FrameDecoder decoder;
    decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    while (true) {
        const auto frame = decoder.next();
        QVERIFY2(frame, frame ? "" : frame.error().text().c_str());
        if (!*frame) {
            break;
        }
        const auto decoded = decode(**frame);
        QVERIFY2(decoded, decoded ? "" : decoded.error().text().c_str());
        m_messages.push_back(*decoded);
    }
    QCOMPARE(decoder.buffered(), std::size_t{0});
}

void TestPythonFrames::everyFrameIsVerified()
{
    QCOMPARE(m_messages.size(), std::size_t{13});
    QCOMPARE(message<StepBatch>(9).rows.size(), std::size_t{8192});
}

void TestPythonFrames::factsAndTexts()
{
    const auto hello = message<Hello>(0);
    QVERIFY(hello.pid > 0);
    QVERIFY(!hello.host.empty());
    QCOMPARE(hello, (Hello{ProtocolVersion, "run-1", 1, 2, hello.pid, hello.host, "cpu", "1.13.1"}));
    const auto prepared = message<Prepared>(1);
    QCOMPARE(prepared.trainSamples, 8000);
    QCOMPARE(prepared.totalSteps, 40);
    QCOMPARE(QString::fromStdString(prepared.dataset), QStringLiteral("Zahlen – 数字"));
    QVERIFY(prepared.cores > 0);
    const auto evaluation = message<Evaluation>(4);
    QCOMPARE(evaluation.accuracy, 0.5);
    QVERIFY(std::isnan(evaluation.loss));
    QCOMPARE(evaluation.trainLoss, 0.25);
    QCOMPARE(message<LogLine>(5).level, LogLevel::Warning);
    QCOMPARE(message<LogLine>(5).text.size(), std::size_t{60000});
    QCOMPARE(message<LogLine>(5).data, std::string()); // as of a rank of an earlier version: the text alone
    QCOMPARE(message<LogLine>(5).said(), Text(message<LogLine>(5).text));
    QVERIFY(message<Vitals>(6).residentBytes > 1'000'000);
    const auto applied = message<Applied>(7);
    QCOMPARE(applied.command, Command::Stop);
    QCOMPARE(applied.step, 5);
    QCOMPARE(applied.rank, -1);
    QCOMPARE(message<Goodbye>(10), (Goodbye{Outcome::Failed, 4, "rank 1 failed"}));
}

void TestPythonFrames::stepsSayWhatIsTold()
{
    const auto rows = message<StepBatch>(2).rows;
    QCOMPARE(rows.size(), std::size_t{5});
    // Buckets: the last one begins at 700 and ends at 950, within backward's last 200 ns; 100 ns were hidden.
    QCOMPARE(rows[0].arrivalNs, 700);
    QCOMPARE(rows[0].hiddenNs, 100);
    QCOMPARE(rows[0].unattributedNs, 0);
    QCOMPARE(rows[0].nsOf(Phase::Forward), 300);
    QCOMPARE(rows[0].nsOf(Phase::Backward), 400);
    QCOMPARE(rows[0].nsOf(Phase::Communicate), 250);
    QCOMPARE(rows[0].loss, 1.0);
    QCOMPARE(rows[0].samples, 64);
    QCOMPARE(rows[0].staleness, -1);
    // Nothing is stamped: a span around communication cannot tell waiting apart.
    QCOMPARE(rows[1].nsOf(Phase::Communicate), 30);
    QCOMPARE(rows[1].unattributedNs, 30);
    // A single rank does not wait.
    QCOMPARE(rows[2].unattributedNs, 0);
    // One blocking call.
    QCOMPARE(rows[3].arrivalNs, 100);
    QCOMPARE(rows[3].nsOf(Phase::Communicate), 50);
    QCOMPARE(rows[3].unattributedNs, 0);
    QCOMPARE(rows[3].bytesSent, -1);
    // Messages beside it that are not stamped; the span around the call says nothing more.
    QCOMPARE(rows[4].nsOf(Phase::Communicate), 80);
    QCOMPARE(rows[4].unattributedNs, 30);
}

void TestPythonFrames::spansEndWhereCommunicationBegins()
{
    const auto spans = message<SpanBatch>(3);
    QCOMPARE(spans.dropped, 5);
    QCOMPARE(spans.rows.size(), std::size_t{2});
    QCOMPARE(spans.rows[1], (SpanRow{1, Phase::Backward, 300, 400, -1}));
}

void TestPythonFrames::metrics()
{
    const auto batch = message<MetricBatch>(8);
    QCOMPARE(QString::fromStdString(batch.name), QStringLiteral("grad norm"));
    QCOMPARE(batch.rows.at(0), (MetricRow{1, 64, 10, 2.5}));
    QVERIFY(std::isnan(batch.rows.at(1).value));
}

void TestPythonFrames::blocksOfARunThatTakesTurns()
{
    const auto first = message<Held>(11);
    QCOMPARE(first, (Held{2, first.timeNs, 0, 0, 0, 0, 0}));
    const auto block = message<Held>(12);
    QVERIFY(block.startNs >= first.timeNs && block.timeNs >= block.startNs);
    // Without the first three of its six steps.
    QCOMPARE(block, (Held{8, block.timeNs, 7, block.startNs, 3, 106 + 107 + 108, 12}));
}

void TestPythonFrames::readsWhatTheWorkbenchSends()
{
    QByteArray sent;
    for (const Message& each : {Message(Welcome{ProtocolVersion, R"({"name": "ü"})"}), Message(Control{}),
             Message(Control{Command::SetStraggler, 3, 2.5})}) {
        const auto bytes = encode(each);
        QVERIFY(bytes);
        sent.append(reinterpret_cast<const char*>(bytes->data()), static_cast<qsizetype>(bytes->size()));
    }
    QCOMPARE(QString::fromUtf8(python({QStringLiteral("--read")}, sent)),
        QStringLiteral("welcome 2 {\"name\": \"ü\"}\ncontrol 0 -1 0.0\ncontrol 3 3 2.5\n"));
}

LOCKSTEP_TEST(TestPythonFrames)
#include "test_python_frames.moc"
