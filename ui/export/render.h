// A ChartSpec or another drawing on paper: PDF, SVG and PNG with exact sizes, CSV, and charts as PGFPlots. Any thread
// that may use QFont.
#pragma once

#include "base/result.h"
#include "ui/models/chart_spec.h"
#include "ui/models/palette.h"

#include <QByteArray>
#include <QFont>
#include <QImage>
#include <QRectF>
#include <QString>

#include <array>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace lockstep::ui {

enum class PaperFormat { Pdf, Svg, Png, Csv, Pgfplots };
inline constexpr std::array PaperFormats{
    PaperFormat::Pdf, PaperFormat::Svg, PaperFormat::Png, PaperFormat::Csv, PaperFormat::Pgfplots};

[[nodiscard]] QString suffixOf(PaperFormat format); ///< "pdf"; of PGFPlots "tex"
[[nodiscard]] QString nameOf(PaperFormat format); ///< "PDF", "PGFPlots"
/// By suffix, or by name in any case.
[[nodiscard]] std::optional<PaperFormat> formatFromName(const QString& name);

/// A file of an export, with its name and suffix.
struct PaperFile {
    QString name;
    QByteArray bytes;
};

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

/// Of PGFPlots the .tex alone, without the tables that it reads.
[[nodiscard]] Result<QByteArray> render(const ChartSpec& chart, PaperFormat format, const PaperOptions& options);
[[nodiscard]] Result<QByteArray> render(const Drawing& drawing, PaperFormat format, const PaperOptions& options);

/// Every file of an export, the one to open first; `baseName` is its name without the suffix. Drawings are refused as
/// PGFPlots.
[[nodiscard]] Result<std::vector<PaperFile>> renderFiles(
    const ChartSpec& chart, PaperFormat format, const PaperOptions& options, const QString& baseName);
[[nodiscard]] Result<std::vector<PaperFile>> renderFiles(
    const Drawing& drawing, PaperFormat format, const PaperOptions& options, const QString& baseName);

/// Long form: run,name,curve,x,y[,low,high] with the names and units of the axes in the first row; numbers to the last
/// digit, an empty field where there is none. Hidden series are left out.
[[nodiscard]] QByteArray chartCsv(const ChartSpec& chart);

} // namespace lockstep::ui
