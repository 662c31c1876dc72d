#include "session/session.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>

namespace lockstep::session {

QString findRankProgram()
{
    const QString chosen = qEnvironmentVariable("LOCKSTEP_RANK");
    if (!chosen.isEmpty()) {
        return chosen;
    }
    const QFileInfo beside(QCoreApplication::applicationDirPath() + QStringLiteral("/lockstep-rank"));
    if (beside.isExecutable()) {
        return beside.absoluteFilePath();
    }
    return QStandardPaths::findExecutable(QStringLiteral("lockstep-rank"));
}

} // namespace lockstep::session
