#include "core/engine/run_of.h"
#include "datasets/digits.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <array>

using namespace lockstep;
using namespace lockstep::datasets;

namespace {

constexpr std::size_t Pixels = DigitsSide * DigitsSide;

/// FNV-1a: one number for all pictures.
std::uint64_t hashOf(const std::vector<std::uint8_t>& bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const std::uint8_t byte : bytes) {
        hash = (hash ^ byte) * 0x100000001b3ULL;
    }
    return hash;
}

} // namespace

class TestDigits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalSeedsDrawEqualPictures()
    {
        const LabelledBytes one = makeDigits(Seed{7}, DigitsPart::Train, 200);
        const LabelledBytes two = makeDigits(Seed{7}, DigitsPart::Train, 200);
        QCOMPARE(hashOf(one.pixels), hashOf(two.pixels));
        QCOMPARE(one.labels, two.labels);
    }

    void aSmallerSetIsTheBeginningOfALargerOne()
    {
        const LabelledBytes few = makeDigits(Seed{7}, DigitsPart::Test, 37);
        const LabelledBytes many = makeDigits(Seed{7}, DigitsPart::Test, 100);
        QVERIFY(std::equal(few.pixels.begin(), few.pixels.end(), many.pixels.begin()));
        QVERIFY(std::equal(few.labels.begin(), few.labels.end(), many.labels.begin()));
    }

    void otherSeedsAndPartsDrawOthers()
    {
        const auto base = hashOf(makeDigits(Seed{7}, DigitsPart::Train, 50).pixels);
        QVERIFY(base != hashOf(makeDigits(Seed{8}, DigitsPart::Train, 50).pixels));
        QVERIFY(base != hashOf(makeDigits(Seed{7}, DigitsPart::Test, 50).pixels));
    }

    void noTwoPicturesAreEqual()
    {
        const LabelledBytes data = makeDigits(Seed{1}, DigitsPart::Train, 2000);
        std::vector<std::uint64_t> hashes;
        for (std::size_t i = 0; i < 2000; ++i) {
            const auto first = data.pixels.begin() + static_cast<std::ptrdiff_t>(i * Pixels);
            hashes.push_back(hashOf({first, first + static_cast<std::ptrdiff_t>(Pixels)}));
        }
        std::sort(hashes.begin(), hashes.end());
        QVERIFY(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
    }

    void classesAreBalanced()
    {
        std::array<int, 10> counts{};
        for (const std::uint8_t label : makeDigits(Seed{1}, DigitsPart::Train, 1003).labels) {
            ++counts.at(label);
        }
        QCOMPARE(*std::min_element(counts.begin(), counts.end()), 100);
        QCOMPARE(*std::max_element(counts.begin(), counts.end()), 101);
    }

    void everyPictureHasAsMuchInkAsAStroke()
    {
        const LabelledBytes data = makeDigits(Seed{3}, DigitsPart::Train, 1000);
        for (std::size_t i = 0; i < 1000; ++i) {
            const auto first = data.pixels.begin() + static_cast<std::ptrdiff_t>(i * Pixels);
            const auto inked = std::count_if(
                first, first + static_cast<std::ptrdiff_t>(Pixels), [](std::uint8_t p) { return p > 100; });
            QVERIFY2(inked >= 8 && inked <= 350, qPrintable(QStringLiteral("picture %1: %2").arg(i).arg(inked)));
        }
    }

    void tenThousandTakeAFractionOfASecond()
    {
        QElapsedTimer timer;
        timer.start();
        const LabelledBytes data = makeDigits(Seed{1}, DigitsPart::Train, 10'000);
        const qint64 spent = timer.elapsed();
        QCOMPARE(data.count, std::int64_t{10'000});
        qInfo("10,000 pictures: %lld ms", static_cast<long long>(spent));
        QVERIFY(spent < 2'000); // 0.4 s on a free core; the machine may be busy
    }
};

LOCKSTEP_TEST(TestDigits)
#include "test_digits.moc"
