// The page "Net": the net's units, what each costs, where it is cut and which rank has what. Shows a variant of the
// form, with a movable cut and a choice of the grid of ranks, or a run as it was started. GUI thread only.
#pragma once

#include "experiment/spec.h"
#include "ui/export/render.h"
#include "ui/models/palette.h"
#include "ui/widgets/translated.h"

#include <QPointer>
#include <QWidget>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;

namespace lockstep::ui {

class ElidedLabel;
class FormModel;
class NetHeader;
class NetView;
class RankMapPanel;
class RunFeed;

class NetPanel : public Translated<QWidget> {
    Q_OBJECT

public:
    /// The model outlives the panel.
    explicit NetPanel(FormModel& model, QWidget* parent = nullptr);

    void setFeeds(const std::vector<RunFeed*>& feeds);
    void setTheme(const ChartTheme& theme);
    /// One sentence over the picture while nothing has run; empty: none.
    void setInvitation(const QString& text);
    /// Whether any of it divides one net among ranks.
    [[nodiscard]] bool hasDividedNet() const;
    /// Whether Run would start such a run.
    [[nodiscard]] bool formHasDividedNet() const;
    [[nodiscard]] NetView& view() { return *m_view; }
    /// The net on screen with the map of its ranks; nothing while there is none.
    [[nodiscard]] std::optional<Drawing> drawing() const;
    [[nodiscard]] RankMapPanel& ranks() { return *m_ranks; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// A variant of the form, or a run.
    struct Choice {
        std::string variant;
        QPointer<RunFeed> feed;

        bool operator==(const Choice&) const = default;
    };

    void styleControls();
    void listChoices();
    /// The chosen variant's run or the chosen run's; nothing where the form no longer has it.
    [[nodiscard]] std::optional<experiment::RunSpec> chosenRun() const;
    void showChoice();
    void moveCut(const QString& cut);
    void setOfVariant(std::string_view parameter, const QString& text);
    [[nodiscard]] QString problemText(const QString& ofNet, bool isGrid) const;
    void retranslate() final;
    [[nodiscard]] QString summaryText() const;

    FormModel& m_model;
    QLabel* m_invitation;
    QLabel* m_pickerLabel;
    QComboBox* m_picker;
    QPushButton* m_balance;
    ElidedLabel* m_how; ///< where the cut comes from
    RankMapPanel* m_ranks;
    QLabel* m_problem;
    NetHeader* m_header;
    NetView* m_view;
    QLabel* m_summary;
    std::vector<QPointer<RunFeed>> m_feeds;
    std::vector<Choice> m_choices; ///< as the picker lists them
    Choice m_chosen;
};

} // namespace lockstep::ui
