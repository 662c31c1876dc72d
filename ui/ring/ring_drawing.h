// Draws an all-reduce at one moment: the ranks in a circle with the messages in transit, the table of what is
// summed where, and a sentence that explains it. GUI thread only.
#pragma once

#include "ui/models/feeds/ring_model.h"
#include "ui/models/palette.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace lockstep::ui {

struct RingScene {
    RingPicture picture;
    std::vector<int> waitedFor;
    QString phase; ///< "Reduce-scatter"
    QString detail; ///< what it does, and how many bytes
    QString message; ///< why it does not move; empty while it moves
};

struct RingStyle {
    ChartTheme theme;
    QColor warning;
    QFont font;
    double dot = 1.0; ///< a dot of the device in the painter's units
};

void paintRing(QPainter& painter, const QRectF& area, const RingScene& scene, const RingStyle& style);

} // namespace lockstep::ui
