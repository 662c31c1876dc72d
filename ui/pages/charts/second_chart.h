// A chart beside the one that a page shows: any kind that applies to the runs, with its own controls. Charts over
// the same axis share their cursor. GUI thread only.
#pragma once

#include "ui/models/charts/chart_kind.h"

#include <QPointer>
#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace lockstep::ui {

class ChartModel;
class ChartPanel;
class RunFeed;

class SecondChart : public QWidget {
    Q_OBJECT

public:
    explicit SecondChart(QWidget* parent = nullptr);
    ~SecondChart() override;

    /// The kinds that apply to these runs, in their order; keeps the kind that was shown if it is among them. Without a
    /// kind there is no chart.
    void setFeeds(const std::vector<RunFeed*>& feeds, const std::vector<bool>& applies);
    void setInterfered(Interfered which);
    /// The chart with which it shares its cursor; null: none.
    void setPartner(ChartPanel* partner);
    [[nodiscard]] ChartPanel* panel() const { return m_panel; }
    /// By its id; one that does not apply is shown once it does.
    void choose(const QString& id);

Q_SIGNALS:
    void seriesToggleRequested(const QString& key);
    void closeRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void show(const ChartKind& kind);
    void listKinds();
    void retranslate();

    QComboBox* m_kind;
    QToolButton* m_close;
    QVBoxLayout* m_page;
    std::unique_ptr<ChartModel> m_model;
    ChartPanel* m_panel = nullptr;
    QString m_shown; ///< the kind that was shown last
    QPointer<ChartPanel> m_partner;
    std::vector<RunFeed*> m_feeds;
    std::vector<bool> m_applies;
    Interfered m_interfered = Interfered::LeaveOut;
};

} // namespace lockstep::ui
