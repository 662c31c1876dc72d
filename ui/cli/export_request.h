// The words after `lockstep export`. Private to ui/shell.
#pragma once

#include "analysis/run_record.h"
#include "exchange/export/data_export.h"
#include "ui/cli/parameter_options.h"
#include "ui/export/render.h"
#include "ui/models/charts/chart_kind.h"

#include <QCommandLineOption>
#include <QList>

class QCommandLineParser;

namespace lockstep::ui {

/// What `lockstep export` was asked for.
struct ExportRequest {
    std::vector<analysis::RunRecord> runs;
    std::vector<const ChartKind*> charts;
    bool hasTimeline = false;
    int timelineSteps = 0; ///< 0: all
    std::vector<PaperFormat> formats; ///< of charts
    std::vector<exchange::DataFormat> dataFormats; ///< of whole runs
    exchange::Existing existing = exchange::Existing::Refuse; ///< files of dataFormats
    int traceSteps = 0; ///< of a Perfetto trace, as timelineSteps
    int panelColumns = 0; ///< all charts in one figure with this many columns; 0: one file per chart
    PaperOptions paper;
    bool marksCsv = false; ///< as UTF-8, also where it is ASCII
    bool showsSeeds = false;
    ParameterOptions parameters;
    Interfered interfered = Interfered::LeaveOut;
    QString store;
    QString out;
};

inline constexpr const char* ExportDescription
    = "Writes charts of stored runs, or the runs as data for other programs, as files.";
/// All but --help.
[[nodiscard]] QList<QCommandLineOption> exportOptions();
void addExportOptions(QCommandLineParser& parser);
/// Parsed words; finds the runs in the store.
[[nodiscard]] Result<ExportRequest> readExportRequest(const QCommandLineParser& parser);

} // namespace lockstep::ui
