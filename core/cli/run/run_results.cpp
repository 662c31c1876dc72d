#include "cli/run/run_results.h"

#include "analysis/findings/all_findings.h"
#include "analysis/findings/method_notes.h"
#include "analysis/scaling/bandwidth.h"
#include "analysis/scaling/scaling.h"
#include "base/translate.h"
#include "exchange/export/run_json.h"
#include "exchange/export/series_csv.h"
#include "experiment/choices.h"
#include "language/language.h"
#include "language/shown_names.h"
#include "language/wording.h"
#include "plan/grid.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

[[nodiscard]] QString numberText(double value, int digits)
{
    return std::isfinite(value) ? QString::number(value, 'f', digits) : u"-"_s;
}

/// In a separate process: drawing needs Qt Gui, and a run must not wait for it to start.
[[nodiscard]] Result<void> draw(const Results& results, const QStringList& runs, const QStringList& charts)
{
    if (runs.isEmpty() || charts.isEmpty()) {
        return {};
    }
    QProcess drawing;
    drawing.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    drawing.start(QCoreApplication::applicationFilePath(),
        QStringList{u"export"_s} + runs
            + QStringList{u"--chart"_s, charts.join(u','), u"--format"_s, u"pdf,svg"_s, u"--out"_s, results.folder,
                u"--store"_s, results.store, u"--lang"_s,
                language::textLanguage() == language::TextLanguage::Chinese ? u"zh"_s : u"en"_s});
    if (!drawing.waitForFinished(120'000) || drawing.exitStatus() != QProcess::NormalExit || drawing.exitCode() != 0) {
        return refusal(
            {}, LS_TR("Refusals", "the charts could not be drawn into %1"), {verbatim(results.folder.toStdString())});
    }
    return {};
}

[[nodiscard]] QStringList chartsOf(const std::vector<analysis::RunRecord>& records)
{
    const auto any = [&records](const auto& holds) { return std::any_of(records.begin(), records.end(), holds); };
    const bool isDivided = any([](const analysis::RunRecord& record) { return plan::dividesModel(record.spec); });
    QStringList charts;
    if (any([](const analysis::RunRecord& record) { return record.measurements.empty(); })) {
        charts += {u"loss"_s, u"accuracy"_s};
    }
    if (any([](const analysis::RunRecord& record) { return record.trainLoss.size() > 0; })) {
        charts += u"train-loss"_s;
    }
    if (any([](const analysis::RunRecord& record) { return record.ranks.size() > 1 && record.measurements.empty(); })) {
        charts += {u"comm"_s, u"ranks"_s};
    }
    if (any([](const analysis::RunRecord& record) { return !record.staleness.empty(); })) {
        charts += u"staleness"_s;
    }
    if (any([](const analysis::RunRecord& record) { return !record.shares.empty(); })) {
        charts += {u"test-loss"_s, u"labels"_s, u"shares"_s, u"skew"_s};
    }
    if (isDivided) {
        charts += {u"throughput"_s, u"memory"_s, u"traffic"_s};
    } else if (!analysis::scalingStudy(records).curves.empty()) {
        charts += {u"speed-up"_s, u"efficiency"_s, u"throughput"_s, u"split"_s, u"target"_s};
    }
    if (any([](const analysis::RunRecord& record) { return !record.measurements.empty(); })) {
        charts += {u"sweep"_s, u"bandwidth"_s};
    }
    const auto hasCurve = [](const analysis::MachineFigures& machine) { return machine.samples > 1; };
    if (any([&](const analysis::RunRecord& record) { return std::ranges::any_of(record.machines, hasCurve); })) {
        charts += u"machine"_s;
    }
    return charts;
}

[[nodiscard]] Result<void> drawCharts(const Results& results)
{
    QStringList runs;
    QStringList pipelines; // each of them shows its bubble; its repeats look alike
    for (const analysis::RunRecord& record : results.records) {
        if (record.loss.step.empty()) { // a run that never began has no file
            continue;
        }
        runs += QString::fromStdString(record.id.text);
        if (is(record.spec, experiment::Strategy::Pipeline) && record.spec.repeat == 0) {
            pipelines += runs.back();
        }
    }
    auto drawn = draw(results, runs, chartsOf(results.records));
    return drawn ? draw(results, pipelines, {u"timeline"_s}) : drawn;
}

/// As nccl-tests prints it.
[[nodiscard]] QString measurementTable(const Results& results)
{
    const auto line = [](const QStringList& cells) {
        QString text = cells[0].leftJustified(20);
        for (qsizetype i = 1; i < cells.size(); ++i) {
            text += cells[i].rightJustified(i == 1 ? 12 : 10);
        }
        return text + u'\n';
    };
    QString text = line({u"name"_s, u"bytes"_s, u"in place"_s, u"calls"_s, u"p50 us"_s, u"p99 us"_s, u"alg GB/s"_s,
        u"bus GB/s"_s, u"wrong"_s});
    for (const analysis::RunRecord& record : results.records) {
        for (const analysis::CollectiveMeasurement& row : record.measurements) {
            const double bandwidth = analysis::algorithmBandwidth(row);
            text += line({QString::fromStdString(language::shownName(record.spec)), QString::number(row.bytes),
                row.shared        ? u"shared"_s
                    : row.inPlace ? u"yes"_s
                                  : u"no"_s,
                QString::number(row.calls), numberText(row.p50Us, 2), numberText(row.p99Us, 2),
                numberText(bandwidth, 3),
                numberText(bandwidth * analysis::busFactor(row.collective, analysis::ranksOfCall(record)), 3),
                QString::number(row.wrong)});
        }
    }
    return text;
}

/// What was asked, what the findings say with their tables, and how it was measured: a line each.
[[nodiscard]] std::string findingsAsText(const std::vector<analysis::RunRecord>& records)
{
    const std::string question = language::questionOf(records);
    std::string text = question.empty() ? question : "\n" + question;
    const std::vector<analysis::Finding> findings = analysis::findings(records);
    for (const analysis::Finding& finding : findings) {
        text += "\n" + language::findingSentence(finding);
        if (!finding.table.rows.empty()) {
            const QString table = QString::fromStdString(analysis::toColumns(language::findingTable(finding)));
            for (const QString& line : table.split(u'\n', Qt::SkipEmptyParts)) {
                text += "\n  " + line.toStdString();
            }
        }
    }
    for (const analysis::Finding& note : analysis::methodNotes(findings, records)) {
        text += "\n" + language::findingSentence(note);
    }
    return text;
}

} // namespace

std::string resultsAsTable(const Results& results)
{
    const std::vector<analysis::RunRecord> named = language::named(results.records);
    int longest = 20;
    for (const analysis::RunRecord& record : named) {
        const QString name = QString::fromStdString(analysis::displayName(record));
        const auto isWide = [](QChar each) { return each.unicode() >= 0x2e80; };
        longest = std::max(longest, static_cast<int>(name.size() + std::ranges::count_if(name, isWide)));
    }
    const auto line = [longest](const std::array<QString, 7>& cells) {
        const std::array widths{-longest, -12, 8, 10, 9, 10, -22};
        QStringList padded;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            padded += language::inColumn(cells[i], widths[i]);
        }
        return padded.join(u' ') + u'\n';
    };
    const auto title = [](std::string_view text) { return QString::fromStdString(language::told(text)); };
    // One figure for all, by its name: the loss of a batch is no training loss.
    const bool hasTrainLoss = std::ranges::all_of(
        results.records, [](const analysis::RunRecord& record) { return std::isfinite(record.summary.trainLoss); });
    QString text = line({title(LS_TR("CommandLine", "name")), title(LS_TR("CommandLine", "status")),
        title(LS_TR("CommandLine", "steps")),
        title(hasTrainLoss ? LS_TR("CommandLine", "train loss") : LS_TR("CommandLine", "batch loss")),
        title(LS_TR("CommandLine", "accuracy")), title(LS_TR("CommandLine", "ms/step")), u"id"_s});
    for (const analysis::RunRecord& record : named) {
        const QString name = QString::fromStdString(analysis::displayName(record));
        const std::string status(analysis::nameOf(record.status));
        text += line({name, QString::fromStdString(language::worded(status)), QString::number(record.summary.steps),
            numberText(hasTrainLoss ? record.summary.trainLoss : record.summary.finalLoss, 4),
            numberText(record.summary.testAccuracy, 4), numberText(analysis::msPerStepOf(record.summary), 3),
            QString::fromStdString(record.id.text)});
    }
    const bool hasMeasurements = std::any_of(results.records.begin(), results.records.end(),
        [](const analysis::RunRecord& record) { return !record.measurements.empty(); });
    if (hasMeasurements) {
        text += u'\n' + measurementTable(results);
    }
    for (const analysis::RunRecord& record : named) {
        if (record.status == analysis::RunStatus::Finished && !record.message.empty()) {
            text += u"\n"_s
                + QString::fromStdString(analysis::displayName(record) + ": " + language::worded(record.why()));
        }
    }
    return text.toStdString() + "\n" + language::runCount(results.records)
        + (results.hidesFindings ? "\n"
                    + language::told(LS_TR("CommandLine",
                        "The laboratory hides the findings until the questions about these runs are sealed."))
                                 : findingsAsText(named))
        + "\n";
}

Result<void> writeResults(const Results& results, const CommandContext& context)
{
    const QDir folder(results.folder);
    LOCKSTEP_TRY(exchange::writeFile(
        folder.filePath(u"result.json"_s), QByteArray::fromStdString(exchange::runsAsJson(results.records))));
    LOCKSTEP_TRY(exchange::writeFile(folder.filePath(u"series.csv"_s), exchange::seriesCsv(results.records)));
    const bool hasCurves = std::any_of(results.records.begin(), results.records.end(),
        [](const analysis::RunRecord& record) { return !record.loss.step.empty(); });
    return context.exportCharts && hasCurves ? drawCharts(results) : Result<void>{};
}

} // namespace lockstep::cli
