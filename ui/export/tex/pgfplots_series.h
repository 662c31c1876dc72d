// The series of a chart as \addplot commands and the tables that they read. Private to ui/export.
#pragma once

#include "ui/export/render.h"
#include "ui/export/tex/pgfplots.h"
#include "ui/models/chart_axes.h"

namespace lockstep::ui {

/// A number as TeX reads it, whatever the locale; "nan" for what is not finite.
[[nodiscard]] QByteArray texNumber(double value);

class PgfSeries {
public:
    /// `chart` as it is on paper, whose axes end at `ranges`; both outlive this.
    PgfSeries(const ChartSpec& chart, const ChartRanges& ranges, const PaperOptions& options, const PgfPlace& place);

    /// The \definecolor of each series.
    [[nodiscard]] QByteArray colors() const;
    /// Every series, with its table.
    [[nodiscard]] QByteArray plots();
    /// An entry each, in the order of the series; then the chart's remark.
    /// In this many columns.
    [[nodiscard]] QByteArray legend(int columns) const;
    [[nodiscard]] std::vector<PaperFile> takeTables() { return std::move(m_tables); }

private:
    [[nodiscard]] static QByteArray colorOf(std::size_t number);
    [[nodiscard]] QByteArray lineStyle(std::size_t number) const;
    [[nodiscard]] QByteArray markStyle(std::size_t number, std::size_t points) const;
    [[nodiscard]] QByteArray barStyle(std::size_t number) const;
    [[nodiscard]] QByteArray curve(std::size_t number);
    [[nodiscard]] QByteArray band(std::size_t number);
    [[nodiscard]] QByteArray bars();
    [[nodiscard]] QByteArray totals() const;
    [[nodiscard]] QByteArray cells() const;
    /// Adds a table; gives its name.
    [[nodiscard]] QByteArray addTable(QByteArray rows);

    const ChartSpec& m_chart;
    const ChartRanges& m_ranges;
    const PaperOptions& m_options;
    QString m_baseName;
    std::size_t m_mostPoints; ///< of a curve
    std::vector<PaperFile> m_tables;
};

} // namespace lockstep::ui
