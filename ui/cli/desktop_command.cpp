#include "ui/cli/desktop_command.h"

#include "base/exit_code.h"
#include "cli/arguments.h"
#include "cli/verbs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSaveFile>
#include <QStandardPaths>

#include <array>
#include <string>

namespace lockstep::ui {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array DesktopOptions{
    Option{"--install", "", LS_TR("CommandLine", "adds the menu entry, the icon and the file types")},
    Option{"--remove", "", LS_TR("CommandLine", "removes them")},
    cli::HelpOption,
};

struct DesktopFile {
    const char* resource;
    const char* path; ///< below the folder of this user's shared data
};

constexpr std::array Files{
    DesktopFile{":/linux/org.lockstep.Lockstep.desktop", "applications/org.lockstep.Lockstep.desktop"},
    DesktopFile{":/linux/org.lockstep.Lockstep.xml", "mime/packages/org.lockstep.Lockstep.xml"},
    DesktopFile{":/icons/lockstep.svg", "icons/hicolor/scalable/apps/org.lockstep.Lockstep.svg"},
};

/// What the user started: the script of a Python environment stays when Python's version changes, and so does a link.
QString startedProgram()
{
    const QString first = QCoreApplication::arguments().value(0);
    return first.contains(u'/') && QFileInfo(first).isExecutable() ? QFileInfo(first).absoluteFilePath()
                                                                   : QCoreApplication::applicationFilePath();
}

/// A path as the value of Exec=: quoted, since it may have spaces; %% is a %.
QByteArray quotedForExec(const QString& path)
{
    QString quoted;
    for (const QChar each : path) {
        if (u"\"`$"_s.contains(each)) {
            quoted += u"\\\\"_s; // an escape of the quotes, itself escaped in the file
        }
        quoted += each == u'\\' ? u"\\\\\\\\"_s : each == u'%' ? u"%%"_s : QString(each);
    }
    return '"' + quoted.toUtf8() + '"';
}

QByteArray contentOf(const DesktopFile& file)
{
    QFile resource(QString::fromLatin1(file.resource));
    [[maybe_unused]] const bool isOpen = resource.open(QIODevice::ReadOnly); // it is inside this program
    return resource.readAll().replace("Exec=lockstep ", "Exec=" + quotedForExec(startedProgram()) + ' ');
}

Result<void> writeFile(const QString& path, const QByteArray& content)
{
    QSaveFile file(path);
    QDir().mkpath(QFileInfo(path).path());
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit()) {
        return failure(LS_TR("Messages", "%1: cannot be written: %2"),
            {verbatim(path.toStdString()), verbatim(file.errorString().toStdString())});
    }
    return {};
}

/// Desktops that read their folders themselves have none of these programs.
void updateCaches(const QDir& data)
{
    const std::array commands{
        std::pair(u"update-desktop-database"_s, QStringList{data.filePath(u"applications"_s)}),
        std::pair(u"update-mime-database"_s, QStringList{data.filePath(u"mime"_s)}),
    };
    for (const auto& [program, arguments] : commands) {
        if (QDir(arguments.back()).exists() && !QStandardPaths::findExecutable(program).isEmpty()) {
            QProcess process;
            process.start(program, arguments);
            process.waitForFinished();
        }
    }
}

Result<int> changeDesktop(const cli::Arguments& arguments)
{
    LOCKSTEP_TRY(cli::refuseWords("desktop", arguments.positional()));
    const bool isInstalled = arguments.has(u"--install"_s);
    if (isInstalled == arguments.has(u"--remove"_s)) {
        return refusal("desktop", LS_TR("Refusals", "needs either --install or --remove"));
    }
    const QDir data(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
    for (const DesktopFile& each : Files) {
        const QString path = data.filePath(QString::fromLatin1(each.path));
        if (isInstalled) {
            LOCKSTEP_TRY(writeFile(path, contentOf(each)));
        } else if (!QFile::exists(path)) {
            continue;
        } else if (QFile file(path); !file.remove()) {
            return failure(LS_TR("Messages", "%1 cannot be removed: %2"),
                {verbatim(path.toStdString()), verbatim(file.errorString().toStdString())});
        }
        cli::printPath(path);
    }
    updateCaches(data);
    return ExitDone;
}

} // namespace

int desktopCommand(const QStringList& arguments)
{
    return cli::withArguments("desktop", arguments, DesktopOptions,
        LS_TR("CommandLine", "lockstep desktop --install|--remove: the workbench in the menu of this user's desktop"),
        changeDesktop);
}

} // namespace lockstep::ui
