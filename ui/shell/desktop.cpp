#include "ui/shell/desktop.h"

#include "base/clock.h"
#include "base/exit_code.h"
#include "laboratory/hand_in.h"
#include "laboratory/read_laboratory.h"
#include "language/language.h"
#include "store/run_store.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/laboratory_actions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_end.h"
#include "ui/shell/temporary_store.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/settings.h"
#include "ui/theme/theme.h"
#include "ui/theme/window_language.h"

#include <QApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

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

/// What a window shows, and where its runs are.
struct Opening {
    QString store;
    QStringList files;
    QString handIn; ///< to be read only; empty: none
    bool isPreview = false;
    std::optional<TemporaryStore> own; ///< of a hand-in or a preview: it ends with the window
};

QString valueOf(const QStringList& arguments, const QString& option)
{
    const auto place = arguments.indexOf(option);
    return place > 0 && place + 1 < arguments.size() ? arguments[place + 1] : QString();
}

/// A hand-in given first, and a preview, each have a store of their own.
Result<Opening> openingFor(const QStringList& arguments)
{
    Opening opening;
    LOCKSTEP_TRY_ASSIGN(opening.files, documentsIn(arguments));
    opening.isPreview = arguments.contains(PreviewOption);
    if (opening.isPreview && (opening.files.size() != 1 || !laboratory::isLaboratory(opening.files.front()))) {
        return failure(LS_TR("Messages", "%1: name one laboratory, a .lab file or its folder"),
            {verbatim(PreviewOption.toStdString())});
    }
    const bool isHandIn = !opening.files.empty() && laboratory::isHandIn(opening.files.front());
    if (isHandIn) {
        opening.handIn = opening.files.takeFirst();
        LOCKSTEP_TRY_ASSIGN(opening.own, TemporaryStore::ofHandIn(opening.handIn));
    } else if (opening.isPreview) {
        LOCKSTEP_TRY_ASSIGN(opening.own, TemporaryStore::make());
    }
    const QString named = valueOf(arguments, QStringLiteral("--store"));
    opening.store = opening.own ? opening.own->folder() : named.isEmpty() ? store::RunStore::defaultFolder() : named;
    return opening;
}

bool hasDisplay(int argc, char** argv)
{
    const auto isPlatform = [](std::string_view word) { return word == "-platform" || word == "--platform"; };
    return std::any_of(argv, argv + argc, isPlatform)
        || std::ranges::any_of(std::array{"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"},
            [](const char* name) { return !qEnvironmentVariableIsEmpty(name); });
}

/// In the language that the command line asks for. Needs an application.
int refuseToOpen(const Error& error)
{
    loadResources();
    QStringList arguments = QCoreApplication::arguments();
    if (const auto asked = language::takeLanguage(arguments)) {
        language::installTexts(*asked);
    }
    std::fprintf(stderr, "lockstep: %s\n", language::errorLine(error).c_str());
    return ExitBadInput;
}

int refuseWithoutDisplay(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    return refuseToOpen(failure(LS_TR("Messages",
        "there is no display for a window (DISPLAY and WAYLAND_DISPLAY are empty); lockstep --help lists what works "
        "without one")));
}

/// Takes Qt's messages while the application is made: where the display cannot be reached, Qt would end the process by
/// SIGABRT, with advice about packages that are there.
void endWithoutWindow(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    static QString cause;
    if (type == QtFatalMsg) {
        std::_Exit(refuseToOpen(
            failure(LS_TR("Messages", "Qt cannot open a window: %1; lockstep --help lists what works without one"),
                {verbatim((cause.isEmpty() ? text : cause).toStdString())})));
    }
    if (!QByteArrayView(context.category).startsWith("qt.qpa")) {
        std::fprintf(stderr, "%s\n", qPrintable(qFormatLogMessage(type, context, text)));
    } else if (cause.isEmpty()) {
        cause = text;
    }
}

} // namespace

bool isDocumentName(std::string_view word)
{
    const QString name = QString::fromUtf8(word);
    return word.ends_with(".lockstep") || word.ends_with(".run") || word.ends_with(".json") || word.ends_with(".handin")
        || laboratory::isLaboratory(name) || store::recordingOf(name) != name;
}

int runDesktop(int argc, char** argv)
{
    const std::int64_t startNs = monotonicNs();
    if (!hasDisplay(argc, argv)) {
        return refuseWithoutDisplay(argc, argv);
    }
    qInstallMessageHandler(&endWithoutWindow);
    QApplication app(argc, argv);
    qInstallMessageHandler(nullptr);
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

    const auto opening = openingFor(arguments);
    if (!opening) {
        std::fprintf(stderr, "lockstep: %s\n", language::errorLine(opening.error()).c_str());
        return ExitBadInput;
    }
    MainWindow window(opening->store);
    const SessionEnd sessionEnd;
    QObject::connect(&sessionEnd, &SessionEnd::ending, &window, &MainWindow::endSession);
    QObject::connect(&sessionEnd, &SessionEnd::saving, &window, &MainWindow::saveSession);
    window.show();
    QTimer::singleShot(0, &window, [&window, startNs, &opening] {
        if (qEnvironmentVariableIsSet("LOCKSTEP_TRACE_START")) {
            std::fprintf(stderr, "first show after %.0f ms\n", static_cast<double>(monotonicNs() - startNs) * 1e-6);
        }
        window.open();
        if (!opening->handIn.isEmpty()) {
            window.laboratories().openHandIn(opening->handIn);
        }
        for (const QString& file : opening->files) {
            if (opening->isPreview) {
                window.laboratories().openPreview(file);
            } else {
                window.documents().open(file);
            }
        }
    });
    return QApplication::exec();
}

} // namespace lockstep::ui
