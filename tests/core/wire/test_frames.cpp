#include "base/random.h"
#include "program/test_class.h"
#include "wire/frame.h"
#include "wire/messages.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cstring>

using namespace lockstep;
using namespace lockstep::wire;

namespace {

using Bytes = std::vector<std::byte>;

Bytes frameOf(const Bytes& payload)
{
    const auto length = static_cast<std::uint32_t>(payload.size());
    Bytes frame(4 + payload.size());
    std::memcpy(frame.data(), &length, 4);
    std::copy(payload.begin(), payload.end(), frame.begin() + 4);
    return frame;
}

Bytes numbered(std::size_t size, int first)
{
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::byte>((static_cast<std::size_t>(first) + i) & 255);
    }
    return bytes;
}

void append(Bytes& to, const Bytes& more)
{
    to.insert(to.end(), more.begin(), more.end());
}

/// Every whole frame that is there now; false when the stream is broken.
bool drain(FrameDecoder& decoder, std::vector<Bytes>& payloads)
{
    while (true) {
        const auto frame = decoder.next();
        if (!frame) {
            return false;
        }
        if (!*frame) {
            return true;
        }
        payloads.emplace_back((*frame)->begin(), (*frame)->end());
    }
}

} // namespace

class TestFrames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void anySplitGivesTheSameFrames()
    {
        const std::vector<Bytes> payloads{numbered(1, 0), numbered(5, 9), numbered(40, 100), numbered(3, 1)};
        Bytes stream;
        for (const Bytes& payload : payloads) {
            append(stream, frameOf(payload));
        }
        for (std::size_t first = 0; first <= stream.size(); ++first) {
            for (std::size_t second = first; second <= stream.size(); ++second) {
                FrameDecoder decoder;
                std::vector<Bytes> got;
                const std::span<const std::byte> all(stream);
                for (const auto part : {all.first(first), all.subspan(first, second - first), all.subspan(second)}) {
                    decoder.feed(part);
                    QVERIFY(drain(decoder, got));
                }
                QCOMPARE(got.size(), payloads.size());
                QVERIFY(got == payloads);
                QCOMPARE(decoder.buffered(), std::size_t{0});
            }
        }
    }

    void byteByByteGivesTheSameFrames()
    {
        const std::vector<Bytes> payloads{numbered(300, 0), numbered(1, 9)};
        FrameDecoder decoder;
        std::vector<Bytes> got;
        for (const Bytes& payload : payloads) {
            for (const std::byte byte : frameOf(payload)) {
                decoder.feed({&byte, 1});
                QVERIFY(drain(decoder, got));
            }
        }
        QVERIFY(got == payloads);
    }

    void badLengthsBreakTheStream_data()
    {
        QTest::addColumn<quint32>("length");
        QTest::addRow("zero") << 0u;
        QTest::addRow("one above the cap") << MaxFrameBytes + 1;
        QTest::addRow("4 GiB") << 0xffffffffu;
    }

    void badLengthsBreakTheStream()
    {
        QFETCH(quint32, length);
        FrameDecoder decoder;
        decoder.feed(frameOf(numbered(4, 0)));
        Bytes bad(4);
        std::memcpy(bad.data(), &length, 4);
        decoder.feed(bad);
        QVERIFY(*decoder.next()); // what came before is handed out
        const auto broken = decoder.next();
        QVERIFY(!broken);
        QVERIFY2(
            broken.error().message.find(std::to_string(length)) != std::string::npos, broken.error().message.c_str());
        // It stays broken, keeps nothing of what follows, and a good frame does not mend it.
        decoder.feed(frameOf(numbered(100'000, 0)));
        QCOMPARE(decoder.buffered(), std::size_t{0});
        const auto still = decoder.next();
        QVERIFY(!still);
        QCOMPARE(still.error().message, broken.error().message);
    }

    void theLargestFrameIsTaken()
    {
        FrameDecoder decoder;
        decoder.feed(frameOf(Bytes(MaxFrameBytes, std::byte{1})));
        const auto frame = decoder.next();
        QVERIFY(frame && *frame);
        QCOMPARE((*frame)->size(), std::size_t{MaxFrameBytes});
    }

    void timeGrowsWithTheBytesNotWithTheirSquare()
    {
        // 64 MiB of 16-byte frames fed in one piece a frame and in pieces of 1 MiB: quadratic compaction takes hours.
        constexpr std::size_t Frames = 1u << 20;
        const Bytes one = frameOf(numbered(12, 3));
        Bytes piece;
        for (int i = 0; i < 65536; ++i) {
            append(piece, one);
        }
        QElapsedTimer timer;
        timer.start();
        FrameDecoder large;
        std::size_t count = 0;
        for (std::size_t sent = 0; sent < Frames; sent += 65536) {
            large.feed(piece);
            auto frame = large.next();
            for (; *frame; frame = large.next()) {
                // One new byte after every frame, so that compaction is asked for each time.
                ++count;
                large.feed({});
            }
        }
        QCOMPARE(count, Frames);
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
    }

    void randomStreamsNeverHoldMoreThanWasFed()
    {
        Random random(Seed{7});
        for (int round = 0; round < 2000; ++round) {
            FrameDecoder decoder;
            std::size_t fed = 0;
            for (int piece = 0; piece < 8; ++piece) {
                Bytes bytes(random.below(64));
                for (std::byte& byte : bytes) {
                    // Mostly zeros, so that lengths are small often enough to give frames.
                    byte = random.below(4) == 0 ? static_cast<std::byte>(random.next() & 255) : std::byte{0};
                }
                fed += bytes.size();
                decoder.feed(bytes);
                std::vector<Bytes> got;
                const bool isWhole = drain(decoder, got);
                QVERIFY(decoder.buffered() <= fed);
                QVERIFY(isWhole || !decoder.next());
            }
        }
    }
};

LOCKSTEP_TEST(TestFrames)
#include "test_frames.moc"
