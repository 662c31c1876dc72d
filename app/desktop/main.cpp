// lockstep: without a verb, or with files to open, the desktop; with a verb the command line. Only `export`, `report`,
// `grade` and the desktop load Qt Gui.
#include "app/commit.h"
#include "base/private_files.h"
#include "base/process_limits.h"
#include "cli/verbs.h"
#include "ui/cli/desktop_command.h"
#include "ui/cli/export_command.h"
#include "ui/cli/report_command.h"
#include "ui/shell/desktop.h"

#include <QApplication>

#include <memory>
#include <string_view>

namespace {

/// Without `--lang`, which may stand before a verb; empty if there is none.
std::string_view firstWord(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--lang") {
            ++i;
        } else if (!word.starts_with("--lang=")) {
            return word;
        }
    }
    return {};
}

/// The first word is a verb, even where a laboratory's folder has its name, or a question about the program; options of
/// the desktop begin with `--`, and other words are files.
bool isCommandLine(int argc, char** argv)
{
    const std::string_view word = firstWord(argc, argv);
    return !word.empty() && (lockstep::cli::isVerb(word) || !lockstep::ui::isDocumentName(word))
        && (!word.starts_with("-") || word == "--help" || word == "-h" || word == "--version");
}

/// Charts need Qt Gui, but no display: one that cannot be reached must not stop them.
std::unique_ptr<QCoreApplication> makeApplication(int& argc, char** argv)
{
    const std::string_view verb = firstWord(argc, argv);
    if (verb != "export" && verb != "report" && verb != "grade") {
        return std::make_unique<QCoreApplication>(argc, argv);
    }
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    return std::make_unique<QApplication>(argc, argv);
}

} // namespace

int main(int argc, char** argv)
{
    lockstep::beginProcess();
    lockstep::raiseOpenFileLimit();
    QCoreApplication::setOrganizationName(QStringLiteral("Lockstep"));
    QCoreApplication::setApplicationName(QStringLiteral("lockstep"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKSTEP_VERSION));
    if (!isCommandLine(argc, argv)) {
        return lockstep::ui::runDesktop(argc, argv);
    }
    const auto application = makeApplication(argc, argv);
    lockstep::ui::loadResources(); // the translations
    lockstep::cli::CommandContext context;
    context.programStartNs = lockstep::cli::processStartNs();
    context.version = QStringLiteral(LOCKSTEP_VERSION " (%1)").arg(QLatin1StringView(lockstep::builtFrom()));
    context.exportCharts = [](const QStringList& words) { return lockstep::ui::exportCommand(words); };
    context.changeDesktop = [](const QStringList& words) { return lockstep::ui::desktopCommand(words); };
    context.writeReport = [](const QStringList& words) { return lockstep::ui::reportCommand(words); };
    context.drawPdf = [](const lockstep::report::Report& report) { return lockstep::ui::pdfOf(report); };
    return lockstep::cli::runVerb(QCoreApplication::arguments().mid(1), context);
}
