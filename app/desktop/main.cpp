// lockstep: without a verb the desktop, with one the command line. Only `export` and the desktop pay for Qt Gui.
#include "session/commands/verbs.h"

#if __has_include("ui/shell/desktop.h")
#include "ui/shell/desktop.h"
#define LOCKSTEP_HAS_WINDOW 1
#endif
#if __has_include("ui/export/export_command.h")
#include "ui/export/export_command.h"
#define LOCKSTEP_HAS_CHARTS 1
#endif

#include <QCoreApplication>

#include <memory>
#include <string_view>

#if defined(LOCKSTEP_HAS_CHARTS)
#include <QApplication>
#endif

namespace {

/// The first word is a verb, or a question about the program; options of the desktop begin with `--`.
bool isCommandLine(int argc, char** argv)
{
    if (argc < 2) {
        return false;
    }
    const std::string_view word = argv[1];
    return !word.starts_with("-") || word == "--help" || word == "-h" || word == "--version";
}

/// Charts need Qt Gui, but no display.
std::unique_ptr<QCoreApplication> makeApplication(int& argc, char** argv)
{
#if defined(LOCKSTEP_HAS_CHARTS)
    if (std::string_view(argv[1]) == "export") {
        if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
            && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
            qputenv("QT_QPA_PLATFORM", "offscreen");
        }
        return std::make_unique<QApplication>(argc, argv);
    }
#endif
    return std::make_unique<QCoreApplication>(argc, argv);
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication::setOrganizationName(QStringLiteral("Lockstep"));
    QCoreApplication::setApplicationName(QStringLiteral("lockstep"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKSTEP_VERSION));
    if (!isCommandLine(argc, argv)) {
#if defined(LOCKSTEP_HAS_WINDOW)
        return lockstep::ui::runDesktop(argc, argv);
#else
        return lockstep::session::refuse("this build has no window; lockstep --help lists the verbs");
#endif
    }
    const auto application = makeApplication(argc, argv);
    lockstep::session::CommandContext context;
    context.programStartNs = lockstep::session::processStartNs();
    context.version = QStringLiteral(LOCKSTEP_VERSION);
#if defined(LOCKSTEP_HAS_CHARTS)
    context.exportCharts = [](const QStringList& words) { return lockstep::ui::exportCommand(words); };
#endif
    return lockstep::session::runVerb(QCoreApplication::arguments().mid(1), context);
}
