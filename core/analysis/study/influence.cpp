#include "analysis/study/influence.h"

#include "analysis/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace lockstep::analysis {

namespace {

constexpr std::size_t MostLevels = 12;
constexpr double TailProbability = 0.025; ///< at each end of the interval

/// By value of a parameter, then by seed: the mean over the values of the other one.
using Means = std::vector<std::vector<double>>;

/// A full grid: figures by value of the first parameter, of the second, and seed.
struct Grid {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<std::vector<double>> seeds; ///< of each seed all cells, row by row

    [[nodiscard]] Means rowMeans() const
    {
        Means means(rows, std::vector<double>(seeds.size(), 0.0));
        for (std::size_t i = 0; i < rows * columns; ++i) {
            for (std::size_t seed = 0; seed < seeds.size(); ++seed) {
                means[i / columns][seed] += seeds[seed][i] / static_cast<double>(columns);
            }
        }
        return means;
    }
    [[nodiscard]] Means columnMeans() const
    {
        Means means(columns, std::vector<double>(seeds.size(), 0.0));
        for (std::size_t i = 0; i < rows * columns; ++i) {
            for (std::size_t seed = 0; seed < seeds.size(); ++seed) {
                means[i % columns][seed] += seeds[seed][i] / static_cast<double>(rows);
            }
        }
        return means;
    }
};

/// Of every ordered pair of values their difference by seed.
Means contrastsOf(const Means& means)
{
    Means contrasts;
    for (std::size_t a = 0; a < means.size(); ++a) {
        for (std::size_t b = 0; b < means.size(); ++b) {
            if (a != b) {
                std::vector<double> contrast;
                for (std::size_t seed = 0; seed < means[a].size(); ++seed) {
                    contrast.push_back(means[a][seed] - means[b][seed]);
                }
                contrasts.push_back(std::move(contrast));
            }
        }
    }
    return contrasts;
}

double rangeOf(const Means& contrasts)
{
    double range = 0.0;
    for (const std::vector<double>& contrast : contrasts) {
        range = std::max(range, meanWithInterval(contrast).mean);
    }
    return range;
}

/// A lower bound of a's range less b's.
double lowerBound(const Means& a, const Means& b)
{
    const std::size_t n = a.front().size();
    const double t = studentT(1.0 - TailProbability / static_cast<double>(a.size()), n - 1) / studentT975(n - 1);
    double best = -std::numeric_limits<double>::infinity();
    for (const std::vector<double>& ofA : a) {
        double worst = std::numeric_limits<double>::infinity();
        for (const std::vector<double>& ofB : b) {
            std::vector<double> difference(n);
            std::transform(ofA.begin(), ofA.end(), ofB.begin(), difference.begin(), std::minus<>());
            const Interval interval = meanWithInterval(difference);
            worst = std::min(worst, interval.mean - t * interval.halfWidth);
        }
        best = std::max(best, worst);
    }
    return best;
}

/// The finite figures of each seed by cell; seeds without one in every cell are left out.
Grid gridOf(const RunPointers& runs, const Figure& figure, const StudyParameter& first, const StudyParameter& second,
    std::vector<RunId>& used)
{
    Grid grid{first.values.size(), second.values.size(), {}};
    std::map<std::int64_t, std::map<std::size_t, const RunRecord*>> bySeed;
    const auto placeIn = [](const StudyParameter& parameter, const RunRecord& run) {
        const auto& values = parameter.values;
        return static_cast<std::size_t>(
            std::find(values.begin(), values.end(), studyValue(run, *parameter.parameter)) - values.begin());
    };
    for (const RunRecord* run : runs) {
        const RunRecord*& cell
            = bySeed[run->spec.settings->train.seed][placeIn(first, *run) * grid.columns + placeIn(second, *run)];
        if (cell == nullptr || cell->createdNs <= run->createdNs) {
            cell = run;
        }
    }
    for (const auto& [seed, cells] : bySeed) {
        std::vector<double> values;
        for (const auto& [place, run] : cells) {
            const double value = figure.of(*run) * figure.scale;
            if (std::isfinite(value)) {
                values.push_back(value);
            }
        }
        if (values.size() == grid.rows * grid.columns) {
            grid.seeds.push_back(std::move(values));
            for (const auto& [place, run] : cells) {
                used.push_back(run->id);
            }
        }
    }
    return grid;
}

} // namespace

std::optional<Influence> influenceOf(const RunPointers& runs, const Figure& figure, Interfered which)
{
    const ParameterStudy study = parameterStudy(runs, figure, {}, {}, which);
    const bool isGrid = study.second && study.together.empty()
        && std::all_of(study.lines.begin(), study.lines.end(), [&](const StudyLine& line) {
               return line.others.size() == 1 && line.points.size() == study.first->values.size();
           });
    if (!isGrid || study.lines.size() != study.second->values.size()
        || std::max(study.first->values.size(), study.second->values.size()) > MostLevels) {
        return std::nullopt;
    }
    RunPointers counting;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(counting),
        [which](const RunRecord* run) { return countsInStudy(*run, which); });
    Influence influence;
    const Grid grid = gridOf(counting, figure, *study.first, *study.second, influence.runs);
    if (grid.seeds.empty()) {
        return std::nullopt;
    }
    Means larger = contrastsOf(grid.rowMeans());
    Means smaller = contrastsOf(grid.columnMeans());
    influence.larger = study.first->parameter;
    influence.smaller = study.second->parameter;
    if (rangeOf(larger) < rangeOf(smaller)) {
        std::swap(larger, smaller);
        std::swap(influence.larger, influence.smaller);
    }
    influence.largerRange = rangeOf(larger);
    influence.smallerRange = rangeOf(smaller);
    influence.seeds = grid.seeds.size();
    if (influence.seeds > 1) {
        influence.low = lowerBound(larger, smaller);
        influence.high = -lowerBound(smaller, larger);
    }
    return influence;
}

} // namespace lockstep::analysis
