// The programs of this build, and the images that tests train on.
#pragma once

#include <QDir>
#include <QString>

namespace lockstep::tests {

inline const QString Lockstep = QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/lockstep");
inline const QString RankProgram = QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/lockstep-rank");

/// Real MNIST, from LOCKSTEP_MNIST or beside the source; empty where neither has it.
[[nodiscard]] inline QString mnistFolder()
{
    const QString set = qEnvironmentVariable("LOCKSTEP_MNIST");
    const QString folder = set.isEmpty() ? QStringLiteral(LOCKSTEP_SOURCE_DIR "/../shared/data/mnist") : set;
    return QDir(folder).exists("train-images-idx3-ubyte.gz") ? QDir(folder).absolutePath() : QString();
}

} // namespace lockstep::tests
