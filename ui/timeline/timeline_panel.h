// The timeline as a page: which run, its colours, following, the whole run, export. GUI thread only.
#pragma once

#include "ui/export/render.h"
#include "ui/models/palette.h"
#include "ui/widgets/translated.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QToolButton;

namespace lockstep::ui {

class ClockNote;
class RunFeed;
class RunPicker;
class TimelineView;

class TimelinePanel : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit TimelinePanel(QWidget* parent = nullptr);

    /// In drawing order; called again when a run's status has changed.
    void setFeeds(const std::vector<RunFeed*>& feeds);
    void setTheme(const ChartTheme& theme);
    [[nodiscard]] TimelineView& view() { return *m_view; }

    /// What is on screen; nothing where there are no spans.
    [[nodiscard]] std::optional<Drawing> drawing() const;

Q_SIGNALS:
    /// Export was pressed.
    void exportRequested();

private:
    void retranslate() final;
    void chooseColours(int index);

    RunPicker* m_picker;
    QComboBox* m_colours; ///< there for a pipeline only
    QToolButton* m_follow;
    QToolButton* m_whole;
    QToolButton* m_path;
    QToolButton* m_save;
    ClockNote* m_clocks;
    TimelineView* m_view;
};

} // namespace lockstep::ui
