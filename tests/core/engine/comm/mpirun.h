// Whether mpirun can start anything here: some sandboxes forbid what it needs.
#pragma once

#include <QProcess>
#include <QProcessEnvironment>

namespace lockstep::tests {

inline QProcessEnvironment mpirunEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    environment.insert("PMIX_MCA_psec", "native"); // does not wait for a munge that is not running
    return environment;
}

inline bool canRunMpirun()
{
    QProcess process;
    process.setProcessEnvironment(mpirunEnvironment());
    process.start("mpirun", {"-n", "2", "--oversubscribe", "--bind-to", "none", "true"});
    return process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}

} // namespace lockstep::tests
