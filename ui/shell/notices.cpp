#include "ui/shell/notices.h"

#include "session/messages.h"
#include "ui/models/numbers.h"
#include "ui/pages/message_strip.h"
#include "ui/shell/run_controller.h"

#include <QDesktopServices>
#include <QDir>
#include <QUrl>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int SavedMessageMs = 8000;

} // namespace

Notices::Notices(MessageStrip& strip, RunController& controller, QObject* parent)
    : QObject(parent)
    , m_strip(strip)
    , m_controller(controller)
{
    connect(&controller, &RunController::runFailed, this, &Notices::showFailure);
    connect(&controller, &RunController::storeFailed, this, &Notices::showError);
}

void Notices::showError(const QString& message)
{
    m_strip.showMessage(Tone::Error, message);
}

void Notices::showNoChart()
{
    m_strip.showMessage(Tone::Information, tr("There is no chart yet: press Run, or tick a stored run in the table."));
}

void Notices::showImported(const QString& file, int runs, int alreadyThere)
{
    m_strip.showMessage(Tone::Information,
        tr("Imported from %1. New runs: %2; here already: %3.")
            .arg(QFileInfo(file).fileName())
            .arg(runs)
            .arg(alreadyThere),
        {});
    m_strip.hideAfter(SavedMessageMs);
}

void Notices::showExported(const QString& path)
{
    m_strip.showMessage(Tone::Information, tr("Saved as %1.").arg(QDir::toNativeSeparators(path)), {},
        {tr("Open"), tr("Open folder")}, [path](int action) {
            QDesktopServices::openUrl(QUrl::fromLocalFile(action == 0 ? path : QFileInfo(path).absolutePath()));
        });
    m_strip.hideAfter(SavedMessageMs);
}

void Notices::offerResume(const RunId& id)
{
    const analysis::RunRecord* record = m_controller.table().record(id);
    if (record == nullptr) {
        return;
    }
    m_strip.showMessage(Tone::Warning,
        tr("%1 was interrupted at step %2. Resume it from its last checkpoint?")
            .arg(runName(*record), countText(record->summary.steps)),
        {}, {tr("Resume"), tr("Show it")}, [this, id](int action) {
            if (action == 0) {
                m_controller.resume({id});
            } else {
                m_controller.showRun(id);
            }
        });
}

void Notices::askToClose()
{
    m_strip.showMessage(Tone::Warning,
        tr("A run is in progress. Closing the window stops it and keeps its results so far."), {},
        {tr("Stop and close"), tr("Keep running")}, [this](int action) {
            if (action == 0) {
                Q_EMIT closeConfirmed();
            }
        });
}

void Notices::showFailure(const RunId& id, const QString& name, const QString& message)
{
    // The rank that failed first says why; its last lines often say more.
    std::int32_t rank = 0;
    if (const RunFeed* feed = m_controller.currentFeed()) {
        const std::vector<RankCard>& cards = feed->ranks();
        const auto failed = std::ranges::find(cards, session::RankState::Failed, &RankCard::state);
        rank = failed == cards.end() ? 0 : failed->rank;
    }
    m_strip.showMessage(Tone::Error,
        tr("%1 failed: %2").arg(name, QString::fromStdString(session::worded(message.toStdString()))),
        m_controller.log().lastLines(id, rank, 3), {tr("Run again")}, [this](int) { Q_EMIT runAgainRequested(); });
}

} // namespace lockstep::ui
