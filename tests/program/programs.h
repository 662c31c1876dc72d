// The programs of this build, and the images that tests train on.
#pragma once

#include <QDir>
#include <QString>

namespace lockstep::tests {

inline const QString Lockstep = QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/lockstep");
inline const QString RankProgram = QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/lockstep-rank");

/// Real MNIST: LOCKSTEP_MNIST, and where that is not set the folder beside the source; empty if there is none.
[[nodiscard]] inline QString mnistFolder()
{
    const QString set = qEnvironmentVariable("LOCKSTEP_MNIST");
    const QDir beside(QStringLiteral(LOCKSTEP_SOURCE_DIR "/../shared/data/mnist"));
    return set.isEmpty() && beside.exists() ? beside.absolutePath() : set;
}

} // namespace lockstep::tests
