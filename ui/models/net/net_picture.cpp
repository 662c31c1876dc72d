#include "ui/models/net/net_picture.h"

#include "experiment/choices.h"
#include "plan/check.h"
#include "plan/grid.h"
#include "plan/net.h"
#include "plan/pipeline/parts.h"
#include "ui/models/form/error_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace lockstep::ui {

namespace {

class NetPictureTexts {
    Q_DECLARE_TR_FUNCTIONS(NetPicture)

public:
    /// The engine's name of a layer, "convolution 1 -> 32, 3 x 3", in the window's language.
    static QString layerName(const std::string& name)
    {
        const std::array words{std::pair{"linear", tr("linear")}, std::pair{"convolution", tr("convolution")},
            std::pair{"embedding", tr("embedding")}, std::pair{"block", tr("block")}, std::pair{"head", tr("head")},
            std::pair{"padding", tr("padding")}};
        QString text = QString::fromStdString(name);
        for (const auto& [word, translated] : words) {
            text.replace(QLatin1String(word), translated);
        }
        text.replace(QStringLiteral("->"), QStringLiteral("→"));
        return text.replace(QStringLiteral(" x "), QStringLiteral(" × "));
    }
};

std::int64_t bytesOfNumber(const experiment::RunSpec& run)
{
    return is(run, experiment::WeightType::Float64) ? 8 : 4;
}

void addLayers(NetPicture& picture, const experiment::RunSpec& run, std::span<const plan::NetUnit> units)
{
    for (const plan::NetUnit& unit : units) {
        plan::NetUnit ofRank = unit;
        for (int part = 0; part < picture.sharing; ++part) {
            const auto shape = plan::outputShapeOf(unit, part, picture.sharing);
            // Parts differ in one dimension at most.
            ofRank.outputShape = part == 0 ? shape : std::max(ofRank.outputShape, shape);
        }
        picture.layers.push_back({NetPictureTexts::layerName(unit.name), unit.parameters, unit.forwardFlops,
            ofRank.outputShape, ofRank.outputElements() * bytesOfNumber(run) * picture.samples});
    }
    picture.parameters = plan::parametersOf(units);
    picture.flops = plan::forwardFlopsOf(units);
}

NetPart partOf(const NetPicture& picture, int number, int first, int count)
{
    NetPart part{number % picture.stages, number / picture.stages, first, count, 0, 0, 0.0, 0};
    for (const NetLayer& layer :
        std::span(picture.layers).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count))) {
        part.parameters += layer.parameters;
        part.flops += layer.flops;
        part.sentBytes = layer.outputBytes;
    }
    if (static_cast<std::size_t>(first) + static_cast<std::size_t>(count) == picture.layers.size()) {
        part.sentBytes = 0;
    }
    part.share = picture.flops > 0 ? static_cast<double>(part.flops) / static_cast<double>(picture.flops) : 0.0;
    return part;
}

/// Why the net cannot be cut as in the settings; the picture ignores their other errors.
QString problemOf(const experiment::RunSpec& run, const plan::PipelineShape& shape)
{
    const auto valid = experiment::validate(run);
    const std::size_t byHand = run.settings->pipeline.cut.size();
    const bool isWrongCut
        = byHand != 0 && byHand != static_cast<std::size_t>(shape.stages) * static_cast<std::size_t>(shape.chunks);
    if (!valid) {
        const std::string subject = subjectOf(valid.error());
        const auto isOf = [&subject](const std::string& names) { return subject.starts_with(names); };
        if (isOf("pipeline.") || isOf("grid.") || isOf("tensor.") || isOf(nameOf(&experiment::RankSettings::worldSize))
            || isWrongCut) {
            return titledErrorText(valid.error());
        }
    }
    const auto possible = plan::check(run);
    return possible ? QString() : titledErrorText(possible.error());
}

void addParts(NetPicture& picture, std::span<const plan::PipelinePart> parts)
{
    for (const plan::PipelinePart& part : parts) {
        picture.parts.push_back(partOf(picture, static_cast<int>(picture.parts.size()),
            static_cast<int>(part.units.first), static_cast<int>(part.units.count)));
    }
}

void addBubble(NetPicture& picture, const experiment::RunSpec& run)
{
    std::vector<double> forward;
    std::vector<double> backward;
    for (const NetPart& part : picture.parts) {
        forward.push_back(static_cast<double>(part.flops));
        backward.push_back(2.0 * static_cast<double>(part.flops));
    }
    const plan::PipelineShape shape = plan::pipelineShape(run);
    const auto spans = plan::simulate(
        *plan::scheduleKind(std::string(nameOf(run.settings->pipeline.schedule))), shape, forward, backward);
    picture.idealBubble = plan::idealBubble(shape);
    if (spans) {
        picture.bubble = plan::bubbleOf(*spans, shape.stages);
    }
}

} // namespace

NetPicture netPicture(const experiment::RunSpec& run)
{
    NetPicture picture;
    if (is(run, experiment::Strategy::Own)) {
        picture.problem = NetPictureTexts::tr("Only your own program knows its net.");
        return picture;
    }
    const plan::GridShape grid = plan::gridShape(run);
    picture.isPipeline = grid.pipeline > 1;
    const std::vector<plan::NetUnit> units = plan::netUnits(run);
    const bool isDivided = grid.pipeline > 1 || grid.tensor > 1 || is(run, experiment::Strategy::Grid);
    const plan::PipelineShape shape = plan::pipelineShape(run);
    if (isDivided) {
        picture.problem = problemOf(run, shape);
    }
    picture.sharing = picture.problem.isEmpty() ? grid.tensor : 1;
    if (!picture.isPipeline) {
        addLayers(picture, run, units);
        return picture;
    }
    const std::int64_t ofCopy = plan::microBatchSize(experiment::globalBatch(run), grid.data);
    picture.samples = plan::microBatchSize(ofCopy, shape.microBatches);
    picture.isByHand = !run.settings->pipeline.cut.empty();
    addLayers(picture, run, units);
    if (!picture.problem.isEmpty()) {
        return picture;
    }
    picture.stages = shape.stages;
    picture.ranksOfStage = grid.data * grid.tensor;
    picture.chunks = shape.chunks;
    addParts(picture, *plan::pipelineParts(run));
    addBubble(picture, run);
    return picture;
}

QString movedCut(const NetPicture& picture, int cut, int layer)
{
    const auto at = static_cast<std::size_t>(cut);
    std::vector<int> counts;
    for (const NetPart& part : picture.parts) {
        counts.push_back(part.count);
    }
    const NetPart& before = picture.parts[at];
    const int both = before.count + picture.parts[at + 1].count;
    counts[at] = std::clamp(layer - before.first, 1, both - 1);
    counts[at + 1] = both - counts[at];
    QStringList texts;
    for (const int count : counts) {
        texts << QString::number(count);
    }
    return texts.join(u',');
}

} // namespace lockstep::ui
