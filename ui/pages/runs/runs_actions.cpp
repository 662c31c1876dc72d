#include "ui/pages/runs/runs_actions.h"

#include "ui/models/runs/runs_table_model.h"
#include "ui/pages/runs/clean_up.h"
#include "ui/pages/runs/run_differences.h"
#include "ui/widgets/text_question.h"

#include <QMenu>
#include <QWidget>

#include <algorithm>

namespace lockstep::ui {

RunsActions::RunsActions(RunsTableModel& model, QWidget& page)
    : QObject(&page)
    , resume(new QAction(this))
    , rename(new QAction(this))
    , remove(new QAction(this))
    , show(new QAction(this))
    , showOnly(new QAction(this))
    , replay(new QAction(this))
    , hideAll(new QAction(this))
    , keep(new QAction(this))
    , unpin(new QAction(this))
    , pin(new QAction(this))
    , tag(new QAction(this))
    , baseline(new QAction(this))
    , differences(new QAction(this))
    , useSettings(new QAction(this))
    , pytorch(new QAction(this))
    , exportCsv(new QAction(this))
    , exportLatex(new QAction(this))
    , bundle(new QAction(this))
    , cleanUp(new QAction(this))
    , m_model(model)
    , m_page(page)
{
    resume->setShortcut(Qt::Key_F8);
    rename->setShortcut(Qt::Key_F2);
    remove->setShortcut(QKeySequence::Delete);
    for (QAction* action : {resume, rename, remove}) {
        action->setShortcutContext(Qt::WidgetShortcut);
    }
    for (QAction* action : {pin, baseline}) {
        action->setCheckable(true);
    }
    connectCharts();
    connectMarks();
    connectRest();
}

void RunsActions::connectCharts()
{
    const auto showSelected = [this] {
        for (const RunId& id : std::vector<RunId>(m_selected)) {
            if (!m_model.shown().contains(id)) {
                Q_EMIT m_model.showRequested(id);
            }
        }
    };
    connect(show, &QAction::triggered, this, showSelected);
    connect(showOnly, &QAction::triggered, this, [this, showSelected] {
        hideAllBut(m_model, m_selected);
        showSelected();
    });
    connect(hideAll, &QAction::triggered, this, [this] { hideAllBut(m_model, {}); });
    connect(keep, &QAction::triggered, this, [this] { Q_EMIT keepRequested(true); });
    connect(unpin, &QAction::triggered, this, [this] { Q_EMIT keepRequested(false); });
    connect(baseline, &QAction::triggered, this,
        [this](bool isOn) { m_model.setBaseline(isOn && !m_selected.empty() ? m_selected.front() : RunId{}); });
}

void RunsActions::connectMarks()
{
    connect(pin, &QAction::triggered, this, [this](bool isOn) {
        for (const RunId& id : std::vector<RunId>(m_selected)) {
            if (const analysis::RunRecord* run = m_model.record(id)) {
                analysis::RunMarks marks = run->marks;
                marks.isPinned = isOn;
                m_model.setMarks(id, marks);
            }
        }
    });
    connect(tag, &QAction::triggered, this, &RunsActions::askForTag);
}

void RunsActions::connectRest()
{
    connect(differences, &QAction::triggered, this, [this] {
        if (m_selected.size() == 1) {
            Q_EMIT detailsRequested(m_selected.front());
        } else {
            showRunDifferences(selected(), m_page.window());
        }
    });
    connect(useSettings, &QAction::triggered, this, [this] {
        if (const analysis::RunRecord* run = m_model.record(m_selected.front())) {
            Q_EMIT settingsRequested(run->spec);
        }
    });
    connect(pytorch, &QAction::triggered, this, [this] { Q_EMIT pytorchRequested(m_selected.front()); });
    connect(resume, &QAction::triggered, this, [this] { Q_EMIT resumeRequested(m_selected); });
    connect(bundle, &QAction::triggered, this, [this] { Q_EMIT bundleRequested(m_selected); });
    connect(replay, &QAction::triggered, this, [this] { Q_EMIT replayRequested(m_selected); });
    connect(remove, &QAction::triggered, this, [this] { requestDeletion(m_selected); });
    connect(cleanUp, &QAction::triggered, this, [this] {
        openCleanUp(m_model, m_page.window(), [this](const std::vector<RunId>& ids) { requestDeletion(ids); });
    });
}

void RunsActions::askForTag()
{
    askForText(*m_page.window(), tr("Add a tag"), tr("Tag for %n runs", nullptr, static_cast<int>(m_selected.size())),
        *this, [this, ids = m_selected](const QString& text) {
            for (const RunId& id : ids) {
                addTags(m_model, id, text);
            }
        });
}

void RunsActions::requestDeletion(const std::vector<RunId>& ids)
{
    for (const RunId& id : std::vector<RunId>(ids)) {
        const analysis::RunRecord* run = m_model.record(id);
        if (run != nullptr && analysis::isFinal(run->status)) {
            Q_EMIT deleteRequested(id);
        }
    }
}

std::vector<const analysis::RunRecord*> RunsActions::selected() const
{
    std::vector<const analysis::RunRecord*> runs;
    for (const RunId& id : m_selected) {
        if (const analysis::RunRecord* run = m_model.record(id)) {
            runs.push_back(run);
        }
    }
    return runs;
}

void RunsActions::setSelection(const std::vector<RunId>& ids, int rows)
{
    m_selected = ids;
    const std::vector<const analysis::RunRecord*> runs = selected();
    const bool isAny = !runs.empty();
    // Finished runs have nothing left to do, and running ones need no resume.
    resume->setEnabled(std::ranges::any_of(runs, [](const analysis::RunRecord* run) {
        return analysis::isFinal(run->status) && run->status != analysis::RunStatus::Finished
            && analysis::hasStarted(*run);
    }));
    const auto hasEnded = [](const analysis::RunRecord* run) { return analysis::isFinal(run->status); };
    remove->setEnabled(std::ranges::any_of(runs, hasEnded));
    replay->setEnabled(std::ranges::any_of(runs, hasEnded));
    bundle->setEnabled(isAny && std::ranges::all_of(runs, hasEnded));
    for (QAction* action : {show, showOnly, pin, tag}) {
        action->setEnabled(isAny);
    }
    keep->setEnabled(!m_model.shown().ids().empty());
    unpin->setEnabled(!m_model.shown().kept().empty());
    rename->setEnabled(runs.size() == 1);
    for (QAction* action : {useSettings, pytorch}) {
        action->setEnabled(runs.size() == 1);
    }
    baseline->setEnabled(rows == 1 && isAny);
    baseline->setChecked(rows == 1 && std::ranges::find(ids, m_model.baseline()) != ids.end());
    pin->setChecked(
        isAny && std::ranges::all_of(runs, [](const analysis::RunRecord* run) { return run->marks.isPinned; }));
    differences->setEnabled(isAny);
    showDifferencesText();
}

void RunsActions::showDifferencesText()
{
    differences->setText(m_selected.size() > 1 ? tr("What differs…") : tr("Details…"));
}

void RunsActions::fillContextMenu(QMenu& menu) const
{
    menu.addActions({show, showOnly, keep, unpin, replay});
    menu.addSeparator();
    menu.addActions({differences, baseline, useSettings, pytorch});
    menu.addSeparator();
    menu.addActions({pin, tag, rename});
    menu.addSeparator();
    menu.addActions({bundle, resume, remove});
}

void RunsActions::fillPageMenu(QMenu& menu) const
{
    menu.addActions({show, showOnly, keep, unpin, replay, hideAll});
    menu.addSeparator();
    menu.addActions({differences, baseline, useSettings, pytorch});
    menu.addSeparator();
    menu.addActions({exportCsv, exportLatex, bundle});
    menu.addSeparator();
    menu.addActions({pin, tag, rename, resume, remove, cleanUp});
}

void RunsActions::retranslate()
{
    resume->setText(tr("Resume from its last checkpoint"));
    rename->setText(tr("Rename"));
    remove->setText(tr("Delete"));
    show->setText(tr("Show in charts"));
    showOnly->setText(tr("Show only these in charts"));
    replay->setText(tr("Replay"));
    hideAll->setText(tr("Clear the charts"));
    keep->setText(tr("Keep these"));
    keep->setToolTip(tr("The runs that are shown stay beside those of the next experiment."));
    unpin->setText(tr("Unpin"));
    unpin->setToolTip(tr("The next experiment shows its own runs alone."));
    pin->setText(tr("Pin on top"));
    tag->setText(tr("Add a tag…"));
    baseline->setText(tr("Use as baseline"));
    showDifferencesText();
    useSettings->setText(tr("Use these settings"));
    pytorch->setText(tr("Show as PyTorch…"));
    exportCsv->setText(tr("Export as CSV…"));
    exportLatex->setText(tr("Export as LaTeX…"));
    bundle->setText(tr("Save as a bundle…"));
    cleanUp->setText(tr("Delete old runs…"));
}

} // namespace lockstep::ui
