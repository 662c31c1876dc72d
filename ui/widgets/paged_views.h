// Pages as tabs, each with one or more views of which a list beside the tabs shows one. Pages stay where they are: one
// that has nothing to show is disabled. GUI thread only.
#pragma once

#include <QWidget>

#include <vector>

class QComboBox;
class QTabBar;

namespace lockstep::ui {

class ElidedLabel;
class ViewArea;

class PagedViews : public QWidget {
    Q_OBJECT

public:
    explicit PagedViews(int pages, QWidget* parent = nullptr);

    /// Adds a view to a page and offers it. Views are numbered in the order in which they were added.
    void addView(QWidget* view, int page);
    [[nodiscard]] int count() const { return static_cast<int>(m_views.size()); }
    [[nodiscard]] QWidget* widget(int view) const;
    /// -1: it is no view of these.
    [[nodiscard]] int indexOf(const QWidget* widget) const;
    [[nodiscard]] int pageOf(int view) const { return at(view).page; }
    [[nodiscard]] int currentIndex() const { return m_current; }
    [[nodiscard]] QWidget* currentWidget() const { return widget(m_current); }

    /// Whether its page lists the view. One that is no longer offered gives way to another one of its page, or else to
    /// the first one offered.
    void setOffered(int view, bool isOffered);
    [[nodiscard]] bool isOffered(int view) const { return at(view).isOffered; }

    void setPageTitle(int page, const QString& title);
    void setViewTitle(int view, const QString& title);
    /// A line at the right end of the tabs: whose views these are.
    void setCaption(const QString& text);
    /// At the right end of the tabs, before the line.
    void addToBar(QWidget* widget);
    /// Shows or hides tabs and list.
    void setBarVisible(bool isVisible);
    [[nodiscard]] QTabBar& tabBar() { return *m_tabs; }
    [[nodiscard]] QComboBox& picker() { return *m_picker; }
    /// Without the tabs.
    [[nodiscard]] ViewArea& viewArea() { return *m_area; }

public Q_SLOTS:
    /// No-op if the view is not offered.
    void setCurrentIndex(int view);
    void setCurrentWidget(QWidget* widget);
    /// The page's last view; no-op if it offers none.
    void showPage(int page);
    /// The view `by` places further in its page's list, around its ends.
    void showNeighbour(int by);

Q_SIGNALS:
    void currentChanged(int view);
    /// As currentChanged, by tab or list.
    void chosenByHand(int view);

private:
    struct View {
        QWidget* widget;
        int page;
        bool isOffered;
        QString title;
    };

    [[nodiscard]] const View& at(int view) const { return m_views[static_cast<std::size_t>(view)]; }
    [[nodiscard]] std::vector<int> offeredOf(int page) const;
    /// -1: the page offers none.
    [[nodiscard]] int lastOf(int page) const;
    void show(int view);
    void showBar();

    std::vector<View> m_views;
    std::vector<int> m_last; ///< by page: its last view, offered or not; -1: none yet
    int m_current = -1;
    QTabBar* m_tabs;
    QComboBox* m_picker;
    ElidedLabel* m_caption;
    ViewArea* m_area;
    QWidget* m_bar;
};

} // namespace lockstep::ui
