#include "ui/widgets/paged_views.h"

#include "ui/widgets/box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/view_area.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

PagedViews::PagedViews(int pages, QWidget* parent)
    : QWidget(parent)
    , m_last(static_cast<std::size_t>(pages), -1)
    , m_tabs(new QTabBar(this))
    , m_picker(new QComboBox(this))
    , m_caption(new ElidedLabel(this))
    , m_area(new ViewArea(this))
    , m_bar(new QWidget(this))
{
    m_caption->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false);
    for (int page = 0; page < pages; ++page) {
        m_tabs->addTab({});
        m_tabs->setTabEnabled(page, false);
    }
    m_picker->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    auto* bar = new QHBoxLayout(m_bar);
    addAll(*bar, {2, 2, 2, 0}, 3, {m_tabs, m_picker, {m_caption, 1}});
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 0, {m_bar});
    layout->addWidget(m_area, 1);
    const auto byHand = [this](int view) {
        if (view >= 0) {
            show(view);
            Q_EMIT chosenByHand(view);
        }
    };
    connect(m_tabs, &QTabBar::currentChanged, this, [this, byHand](int page) { byHand(lastOf(page)); });
    connect(
        m_picker, &QComboBox::activated, this, [this, byHand](int row) { byHand(m_picker->itemData(row).toInt()); });
}

void PagedViews::addView(QWidget* view, int page)
{
    m_views.push_back({view, page, true, {}});
    m_area->views().addWidget(view);
    if (m_current < 0) {
        show(0);
    } else {
        showBar();
    }
}

QWidget* PagedViews::widget(int view) const
{
    return view < 0 || view >= count() ? nullptr : at(view).widget;
}

int PagedViews::indexOf(const QWidget* widget) const
{
    const auto found = std::ranges::find(m_views, widget, &View::widget);
    return found == m_views.end() ? -1 : static_cast<int>(found - m_views.begin());
}

void PagedViews::addToBar(QWidget* widget)
{
    m_bar->layout()->addWidget(widget);
}

std::vector<int> PagedViews::offeredOf(int page) const
{
    std::vector<int> offered;
    for (int view = 0; view < count(); ++view) {
        if (at(view).page == page && at(view).isOffered) {
            offered.push_back(view);
        }
    }
    return offered;
}

int PagedViews::lastOf(int page) const
{
    const std::vector<int> offered = offeredOf(page);
    if (offered.empty()) {
        return -1;
    }
    const auto last = std::ranges::find(offered, m_last[static_cast<std::size_t>(page)]);
    return last == offered.end() ? offered.front() : *last;
}

void PagedViews::setOffered(int view, bool isOffered)
{
    if (at(view).isOffered == isOffered) {
        return;
    }
    m_views[static_cast<std::size_t>(view)].isOffered = isOffered;
    if (isOffered || view != m_current) {
        showBar();
        return;
    }
    int instead = lastOf(at(view).page);
    for (int page = 0; page < m_tabs->count() && instead < 0; ++page) {
        instead = lastOf(page);
    }
    if (instead >= 0) {
        show(instead);
    }
}

void PagedViews::setPageTitle(int page, const QString& title)
{
    m_tabs->setTabText(page, title);
}

void PagedViews::setViewTitle(int view, const QString& title)
{
    m_views[static_cast<std::size_t>(view)].title = title;
    showBar();
}

void PagedViews::setCaption(const QString& text)
{
    m_caption->setWholeText(text);
}

void PagedViews::setBarVisible(bool isVisible)
{
    m_bar->setVisible(isVisible);
}

void PagedViews::setCurrentIndex(int view)
{
    if (view >= 0 && view < count() && isOffered(view)) {
        show(view);
    }
}

void PagedViews::setCurrentWidget(QWidget* widget)
{
    setCurrentIndex(indexOf(widget));
}

void PagedViews::showPage(int page)
{
    setCurrentIndex(lastOf(page));
}

void PagedViews::showNeighbour(int by)
{
    const std::vector<int> offered = offeredOf(pageOf(m_current));
    const auto at = std::ranges::find(offered, m_current) - offered.begin();
    const auto places = static_cast<std::ptrdiff_t>(offered.size());
    show(offered[static_cast<std::size_t>((at + by % places + places) % places)]);
    Q_EMIT chosenByHand(m_current);
}

void PagedViews::show(int view)
{
    const bool isOther = m_current != view;
    m_current = view;
    m_last[static_cast<std::size_t>(pageOf(view))] = view;
    m_area->views().setCurrentWidget(at(view).widget);
    showBar();
    if (isOther) {
        Q_EMIT currentChanged(view);
    }
}

void PagedViews::showBar()
{
    const QSignalBlocker quietTabs(m_tabs);
    for (int page = 0; page < m_tabs->count(); ++page) {
        m_tabs->setTabEnabled(page, !offeredOf(page).empty());
    }
    m_tabs->setCurrentIndex(pageOf(m_current));
    const std::vector<int> offered = offeredOf(pageOf(m_current));
    bool isSame = m_picker->count() == static_cast<int>(offered.size());
    for (int row = 0; isSame && row < m_picker->count(); ++row) {
        const int view = offered[static_cast<std::size_t>(row)];
        isSame = m_picker->itemData(row).toInt() == view && m_picker->itemText(row) == at(view).title;
    }
    const QSignalBlocker quietPicker(m_picker);
    if (!isSame) { // a list that is open is not taken away without need
        m_picker->clear();
        for (const int view : offered) {
            m_picker->addItem(at(view).title, view);
        }
    }
    m_picker->setCurrentIndex(m_picker->findData(m_current));
    m_picker->setEnabled(m_picker->count() > 1);
    m_picker->setVisible(m_picker->count() > 1);
}

} // namespace lockstep::ui
