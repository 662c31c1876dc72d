// A net drawn from top to bottom: a block for each unit that a cut never divides, with its cost beside it, and over the
// blocks of each part a line that says which rank has it. Those lines are the cuts: they can be dragged, or moved with
// the arrow keys. GUI thread only.
#pragma once

#include "ui/models/net/net_picture.h"
#include "ui/models/palette.h"

#include <QWidget>

#include <vector>

class QPainter;

namespace lockstep::ui {

class NetCutHandle;

/// Positions of the columns, in the view's coordinates.
struct NetColumns {
    double name = 0.0;
    double nameWidth = 0.0;
    double parametersRight = 0.0;
    double flopsRight = 0.0;
    double bar = 0.0;
    double barWidth = 0.0;
    double outputRight = 0.0;
    bool hasShapes = true; ///< beside the bytes of an output
};

class NetView : public QWidget {
    Q_OBJECT

public:
    enum class Cut { ReadOnly, Movable };

    explicit NetView(QWidget* parent = nullptr);

    void setPicture(const NetPicture& picture, Cut cut);
    void setTheme(const ChartTheme& theme);
    [[nodiscard]] const NetPicture& picture() const { return m_picture; }
    [[nodiscard]] const ChartTheme& theme() const { return m_theme; }
    [[nodiscard]] NetColumns columns() const;
    /// The line of part `number` (the first one's does not move), for painting and for its handle.
    [[nodiscard]] QRect partRect(int number) const;
    [[nodiscard]] QRect layerRect(int number) const;
    void paintPart(QPainter& painter, const QRectF& rect, int number, bool canMove) const;
    /// Requests the cut before part `number` to be before this layer, or as near as possible.
    void requestCut(int number, int layer);
    /// The layer that cut `number` would precede if its line were dropped here.
    [[nodiscard]] int layerAt(int number, double top) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The user chose this value of `pipeline.cut`.
    void cutRequested(const QString& cut);
    /// The columns have moved.
    void columnsChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void placeHandles();
    void paintLayer(QPainter& painter, int number) const;
    [[nodiscard]] int layerHeight() const;
    [[nodiscard]] int partHeight() const;
    [[nodiscard]] QColor colorOf(int layer) const;
    [[nodiscard]] double mostFlops() const;

    NetPicture m_picture;
    Cut m_cut = Cut::ReadOnly;
    ChartTheme m_theme = lightTheme();
    std::vector<NetCutHandle*> m_handles; ///< of part 1, 2, ...
};

/// "Parameters", "FLOPs a sample", ...: the line above the view, which stays while the view is scrolled.
class NetHeader : public QWidget {
    Q_OBJECT

public:
    explicit NetHeader(const NetView& view, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const NetView& m_view;
};

} // namespace lockstep::ui
