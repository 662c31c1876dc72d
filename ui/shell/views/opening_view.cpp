#include "ui/shell/views/opening_view.h"

#include "ui/shell/runs/run_controller.h"
#include "ui/widgets/paged_views.h"

#include <utility>

namespace lockstep::ui {

void OpeningView::set(const QString& name)
{
    m_name = name;
    show();
}

void OpeningView::setAtEnd(const QString& name)
{
    m_atEnd = name;
    m_isAwaitingEnd = false;
}

void OpeningView::clear()
{
    m_name.clear();
    m_atEnd.clear();
    m_isAwaitingEnd = false;
}

void OpeningView::show()
{
    if (m_name.isEmpty() || m_controller.feeds().empty()) {
        return;
    }
    for (int view = 0; view < m_views.count(); ++view) {
        if (m_views.widget(view)->objectName() == m_name && m_views.isOffered(view)) {
            m_name.clear();
            m_views.setCurrentIndex(view);
            return;
        }
    }
}

void OpeningView::showAtEnd()
{
    m_isAwaitingEnd = m_isAwaitingEnd || (m_controller.isBusy() && !m_atEnd.isEmpty());
    if (m_isAwaitingEnd && !m_controller.isBusy()) {
        m_isAwaitingEnd = false;
        set(std::exchange(m_atEnd, QString()));
    }
}

} // namespace lockstep::ui
