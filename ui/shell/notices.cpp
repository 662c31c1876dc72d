#include "ui/shell/notices.h"

#include "language/wording.h"
#include "ui/models/form/titles.h"
#include "ui/models/number_text.h"
#include "ui/pages/message_strip.h"
#include "ui/shell/last_session.h"
#include "ui/shell/runs/run_controller.h"

#include <QDesktopServices>
#include <QDir>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr int SavedMessageMs = 8000;
constexpr int MostTitleWidth = 200; ///< px, in a button

} // namespace

Notices::Notices(MessageStrip& strip, RunController& controller, QObject* parent)
    : QObject(parent)
    , m_strip(strip)
    , m_controller(controller)
{
    connect(&controller, &RunController::runFailed, this, &Notices::showFailure);
    connect(&controller, &RunController::storeFailed, this, &Notices::showError);
    connect(&controller, &RunController::noted, this,
        [this](const QString& line) { m_strip.showMessage(Tone::Information, line); });
    connect(&controller, &RunController::recordsListed, this, &Notices::offerInterrupted);
    connect(&controller.store(), &StoreWorker::followed, this, &Notices::showFollowed);
    connect(&controller.queue(), &WindowQueue::queued, this, &Notices::showQueued);
    connect(&controller.queue(), &WindowQueue::changed, this, &Notices::withdraw);
}

void Notices::showError(const QString& message)
{
    m_strip.showMessage(Tone::Error, message);
}

void Notices::showNoChart()
{
    m_strip.showMessage(Tone::Information, tr("There is no chart yet: press Run, or tick a stored run in the table."));
}

void Notices::showImported(const QString& file, int runs, int alreadyThere, const QByteArray& spec)
{
    const QStringList actions = spec.isEmpty() ? QStringList() : QStringList{tr("Open its experiment")};
    m_strip.showMessage(Tone::Information,
        tr("Imported from %1. New runs: %2; already present: %3.")
            .arg(QFileInfo(file).fileName())
            .arg(runs)
            .arg(alreadyThere),
        {}, actions, [this, spec](int) { Q_EMIT experimentRequested(spec); });
    m_strip.hideAfter(SavedMessageMs);
}

void Notices::showFollowed(const QString& file, const RunId& id)
{
    m_strip.showMessage(Tone::Information,
        tr("Reading %1 while its ranks write it. The run is in the table of runs.").arg(QFileInfo(file).fileName()), {},
        {tr("Show the run"), tr("Stop reading")}, [this, id](int action) {
            if (action == 1) {
                m_controller.store().stopFollowing(id);
                return;
            }
            Q_EMIT runChosen();
            m_controller.showRun(id);
        });
}

void Notices::showExported(const QString& path)
{
    m_strip.showMessage(Tone::Information, tr("Saved as %1.").arg(QDir::toNativeSeparators(path)), {},
        {tr("Open"), tr("Open folder")}, [path](int action) {
            QDesktopServices::openUrl(QUrl::fromLocalFile(action == 0 ? path : QFileInfo(path).absolutePath()));
        });
    m_strip.hideAfter(SavedMessageMs);
}

void Notices::offerInterrupted()
{
    const auto found = m_controller.isBusy() ? std::nullopt : LastSession::interrupted(m_controller.table().records());
    const analysis::RunRecord* record = found ? m_controller.table().record(*found) : nullptr;
    if (record == nullptr) {
        return;
    }
    m_strip.showMessage(Tone::Warning,
        tr("%1 was interrupted at step %2. Resume it from its last checkpoint?")
            .arg(runName(*record), countText(record->summary.steps)),
        {}, {tr("Resume"), tr("Show it")}, [this, id = *found](int action) {
            Q_EMIT runChosen();
            if (action == 0) {
                m_controller.resume({id});
            } else {
                m_controller.showRun(id);
            }
        });
}

void Notices::ask(const QString& question, const QStringList& answers, const std::function<void(int)>& answer,
    std::function<bool()> applies)
{
    m_question = question;
    m_questionApplies = std::move(applies);
    m_strip.showMessage(Tone::Warning, question, {}, answers, answer);
}

void Notices::withdraw()
{
    if (m_questionApplies && !m_questionApplies()) {
        m_questionApplies = nullptr;
        if (m_strip.text() == m_question) {
            m_strip.hide();
        }
    }
}

void Notices::askToClose()
{
    ask(
        tr("Runs are in progress. They can be stopped, or continue without a window; the next window shows them "
           "again."),
        {tr("Stop and close"), tr("Leave them running")},
        [this](int action) {
            if (action == 0) {
                m_controller.stopAll();
                Q_EMIT closeConfirmed();
            } else {
                Q_EMIT leaveConfirmed();
            }
        },
        [this] { return m_controller.queue().isBusy(); });
}

void Notices::askWhatToStop()
{
    const auto active = [this] {
        const launch::QueueEntry* entry = m_controller.queue().state().active();
        return entry == nullptr ? 0 : entry->id;
    };
    const launch::QueueEntry* entry = m_controller.queue().state().active();
    const QString title
        = entry == nullptr || entry->runs.empty() ? QString() : experimentTitle(entry->runs.front().spec);
    ask(
        tr("%n other experiment(s) wait in the queue.", nullptr, m_controller.queue().waiting()),
        {tr("Stop “%1”").arg(m_strip.fontMetrics().elidedText(title, Qt::ElideRight, MostTitleWidth)),
            tr("Stop, and pause the queue")},
        [this](int action) {
            if (action == 0) {
                m_controller.queue().stopActive();
            } else {
                m_controller.stopAll();
            }
        },
        [active, asked = active()] { return active() == asked; });
}

void Notices::showQueued(const QString& experiment, int before)
{
    m_strip.showMessage(
        Tone::Information, tr("%1 is in the queue, behind %n experiment(s).", nullptr, before).arg(experiment));
    m_strip.hideAfter(SavedMessageMs);
}

void Notices::showFailure(const RunId& id, const QString& name, const QString& message)
{
    // The rank that failed first says why; its last lines often say more.
    std::int32_t rank = 0;
    if (const RunFeed* feed = m_controller.currentFeed()) {
        const std::vector<RankCard>& cards = feed->ranks();
        const auto failed = std::ranges::find(cards, store::RankState::Failed, &RankCard::state);
        rank = failed == cards.end() ? 0 : failed->rank;
    }
    QStringList lines = m_controller.log().lastLines(id, rank, 3);
    lines.removeIf([&message](const QString& line) { return message.contains(line); });
    m_strip.showMessage(Tone::Error, tr("%1 failed: %2").arg(name, message), lines, {tr("Run again")},
        [this](int) { Q_EMIT runAgainRequested(); });
}

} // namespace lockstep::ui
