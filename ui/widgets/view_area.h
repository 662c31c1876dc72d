// Where the views of PagedViews lie, of which one is shown, and what is beside them. GUI thread only.
#pragma once

#include <QSplitter>

class QStackedWidget;

namespace lockstep::ui {

class ViewArea : public QSplitter {
    Q_OBJECT

public:
    explicit ViewArea(QWidget* parent = nullptr);

    [[nodiscard]] QStackedWidget& views() { return *m_views; }
    /// Puts this beside the views, below them where they are narrow; hidden at first.
    void setBeside(QWidget* widget);
    /// Views and what is beside them get equal room.
    void showBeside(bool isShown);

private:
    QStackedWidget* m_views;
};

} // namespace lockstep::ui
