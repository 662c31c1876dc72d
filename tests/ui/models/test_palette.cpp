// The colours of variants, told apart by readers of every kind and on every ground: CIEDE2000 between any two that
// share a dash, as seen with normal sight and with protanopia, deuteranopia and tritanopia (Machado, Oliveira and
// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1), and contrast
// to the ground (WCAG 2.1). Least distance of the first n variants, of all four kinds of sight, on light and dark
// ground:
//   n      2     3     4     5     6 to 24
//   light  48.3  22.4  19.9  12.4  12.4
//   dark   40.2  26.2  17.2  13.4  12.8
#include "program/test_class.h"
#include "ui/models/palette.h"
#include "ui/models/runs/variant_looks.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

using Three = std::array<double, 3>;
using Matrix = std::array<Three, 3>;

constexpr double Threshold = 12.0;
constexpr double LeastContrast = 3.0;

/// Normal sight, protanopia, deuteranopia, tritanopia; of linear RGB.
constexpr std::array<Matrix, 4> Sights{{{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

Three times(const Matrix& matrix, const Three& v)
{
    Three result{};
    for (std::size_t i = 0; i < 3; ++i) {
        result[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
    }
    return result;
}

Three linearOf(const QColor& color)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

double contrast(const QColor& a, const QColor& b)
{
    const auto luminance = [](const QColor& color) {
        const Three rgb = linearOf(color);
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    };
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

/// CIELAB (D65) of a colour as this sight sees it.
Three labOf(const QColor& color, const Matrix& sight)
{
    Three seen = times(sight, linearOf(color));
    std::ranges::transform(seen, seen.begin(), [](double c) { return std::clamp(c, 0.0, 1.0); });
    const Three xyz = times(
        {{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}},
        seen);
    const auto f = [](double t) { return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0; };
    const double y = f(xyz[1]);
    return {116.0 * y - 16.0, 500.0 * (f(xyz[0] / 0.95047) - y), 200.0 * (y - f(xyz[2] / 1.08883))};
}

double rootOfSeventh(double chroma)
{
    const double seventh = std::pow(chroma, 7.0);
    return std::sqrt(seventh / (seventh + std::pow(25.0, 7.0)));
}

/// CIEDE2000 (Sharma, Wu and Dalal, 2005).
double distance(const Three& a, const Three& b)
{
    constexpr double Pi = std::numbers::pi;
    const double g = 0.5 * (1.0 - rootOfSeventh((std::hypot(a[1], a[2]) + std::hypot(b[1], b[2])) / 2.0));
    const double a1 = (1.0 + g) * a[1];
    const double b1 = (1.0 + g) * b[1];
    const double chromaA = std::hypot(a1, a[2]);
    const double chromaB = std::hypot(b1, b[2]);
    const auto hue = [](double x, double y) {
        const double angle = x == 0.0 && y == 0.0 ? 0.0 : std::atan2(y, x);
        return angle < 0.0 ? angle + 2.0 * Pi : angle;
    };
    const double hueA = hue(a1, a[2]);
    const double hueB = hue(b1, b[2]);
    const bool isGrey = chromaA * chromaB == 0.0;
    const bool isAcross = !isGrey && std::abs(hueA - hueB) > Pi;
    const double turn = isGrey ? 0.0 : hueB - hueA + (!isAcross ? 0.0 : hueB > hueA ? -2.0 * Pi : 2.0 * Pi);
    const double sum = hueA + hueB;
    const double meanHue = isGrey ? sum : !isAcross ? sum / 2.0 : (sum + (sum < 2.0 * Pi ? 2.0 : -2.0) * Pi) / 2.0;
    const double meanChroma = (chromaA + chromaB) / 2.0;
    const double light = std::pow((a[0] + b[0]) / 2.0 - 50.0, 2.0);
    const double t = 1.0 - 0.17 * std::cos(meanHue - Pi / 6.0) + 0.24 * std::cos(2.0 * meanHue)
        + 0.32 * std::cos(3.0 * meanHue + Pi / 30.0) - 0.20 * std::cos(4.0 * meanHue - 63.0 * Pi / 180.0);
    const double l = (b[0] - a[0]) / (1.0 + 0.015 * light / std::sqrt(20.0 + light));
    const double c = (chromaB - chromaA) / (1.0 + 0.045 * meanChroma);
    const double h = 2.0 * std::sqrt(chromaA * chromaB) * std::sin(turn / 2.0) / (1.0 + 0.015 * meanChroma * t);
    const double rotation = Pi / 3.0 * std::exp(-std::pow((meanHue * 180.0 / Pi - 275.0) / 25.0, 2.0));
    return std::sqrt(l * l + c * c + h * h - 2.0 * rootOfSeventh(meanChroma) * std::sin(rotation) * c * h);
}

/// As the reader with the worst sight for it sees two colours.
double leastDistance(const QColor& a, const QColor& b)
{
    double least = INFINITY;
    for (const Matrix& sight : Sights) {
        least = std::min(least, distance(labOf(a, sight), labOf(b, sight)));
    }
    return least;
}

analysis::RunRecord runOf(const char* preset, const char* variant, std::int64_t createdNs, int repeat = 0)
{
    analysis::RunRecord record;
    record.createdNs = createdNs;
    const auto runs = experiment::expand(*experiment::preset(preset));
    for (const experiment::RunSpec& run : *runs) {
        if (run.name == variant && run.repeat == repeat) {
            record.spec = run;
        }
    }
    return record;
}

std::vector<Look> looks(const std::vector<analysis::RunRecord>& runs)
{
    std::vector<const analysis::RunRecord*> pointers;
    for (const analysis::RunRecord& run : runs) {
        pointers.push_back(&run);
    }
    return looksOf(pointers, PaletteName::Vibrant);
}

} // namespace

class TestPalette : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Pairs of the test data of Sharma, Wu and Dalal.
    void theDistanceIsThatOfTheStandard()
    {
        QVERIFY(std::abs(distance({50.0, 2.6772, -79.7751}, {50.0, 0.0, -82.7485}) - 2.0425) < 1e-4);
        QVERIFY(std::abs(distance({50.0, 2.5, 0.0}, {73.0, 25.0, -18.0}) - 27.1492) < 1e-4);
        QVERIFY(std::abs(distance({2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}) - 0.9082) < 1e-4);
    }

    void variantsAreToldApart_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::addRow("light") << false;
        QTest::addRow("dark") << true;
    }

    void variantsAreToldApart()
    {
        QFETCH(bool, isDark);
        const QColor ground = (isDark ? darkTheme() : lightTheme()).background;
        std::vector<Look> all;
        for (std::size_t place = 0; place < 24; ++place) {
            Look look = lookOf(PaletteName::Vibrant, place);
            look.color = onGround(look.color, ground);
            QVERIFY2(contrast(look.color, ground) >= LeastContrast, qPrintable(look.color.name()));
            for (const Look& other : all) {
                const double least = leastDistance(look.color, other.color);
                QVERIFY2(look.dash != other.dash || least >= Threshold,
                    qPrintable(QStringLiteral("%1 %2: %3").arg(look.color.name(), other.color.name()).arg(least)));
            }
            all.push_back(look);
        }
    }

    void noTwoLookTheSame()
    {
        for (const PaletteName palette : {PaletteName::Vibrant, PaletteName::HighContrast}) {
            std::set<std::tuple<QString, Dash, int>> seen;
            std::set<std::pair<Dash, int>> inGrey;
            for (std::size_t place = 0; place < 84; ++place) {
                const Look look = lookOf(palette, place);
                QVERIFY(seen.emplace(look.color.name(), look.dash, look.marker).second);
                QVERIFY(place >= 24 || inGrey.emplace(look.dash, look.marker).second
                    || palette == PaletteName::HighContrast);
            }
        }
    }

    /// Whatever else is shown, in whatever order; repeats look like their variant.
    void aLookIsThatOfTheStoredPlace()
    {
        const auto adam = runOf("optimizers", "Adam", 3);
        const auto again = runOf("optimizers", "Adam", 4, 1);
        const auto sgd = runOf("optimizers", "SGD", 2);
        const Look look = looks({adam}).front();
        QCOMPARE(look, lookOf(PaletteName::Vibrant, 2));
        QCOMPARE(looks({sgd, again, adam})[2], look);
        QCOMPARE(looks({sgd, again, adam})[1], look);
        auto older = adam; // of a version that stored no place
        older.spec.place.reset();
        QCOMPARE(looks({older}).front(), look);
    }

    /// The pinned experiment, which is older, keeps its colour and gets another dash and marker; the new one changes
    /// nothing.
    void whoCollidesKeepsItsColour()
    {
        const auto pinned = runOf("optimizers", "SGD", 1);
        const auto shown = runOf("aggregation", "reduce_broadcast", 2); // the second of its experiment, too
        const std::vector<Look> apart = looks({pinned, shown});
        QCOMPARE(apart[1], looks({shown}).front());
        const Look alone = looks({pinned}).front();
        QCOMPARE(apart[0].color, alone.color);
        QVERIFY(apart[0].dash != alone.dash && apart[0].marker != alone.marker);
        QCOMPARE(looks({shown, pinned}), (std::vector<Look>{apart[1], apart[0]}));
    }

    /// Also without markers, which crowded curves have none of, while there are fewer than colours times dashes.
    void linesOfTwoExperimentsDiffer()
    {
        std::vector<analysis::RunRecord> runs;
        for (const char* preset : {"optimizers", "aggregation"}) {
            const auto spec = experiment::preset(preset);
            for (const experiment::Variant& variant : spec->variants) {
                runs.push_back(runOf(preset, variant.name.c_str(), static_cast<std::int64_t>(runs.size())));
            }
        }
        QVERIFY(runs.size() > 3 * variantColors(PaletteName::Vibrant).size());
        std::set<std::pair<QString, Dash>> seen;
        for (const Look& look : looks(runs)) {
            QVERIFY(seen.emplace(look.color.name(), look.dash).second);
        }
    }

    void allOfSeveralExperimentsDiffer()
    {
        std::vector<analysis::RunRecord> runs;
        for (const char* preset : {"aggregation", "optimizers", "partitioning"}) {
            const auto spec = experiment::preset(preset);
            for (const experiment::Variant& variant : spec->variants) {
                runs.push_back(runOf(preset, variant.name.c_str(), static_cast<std::int64_t>(runs.size())));
            }
        }
        std::set<std::tuple<QString, Dash, int>> seen;
        for (const Look& look : looks(runs)) {
            QVERIFY(seen.emplace(look.color.name(), look.dash, look.marker).second);
        }
    }
};

LOCKSTEP_TEST(TestPalette)
#include "test_palette.moc"
