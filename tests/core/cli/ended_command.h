// The program itself, run to its end with fake ranks, as a user has it on the command line.
#pragma once

#include "program/programs.h"

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace lockstep::tests {

struct EndedCommand {
    int code = -1; ///< -1: it did not end, or by a signal
    QByteArray out;
    QByteArray error;
};

inline QProcessEnvironment commandEnvironment(const QString& store, const QString& fake)
{
    QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
    values.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8")); // the tests may run under a Chinese locale
    values.insert(QStringLiteral("LOCKSTEP_STORE"), store);
    values.insert(QStringLiteral("LOCKSTEP_RANK"), QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank"));
    values.insert(QStringLiteral("LOCKSTEP_FAKE"), fake);
    return values;
}

/// `fake`: what the ranks do.
inline EndedCommand endedCommand(const QString& store, const QStringList& words, const QString& fake)
{
    constexpr int LimitMs = 60'000;
    QProcess process;
    process.setProcessEnvironment(commandEnvironment(store, fake));
    process.start(Lockstep, words);
    if (!process.waitForFinished(LimitMs) || process.exitStatus() != QProcess::NormalExit) {
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace lockstep::tests
