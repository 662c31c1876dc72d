// Which lockstep-rank a run takes: where the flavours are found, what the driver shows of GPUs, and what is refused.
#include "core/experiment/overrides.h"
#include "core/session_fixture.h"
#include "launch/ranks/packaged_ranks.h"
#include "launch/ranks/rank_program.h"
#include "program/programs.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <string>

using namespace lockstep;
using namespace Qt::StringLiterals;
using launch::GpuSigns;
using launch::RankPrograms;

namespace {

const RankPrograms Both{.cpu = u"cpu/rank"_s, .cuda = u"cuda/rank"_s};
const RankPrograms OnlyCpu{.cpu = u"cpu/rank"_s};
const RankPrograms OnlyCuda{.cuda = u"cuda/rank"_s};
const GpuSigns NoGpu{};
const GpuSigns TwoGpus{.hasGpu = true, .count = 2};
const GpuSigns SomeGpu{.hasGpu = true};

experiment::RunSpec runWith(const QString& settings)
{
    const auto spec = experiment::customise(
        {.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, withSettings({}, settings), {});
    return experiment::expand(*spec)->front();
}

/// Puts PATH and the variables that name programs back at its end.
class Environment {
public:
    Environment()
    {
        qunsetenv("LOCKSTEP_RANK");
        qunsetenv("LOCKSTEP_RANK_CUDA");
        qputenv("PATH", "/nowhere");
    }
    ~Environment()
    {
        qunsetenv("LOCKSTEP_RANK");
        qunsetenv("LOCKSTEP_RANK_CUDA");
        qputenv("PATH", m_path);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    QByteArray m_path = qgetenv("PATH");
};

/// A folder of programs that do no more than being there.
class Folder {
public:
    /// Its path as it comes out of a search, without links.
    [[nodiscard]] QString path(const QString& name) const
    {
        return QDir(QDir(m_folder.path()).canonicalPath()).filePath(name);
    }

    void add(const QString& name, const QByteArray& text = "#!/bin/sh\n", bool isProgram = true) const
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        if (isProgram) {
            QVERIFY(file.setPermissions(file.permissions() | QFile::ExeOwner));
        }
    }

    void addFolder(const QString& name) const { QVERIFY(QDir().mkpath(path(name))); }

private:
    QTemporaryDir m_folder;
};

} // namespace

class TestRankFlavours : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void flavoursAreFoundWhereTheyAreBuiltAndInstalled()
    {
        const Environment environment;
        const Folder folder;
        const QString bin = folder.path(u"build/bin"_s);
        QVERIFY(launch::findRankPrograms(bin).cpu.isEmpty());
        QVERIFY(launch::findRankPrograms(bin).cuda.isEmpty());
        folder.add(u"build/bin/lockstep-rank"_s, "text", false);
        QVERIFY2(launch::findRankPrograms(bin).cpu.isEmpty(), "no program");
        folder.add(u"build/bin/lockstep-rank"_s);
        QCOMPARE(launch::findRankPrograms(bin).cpu, folder.path(u"build/bin/lockstep-rank"_s));
        QVERIFY(launch::findRankPrograms(bin).cuda.isEmpty());
        folder.add(u"build/libexec/lockstep/lockstep-rank-cuda"_s);
        QCOMPARE(launch::findRankPrograms(bin).cuda, folder.path(u"build/libexec/lockstep/lockstep-rank-cuda"_s));
        folder.add(u"build/bin/lockstep-rank-cuda"_s);
        QCOMPARE(launch::findRankPrograms(bin).cuda, folder.path(u"build/bin/lockstep-rank-cuda"_s));
        folder.add(u"build/cuda/bin/lockstep-rank"_s);
        QCOMPARE(launch::findRankPrograms(bin).cuda, folder.path(u"build/cuda/bin/lockstep-rank"_s));
        QVERIFY(!launch::findRankPrograms(bin).isChosen);

        QVERIFY(launch::findRankPrograms(bin).areBuiltHere);
        folder.add(u"build/share/metainfo/org.lockstep.Lockstep.metainfo.xml"_s, "text", false);
        QVERIFY(!launch::findRankPrograms(bin).areBuiltHere);

        const QString elsewhere = folder.path(u"elsewhere"_s);
        qputenv("PATH", bin.toUtf8());
        QCOMPARE(launch::findRankPrograms(elsewhere).cpu, folder.path(u"build/bin/lockstep-rank"_s));
        QCOMPARE(launch::findRankPrograms(elsewhere).cuda, folder.path(u"build/bin/lockstep-rank-cuda"_s));
    }

    void variablesNameProgramsOfTheirOwn()
    {
        const Environment environment;
        const Folder folder;
        folder.add(u"bin/lockstep-rank"_s);
        folder.add(u"cuda/bin/lockstep-rank"_s);
        const QString bin = folder.path(u"bin"_s);
        qputenv("LOCKSTEP_RANK_CUDA", "/opt/rank-cuda");
        QCOMPARE(launch::findRankPrograms(bin).cpu, folder.path(u"bin/lockstep-rank"_s));
        QCOMPARE(launch::findRankPrograms(bin).cuda, u"/opt/rank-cuda"_s);
        QVERIFY(!launch::findRankPrograms(bin).isChosen);
        qputenv("LOCKSTEP_RANK", "/opt/rank");
        QCOMPARE(launch::findRankPrograms(bin).cpu, u"/opt/rank"_s);
        QCOMPARE(launch::findRankPrograms(bin).cuda, u"/opt/rank"_s);
        QVERIFY(launch::findRankPrograms(bin).isChosen);
        QCOMPARE(launch::findRankProgram(), u"/opt/rank"_s);
    }

    void whatNeedsNoGpuTakesTheCpuFlavourWhereThereIsOne()
    {
        const Environment environment;
        const Folder folder;
        folder.add(u"path/lockstep-rank-cuda"_s);
        qputenv("PATH", folder.path(u"path"_s).toUtf8());
        QCOMPARE(launch::findRankProgram(), folder.path(u"path/lockstep-rank-cuda"_s));
        folder.add(u"path/lockstep-rank"_s);
        QCOMPARE(launch::findRankProgram(), folder.path(u"path/lockstep-rank"_s));
    }

    void thePackageTakesTheRankThatFitsTorch()
    {
        struct Case {
            QByteArray torch; ///< torch/version.py; empty: none
            QString cpu;
            QString cuda;
            QByteArray problem; ///< what is said if there is no rank, and of CUDA
            QByteArray cudaProblem;
        };
        const QByteArray none = "training needs torch in this environment; run: pip install 'torch==2.15.*', with "
                                "--index-url https://download.pytorch.org/whl/cpu for the CPU only";
        const QByteArray between
            = "no rank program of this package fits torch 2.12.1, only torch 2.9, 2.11, 2.15; run: "
              "pip install 'torch==2.15.*'";
        const QByteArray old = "torch 2.6.0+cu124 is not supported: torch 2.6 and older have another C++ ABI; run: pip "
                               "install 'torch==2.15.*'";
        const std::array cases{
            Case{"", {}, {}, none, none},
            Case{"__version__ = '2.11.0+cu130'\ncuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n",
                u"2.11/lockstep-rank"_s, u"2.11/lockstep-rank-cuda13"_s, "", ""},
            Case{"__version__ = '2.11.0+cpu'\ncuda: Optional[str] = None\n", u"2.11/lockstep-rank"_s, {}, "",
                "torch 2.11.0+cpu has no CUDA; run: pip install --force-reinstall 'torch==2.11.*'"},
            Case{"__version__ = '2.11.1+cu126'\ncuda: Optional[str] = '12.6'\n", u"2.11/lockstep-rank"_s, {}, "",
                "torch 2.11.1+cu126 has CUDA 12.6, but the rank program of this package needs CUDA 13"},
            Case{"__version__ = '2.9.1+cu130'\ncuda = '13.0'\n", u"2.9/lockstep-rank"_s, {}, "",
                "this package has no rank program for CUDA with torch 2.9.1+cu130"},
            Case{"__version__ = '2.12.1'\ncuda: Optional[str] = '13.0'\n", {}, {}, between, between},
            Case{"__version__ = '2.6.0+cu124'\ncuda: Optional[str] = '12.4'\n", {}, {}, old, old},
        };
        for (const Case& each : cases) {
            const Environment environment;
            const Folder site;
            const QString bin = site.path(u"lockstep_workbench/bin"_s);
            const QString ranks = u"lockstep_workbench/ranks/"_s;
            site.add(u"lockstep_workbench/__init__.py"_s, "", false);
            for (const QString& name : {u"2.9/lockstep-rank"_s, u"2.11/lockstep-rank"_s, u"2.11/lockstep-rank-cuda13"_s,
                     u"2.15/lockstep-rank"_s}) {
                site.add(ranks + name);
            }
            if (!each.torch.isEmpty()) {
                site.add(u"torch/version.py"_s, each.torch, false);
            }
            const auto pathOf = [&](const QString& name) { return name.isEmpty() ? name : site.path(ranks + name); };
            const auto packaged = launch::packagedRanks(bin);
            QVERIFY(packaged.has_value());
            QCOMPARE(packaged->cpu, pathOf(each.cpu));
            QCOMPARE(packaged->cuda, pathOf(each.cuda));
            QCOMPARE(packaged->problem.english.c_str(), each.problem.constData());
            QCOMPARE(packaged->cudaProblem.english.c_str(), each.cudaProblem.constData());
            const RankPrograms programs = launch::findRankPrograms(bin);
            QCOMPARE(programs.cpu, pathOf(each.cpu));
            QCOMPARE(programs.cuda, pathOf(each.cuda));
            if (each.cuda.isEmpty() && !each.cpu.isEmpty()) {
                const auto refused = launch::chooseRankProgram(runWith(u"device=cuda"_s), programs, SomeGpu);
                QVERIFY(!refused);
                QVERIFY2(refused.error().text().find(each.cudaProblem.toStdString()) != std::string::npos,
                    refused.error().text().c_str());
            }
        }
    }

    void aPackageWithoutRanksSaysSo()
    {
        const Environment environment;
        const Folder site;
        site.add(u"lockstep_workbench/bin/lockstep"_s);
        QVERIFY2(!launch::packagedRanks(site.path(u"lockstep_workbench/bin"_s)), "not a Python package");
        site.add(u"lockstep_workbench/__init__.py"_s, "", false);
        const auto packaged = launch::packagedRanks(site.path(u"lockstep_workbench/bin"_s));
        QVERIFY(packaged.has_value());
        QCOMPARE(packaged->problem.english.c_str(),
            "this package has no rank programs, so it cannot train: set LOCKSTEP_RANK");
        QVERIFY(launch::findRankPrograms(site.path(u"lockstep_workbench/bin"_s)).cpu.isEmpty());
    }

    void gpusAreSeenByWhatTheDriverShows()
    {
        const auto signsOf = [](const QStringList& folders, const QStringList& files) {
            const Folder root;
            for (const QString& each : folders) {
                root.addFolder(each);
            }
            for (const QString& each : files) {
                root.add(each, "", false);
            }
            return launch::lookForGpus(root.path(u"."_s));
        };
        QVERIFY(!signsOf({}, {}).hasGpu);
        // The driver is loaded, and has found nothing.
        QVERIFY(!signsOf({u"proc/driver/nvidia/gpus"_s}, {u"dev/nvidiactl"_s, u"dev/nvidia-uvm"_s}).hasGpu);
        const QStringList two{u"proc/driver/nvidia/gpus/0000:01:00.0"_s, u"proc/driver/nvidia/gpus/0000:02:00.0"_s};
        QVERIFY(signsOf(two, {}).hasGpu);
        QCOMPARE(signsOf(two, {}).count, std::optional(2));
        QCOMPARE(signsOf(two, {u"dev/nvidia1"_s}).count, std::optional(2));
        QCOMPARE(signsOf({}, {u"dev/nvidia0"_s, u"dev/nvidia1"_s, u"dev/nvidia10"_s}).count, std::optional(3));
        QVERIFY(signsOf({}, {u"dev/dxg"_s}).hasGpu);
        QVERIFY(!signsOf({}, {u"dev/dxg"_s}).count);
        QVERIFY(signsOf(two + QStringList{u"proc/driver/nvidia/capabilities/gpu0/mig/gi1"_s}, {}).hasGpu);
        QVERIFY(!signsOf(two + QStringList{u"proc/driver/nvidia/capabilities/gpu0/mig/gi1"_s}, {}).count);
    }

    void theFlavourOfARun_data()
    {
        QTest::addColumn<RankPrograms>("programs");
        QTest::addColumn<GpuSigns>("signs");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("reason");
        const QString data = u"strategy.name=data "_s;
        const QString cpu = u"cpu/rank"_s;
        const QString cuda = u"cuda/rank"_s;
        QTest::addRow("auto, no GPU") << Both << NoGpu << "" << cpu << "No GPU found: running on the CPU";
        QTest::addRow("auto, GPU") << Both << TwoGpus << "" << cuda << "GPU found: using the CUDA flavour";
        QTest::addRow("auto, not built")
            << OnlyCpu << TwoGpus << "" << cpu
            << "Running on the CPU: a GPU was found, but no CUDA flavour of lockstep-rank (./run --cuda builds it)";
        QTest::addRow("auto, only CUDA") << OnlyCuda << NoGpu << "" << cuda
                                         << "Using the CUDA flavour, the only one installed";
        QTest::addRow("cpu") << Both << TwoGpus << "device=cpu" << cpu << "Running on the CPU: device is cpu";
        QTest::addRow("cpu, only CUDA") << OnlyCuda << TwoGpus << "device=cpu" << cuda
                                        << "Using the CUDA flavour, the only one installed";
        QTest::addRow("a GPU") << Both << TwoGpus << "device=cuda:1" << cuda
                               << "Using the CUDA flavour: device is cuda:1";
        QTest::addRow("the first GPU") << Both << TwoGpus << "device=cuda" << cuda
                                       << "Using the CUDA flavour: device is cuda";
        QTest::addRow("not counted") << Both << SomeGpu << "device=cuda:7" << cuda
                                     << "Using the CUDA flavour: device is cuda:7";
        QTest::addRow("by hand") << Both << TwoGpus << data + "device.gpus=0,1" << cuda
                                 << "Using the CUDA flavour: device.gpus is 0,1";
        QTest::addRow("nccl") << Both << TwoGpus << data + "comm.backend=nccl" << cuda
                              << "Using the CUDA flavour: comm.backend is nccl";
        QTest::addRow("mpi") << Both << TwoGpus << data + "comm.backend=mpi" << cpu
                             << "Running on the CPU: comm.backend mpi carries host memory only";
        QTest::addRow("none at all") << RankPrograms{} << NoGpu << "device=cpu"
                                     << ""
                                     << "";
        const RankPrograms chosen{.cpu = u"any"_s, .cuda = u"any"_s, .isChosen = true};
        QTest::addRow("chosen") << chosen << NoGpu << "device=cuda:0"
                                << "any"
                                << "the lockstep-rank that LOCKSTEP_RANK names";
    }

    void theFlavourOfARun()
    {
        QFETCH(RankPrograms, programs);
        QFETCH(GpuSigns, signs);
        QFETCH(QString, settings);
        QFETCH(QString, program);
        QFETCH(QString, reason);
        const auto choice = launch::chooseRankProgram(runWith(settings), programs, signs);
        QVERIFY2(choice.isOk(), choice ? "" : choice.error().message.c_str());
        QCOMPARE(choice->program, program);
        QCOMPARE(QString::fromStdString(choice->reason), reason);
    }

    void theProcessorOfARunIsExpected_data()
    {
        using analysis::Processor;
        QTest::addColumn<RankPrograms>("programs");
        QTest::addColumn<GpuSigns>("signs");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<Processor>("processor");
        const QString data = u"strategy.name=data "_s;
        QTest::addRow("cpu") << Both << TwoGpus << "device=cpu" << Processor::Cpu;
        QTest::addRow("auto, no GPU") << Both << NoGpu << "" << Processor::Cpu;
        QTest::addRow("auto, a GPU") << Both << TwoGpus << "" << Processor::Gpu;
        QTest::addRow("auto, GPUs by hand") << Both << TwoGpus << data + "device.gpus=1,0" << Processor::Gpu;
        QTest::addRow("auto, the CPU flavour alone") << OnlyCpu << SomeGpu << "" << Processor::Cpu;
        QTest::addRow("auto, the CUDA flavour alone") << OnlyCuda << SomeGpu << "" << Processor::Gpu;
        QTest::addRow("auto, the CUDA flavour alone, no GPU") << OnlyCuda << NoGpu << "" << Processor::Cpu;
        QTest::addRow("auto, over mpi") << Both << TwoGpus << data + "comm.backend=mpi" << Processor::Cpu;
        QTest::addRow("cuda") << Both << TwoGpus << "device=cuda:1" << Processor::Gpu;
        QTest::addRow("no program") << RankPrograms{} << TwoGpus << "" << Processor::Unknown;
        const RankPrograms chosen{.cpu = u"any"_s, .cuda = u"any"_s, .isChosen = true};
        QTest::addRow("any program") << chosen << TwoGpus << "" << Processor::Unknown;
        QTest::addRow("any program, no GPU") << chosen << NoGpu << "" << Processor::Cpu;
        QTest::addRow("a GPU that is not there") << Both << TwoGpus << data + "device.gpus=7" << Processor::Unknown;
    }

    void theProcessorOfARunIsExpected()
    {
        QFETCH(RankPrograms, programs);
        QFETCH(GpuSigns, signs);
        QFETCH(QString, settings);
        const launch::ExpectedProcessors expected(programs, signs);
        QTEST(expected.of(runWith(settings)), "processor");
    }

    void whatIsMissingIsSaid_data()
    {
        QTest::addColumn<RankPrograms>("programs");
        QTest::addColumn<GpuSigns>("signs");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("message");
        const QString data = u"strategy.name=data "_s;
        const QString noGpu
            = u"needs an NVIDIA GPU, but none was found (no /proc/driver/nvidia/gpus, /dev/nvidia0 or /dev/dxg)"_s;
        const QString notBuilt
            = u"the CUDA flavour of lockstep-rank, which is not installed (./run --cuda builds it)"_s;
        QTest::addRow("no GPU") << Both << NoGpu << "device=cuda:0"
                                << "device: cuda:0 " + noGpu + "; use auto or cpu";
        QTest::addRow("neither") << OnlyCpu << NoGpu << "device=cuda:0"
                                 << "device: cuda:0 " + noGpu + ", and " + notBuilt + "; use auto or cpu";
        QTest::addRow("not built") << OnlyCpu << TwoGpus << "device=cuda:0"
                                   << "device: cuda:0 needs " + notBuilt + "; use auto or cpu";
        QTest::addRow("too high") << Both << TwoGpus << "device=cuda:2"
                                  << "device: cuda:2 does not exist: this machine has cuda:0, cuda:1; use auto or cpu";
        QTest::addRow("by hand, no GPU") << Both << NoGpu << data + "device.gpus=0,1"
                                         << "device.gpus: 0,1 " + noGpu + "; leave it empty, or use device cpu";
        QTest::addRow("by hand, too high")
            << Both << GpuSigns{.hasGpu = true, .count = 1} << data + "device.gpus=0,1"
            << "device.gpus: 0,1 does not exist: this machine has cuda:0; leave it empty, or use device cpu";
        QTest::addRow("nccl") << Both << NoGpu << data + "comm.backend=nccl"
                              << "comm.backend: nccl " + noGpu + "; use auto, shm, gloo or mpi";
    }

    void whatIsMissingIsSaid()
    {
        QFETCH(RankPrograms, programs);
        QFETCH(GpuSigns, signs);
        QFETCH(QString, settings);
        QFETCH(QString, message);
        const auto choice = launch::chooseRankProgram(runWith(settings), programs, signs);
        QVERIFY(!choice.isOk());
        QCOMPARE(QString::fromStdString(choice.error().message), message);
    }

    void programsThatAreNotThereAreNamed()
    {
        const Environment environment;
        const Folder folder;
        folder.add(u"rank"_s);
        const auto run = runWith({});
        const auto said = [&run] {
            const auto checked = launch::checkProgramsAreThere(std::span(&run, 1));
            return checked ? std::string() : checked.error().text();
        };
        QVERIFY(said().starts_with("there is no lockstep-rank "));
        QVERIFY(launch::checkRankPrograms(std::span(&run, 1)).isOk()); // a form is of use without it
        qputenv("LOCKSTEP_RANK", folder.path(u"rank"_s).toUtf8());
        QCOMPARE(said(), std::string());
        qputenv("LOCKSTEP_RANK", folder.path(u"gone"_s).toUtf8());
        QVERIFY(said().starts_with("LOCKSTEP_RANK: " + folder.path(u"gone"_s).toStdString() + " is not a program "));
        QVERIFY(launch::checkProgramsAreThere(std::span(&run, 1), folder.path(u"rank"_s)).isOk()); // not looked for
    }

    void mpiIsRefusedWhereItIsMissing()
    {
        const Environment environment;
        const Folder folder;
        const QString rank = folder.path(u"rank"_s);
        const auto run = runWith(u"strategy.name=data world_size=2 comm.backend=mpi"_s);
        const auto messageOf = [&run](const QString& program) {
            qputenv("LOCKSTEP_RANK", program.toUtf8());
            const auto checked = launch::checkRankPrograms(std::span(&run, 1));
            const auto started = launch::programOf(run, program);
            // Both the form and the start of a run ask.
            return checked.isOk() == started.isOk() ? QString::fromStdString(checked ? "" : checked.error().message)
                                                    : u"they differ"_s;
        };
        const QByteArray program("\177ELF");
        folder.add(u"rank"_s, program + QByteArray(9000, '.') + "MPI_Init_thread" + '\0');
        QCOMPARE(messageOf(rank),
            u"comm.backend: mpi needs Open MPI's mpirun, which is not in PATH; run: sudo apt-get install openmpi-bin; "
            "or use auto, shm or gloo"_s);
        folder.add(u"path/mpirun"_s);
        qputenv("PATH", folder.path(u"path"_s).toUtf8());
        QCOMPARE(messageOf(rank), QString());
        folder.add(u"other"_s, program + QByteArray(9000, '.'));
        const QString other = folder.path(u"other"_s);
        QVERIFY2(messageOf(other).startsWith(u"comm.backend: mpi, but lockstep-rank was built without MPI; run: "_s),
            qPrintable(messageOf(other)));
        folder.add(u"script"_s);
        QCOMPARE(messageOf(folder.path(u"script"_s)), QString()); // it may start any program
        qputenv("LOCKSTEP_RANK", other.toUtf8());
        const auto alone = runWith(u"comm.backend=mpi"_s); // a single process needs no mpirun
        QVERIFY(launch::checkRankPrograms(std::span(&alone, 1)).isOk());
    }

    void aRunSaysWhichFlavourItHas()
    {
        const Environment environment;
        const Folder folder;
        folder.add(u"lockstep-rank"_s, "#!/bin/sh\nexec " + tests::fakeRankProgram().toUtf8() + " \"$@\"\n");
        qputenv("PATH", folder.path(u"."_s).toUtf8());
        qputenv("LOCKSTEP_FAKE", "steps=5");
        const QTemporaryDir store;
        launch::SessionOptions options;
        options.storeFolder = store.path();
        launch::Session session(options);
        experiment::RunSpec onGpu = tests::fakeSpec();
        onGpu.settings["device"] = std::string("cuda:63");
        const auto ids = session.start({tests::fakeSpec(), onGpu});
        QTRY_VERIFY(!session.isBusy());
        QCOMPARE(session.record(ids[0]).status, analysis::RunStatus::Finished);
        QStringList told;
        const auto opened = store::RunStore::open(store.path());
        const auto replayed = (*opened)->replay(ids[0], [&told](const store::Delta& delta) {
            told += tests::logLines(delta);
            return true;
        });
        QVERIFY(replayed.isOk() && !told.isEmpty());
        QVERIFY2(told.front().contains("running on the CPU", Qt::CaseInsensitive), qPrintable(told.front()));
        QVERIFY2(told.front().contains(folder.path(u"lockstep-rank"_s)), qPrintable(told.front()));
        // The other one has no GPU or no CUDA flavour to go with it.
        QCOMPARE(session.record(ids[1]).status, analysis::RunStatus::Failed);
        QVERIFY(session.isRefused(ids[1]));
        QVERIFY(session.record(ids[1]).message.starts_with("device: cuda:63 "));
    }

    void theCommandLineRefusesBeforeAnythingStarts()
    {
        QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
        const QTemporaryDir store;
        values.remove(u"LOCKSTEP_RANK"_s);
        values.insert(u"LOCKSTEP_STORE"_s, store.path());
        const auto lockstep = [&values](const QStringList& words) {
            auto process = std::make_unique<QProcess>();
            process->setProcessEnvironment(values);
            process->start(lockstep::tests::Lockstep, words);
            return process->waitForFinished(60'000) ? std::move(process) : nullptr;
        };
        for (const char* verb : {"run aggregation", "run optimizers", "bench collectives"}) {
            const auto ended = lockstep(QString::fromLatin1(verb).split(u' ') + QStringList{"--set", "device=cuda:63"});
            QVERIFY(ended != nullptr);
            QCOMPARE(ended->exitCode(), 2);
            const QByteArray line = ended->readAllStandardError();
            QVERIFY2(
                line.startsWith("lockstep: device: cuda:63 ") && line.count('\n') == 1 && !line.contains("variant"),
                line.constData());
            QVERIFY(ended->readAllStandardOutput().isEmpty());
        }
        values.insert(u"PATH"_s, u"/nowhere"_s); // without mpirun
        const auto mpi = lockstep({"run", "aggregation", "--set", "comm.backend=mpi"});
        QVERIFY(mpi != nullptr);
        QCOMPARE(mpi->exitCode(), 2);
        const QByteArray mpiLine = mpi->readAllStandardError();
        QVERIFY2(
            mpiLine.startsWith("lockstep: comm.backend: mpi needs ") && mpiLine.count('\n') == 1, mpiLine.constData());
        const auto runs = lockstep({"runs", "--json"});
        QVERIFY(runs != nullptr);
        const auto stored = QJsonDocument::fromJson(runs->readAllStandardOutput()).object();
        QVERIFY2(stored.contains(u"runs"_s) && stored[u"runs"_s].toArray().isEmpty(), "a run was stored");
    }
};

LOCKSTEP_TEST(TestRankFlavours)
#include "test_rank_flavours.moc"
