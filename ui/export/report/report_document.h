// A report as a text document, in the units of ReportPages. Private to ui/export.
#pragma once

#include "ui/export/paper_pages.h"
#include "ui/export/report/report_pages.h"

#include <QFont>
#include <QTextFormat>
#include <QTextObjectInterface>

#include <map>
#include <string>
#include <vector>

class QTextDocument;

namespace lockstep::ui {

inline constexpr double UnitsPerMm = ReportPages::UnitsPerInch / MmPerInch;
/// Of a block's format: what a page must not divide from the block.
inline constexpr int KeptProperty = QTextFormat::UserProperty + 1;
inline constexpr int KeptWithNext = 1;
inline constexpr int KeptWithWholeTable = 2;

/// A document's handler of charts: draws them as vectors on paper, on a screen as images, which are painted fast.
class ChartDrawing : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    static constexpr int Object = QTextFormat::UserObject + 1;
    static constexpr int Number = QTextFormat::UserProperty + 2; ///< of an object's format: what add() gave

    int add(const ReportChart& chart);
    /// While the document is drawn on a PDF, its painter; else null.
    void setVectors(QCPPainter* painter) { m_vectors = painter; }

    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat&) override;
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) override;

private:
    QCPPainter* m_vectors = nullptr;
    std::vector<ReportChart> m_charts;
};

/// Draws a letter and its accent, one above the other.
class AccentDrawing : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    static constexpr int Object = QTextFormat::UserObject + 2;
    static constexpr int Letter = QTextFormat::UserProperty + 3; ///< of an object's format: with its combining accent

    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) override;
};

/// In the units of the page, whatever device it is painted on; `size` in points.
[[nodiscard]] QFont pageFont(double size, bool isBold = false);
[[nodiscard]] QFont codeFont(double size);

/// Fills an empty document; gives the positions in it by the keys of the report's blocks.
std::map<std::string, int> writeReport(
    QTextDocument& document, ChartDrawing& drawing, const report::Report& report, const ReportCharts& charts);

} // namespace lockstep::ui
