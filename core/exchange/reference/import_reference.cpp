#include "exchange/reference/import_reference.h"

#include "analysis/not_measured.h"
#include "base/clock.h"
#include "base/translate.h"
#include "exchange/reference/reference_curves.h"
#include "store/account/run_account.h"
#include "store/run_store.h"

#include <QFileInfo>
#include <QRandomGenerator>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace lockstep::exchange {

namespace {

constexpr std::string_view ReferenceTag = "reference";
/// A run of a user's own program needs one. There is no such command: the run cannot be repeated.
constexpr std::string_view NoProgram = "imported-curves";
constexpr double NsASecond = 1e9;
constexpr std::size_t RowsOfABatch = 4096;

/// The last part of a name such as `train/loss`, in small letters.
std::string lastPart(const std::string& name)
{
    return QString::fromStdString(name).section(u'/', -1).toLower().toStdString();
}

/// What the run's own series are made of; null: there is none.
struct OwnSeries {
    const ReferenceCurve* loss = nullptr;
    const ReferenceCurve* accuracy = nullptr;
    const ReferenceCurve* testLoss = nullptr;
};

const ReferenceCurve* curveNamed(const std::vector<ReferenceCurve>& curves, std::string_view name)
{
    const auto whole = std::ranges::find(curves, name, &ReferenceCurve::name);
    const auto found = whole != curves.end()
        ? whole
        : std::ranges::find_if(curves, [&](const ReferenceCurve& curve) { return lastPart(curve.name) == name; });
    return found == curves.end() ? nullptr : &*found;
}

/// Some programs call a percentage an accuracy.
bool isShare(const ReferenceCurve& curve)
{
    return std::ranges::all_of(curve.value, [](double value) { return !(value < 0.0) && !(value > 1.0); });
}

OwnSeries ownSeries(const std::vector<ReferenceCurve>& curves)
{
    OwnSeries own{curveNamed(curves, "loss"), curveNamed(curves, "accuracy"), curveNamed(curves, "test_loss")};
    own.accuracy = own.accuracy != nullptr && isShare(*own.accuracy) ? own.accuracy : nullptr;
    return own;
}

std::int64_t timeNs(const ReferenceCurve& curve, std::size_t point)
{
    constexpr double LatestSeconds = 9e9; // fits into 64 bits
    const double seconds = curve.wallSeconds.empty() ? 0.0 : curve.wallSeconds[point];
    return static_cast<std::int64_t>(std::clamp(seconds, 0.0, LatestSeconds) * NsASecond);
}

/// Neither the time of a step nor what was communicated in it is known.
StepRow lossRow(const ReferenceCurve& loss, std::size_t point)
{
    return {.step = loss.step[point],
        .endNs = timeNs(loss, point),
        .batch = 1,
        .loss = loss.value[point],
        .learningRate = analysis::NotMeasured,
        .bytesSent = -1,
        .unattributedNs = 1};
}

void addEvaluations(const OwnSeries& own, store::Delta& delta)
{
    std::map<std::int64_t, wire::Evaluation> evaluations;
    const auto add = [&](const ReferenceCurve* curve, double wire::Evaluation::*member) {
        for (std::size_t i = 0; curve != nullptr && i < curve->step.size(); ++i) {
            wire::Evaluation& evaluation = evaluations
                                               .try_emplace(curve->step[i],
                                                   wire::Evaluation{.step = curve->step[i],
                                                       .endNs = timeNs(*curve, i),
                                                       .accuracy = analysis::NotMeasured,
                                                       .loss = analysis::NotMeasured})
                                               .first->second;
            evaluation.*member = curve->value[i];
        }
    };
    add(own.accuracy, &wire::Evaluation::accuracy);
    add(own.testLoss, &wire::Evaluation::loss);
    for (const auto& [step, evaluation] : evaluations) {
        delta.evaluations.push_back({0, evaluation});
    }
}

store::Delta deltaOf(const ReferenceCurves& reference)
{
    const OwnSeries own = ownSeries(reference.curves);
    store::Delta delta;
    delta.ranks.push_back({0, store::RankState::Starting, {}});
    for (std::size_t i = 0; own.loss != nullptr && i < own.loss->step.size(); ++i) {
        if (i % RowsOfABatch == 0) {
            delta.steps.push_back({0, {}});
        }
        delta.steps.back().what.rows.push_back(lossRow(*own.loss, i));
    }
    addEvaluations(own, delta);
    for (const ReferenceCurve& curve : reference.curves) {
        if (&curve == own.loss || &curve == own.accuracy || &curve == own.testLoss) {
            continue;
        }
        delta.metrics.push_back({0, {.rows = {}, .name = curve.name}});
        for (std::size_t i = 0; i < curve.step.size(); ++i) {
            delta.metrics.back().what.rows.push_back(
                {.step = curve.step[i], .endNs = timeNs(curve, i), .value = curve.value[i]});
        }
    }
    delta.ranks.push_back({0, store::RankState::Finished, {}});
    return delta;
}

analysis::RunRecord recordOf(const QString& file, const RunId& id)
{
    analysis::RunRecord record;
    record.id = id;
    record.spec.experiment = experiment::OwnExperiment;
    record.spec.name = QFileInfo(file).completeBaseName().toStdString();
    record.spec.settings = experiment::withDefaults({}, {});
    record.spec.settings.set(&experiment::RankSettings::strategy, experiment::Strategy::Own);
    record.spec.settings.set(&experiment::RankSettings::program, std::string(NoProgram));
    record.status = analysis::RunStatus::Running;
    record.createdNs = wallNs();
    record.marks.tags = {std::string(ReferenceTag)};
    record.importedFrom = QFileInfo(file).fileName().toStdString();
    return record;
}

Result<ReferenceCurves> readReference(const QString& file)
{
    auto read = isCurveTable(file) ? readCurveTable(file) : readEventFile(file);
    if (read && read->curves.empty()) {
        return refusal({}, LS_TR("Refusals", "it has no curve"));
    }
    return read;
}

} // namespace

Result<RunId> importReference(store::RunStore& store, const QString& file)
{
    const auto read = readReference(file);
    if (!read) {
        return during(file.toStdString() + " cannot be imported", read.error());
    }
    analysis::RunRecord record
        = recordOf(file, makeRunId(wallNs() / 1'000'000'000, QRandomGenerator::system()->generate()));
    LOCKSTEP_TRY_ASSIGN(auto writer, store.create(record));
    store::Delta delta = deltaOf(*read);
    record.status = analysis::RunStatus::Finished;
    record.message
        = read->isCutShort ? LS_TR("Messages", "the event file is cut short: the complete part was imported") : "";
    delta.statuses.push_back({record.status, record.message, wallNs()});
    store::RunAccount account(store::RunAccount::Curves::Leave);
    account.add(delta);
    auto written = writer->add(delta);
    written = written ? writer->finish(record.status, record.message, account.summary()) : written;
    if (!written) {
        writer.reset();
        static_cast<void>(store.remove(record.id).isOk()); // the file just begun is not a run
        return written.error();
    }
    return record.id;
}

bool isReferenceFile(const QString& file)
{
    return QFileInfo(file).isFile() && (isCurveTable(file) || isEventFile(file));
}

Result<ImportedBundle> importAny(store::RunStore& store, const QString& file)
{
    const bool isReference = isReferenceFile(file);
    if (!isReference && isBundle(file)) {
        return importBundle(store, file);
    }
    LOCKSTEP_TRY_ASSIGN(const RunId id, isReference ? importReference(store, file) : store.import(file));
    return ImportedBundle{{id}, {}};
}

} // namespace lockstep::exchange
