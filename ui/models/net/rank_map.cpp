#include "ui/models/net/rank_map.h"

#include "experiment/choices.h"
#include "plan/pipeline/parts.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr std::size_t MostNamed = 4; ///< ranks of a group; of more, the first ones and the last one

class RankMapTexts {
    Q_DECLARE_TR_FUNCTIONS(RankMap)

public:
    static QString ranks(const std::vector<int>& ranks)
    {
        if (ranks.size() == 1) {
            return tr("rank %1").arg(ranks.front());
        }
        QStringList numbers;
        for (const int rank : ranks) {
            numbers << QString::number(rank);
        }
        if (ranks.size() > MostNamed) {
            numbers = numbers.mid(0, MostNamed - 1) << QStringLiteral("…") << numbers.back();
        }
        return tr("ranks %1").arg(numbers.join(QStringLiteral(", ")));
    }

    static QString place(int rank, const plan::GridShape& shape)
    {
        const plan::GridPlace at = plan::placeOf(rank, shape);
        QStringList where;
        if (shape.data > 1) {
            where << tr("copy %1").arg(at.data);
        }
        if (shape.pipeline > 1) {
            where << tr("stage %1").arg(at.stage);
        }
        if (shape.tensor > 1) {
            where << tr("part %1").arg(at.part);
        }
        return where.isEmpty() ? tr("Rank %1 holds the whole net.").arg(rank)
                               : tr("Rank %1: %2.").arg(rank).arg(where.join(tr(", ", "between places")));
    }

    static QString activations(const RankGroups& groups)
    {
        if (groups.before >= 0 && groups.before == groups.after) {
            return tr("Exchanges activations with rank %1.").arg(groups.before);
        }
        if (groups.before < 0) {
            return tr("Passes activations to rank %1.").arg(groups.after);
        }
        if (groups.after < 0) {
            return tr("Receives activations from rank %1.").arg(groups.before);
        }
        return tr("Receives activations from rank %1, passes its own to rank %2.").arg(groups.before).arg(groups.after);
    }
};

std::vector<int> without(std::vector<int> ranks, int rank)
{
    std::erase(ranks, rank);
    return ranks;
}

} // namespace

bool RankMap::operator==(const RankMap& other) const
{
    return shape.data == other.shape.data && shape.pipeline == other.shape.pipeline
        && shape.tensor == other.shape.tensor && isDivided == other.isDivided && isGrid == other.isGrid
        && isRing == other.isRing && hasZero == other.hasZero;
}

RankMap rankMap(const experiment::RunSpec& run)
{
    RankMap map;
    const auto strategy = experiment::choice<experiment::Strategy>(run);
    map.isGrid = strategy == experiment::Strategy::Grid;
    if (!map.isGrid && strategy != experiment::Strategy::Pipeline && strategy != experiment::Strategy::Tensor) {
        return map;
    }
    map.shape = plan::gridShape(run);
    map.isDivided = map.isGrid || map.shape.ranks() > 1;
    map.isRing = map.shape.pipeline > 1 && plan::pipelineShape(run).chunks > 1;
    map.hasZero = map.isGrid && run.settings->grid.isZero;
    return map;
}

RankGroups groupsOf(int rank, const RankMap& map)
{
    const std::vector<int> stages = plan::stagesOf(rank, map.shape);
    RankGroups groups{without(plan::copiesOf(rank, map.shape), rank), without(stages, rank),
        without(plan::partsOf(rank, map.shape), rank), -1, -1};
    const int at = plan::placeOf(rank, map.shape).stage;
    const int last = map.shape.pipeline - 1;
    if (last > 0 && (at > 0 || map.isRing)) {
        groups.before = stages[static_cast<std::size_t>(at > 0 ? at - 1 : last)];
    }
    if (last > 0 && (at < last || map.isRing)) {
        groups.after = stages[static_cast<std::size_t>(at < last ? at + 1 : 0)];
    }
    return groups;
}

QStringList rankInWords(int rank, const RankMap& map)
{
    const RankGroups groups = groupsOf(rank, map);
    QStringList words{RankMapTexts::place(rank, map.shape)};
    if (!groups.copies.empty()) {
        const QString others = RankMapTexts::ranks(groups.copies);
        words << (map.hasZero ? RankMapTexts::tr("Sums gradients with %1; each keeps 1/%2 of the optimizer state.")
                                    .arg(others, QString::number(map.shape.data))
                              : RankMapTexts::tr("Sums gradients with %1.").arg(others));
    }
    if (!groups.stages.empty()) {
        words << RankMapTexts::activations(groups);
    }
    if (!groups.parts.empty()) {
        words << RankMapTexts::tr("Shares its layers with %1.").arg(RankMapTexts::ranks(groups.parts));
    }
    return words;
}

QString rankCountText(int ranks)
{
    return ranks == 1 ? RankMapTexts::tr("1 rank") : RankMapTexts::tr("%1 ranks").arg(ranks);
}

} // namespace lockstep::ui
