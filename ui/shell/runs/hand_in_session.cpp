#include "ui/shell/runs/hand_in_session.h"

#include "exchange/export/file_set.h"
#include "language/language.h"
#include "launch/collect/live_feed.h"
#include "ui/export/report/report_files.h"
#include "ui/export/report/report_pictures.h"
#include "ui/models/laboratory/laboratory_model.h"
#include "ui/models/laboratory/step_text.h"
#include "ui/models/runs/variant_looks.h"
#include "ui/models/shown_text.h"
#include "ui/pages/laboratory/hand_in_dialog.h"
#include "ui/pages/report/report_drawings.h"
#include "ui/shell/runs/run_controller.h"

#include <QCoreApplication>
#include <QDate>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QPointer>

#include <algorithm>
#include <array>
#include <iterator>

namespace lockstep::ui {

HandInSession::HandInSession(LaboratoryModel& model, RunController& controller, QWidget& window)
    : m_model(model)
    , m_controller(controller)
    , m_dialog(new HandInDialog(&window))
{
    setParent(m_dialog);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&model, &QObject::destroyed, m_dialog, &QDialog::reject);
    connect(m_dialog, &HandInDialog::handInRequested, this, &HandInSession::write);
    connect(m_dialog, &HandInDialog::studentsRequested, this, [this] { Q_EMIT studentsRequested(m_dialog); });
    connect(&model, &LaboratoryModel::changed, this, [this] {
        if (m_model.state().students() != m_students) {
            prepare();
        }
    });
}

HandInSession::~HandInSession() = default;

void HandInSession::start()
{
    m_dialog->open();
    prepare();
}

/// The store's thread reads a copy of the work: runs that begin, other names and closing change the model's own.
void HandInSession::prepare()
{
    m_model.writeTyped();
    m_students = m_model.state().students();
    m_prepared.reset();
    m_dialog->setBusy(tr("The file is being prepared…"));
    QPointer<HandInSession> self(this);
    const std::shared_ptr<const laboratory::Work> work = m_model.work().copy();
    const int request = ++m_request;
    const std::string version = QCoreApplication::applicationVersion().toStdString();
    m_controller.store().use([self, work, version, request](store::RunStore& store) {
        auto prepared
            = std::make_shared<Prepared>(Prepared{laboratory::HandInDraft::create(*work, store, version), {}});
        for (const RunId& run : work->state().allRuns()) {
            auto record = store.load(run);
            auto rows = std::make_shared<store::Delta>();
            const auto read = store.replay(run, [&](const store::Delta& each) {
                rows->append(each);
                return true;
            });
            if (record && read) {
                prepared->runs.emplace_back(*std::move(record), std::move(rows));
            }
        }
        QMetaObject::invokeMethod(
            qApp,
            [self, prepared, request] {
                if (self != nullptr && request == self->m_request) { // else the names have changed meanwhile
                    self->show(prepared);
                }
            },
            Qt::QueuedConnection);
    });
}

void HandInSession::show(std::shared_ptr<Prepared> prepared)
{
    m_prepared = std::move(prepared);
    if (!m_prepared->draft) {
        m_dialog->setBusy(QString::fromStdString(language::errorLine(m_prepared->draft.error()))); // nothing to write
        return;
    }
    const laboratory::HandInDraft& draft = *m_prepared->draft;
    QStringList missing;
    for (const laboratory::Missing& each : draft.missing()) {
        missing += missingText(each, m_model.laboratory());
    }
    if (draft.lostRuns() > 0) {
        missing += tr("Runs that are no longer in the store: %1").arg(draft.lostRuns());
    }
    QStringList members;
    std::ranges::transform(
        draft.members(), std::back_inserter(members), [](const std::string& name) { return shownName(name); });
    m_dialog->showDraft(missing, members, laboratory::handInName(m_model.state().students(), m_model.laboratory()));
}

void HandInSession::write()
{
    if (m_prepared == nullptr || !m_prepared->draft) {
        return;
    }
    const QString folder = m_dialog->folder();
    const QString path
        = QDir(folder).filePath(laboratory::handInName(m_model.state().students(), m_model.laboratory()));
    m_dialog->setBusy(tr("The files are being written…"));
    QPointer<HandInSession> self(this);
    m_controller.store().use([self, prepared = m_prepared, folder, path](store::RunStore& /*store*/) {
        QDir().mkpath(folder);
        const auto written = prepared->draft->write(path);
        const QString error = written ? QString() : QString::fromStdString(language::errorLine(written.error()));
        QMetaObject::invokeMethod(
            qApp,
            [self, error] {
                if (self != nullptr && !error.isEmpty()) {
                    self->m_dialog->showError(error);
                } else if (self != nullptr) {
                    self->writeReport();
                }
            },
            Qt::QueuedConnection);
    });
}

void HandInSession::writeReport()
{
    const auto files = reportInto(m_dialog->folder());
    if (!files) {
        m_dialog->showError(QString::fromStdString(language::errorLine(files.error())));
        return;
    }
    m_dialog->showWritten(*files);
}

namespace {

/// In the order of the laboratory's steps and their variants; repeats as they were started.
std::vector<RunId> runsInOrder(const laboratory::Laboratory& laboratory, const laboratory::WorkState& state,
    const std::vector<const analysis::RunRecord*>& records)
{
    std::vector<std::pair<std::size_t, RunId>> places;
    for (std::size_t i = 0; i < laboratory.steps.size(); ++i) {
        const auto* experiment = laboratory.steps[i].as<laboratory::ExperimentStep>();
        for (const RunId& id : experiment == nullptr ? std::vector<RunId>() : state.runsOf(laboratory.steps[i].id)) {
            const auto run = std::ranges::find(records, id, &analysis::RunRecord::id);
            if (run == records.end()) {
                continue;
            }
            const auto& variants = experiment->spec.variants;
            const auto variant = std::ranges::find(variants, (*run)->spec.name, &experiment::Variant::name);
            places.emplace_back(1000 * i + static_cast<std::size_t>(variant - variants.begin()), id);
        }
    }
    std::ranges::stable_sort(places, {}, &std::pair<std::size_t, RunId>::first);
    std::vector<RunId> ordered;
    std::ranges::transform(places, std::back_inserter(ordered), &std::pair<std::size_t, RunId>::second);
    return ordered;
}

/// The student's curve over the measured ones, as the window draws it.
ReportChart withPrediction(const ReportChart& measured, const laboratory::CurvePrediction& prediction)
{
    const auto* chart = std::get_if<ChartSpec>(&measured.picture());
    if (chart == nullptr) {
        return measured;
    }
    constexpr double WidthOnPaper = 2.5;
    const double unit = chart->y.unit == u"µs" ? 1000.0 : 1.0; // predicted in ms
    ChartSpec both = *chart;
    SeriesSpec drawn;
    drawn.key = QStringLiteral("prediction");
    drawn.name = HandInSession::tr("Prediction");
    drawn.color = Qt::black;
    drawn.style = SeriesStyle::DashedLine;
    drawn.width = WidthOnPaper;
    for (const laboratory::CurvePoint& point : prediction.points) {
        drawn.x.push_back(point.x);
        drawn.y.push_back(unit * point.y);
    }
    both.series.push_back(std::move(drawn));
    return ReportChart(std::move(both));
}

/// That a question's drawing of one run is of; empty: the first that has it.
std::string variantOf(const laboratory::Step& step, const report::Chart& chart)
{
    constexpr std::array<std::string_view, 3> OfOneRun{"timeline", "net", "ranks"};
    const auto* question = step.as<laboratory::QuestionStep>();
    const bool isOfOne = std::ranges::find(OfOneRun, chart.kind) != OfOneRun.end();
    return question != nullptr && isOfOne ? question->about.variant : std::string();
}

} // namespace

/// Each chart shows its step's runs: the key of a chart begins with the step's id. That of a predicted curve shows the
/// runs that it is compared with.
ReportCharts HandInSession::drawCharts(
    report::Report& report, const report::Source& source, const std::vector<RunFeed*>& feeds) const
{
    ReportCharts charts;
    for (report::Block& block : report.blocks) {
        const laboratory::Step* step = m_model.laboratory().find(block.key.substr(0, block.key.find('.')));
        const laboratory::Step* experiment = step == nullptr ? nullptr : experimentOf(m_model, *step);
        if (!std::holds_alternative<report::Chart>(block.content) || experiment == nullptr) {
            continue;
        }
        std::vector<RunId> runs = m_model.state().runsOf(experiment->id);
        const laboratory::SealedPrediction* sealed = m_model.state().sealOf(step->id);
        const auto* curve
            = sealed == nullptr ? nullptr : std::get_if<laboratory::CurvePrediction>(&sealed->prediction.value);
        if (curve != nullptr) {
            std::vector<analysis::RunRecord> records;
            std::ranges::copy_if(source.runs, std::back_inserter(records),
                [&](const analysis::RunRecord& run) { return std::ranges::find(runs, run.id) != runs.end(); });
            runs = laboratory::outcomeOf(sealed->prediction, *step, records).sentence.runs;
        }
        const std::string variant = variantOf(*step, std::get<report::Chart>(block.content));
        std::vector<RunFeed*> own;
        std::ranges::copy_if(feeds, std::back_inserter(own), [&](const RunFeed* feed) {
            return std::ranges::find(runs, feed->id()) != runs.end()
                && (variant.empty() || feed->record().spec.name == variant);
        });
        report::Report part{report.language, report.words, {}, {}, {block}};
        ReportCharts drawn = reportCharts(part, own, analysis::Interfered::LeaveOut, reportDrawings());
        if (drawn.empty()) {
            continue; // a chart of which these runs have no numbers
        }
        block = part.blocks.front();
        auto& chart = std::get<report::Chart>(block.content);
        const auto number = experiment - m_model.laboratory().steps.data() + 1;
        chart.caption = tr("%1, step %2 of the laboratory", "caption of a figure, number of a step")
                            .arg(QString::fromStdString(chart.caption))
                            .arg(number)
                            .toStdString();
        if (chart.x == "epoch" || chart.x == "seconds") { // apart from the one over steps
            chart.caption = (chart.x == "epoch" ? tr("%1, over epochs") : tr("%1, over time"))
                                .arg(QString::fromStdString(chart.caption))
                                .toStdString();
        }
        if (curve != nullptr) {
            drawn.insert_or_assign(block.key, withPrediction(drawn.at(block.key), *curve));
            chart.caption += tr(": the prediction (dashed) over the measurement").toStdString();
        }
        charts.merge(drawn);
    }
    return charts;
}

Result<QStringList> HandInSession::reportInto(const QString& folder) const
{
    std::vector<const analysis::RunRecord*> records;
    std::ranges::transform(m_prepared->runs, std::back_inserter(records), [](const auto& run) { return &run.first; });
    const std::vector<Look> looks = looksOf(records, PaletteName::Vibrant);
    std::vector<std::unique_ptr<RunFeed>> feeds;
    std::vector<RunFeed*> shown;
    for (const RunId& id : runsInOrder(m_model.laboratory(), m_model.state(), records)) {
        const auto place
            = static_cast<std::size_t>(std::ranges::find(records, id, &analysis::RunRecord::id) - records.begin());
        const auto& [record, rows] = m_prepared->runs[place];
        const auto feed = std::make_shared<launch::LiveFeed>();
        feed->publish(std::make_shared<store::Delta>(*rows)); // its reader takes it
        feeds.push_back(std::make_unique<RunFeed>(record, launch::sourceOf(feed)));
        feeds.back()->setLook(looks[place]);
        feeds.back()->pull();
        shown.push_back(feeds.back().get());
    }
    report::Source source = reportSource(shown, analysis::Interfered::LeaveOut);
    source.date = QLocale::c().toString(QDate::currentDate(), QStringLiteral("yyyy-MM-dd")).toStdString();
    report::Report report
        = laboratory::reportOf(m_model.laboratory(), m_model.state(), source, m_prepared->draft->code());
    const ReportCharts charts = drawCharts(report, source, shown);
    const QString handIn = laboratory::handInName(m_model.state().students(), m_model.laboratory());
    const QString name = QFileInfo(handIn).completeBaseName();
    LOCKSTEP_TRY_ASSIGN(const auto files, reportFiles(report, charts, {ReportFormat::Docx, ReportFormat::Pdf}, name));
    LOCKSTEP_TRY(exchange::writeFiles(folder, files, exchange::Existing::Replace));
    QStringList paths{QDir(folder).filePath(handIn)};
    for (const exchange::NewFile& file : files) {
        paths += QDir(folder).filePath(file.path);
    }
    return paths;
}

} // namespace lockstep::ui
