#include "launch/machine/machine_facts.h"

#include "base/proc_files.h"
#include "base/process_limits.h"
#include "base/translate.h"

#include <fmt/format.h>

#include <QFile>
#include <QNetworkInterface>
#include <QProcess>
#include <QStandardPaths>
#include <QSysInfo>
#include <QThread>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

/// The value of the first line `name : value` of a file of /proc.
[[nodiscard]] QString valueIn(const QString& path, const QByteArray& name)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith(name)) {
            return QString::fromUtf8(line.mid(line.indexOf(':') + 1)).trimmed();
        }
    }
    return {};
}

void addGpus(MachineFacts& facts, const GpuSituation& situation, const GpuVerdict& verdict)
{
    for (const GpuFacts& gpu : situation.gpus) {
        facts.gpus.push_back(
            fmt::format("{}, {} MiB, driver {}", gpu.name, gpu.memoryBytes >> 20, situation.driver.version));
    }
    if (!facts.gpus.empty()) {
        return;
    }
    facts.gpuMessage = verdict.summary;
    const QString program = QStandardPaths::findExecutable(u"nvidia-smi"_s);
    if (program.isEmpty()) {
        return;
    }
    const ProgramOutput asked
        = outputOf(program, {u"--query-gpu=name,memory.total,driver_version"_s, u"--format=csv,noheader"_s}, 10000);
    if (asked.exitCode != 0) {
        return;
    }
    for (const QString& line : QString::fromStdString(asked.out).split(u'\n', Qt::SkipEmptyParts)) {
        facts.gpus.push_back(line.trimmed().toStdString());
    }
}

} // namespace

MachineFacts machineFacts(const GpuSituation& situation, const GpuVerdict& verdict)
{
    MachineFacts facts;
    facts.system = u"%1, %2 %3"_s.arg(QSysInfo::prettyProductName(), QSysInfo::kernelType(), QSysInfo::kernelVersion());
    facts.processor = valueIn(u"/proc/cpuinfo"_s, "model name");
    if (facts.processor.isEmpty()) {
        facts.processor = QSysInfo::currentCpuArchitecture();
    }
    facts.cores = QThread::idealThreadCount();
    const std::string memory = readProcFile("/proc/meminfo");
    facts.memoryBytes = bytesIn(memory, "MemTotal").value_or(0);
    facts.freeMemoryBytes = bytesIn(memory, "MemAvailable").value_or(0);
    for (const QNetworkInterface& each : QNetworkInterface::allInterfaces()) {
        if (each.flags().testFlag(QNetworkInterface::IsUp) && !each.addressEntries().isEmpty()) {
            const QString address = each.addressEntries().first().ip().toString();
            facts.interfaces.push_back((each.name() + u' ' + address).toStdString());
        }
    }
    addGpus(facts, situation, verdict);
    return facts;
}

ProgramOutput outputOf(const QString& program, const QStringList& arguments, int limitMs)
{
    QProcess process;
    process.setStandardInputFile(QProcess::nullDevice());
    process.setChildProcessModifier(restoreOpenFileLimit);
    process.start(program, arguments, QIODevice::ReadOnly);
    ProgramOutput output;
    output.hasStarted = process.waitForStarted(limitMs);
    if (!output.hasStarted) {
        output.error = verbatim(process.errorString().toStdString());
        return output;
    }
    output.hasTimedOut = !process.waitForFinished(limitMs);
    if (output.hasTimedOut) {
        process.kill();
        process.waitForFinished(1000);
        output.error = Text(LS_TR("Messages", "no answer within %1 s"), {limitMs / 1000});
        return output;
    }
    output.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : 128 + process.exitCode();
    output.out = process.readAllStandardOutput().toStdString();
    output.error = verbatim(process.readAllStandardError().trimmed().split('\n').last().toStdString());
    return output;
}

} // namespace lockstep::launch
