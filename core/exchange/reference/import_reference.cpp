#include "exchange/reference/import_reference.h"

#include "analysis/not_measured.h"
#include "base/clock.h"
#include "base/translate.h"
#include "exchange/reference/curve_roles.h"
#include "exchange/reference/reference_sources.h"
#include "store/account/run_account.h"
#include "store/run_store.h"

#include <QFileInfo>
#include <QRandomGenerator>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace lockstep::exchange {

namespace {

constexpr std::string_view ReferenceTag = "reference";
/// A run of a user's own program needs one. There is no such command: the run cannot be repeated.
constexpr std::string_view NoProgram = "imported-curves";
constexpr double NsASecond = 1e9;
constexpr std::size_t RowsOfABatch = 4096;

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

void addEvaluations(const CurveRoles& own, store::Delta& delta)
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

store::Delta deltaOf(const ReferenceCurves& reference, const CurveRoles& own)
{
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

analysis::RunRecord recordOf(const ReferenceSource& source, std::int64_t createdNs)
{
    analysis::RunRecord record;
    record.id = makeRunId(createdNs / 1'000'000'000, QRandomGenerator::system()->generate());
    record.spec.experiment = experiment::OwnExperiment;
    record.spec.name = source.name.toStdString();
    record.spec.settings = experiment::withDefaults({}, {});
    record.spec.settings.set(&experiment::RankSettings::strategy, experiment::Strategy::Own);
    record.spec.settings.set(&experiment::RankSettings::program, std::string(NoProgram));
    record.status = analysis::RunStatus::Running;
    record.createdNs = createdNs;
    record.marks.tags = {std::string(ReferenceTag)};
    record.importedFrom = QFileInfo(source.files.front()).fileName().toStdString();
    return record;
}

Result<ReferenceCurves> readSource(const ReferenceSource& source)
{
    auto read
        = isCurveTable(source.files.front()) ? readCurveTable(source.files.front()) : readEventFiles(source.files);
    if (read && read->curves.empty()) {
        return refusal({}, LS_TR("Refusals", "it has no curve"));
    }
    if (read && rolesOf(read->curves).loss == nullptr) { // time counts from the first step
        std::ranges::for_each(read->curves, [](ReferenceCurve& curve) { curve.wallSeconds.clear(); });
    }
    return read;
}

/// What a reader of the run must know of its curves; empty: nothing.
Text remarkOn(const ReferenceCurves& read)
{
    const Text dropped = read.dropped == 0
        ? Text()
        : Text(LS_TR("Messages", "%1 of %2 points were left out: a later one has the same step"),
            {read.dropped, read.points});
    return read.damage.empty() ? dropped
        : dropped.empty()      ? read.damage
                               : Text(LS_TR("Messages", "%1; %2"), {read.damage, dropped});
}

Result<RunId> writeCurves(store::RunStore& store, analysis::RunRecord record, const ReferenceCurves& read)
{
    const CurveRoles roles = rolesOf(read.curves);
    LOCKSTEP_TRY_ASSIGN(auto writer, store.create(record));
    store::Delta delta = deltaOf(read, roles);
    record.status = analysis::RunStatus::Finished;
    record.setWhy(remarkOn(read));
    delta.statuses.push_back({record.status, record.message, wallNs(), record.messageData});
    store::RunAccount account(store::RunAccount::Curves::Leave);
    account.add(delta);
    analysis::Summary summary = account.summary();
    summary.trainSeconds = read.curves.front().wallSeconds.empty() ? analysis::NotMeasured : summary.trainSeconds;
    auto written = writer->add(delta);
    written = written ? writer->finish(record.status, record.why(), summary) : written;
    if (!written) {
        writer.reset();
        static_cast<void>(store.remove(record.id).isOk()); // the file just begun is not a run
        return written.error();
    }
    return record.id;
}

/// A run a source; what cannot be read is refused by itself.
void importSources(store::RunStore& store, const std::vector<ReferenceSource>& sources, ImportedBundle& imported)
{
    const std::int64_t beginNs = wallNs();
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const Text file = verbatim(sources[i].files.front().toStdString());
        const auto read = readSource(sources[i]);
        const auto written = read
            ? writeCurves(store, recordOf(sources[i], beginNs + static_cast<std::int64_t>(i)), *read)
            : Result<RunId>(during(Text(LS_TR("Messages", "%1 cannot be imported"), {file}), read.error()));
        if (!written) {
            imported.refused.push_back(written.error());
            continue;
        }
        imported.runs.push_back(*written);
        if (const Text remark = remarkOn(*read); !remark.empty()) {
            imported.remarks.push_back(Text(LS_TR("Messages", "%1: %2"), {file, remark}));
        }
    }
}

std::set<QString> namesIn(const store::RunStore& store)
{
    std::set<QString> names;
    for (const analysis::RunRecord& record : store.list()) {
        if (isReference(record)) {
            names.insert(QString::fromStdString(record.spec.name));
        }
    }
    return names;
}

void addBundle(const Result<ImportedBundle>& bundle, ImportedBundle& imported)
{
    if (!bundle) {
        imported.refused.push_back(bundle.error());
        return;
    }
    imported.runs.insert(imported.runs.end(), bundle->runs.begin(), bundle->runs.end());
    imported.alreadyThere.insert(imported.alreadyThere.end(), bundle->alreadyThere.begin(), bundle->alreadyThere.end());
    imported.specs.insert(imported.specs.end(), bundle->specs.begin(), bundle->specs.end());
    imported.views += bundle->views;
}

/// The curves of a folder.
Result<QStringList> curvesOf(const QString& folder)
{
    LOCKSTEP_TRY_ASSIGN(QStringList files, referenceFilesIn(folder));
    if (files.isEmpty()) {
        return failure(LS_TR("Messages", "%1 holds no curves: no CSV or TSV, also .gz, and no TensorBoard event file"),
            {verbatim(folder.toStdString())});
    }
    return files;
}

} // namespace

bool isReference(const analysis::RunRecord& record)
{
    return !record.importedFrom.empty() && record.spec.settings->rank.program == NoProgram;
}

Result<RunId> importReference(store::RunStore& store, const QString& file)
{
    ImportedBundle imported;
    importSources(store, sourcesOf({file}, namesIn(store)), imported);
    return imported.runs.empty() ? Result<RunId>(imported.refused.front()) : imported.runs.front();
}

bool isReferenceFile(const QString& file)
{
    return QFileInfo(file).isFile() && (isCurveTable(file) || isEventFile(file));
}

Result<ImportedBundle> importAny(store::RunStore& store, const QStringList& files)
{
    ImportedBundle imported;
    QStringList curves;
    for (const QString& file : files) {
        if (QFileInfo(file).isDir()) {
            const auto found = curvesOf(file);
            if (found) {
                curves += *found;
            } else {
                imported.refused.push_back(found.error());
            }
        } else if (isReferenceFile(file)) {
            curves += file;
        } else if (isBundle(file)) {
            addBundle(importBundle(store, file), imported);
        } else {
            const auto run = store.import(file);
            addBundle(run ? Result<ImportedBundle>(ImportedBundle{{*run}, {}}) : run.error(), imported);
        }
    }
    curves.removeDuplicates();
    importSources(store, sourcesOf(curves, namesIn(store)), imported);
    const bool isNothing = imported.runs.empty() && imported.alreadyThere.empty() && imported.specs.empty()
        && imported.views.isEmpty() && !imported.refused.empty();
    return isNothing ? Result<ImportedBundle>(imported.refused.front()) : Result<ImportedBundle>(std::move(imported));
}

} // namespace lockstep::exchange
