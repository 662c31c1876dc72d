#include "ui/export/paper_chart.h"

#include "ui/models/palette.h"
#include "ui/models/pyramid.h"

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

/// A variant keeps its place in the palette, of which the colours that are too many have another dash; colours of other
/// meaning (phases) stay.
void setPaperColor(SeriesSpec& series, PaperOptions::Colors colors)
{
    if (colors == PaperOptions::Colors::AsOnScreen) {
        return;
    }
    if (colors == PaperOptions::Colors::Grey) {
        const int level = qGray(series.color.rgb());
        series.color = {level, level, level};
        return;
    }
    const PaletteName wanted
        = colors == PaperOptions::Colors::Vibrant ? PaletteName::Vibrant : PaletteName::HighContrast;
    for (const PaletteName palette : {PaletteName::Vibrant, PaletteName::HighContrast}) {
        const auto& known = variantColors(palette);
        const auto at = std::find(known.begin(), known.end(), series.color);
        if (at != known.end()) {
            const Look look = lookOf(wanted, static_cast<std::size_t>(at - known.begin()));
            const auto dash = static_cast<std::size_t>(series.dash) + static_cast<std::size_t>(look.dash);
            series.color = look.color;
            series.dash = static_cast<Dash>(dash % DashCount);
            return;
        }
    }
}

void setEnds(AxisSpec& axis, const AxisEnds& ends)
{
    if (axis.categories.empty()) {
        axis.minimum = ends.low ? ends.low : axis.minimum;
        axis.maximum = ends.high ? ends.high : axis.maximum;
    }
}

} // namespace

ChartSpec withShownSeries(ChartSpec chart, const PaperOptions& options)
{
    const bool hasRaw = options.rawTraces == PaperOptions::RawTraces::Drawn;
    std::erase_if(chart.series, [hasRaw](const SeriesSpec& series) {
        return !series.isVisible || (!hasRaw && series.style == SeriesStyle::FaintLine);
    });
    return chart;
}

ChartSpec onPaper(ChartSpec whole, const PaperOptions& options)
{
    ChartSpec chart = withShownSeries(std::move(whole), options);
    setEnds(chart.x, options.x);
    setEnds(chart.y, options.y);
    for (SeriesSpec& series : chart.series) {
        setPaperColor(series, options.colors);
    }
    return chart;
}

int PanelFigure::columnCount() const
{
    return std::clamp(columns, 1, std::max(1, static_cast<int>(panels.size())));
}

int PanelFigure::rowCount() const
{
    return std::max(1, (static_cast<int>(panels.size()) + columnCount() - 1) / columnCount());
}

QString panelTitle(const PanelFigure& figure, std::size_t panel)
{
    return QStringLiteral("(%1) %2").arg(QChar(static_cast<char16_t>(u'a' + panel % 26)), figure.panels[panel].title);
}

PanelFigure panelsOf(std::vector<ChartSpec> charts, int columns)
{
    PanelFigure figure;
    figure.columns = columns;
    QStringList titles;
    for (const ChartSpec& chart : charts) {
        figure.id += (figure.id.isEmpty() ? "" : "-") + chart.id;
        titles += chart.title;
        figure.specJson = figure.specJson.isEmpty() ? chart.specJson : figure.specJson;
    }
    figure.title = titles.join(QStringLiteral(" · "));
    figure.panels = std::move(charts);
    return figure;
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
