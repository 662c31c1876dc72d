#include "ui/widgets/view_area.h"

#include <QStackedWidget>

#include <algorithm>

namespace lockstep::ui {

namespace {

/// As small as the largest view can be, so that nothing moves from one view to the next; beside another widget as small
/// as the one that is shown, or that widget would have what the largest leaves.
class ViewStack final : public QStackedWidget {
public:
    explicit ViewStack(QWidget* parent)
        : QStackedWidget(parent)
    {
        connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry);
    }

    QSize minimumSizeHint() const override
    {
        const auto* area = qobject_cast<const QSplitter*>(parentWidget());
        const bool isAlone = area == nullptr || area->count() < 2 || area->widget(1)->isHidden();
        return isAlone || currentWidget() == nullptr ? QStackedWidget::minimumSizeHint()
                                                     : currentWidget()->minimumSizeHint();
    }
};

} // namespace

ViewArea::ViewArea(QWidget* parent)
    : QSplitter(parent)
    , m_views(new ViewStack(this))
{
    setChildrenCollapsible(false);
    addWidget(m_views);
}

void ViewArea::setBeside(QWidget* widget)
{
    widget->hide();
    addWidget(widget);
}

void ViewArea::showBeside(bool isShown)
{
    constexpr int LeastBeside = 900;
    for (int i = 1; i < count(); ++i) {
        widget(i)->setVisible(isShown);
    }
    m_views->updateGeometry();
    setOrientation(parentWidget()->width() < LeastBeside ? Qt::Vertical : Qt::Horizontal);
    const int half = std::max(width(), height()) / 2;
    setSizes(QList<int>(count(), half));
}

} // namespace lockstep::ui
