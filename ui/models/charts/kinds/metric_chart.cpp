#include "ui/models/charts/kinds/metric_chart.h"

#include "store/account/run_account.h"
#include "ui/models/charts/kinds/training_charts.h"
#include "ui/models/charts/repeat_curves.h"
#include "ui/models/pyramid.h"
#include "ui/models/shown_text.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

namespace lockstep::ui {

namespace {

/// FNV-1a, so that the choice of a metric stays where others come.
int metricChoice(const std::string& name)
{
    std::uint32_t hash = 2166136261u;
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    }
    return static_cast<int>(hash >> 1);
}

std::set<std::string> metricNames(const Feeds& feeds)
{
    std::set<std::string> names;
    for (const RunFeed* feed : feeds) {
        for (const auto& [name, curve] : feed->account().metrics()) {
            names.insert(name);
        }
    }
    return names;
}

std::vector<std::uint32_t> metricPoints(const analysis::Curve& curve, const ChartWindow* window)
{
    if (window == nullptr) {
        std::vector<std::uint32_t> all(curve.size());
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }
    return decimated(curve.value, 0, curve.size(), static_cast<std::size_t>(std::max(1, window->pixels)));
}

} // namespace

bool hasMetrics(const RunFeed& feed)
{
    return !feed.account().metrics().empty();
}

std::vector<ChartChoice> metricChoices(const Feeds& feeds)
{
    std::vector<ChartChoice> choices;
    for (const std::string& name : metricNames(feeds)) {
        choices.push_back({metricChoice(name), shownName(name)});
    }
    return choices;
}

void addMetric(ChartSpec& chart, const ChartInput& input)
{
    const std::set<std::string> names = metricNames(input.all);
    if (names.empty()) {
        return;
    }
    const auto found = std::ranges::find(names, input.options.choice, metricChoice);
    const std::string& name = found == names.end() ? *names.begin() : *found;
    chart.id += u'-' + fileNameOf(QString::fromStdString(name));
    chart.title = shownName(name);
    chart.y.label = chart.title;
    const QString tail = u'/' + chart.title;
    for (const RunFeed* feed : input.all) {
        const auto curve = feed->account().metrics().find(name);
        if (curve == feed->account().metrics().end()) {
            continue;
        }
        SeriesSpec line;
        line.key = keyOf({feed}, tail);
        line.name = feed->displayName();
        line.setLook(feed->look());
        line.width = 1.5;
        line.isVisible = feed->isVisible();
        for (const std::uint32_t i :
            line.isVisible ? metricPoints(curve->second, input.window) : std::vector<std::uint32_t>()) {
            line.x.push_back(xOf(curve->second, input.options.x, i));
            line.y.push_back(curve->second.value[i]);
        }
        line.total = line.isVisible ? curve->second.size() : 0;
        chart.series.push_back(std::move(line));
    }
    addMarks(chart, input, input.options.x);
}

} // namespace lockstep::ui
