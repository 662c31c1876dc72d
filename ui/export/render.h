// A ChartSpec or another drawing on paper: PDF, SVG, PNG and EPS with exact sizes, CSV, and charts as PGFPlots. Any
// thread that may use QFont.
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
#include <variant>
#include <vector>

class QPainter;

namespace lockstep::ui {

enum class PaperFormat { Pdf, Svg, Png, Eps, Csv, Pgfplots };
inline constexpr std::array PaperFormats{
    PaperFormat::Pdf, PaperFormat::Svg, PaperFormat::Png, PaperFormat::Eps, PaperFormat::Csv, PaperFormat::Pgfplots};

[[nodiscard]] QString suffixOf(PaperFormat format); ///< "pdf"; of PGFPlots "tex"
[[nodiscard]] QString nameOf(PaperFormat format); ///< "PDF", "PGFPlots"
[[nodiscard]] bool showsPicture(PaperFormat format); ///< false: it holds numbers, to be drawn elsewhere
/// By suffix, or by name in any case.
[[nodiscard]] std::optional<PaperFormat> formatFromName(const QString& name);

/// A file of an export, with its name and suffix.
struct PaperFile {
    QString name;
    QByteArray bytes;
};

/// Fixed ends of an axis; else fitted to the data.
struct AxisEnds {
    std::optional<double> low;
    std::optional<double> high;
};

struct PaperOptions {
    double widthMm = 183.0;
    double heightMm = 110.0;
    double fontPt = 8.0;
    int dpi = 300; ///< PNG only
    enum class Colors { AsOnScreen, Vibrant, HighContrast, Grey } colors = Colors::AsOnScreen;
    enum class Markers { Sparse, None } markers = Markers::Sparse; ///< on lines, so that a grey print stays readable
    enum class RawTraces { Drawn, LeftOut } rawTraces = RawTraces::Drawn; ///< the pale lines under smoothed ones
    LegendPlace legend = LegendPlace::Above;
    AxisEnds x; ///< of charts without categories
    AxisEnds y;
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
    /// The height in mm at which it fills a paper of this width and font; null: any height.
    std::function<double(double widthMm, double fontPt)> fittingHeight;
};

/// Several charts in one figure, in rows.
struct PanelFigure {
    QString id;
    QString title;
    QString specJson;
    std::vector<ChartSpec> panels;
    int columns = 2;

    [[nodiscard]] int columnCount() const;
    [[nodiscard]] int rowCount() const;
};
/// "(a) Training loss"
[[nodiscard]] QString panelTitle(const PanelFigure& figure, std::size_t panel);
/// Of charts of the same runs.
[[nodiscard]] PanelFigure panelsOf(std::vector<ChartSpec> charts, int columns);

using Picture = std::variant<ChartSpec, Drawing, PanelFigure>;
[[nodiscard]] QString idOf(const Picture& picture); ///< as the name of its files: fileNameOf()
[[nodiscard]] QString titleOf(const Picture& picture);
[[nodiscard]] QString specOf(const Picture& picture);

/// The picture as in a PNG, at any resolution: for the preview.
[[nodiscard]] QImage renderImage(const Picture& picture, const PaperOptions& options, int dpi);

/// The first file alone: of PGFPlots the .tex without the tables that it reads. Refuses ends of axes that the chart
/// cannot have, and drawings as PGFPlots.
[[nodiscard]] Result<QByteArray> render(const Picture& picture, PaperFormat format, const PaperOptions& options);

/// Every file of an export, the one to open first; `baseName` is its name without the suffix.
[[nodiscard]] Result<std::vector<PaperFile>> renderFiles(
    const Picture& picture, PaperFormat format, const PaperOptions& options, const QString& baseName);

/// Long form: run,name,curve,x,y[,low,high] with the names and units of the axes in the first row; numbers to the last
/// digit, an empty field where there is none. Hidden series are left out.
[[nodiscard]] QByteArray chartCsv(const ChartSpec& chart);

} // namespace lockstep::ui
