// A ChartSpec or another drawing on paper: PDF, SVG, PNG and CSV, with exact sizes. Any thread that may use QFont.
#pragma once

#include "base/result.h"
#include "ui/models/chart_spec.h"
#include "ui/models/palette.h"

#include <QByteArray>
#include <QFont>
#include <QImage>
#include <QRectF>
#include <QString>

#include <functional>
#include <optional>

class QPainter;

namespace lockstep::ui {

enum class PaperFormat { Pdf, Svg, Png, Csv };

[[nodiscard]] QString suffixOf(PaperFormat format); ///< "pdf"
[[nodiscard]] std::optional<PaperFormat> formatFromSuffix(const QString& suffix);

struct PaperOptions {
    double widthMm = 183.0;
    double heightMm = 110.0;
    double fontPt = 8.0;
    int dpi = 300; ///< PNG only
    enum class Colors { AsOnScreen, Vibrant, HighContrast, Grey } colors = Colors::AsOnScreen;
    enum class Markers { Sparse, None } markers = Markers::Sparse; ///< on lines, so that a grey print stays readable
    QString specJson; ///< goes into the file's metadata; empty: none
};

/// The properties of a drawing's paper; lengths in its dots.
struct PaperStyle {
    QFont font;
    double scale = 1.0; ///< a pixel of the screen
    PaperOptions::Colors colors = PaperOptions::Colors::AsOnScreen;
};

/// A drawing other than a ChartSpec, exported in the same ways. Its functions own all they draw from.
struct Drawing {
    QString id; ///< file names of exports begin with it
    QString title;
    QString specJson; ///< for the metadata
    std::function<void(QPainter&, const QRectF&, const PaperStyle&)> paint;
    std::function<QByteArray()> csv;
};

/// The picture as in a PNG, at any resolution: for the preview.
[[nodiscard]] QImage renderImage(const ChartSpec& chart, const PaperOptions& options, int dpi);
[[nodiscard]] QImage renderImage(const Drawing& drawing, const PaperOptions& options, int dpi);

[[nodiscard]] Result<QByteArray> render(const ChartSpec& chart, PaperFormat format, const PaperOptions& options);
[[nodiscard]] Result<QByteArray> render(const Drawing& drawing, PaperFormat format, const PaperOptions& options);

/// Long form: run,name,curve,x,y[,low,high] with the names and units of the axes in the first row; numbers to the last
/// digit, an empty field where there is none. Hidden series are left out.
[[nodiscard]] QByteArray chartCsv(const ChartSpec& chart);

} // namespace lockstep::ui
