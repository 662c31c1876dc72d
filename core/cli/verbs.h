// The command line: one function a verb, each in the file named after it. Exit codes: 0 done, 2 bad input with one
// line on stderr, 3 a run failed.
#pragma once

#include "base/exit_code.h"
#include "base/result.h"
#include "exchange/report/report.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <string_view>

namespace lockstep::cli {

struct CommandContext {
    std::int64_t programStartNs = 0; ///< CLOCK_MONOTONIC
    QString version;
    /// Runs `export`, which draws, unlike this room; empty in a build without charts. Gets the words after the verb.
    std::function<int(const QStringList&)> exportCharts;
    /// The same for `report`.
    std::function<int(const QStringList&)> writeReport;
    /// The same for `desktop`, whose files are among the resources of the window.
    std::function<int(const QStringList&)> changeDesktop;
    /// Draws a report without charts as PDF, for `grade`; empty in a build without charts.
    std::function<Result<QByteArray>(const report::Report&)> drawPdf;
};

/// Runs `lockstep` with these words after the program's name; there is at least one. Needs a QCoreApplication (for
/// `export` whatever exportCharts needs). Texts are in the language of `--lang`, an option of every verb, or of the
/// system.
[[nodiscard]] int runVerb(const QStringList& words, const CommandContext& context);

/// Whether `lockstep` has a verb of this name.
[[nodiscard]] bool isVerb(std::string_view word);

/// CLOCK_MONOTONIC at which this process was created (as the kernel has it, to 10 ms), for seconds_to_first_loss.
[[nodiscard]] std::int64_t processStartNs();

// One each; `words` are those after the verb.
[[nodiscard]] int runCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int runsCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int presetsCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int parametersCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int importCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int bundleCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int benchCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int resumeCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int queueCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int weightsCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int pytorchCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int launchCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int labCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int gradeCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int hostsCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int doctorCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int manCommand(const QStringList& words, const CommandContext& context);
[[nodiscard]] int completionCommand(const QStringList& words, const CommandContext& context);

/// One line on stderr: `lockstep: line`.
void report(const std::string& line);
/// The same, and ExitBadInput.
[[nodiscard]] int refuse(const Error& error);
/// To stdout, for a terminal that obeys nothing in it (analysis/plain_text.h); false when it could not be written (full
/// disk, closed pipe).
[[nodiscard]] bool print(const std::string& text);
/// Of a file that was written.
void printPath(const QString& path);
/// print() with its own line and exit code when it fails.
[[nodiscard]] int printOrFail(const std::string& text);

} // namespace lockstep::cli
