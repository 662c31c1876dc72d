// Pictures of the window on paper: painted in pixels of the screen, enlarged to the dots of the paper.
#pragma once

#include "ui/export/render.h"

#include <QSizeF>

#include <memory>

class QWidget;

namespace lockstep::ui {

/// Calls `paint` with an area in pixels of the screen and the paper's font for it; makes everything smaller where the
/// picture needs more than the paper has (`least`, in such pixels).
void paintAsOnScreen(QPainter& painter, const QRectF& area, const PaperStyle& paper, const QSizeF& least,
    const std::function<void(QPainter&, const QRectF&, const QFont&)>& paint);

/// A text that fills the width of its paper.
[[nodiscard]] Drawing textDrawing(const QString& id, const QString& title, const QString& html);

/// A widget that `make` makes, in the colours of paper. GUI thread.
void paintWidget(QPainter& painter, const QRectF& area, const PaperStyle& paper,
    const std::function<std::unique_ptr<QWidget>(const QFont&)>& make);

} // namespace lockstep::ui
