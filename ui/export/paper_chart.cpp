#include "ui/export/paper_chart.h"

#include "ui/models/envelope.h"

#include <algorithm>

namespace lockstep::ui {

QColor paperColor(const QColor& color, PaperOptions::Colors colors)
{
    if (colors == PaperOptions::Colors::AsOnScreen) {
        return color;
    }
    if (colors == PaperOptions::Colors::Grey) {
        const int level = qGray(color.rgb());
        return {level, level, level};
    }
    // A variant keeps its place in the palette; colours of other meaning (phases) stay.
    const auto& wanted
        = variantColors(colors == PaperOptions::Colors::Vibrant ? PaletteName::Vibrant : PaletteName::HighContrast);
    for (const PaletteName palette : {PaletteName::Vibrant, PaletteName::HighContrast}) {
        const auto& known = variantColors(palette);
        const auto at = std::find(known.begin(), known.end(), color);
        if (at != known.end()) {
            return wanted[static_cast<std::size_t>(at - known.begin()) % wanted.size()];
        }
    }
    return color;
}

ChartSpec onPaper(ChartSpec chart, const PaperOptions& options)
{
    std::erase_if(chart.series, [](const SeriesSpec& series) { return !series.isVisible; });
    for (SeriesSpec& series : chart.series) {
        series.color = paperColor(series.color, options.colors);
    }
    return chart;
}

std::vector<std::uint32_t> drawnPoints(const SeriesSpec& series, const AxisSpec& axis, std::size_t most)
{
    const auto begin = series.x.begin();
    auto first = axis.minimum ? std::lower_bound(begin, series.x.end(), *axis.minimum) : begin;
    auto last = axis.maximum ? std::upper_bound(begin, series.x.end(), *axis.maximum) : series.x.end();
    first -= first == begin ? 0 : 1;
    last += last == series.x.end() ? 0 : 1;
    const auto from = static_cast<std::size_t>(first - begin);
    const auto to = static_cast<std::size_t>(std::max(first, last) - begin);
    return decimated(series.y, from, to, most / 2);
}

} // namespace lockstep::ui
