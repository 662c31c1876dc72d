// The view that opens by itself once the charts offer it: at once, or after the next runs.
#pragma once

#include <QString>

namespace lockstep::ui {

class PagedViews;
class RunController;

class OpeningView {
public:
    /// Both outlive this. Views are known by their object names.
    OpeningView(PagedViews& views, RunController& controller)
        : m_views(views)
        , m_controller(controller)
    { }

    /// The view to open once it is offered, unless another one is chosen by hand before.
    void set(const QString& name);
    /// The same once the runs that are started next have ended.
    void setAtEnd(const QString& name);
    /// A view was chosen by hand.
    void clear();
    /// After other views are offered.
    void show();
    /// After the state of the runs has changed.
    void showAtEnd();

private:
    PagedViews& m_views;
    RunController& m_controller;
    QString m_name; ///< empty: none
    QString m_atEnd;
    bool m_isAwaitingEnd = false; ///< of the runs after which m_atEnd is opened
};

} // namespace lockstep::ui
