// The ranks of a run as a small map: a row for each copy of the net, a column for each stage of it, and side by side in
// a cell the ranks that share its layers. The rank under the pointer, or chosen with the arrow keys, is highlighted
// together with its three groups. With many copies, rows continue in a second block beside the first. GUI thread only.
#pragma once

#include "ui/models/net/rank_map.h"
#include "ui/models/palette.h"

#include <QWidget>

#include <vector>

class QPainter;

namespace lockstep::ui {

class RankMapView : public QWidget {
    Q_OBJECT

public:
    explicit RankMapView(QWidget* parent = nullptr);

    void setMap(const RankMap& map);
    void setTheme(const ChartTheme& theme);
    [[nodiscard]] const RankMap& map() const { return m_map; }
    /// In the view's coordinates.
    [[nodiscard]] QRectF rankRect(int rank) const;
    /// -1: none.
    [[nodiscard]] int rankAt(const QPointF& position) const;
    /// The highlighted rank; -1: none.
    [[nodiscard]] int current() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// -1: none.
    void currentChanged(int rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Layout {
        int rows = 1; ///< of a block
        double label = 0.0; ///< width of a row's name
        double top = 0.0; ///< height of the columns' names
        double block = 0.0; ///< from one block to the next
        double stage = 0.0; ///< from one cell to the next
        double width = 0.0; ///< of a rank
        double height = 0.0;
        double rowGap = 0.0;
        double partGap = 0.0;
    };

    [[nodiscard]] Layout layoutOf(int rows) const;
    [[nodiscard]] Layout bestLayout() const;
    [[nodiscard]] double captionHeight() const;
    [[nodiscard]] QRectF rectOf(const plan::GridPlace& place, const Layout& layout) const;
    void paintNames(QPainter& painter, const Layout& layout) const;
    void paintRank(QPainter& painter, int rank, const QRectF& rect, bool isFaded) const;
    /// Call after changing m_hovered or m_chosen.
    void showCurrent(int before);
    /// Describes, draws and signals the rank under the pointer or the focus.
    void announceCurrent();
    void describeCurrent();

    RankMap m_map;
    ChartTheme m_theme = lightTheme();
    int m_hovered = -1;
    int m_chosen = 0; ///< with the keys
};

} // namespace lockstep::ui
