// A folder in which `lockstep` is run with a program as the rank: with a separate store and settings.
#pragma once

#include "program/programs.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

namespace lockstep::tests {

/// What `lockstep run --json` left, of one run.
struct EndedRun {
    int code = -1;
    QByteArray out;
    QString error;

    [[nodiscard]] QJsonObject run() const
    {
        return QJsonDocument::fromJson(out).object()["runs"].toArray().at(0).toObject();
    }
    [[nodiscard]] QString message() const { return run()["message"].toString(); }
    [[nodiscard]] QString status() const { return run()["status"].toString(); }
    [[nodiscard]] QJsonObject summary() const { return run()["summary"].toObject(); }
    [[nodiscard]] QJsonArray values(const char* series) const
    {
        return run()["series"].toObject()[QLatin1String(series)].toObject()["value"].toArray();
    }
};

class LockstepFolder {
public:
    [[nodiscard]] QString filePath(const QString& name) const { return m_folder.filePath(name); }

    /// Returns its path; empty: it could not be written.
    [[nodiscard]] QString write(const QString& name, const QByteArray& text) const
    {
        QFile file(filePath(name));
        const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        return isWritten ? file.fileName() : QString();
    }

    [[nodiscard]] QProcessEnvironment environment() const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSTEP_STORE", filePath("store"));
        environment.insert("XDG_CONFIG_HOME", filePath("config"));
        environment.insert("PYTHONDONTWRITEBYTECODE", "1");
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.remove("LOCKSTEP_RANK");
        return environment;
    }

    /// Code -1: it did not end by itself.
    [[nodiscard]] EndedRun lockstep(const QStringList& words) const
    {
        QProcess process;
        process.setProcessEnvironment(environment());
        process.setWorkingDirectory(m_folder.path());
        process.start(Lockstep, words);
        if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit) {
            return {};
        }
        return {process.exitCode(), process.readAllStandardOutput(), QString::fromUtf8(process.readAllStandardError())};
    }

private:
    QTemporaryDir m_folder;
};

} // namespace lockstep::tests
