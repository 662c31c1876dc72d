#include "datasets/digits.h"

#include "datasets/digit_glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lockstep::datasets {

namespace {

constexpr int Classes = 10;
constexpr int Side = DigitsSide;
constexpr int PointsPerCurve = 4;

/// One picture before noise: ink in 0 .. 1.
using Ink = std::array<double, Side * Side>;

/// From the unit square to pixels: slant, rotation, size, place.
struct Affine {
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0, x = 0.0, y = 0.0;

    [[nodiscard]] Point operator()(const Point& p) const
    {
        const double u = p.x - 0.5;
        const double v = p.y - 0.5;
        return {a * u + b * v + x, c * u + d * v + y};
    }
};

Affine randomAffine(Random& random)
{
    const double angle = random.uniform(-0.3, 0.3);
    const double slant = random.uniform(-0.35, 0.35);
    const double width = random.uniform(14.0, 23.0);
    const double height = random.uniform(17.0, 24.0);
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    return {width * cosine, height * (-sine + slant * cosine), width * sine, height * (cosine + slant * sine),
        Side / 2.0 - 0.5 + random.uniform(-2.2, 2.2), Side / 2.0 - 0.5 + random.uniform(-2.2, 2.2)};
}

/// Catmull and Rom's spline through four points, between the middle two.
Point spline(const Point& p0, const Point& p1, const Point& p2, const Point& p3, double t)
{
    const auto blend = [t](double a, double b, double c, double d) {
        return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t);
    };
    return {blend(p0.x, p1.x, p2.x, p3.x), blend(p0.y, p1.y, p2.y, p3.y)};
}

/// Inks all pixels within `radius` of the segment, with an edge one pixel wide.
void drawSegment(Ink& ink, const Point& from, const Point& to, double radius)
{
    const double reach = radius + 0.5;
    const auto first = [&](double low) { return std::max(0, static_cast<int>(std::floor(low - reach))); };
    const auto last = [&](double high) { return std::min(Side - 1, static_cast<int>(std::ceil(high + reach))); };
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double length = dx * dx + dy * dy;
    const double perLength = length > 0.0 ? 1.0 / length : 0.0;
    for (int y = first(std::min(from.y, to.y)); y <= last(std::max(from.y, to.y)); ++y) {
        for (int x = first(std::min(from.x, to.x)); x <= last(std::max(from.x, to.x)); ++x) {
            const double along = ((x - from.x) * dx + (y - from.y) * dy) * perLength;
            const double t = std::clamp(along, 0.0, 1.0);
            const double offX = x - from.x - t * dx;
            const double offY = y - from.y - t * dy;
            const double square = offX * offX + offY * offY;
            if (square < reach * reach) {
                double& pixel = ink[static_cast<std::size_t>(y * Side + x)];
                pixel = std::max(pixel, std::min(1.0, radius + 0.5 - std::sqrt(square)));
            }
        }
    }
}

void drawStroke(Ink& ink, const Stroke& points, double radius)
{
    const std::size_t last = points.size() - 1;
    Point before = points.front();
    for (std::size_t i = 0; i < last; ++i) {
        for (int k = 1; k <= PointsPerCurve; ++k) {
            const Point now = spline(points[i == 0 ? 0 : i - 1], points[i], points[i + 1],
                points[std::min(last, i + 2)], static_cast<double>(k) / PointsPerCurve);
            drawSegment(ink, before, now, radius);
            before = now;
        }
    }
}

/// Moves the points at random, because handwriting varies.
Stroke written(const Stroke& stroke, const Affine& place, Random& random)
{
    constexpr double Wander = 0.035;
    Stroke points;
    for (const Point& p : stroke) {
        points.push_back(place({p.x + Wander * random.normal(), p.y + Wander * random.normal()}));
    }
    return points;
}

/// Adds a stray stroke to some pictures, as on a real form.
void maybeScratch(Ink& ink, Random& random)
{
    if (random.uniform() > 0.25) {
        return;
    }
    const Point from{random.uniform(0, Side), random.uniform(0, Side)};
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const double length = random.uniform(3, 9);
    drawSegment(
        ink, from, {from.x + length * std::cos(angle), from.y + length * std::sin(angle)}, random.uniform(0.3, 0.8));
}

void drawDigit(std::uint8_t* pixels, int digit, Random random)
{
    const auto glyphs = glyphsOf(digit);
    const Glyph& glyph = glyphs[random.below(glyphs.size())];
    const Affine place = randomAffine(random);
    const double radius = random.uniform(0.6, 1.6);
    Ink ink{};
    for (const Stroke& stroke : glyph) {
        drawStroke(ink, written(stroke, place, random), radius);
    }
    maybeScratch(ink, random);
    const double contrast = random.uniform(150, 255);
    const double grain = random.uniform(0, 28);
    for (std::size_t i = 0; i < ink.size(); ++i) {
        // The sum of four uniform 16-bit numbers from one draw is close to normal.
        const std::uint64_t bits = random.next();
        const std::uint64_t sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
        const double noise = grain * (static_cast<double>(sum) / 65536.0 - 2.0);
        pixels[i] = static_cast<std::uint8_t>(std::clamp(ink[i] * contrast + noise, 0.0, 255.0));
    }
}

} // namespace

LabelledBytes makeDigits(Seed seed, DigitsPart part, std::int64_t count)
{
    LabelledBytes data{count, Side, Side, {}, {}};
    data.pixels.resize(static_cast<std::size_t>(count) * Side * Side);
    data.labels.resize(static_cast<std::size_t>(count));
    const Seed base = seed.derive(static_cast<std::uint64_t>(part));
    for (std::int64_t i = 0; i < count; ++i) {
        const int digit = static_cast<int>(i % Classes);
        data.labels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(digit);
        drawDigit(&data.pixels[static_cast<std::size_t>(i) * Side * Side], digit,
            Random(base.derive(static_cast<std::uint64_t>(i))));
    }
    return data;
}

} // namespace lockstep::datasets
