#include "base/random.h"
#include "engine/telemetry/outbox.h"
#include "program/test_class.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

using Bytes = std::vector<std::byte>;

/// A frame whose bytes count on from `next`, so that the order of all that was pushed can be read off what comes out.
Bytes frameFrom(std::uint32_t& next, std::size_t words)
{
    Bytes frame(words * sizeof(next));
    for (std::size_t i = 0; i < words; ++i, ++next) {
        std::copy_n(reinterpret_cast<const std::byte*>(&next), sizeof(next), &frame[i * sizeof(next)]);
    }
    return frame;
}

/// Takes at most `bytes` bytes from the outbox.
void takeSome(Outbox& outbox, std::size_t bytes, Bytes& to)
{
    const auto front = outbox.front();
    const auto taken = front.first(std::min(bytes, front.size()));
    to.insert(to.end(), taken.begin(), taken.end());
    outbox.pop(taken.size());
}

Bytes everythingUpTo(std::uint32_t end)
{
    std::uint32_t next = 0;
    return frameFrom(next, end);
}

} // namespace

class TestOutbox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatGoesInComesOutInOrder_data();
    void whatGoesInComesOutInOrder();
    void aFolderThatCannotBeWrittenLosesNothing();
    void theFileIsReused();
    void clearForgets();
};

void TestOutbox::whatGoesInComesOutInOrder_data()
{
    QTest::addColumn<int>("memoryBytes");
    QTest::newRow("all in memory") << (1 << 30);
    QTest::newRow("some spilled") << 4096;
    QTest::newRow("nothing in memory") << 0;
}

void TestOutbox::whatGoesInComesOutInOrder()
{
    QFETCH(int, memoryBytes);
    QTemporaryDir folder;
    Outbox outbox(static_cast<std::size_t>(memoryBytes), folder.path().toStdString());
    Random random(Seed{7});
    std::uint32_t next = 0;
    Bytes out;
    bool hasSpilled = false;
    for (int i = 0; i < 2000; ++i) {
        outbox.push(frameFrom(next, 1 + random.below(300)));
        hasSpilled = hasSpilled || outbox.spilledBytes() > 0;
        if (random.below(3) == 0) { // slower than it fills, faster now and then, so that file and memory take turns
            takeSome(outbox, random.below(i % 400 < 200 ? 1000 : 100'000), out);
        }
        QCOMPARE(outbox.waitingBytes(), next * sizeof(next) - out.size());
    }
    while (!outbox.isEmpty()) {
        takeSome(outbox, 1 + random.below(100'000), out);
    }
    QVERIFY(out == everythingUpTo(next));
    QCOMPARE(hasSpilled, memoryBytes < 1 << 20);
    QVERIFY(!outbox.isBroken());
    QVERIFY2(QDir(folder.path()).isEmpty(), "the file has a name, so it would outlive the process");
}

void TestOutbox::aFolderThatCannotBeWrittenLosesNothing()
{
    Outbox outbox(1000, "/no/such/folder");
    std::uint32_t next = 0;
    for (int i = 0; i < 50; ++i) {
        outbox.push(frameFrom(next, 100));
    }
    QCOMPARE(outbox.spilledBytes(), std::size_t{0});
    Bytes out;
    while (!outbox.isEmpty()) {
        takeSome(outbox, 700, out);
    }
    QVERIFY(out == everythingUpTo(next));
}

void TestOutbox::theFileIsReused()
{
    QTemporaryDir folder;
    Outbox outbox(0, folder.path().toStdString());
    std::uint32_t next = 0;
    Bytes out;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 20; ++i) {
            outbox.push(frameFrom(next, 1000));
        }
        QCOMPARE(outbox.spilledBytes(), std::size_t{20 * 4000});
        while (!outbox.isEmpty()) {
            takeSome(outbox, 50'000, out);
        }
        QCOMPARE(outbox.spilledBytes(), std::size_t{0});
    }
    QVERIFY(out == everythingUpTo(next));
}

void TestOutbox::clearForgets()
{
    QTemporaryDir folder;
    Outbox outbox(5000, folder.path().toStdString());
    std::uint32_t next = 0;
    for (int i = 0; i < 20; ++i) {
        outbox.push(frameFrom(next, 100));
    }
    outbox.pop(outbox.front().size() / 2);
    outbox.clear();
    QVERIFY(outbox.isEmpty());
    QVERIFY(outbox.front().empty());
    next = 0;
    outbox.push(frameFrom(next, 100));
    Bytes out;
    takeSome(outbox, 1000, out);
    QVERIFY(out == everythingUpTo(next));
}

LOCKSTEP_TEST(TestOutbox)
#include "test_outbox.moc"
