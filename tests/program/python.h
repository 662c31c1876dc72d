// The Python that tests start where they need a package of Debian's: ./test installs those for the system's
// interpreter, and PATH may begin with another.
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

namespace lockstep::tests {

/// The first Python that can import the module; empty if none can.
[[nodiscard]] inline QString pythonWith(const QString& module)
{
    for (const QString& python : {QStringLiteral("/usr/bin/python3"), QStringLiteral("python3")}) {
        QProcess process;
        process.start(python, {QStringLiteral("-c"), QStringLiteral("import ") + module});
        if (process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit
            && process.exitCode() == 0) {
            return python;
        }
    }
    return {};
}

} // namespace lockstep::tests
