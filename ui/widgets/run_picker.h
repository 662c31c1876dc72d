// Says and selects which of the shown runs a page is about: a small list, disabled while there is no choice. Default:
// the newest active run, else the last visible one. GUI thread only.
#pragma once

#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/translated.h"

#include <QPointer>

#include <vector>

namespace lockstep::ui {

class RunFeed;

class RunPicker : public Translated<ElidedComboBox> {
    Q_OBJECT

public:
    explicit RunPicker(QWidget* parent = nullptr);

    /// In drawing order; called again when statuses or names have changed.
    void setFeeds(const std::vector<RunFeed*>& feeds);
    /// Null when there is none.
    [[nodiscard]] RunFeed* feed() const { return m_feed; }

Q_SIGNALS:
    void feedChosen(lockstep::ui::RunFeed* feed);

private:
    void choose(RunFeed* feed);
    void retranslate() final;
    void changeEvent(QEvent* event) final;

    std::vector<QPointer<RunFeed>> m_feeds;
    QPointer<RunFeed> m_feed;
    bool m_isChosen = false; ///< by the user
};

} // namespace lockstep::ui
