#include "ui/shell/desktop.h"

#include "base/clock.h"
#include "base/exit_code.h"
#include "laboratory/hand_in.h"
#include "laboratory/read_laboratory.h"
#include "language/language.h"
#include "store/run_store.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_end.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/settings.h"
#include "ui/theme/theme.h"
#include "ui/theme/window_language.h"

#include <QApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTimer>

#include <cstdio>

// Resources of a static library are only linked when they are named, outside any namespace.
static void initResources()
{
    Q_INIT_RESOURCE(shell);
    Q_INIT_RESOURCE(translations);
}

namespace lockstep::ui {

void loadResources()
{
    initResources();
}

namespace {

/// With absolute paths. The error names one that is not there.
Result<QStringList> documentsIn(const QStringList& arguments)
{
    QStringList files;
    for (const QString& word : arguments.mid(1)) {
        if (!isDocumentName(word.toStdString())) {
            continue;
        }
        if (!QFileInfo(word).isFile() && !laboratory::isLaboratory(word)) {
            return failure(LS_TR("Messages", "there is no file %1"), {verbatim(word.toStdString())});
        }
        files += QFileInfo(word).absoluteFilePath();
    }
    return files;
}

} // namespace

bool isDocumentName(std::string_view word)
{
    const QString name = QString::fromUtf8(word);
    return word.ends_with(".lockstep") || word.ends_with(".run") || word.ends_with(".json")
        || laboratory::isLaboratory(name) || laboratory::isHandIn(name) || store::recordingOf(name) != name;
}

int runDesktop(int argc, char** argv)
{
    const std::int64_t startNs = monotonicNs();
    QApplication app(argc, argv);
    loadResources();
    QCoreApplication::setOrganizationName(QStringLiteral("Lockstep"));
    QCoreApplication::setApplicationName(QStringLiteral("lockstep"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.lockstep.Lockstep"));
    QApplication::setWindowIcon(appIcon());
    QStringList arguments = QCoreApplication::arguments();
    const bool hasLanguage = !arguments.filter(QRegularExpression(QStringLiteral("^--lang(=|$)"))).isEmpty();
    const auto given = language::takeLanguage(arguments);
    if (!given) {
        std::fprintf(stderr, "lockstep: %s\n", language::errorLine(given.error()).c_str());
        return ExitBadInput;
    }
    const Language asked = *given == language::TextLanguage::Chinese ? Language::Chinese : Language::English;
    applyLanguage(hasLanguage ? asked : settings::language.read());
    applyTheme(settings::theme.read());

    const auto store = arguments.indexOf(QStringLiteral("--store"));
    const QString folder
        = store > 0 && store + 1 < arguments.size() ? arguments[store + 1] : store::RunStore::defaultFolder();
    const auto files = documentsIn(arguments);
    if (!files) {
        std::fprintf(stderr, "lockstep: %s\n", language::errorLine(files.error()).c_str());
        return ExitBadInput;
    }
    MainWindow window(folder);
    const SessionEnd sessionEnd;
    QObject::connect(&sessionEnd, &SessionEnd::ending, &window, &MainWindow::endSession);
    QObject::connect(&sessionEnd, &SessionEnd::saving, &window, &MainWindow::saveSession);
    window.show();
    QTimer::singleShot(0, &window, [&window, startNs, files] {
        if (qEnvironmentVariableIsSet("LOCKSTEP_TRACE_START")) {
            std::fprintf(stderr, "first show after %.0f ms\n", static_cast<double>(monotonicNs() - startNs) * 1e-6);
        }
        window.open();
        for (const QString& file : *files) {
            window.documents().open(file);
        }
    });
    return QApplication::exec();
}

} // namespace lockstep::ui
