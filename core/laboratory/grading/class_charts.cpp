#include "laboratory/grading/class_charts.h"

#include "analysis/numbers.h"
#include "analysis/plain_text.h"

#include <fmt/format.h>

#include <QString>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::laboratory::grading {

namespace {

constexpr double Width = 640.0;
constexpr double Left = 120.0; ///< of the plot; before it are labels
constexpr double Right = 20.0;
constexpr double PixelsPerMm = 96.0 / 25.4;
constexpr std::size_t LongestLabel = 24;
constexpr std::array<std::string_view, 2> Colours{"#8a8a8a", "#2f6db3"};

std::string escaped(const std::string& text)
{
    const std::string shown = analysis::cleanLine(analysis::shortened(text, LongestLabel));
    return QString::fromStdString(shown).toHtmlEscaped().toStdString();
}

std::string textAt(double x, double y, std::string_view anchor, const std::string& text)
{
    return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor, escaped(text));
}

report::Picture pictureOf(const std::string& content, double height)
{
    report::Picture picture;
    picture.widthMm = Width / PixelsPerMm;
    picture.heightMm = height / PixelsPerMm;
    picture.svg = fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:.0f} {:.0f}" )"
                              R"(font-family="sans-serif" font-size="12">{}</svg>)",
        Width, height, content);
    return picture;
}

} // namespace

report::Picture barsPicture(const Bars& bars)
{
    constexpr double Plot = 160.0;
    constexpr double Top = 30.0;
    std::size_t most = 1;
    for (const auto& [name, counts] : bars.series) {
        most = std::max(most, counts.empty() ? 0 : *std::ranges::max_element(counts));
    }
    std::string content;
    const double group = (Width - Left - Right) / static_cast<double>(std::max<std::size_t>(1, bars.labels.size()));
    const double bar = 0.8 * group / static_cast<double>(std::max<std::size_t>(1, bars.series.size()));
    for (std::size_t i = 0; i < bars.series.size(); ++i) {
        const auto& [name, counts] = bars.series[i];
        const std::string_view colour = Colours[i % Colours.size()];
        const double legend = Left + 160.0 * static_cast<double>(i);
        content += fmt::format(R"(<rect x="{:.1f}" y="6" width="12" height="12" fill="{}"/>)", legend, colour)
            + textAt(legend + 18.0, 16.0, "start", name);
        for (std::size_t place = 0; place < counts.size(); ++place) {
            const double height = Plot * static_cast<double>(counts[place]) / static_cast<double>(most);
            const double x = Left + group * (static_cast<double>(place) + 0.1) + bar * static_cast<double>(i);
            content += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)", x,
                Top + Plot - height, bar, height, colour);
        }
    }
    for (std::size_t place = 0; place < bars.labels.size(); ++place) {
        content += textAt(
            Left + group * (static_cast<double>(place) + 0.5), Top + Plot + 16.0, "middle", bars.labels[place]);
    }
    content += fmt::format(R"(<path d="M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}" fill="none" stroke="#444"/>)", Left, Top,
        Top + Plot, Width - Right);
    content += textAt(Left - 6.0, Top + 10.0, "end", std::to_string(most)) + textAt(Left - 6.0, Top + Plot, "end", "0");
    return pictureOf(content, Top + Plot + 26.0);
}

report::Picture pointsPicture(const std::map<std::string, std::vector<double>>& groups)
{
    constexpr double Line = 28.0;
    double least = std::numeric_limits<double>::infinity();
    double greatest = -least;
    for (const auto& [name, values] : groups) {
        for (const double value : values) {
            least = std::isfinite(value) ? std::min(least, value) : least;
            greatest = std::isfinite(value) ? std::max(greatest, value) : greatest;
        }
    }
    const double half = greatest > least ? greatest / 2.0 - least / 2.0 : 1.0; // the whole may be no number
    const double bottom = Line * static_cast<double>(groups.size()) + 10.0;
    std::string content;
    double y = Line / 2.0;
    for (const auto& [name, values] : groups) {
        content += textAt(Left - 8.0, y + 4.0, "end", name);
        for (const double value : values) {
            if (std::isfinite(value)) {
                const double x = Left + (Width - Left - Right) * (value / 2.0 - least / 2.0) / half;
                content += fmt::format(
                    R"(<circle cx="{:.1f}" cy="{:.1f}" r="4" fill="{}" fill-opacity="0.5"/>)", x, y, Colours[1]);
            }
        }
        y += Line;
    }
    content += fmt::format(R"(<path d="M{:.1f} {:.1f}H{:.1f}" stroke="#444"/>)", Left, bottom, Width - Right);
    if (greatest >= least) {
        content += textAt(Left, bottom + 16.0, "middle", analysis::threeDigits(least))
            + textAt(Width - Right, bottom + 16.0, "end", analysis::threeDigits(greatest));
    }
    return pictureOf(content, bottom + 24.0);
}

Bars histogram(const std::string& firstName, const std::vector<double>& first, const std::string& secondName,
    const std::vector<double>& second)
{
    constexpr std::size_t Bins = 8;
    std::vector<double> all = first;
    all.insert(all.end(), second.begin(), second.end());
    if (all.empty()) {
        return {};
    }
    const auto [least, greatest] = std::ranges::minmax(all);
    // Anyone may have predicted 1e308: no difference of two values is taken, which would be no number.
    const double step = greatest / Bins - least / Bins;
    const double width = step > 0.0 ? step : 1.0;
    Bars bars;
    for (std::size_t bin = 0; bin < Bins; ++bin) {
        bars.labels.push_back(analysis::threeDigits(least + width * (static_cast<double>(bin) + 0.5)));
    }
    for (const auto& [name, values] : {std::pair(&firstName, &first), std::pair(&secondName, &second)}) {
        std::vector<std::size_t> counts(Bins);
        for (const double value : *values) {
            ++counts[std::min(Bins - 1, static_cast<std::size_t>(value / width - least / width))];
        }
        bars.series.emplace_back(*name, std::move(counts));
    }
    return bars;
}

} // namespace lockstep::laboratory::grading
