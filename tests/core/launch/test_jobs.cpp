// What `lockstep launch` writes: the files for each launcher, what they start, and where the secret is.
#include "launch/jobs/job_files.h"
#include "program/python.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::launch;
using namespace Qt::StringLiterals;

namespace {

const QString Secret(64, u'5');

/// In the folder of the manifests. (A raw string within the class would end it for moc.)
constexpr const char* YamlChecks = R"(
import yaml
compose = yaml.safe_load(open('compose.yaml'))
assert sorted(compose['services']) == ['rank0', 'rank1', 'rank2', 'rank3'], compose
for number in range(4):
    service = compose['services'][f'rank{number}']
    assert service['entrypoint'] == ['sh', '/job/rank.sh', str(number), 'rank0'], service
    assert service['image'] and service['secrets'] == ['lockstep'], service
    assert list(service['environment']) == ['LOCKSTEP_SECRET_FILE'], service
assert compose['secrets'] == {'lockstep': {'file': './secret'}}
parts = {part['kind']: part for part in yaml.safe_load_all(open('job.yaml'))}
assert sorted(parts) == ['ConfigMap', 'Job', 'PersistentVolumeClaim', 'Service'], parts.keys()
job = parts['Job']['spec']
assert job['completions'] == job['parallelism'] == 4 and job['completionMode'] == 'Indexed'
pod = job['template']['spec']
assert pod['subdomain'] == parts['Service']['metadata']['name'] and parts['Service']['spec']['clusterIP'] == 'None'
assert parts['Service']['spec']['selector'] == job['template']['metadata']['labels']
data = parts['ConfigMap']['data']
assert data['02-it-s.json'] == '{"a": "it\'s"}\n' and data['rank.sh'].startswith('#!/bin/sh\n')
for mount in pod['containers'][0]['volumeMounts']:
    assert mount['name'] != 'job' or mount['subPath'] in data, mount
volumes = {volume['name']: volume for volume in pod['volumes']}
assert volumes['secret']['secret'] == {'secretName': 'lockstep-mine', 'defaultMode': 0o400}, volumes
assert volumes['job']['configMap']['name'] == parts['ConfigMap']['metadata']['name']
assert volumes['records']['persistentVolumeClaim']['claimName'] == parts['PersistentVolumeClaim']['metadata']['name']
secret = yaml.safe_load(open('secret.yaml'))
assert secret['kind'] == 'Secret' and len(secret['stringData']['secret']) == 64
)";

Job job(const std::vector<rendezvous::Host>& hosts = {})
{
    return {.name = "mine",
        .runs = {{"runs/01-alone.json", "records/01-alone", 1, 2, "{}\n"},
            {"runs/02-it-s.json", "records/02-it-s", 4, 1, "{\"a\": \"it's\"}\n"}},
        .hosts = hosts,
        .secret = Secret.toStdString()};
}

QString textOf(const std::vector<JobFile>& files, const std::string& path)
{
    for (const JobFile& file : files) {
        if (file.path == path) {
            return QString::fromStdString(file.text);
        }
    }
    return {};
}

/// Writes the files and stand-ins for the launchers, which print what they are asked to start.
void writeInto(const QTemporaryDir& folder, const std::vector<JobFile>& files)
{
    const auto write = [&folder](const QString& path, const QByteArray& text) {
        QDir(folder.path()).mkpath(QFileInfo(path).path());
        QFile file(folder.filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    for (const JobFile& file : files) {
        write(QString::fromStdString(file.path), QByteArray::fromStdString(file.text));
    }
    for (const char* launcher : {"srun", "mpirun", "torchrun", "lockstep-rank"}) {
        write(u"bin/"_s + launcher,
            "#!/bin/sh\necho \"$(basename \"$0\") $* threads=$OMP_NUM_THREADS master=$MASTER_ADDR:$MASTER_PORT\"\n"
            "[ -r \"$LOCKSTEP_SECRET_FILE\" ] || echo no secret\ncase \"$*\" in *alone*) exit 3;; esac\n");
    }
}

struct EndedJob {
    int code = -1;
    QStringList lines;
};

EndedJob runScript(const QTemporaryDir& folder, const QStringList& words)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, folder.filePath(u"bin"_s) + u':' + environment.value(u"PATH"_s));
    for (const char* name : {"MASTER_ADDR", "MASTER_PORT", "OMP_NUM_THREADS", "LOCKSTEP_RANK", "LOCKSTEP_SECRET_FILE",
             "LOCKSTEP_RECORDS"}) {
        environment.remove(QString::fromLatin1(name));
    }
    environment.insert(u"SLURM_SUBMIT_DIR"_s, folder.path());
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(QDir::rootPath());
    process.start(u"sh"_s, words);
    if (!process.waitForFinished(60'000)) {
        return {};
    }
    return {process.exitCode(),
        QString::fromUtf8(process.readAllStandardOutput() + process.readAllStandardError())
            .split(u'\n', Qt::SkipEmptyParts)};
}

} // namespace

class TestJobs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    /// The scripts run here with stand-ins for the launchers; a run that fails does not stop those after it.
    void scriptsStartEveryRun_data()
    {
        QTest::addColumn<QString>("launcher");
        QTest::addColumn<QString>("script");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<bool>("onHosts");
        QTest::addColumn<QStringList>("lines");
        QTest::newRow("sbatch") << "sbatch"
                                << "job.sbatch" << QStringList() << false
                                << QStringList{
                                       "srun --ntasks=1 --cpus-per-task=2 env OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2 "
                                       "lockstep-rank --spec runs/01-alone.json --record records/01-alone threads= "
                                       "master=:",
                                       "srun --ntasks=4 --cpus-per-task=1 env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "
                                       "lockstep-rank --spec runs/02-it-s.json --record records/02-it-s threads= "
                                       "master=:"};
        const QString exported = "-x LOCKSTEP_SECRET_FILE -x OMP_NUM_THREADS -x OPENBLAS_NUM_THREADS lockstep-rank";
        QTest::newRow("mpirun") << "mpirun"
                                << "job.sh" << QStringList() << false
                                << QStringList{"mpirun -n 1 --oversubscribe --bind-to none " + exported
                                           + " --spec runs/01-alone.json --record records/01-alone threads=2 master=:",
                                       "mpirun -n 4 --oversubscribe --bind-to none " + exported
                                           + " --spec runs/02-it-s.json --record records/02-it-s threads=1 master=:"};
        const QString exportedFar = "-x LOCKSTEP_SECRET_FILE -x MASTER_ADDR -x MASTER_PORT -x OMP_NUM_THREADS "
                                    "-x OPENBLAS_NUM_THREADS lockstep-rank";
        QTest::newRow("mpirun on hosts")
            << "mpirun"
            << "job.sh" << QStringList() << true
            << QStringList{"mpirun -n 1 --hostfile hosts --oversubscribe --bind-to none " + exportedFar
                       + " --spec runs/01-alone.json --record records/01-alone threads=2 master=n1:29500",
                   "mpirun -n 4 --hostfile hosts --oversubscribe --bind-to none " + exportedFar
                       + " --spec runs/02-it-s.json --record records/02-it-s threads=1 master=n1:29501"};
        QTest::newRow("torchrun") << "torchrun"
                                  << "job.sh" << QStringList() << false
                                  << QStringList{"torchrun --standalone --nnodes=1 --nproc-per-node=1 --no-python "
                                                 "lockstep-rank --spec runs/01-alone.json --record records/01-alone "
                                                 "threads=2 master=:",
                                         "torchrun --standalone --nnodes=1 --nproc-per-node=4 --no-python "
                                         "lockstep-rank --spec runs/02-it-s.json --record records/02-it-s "
                                         "threads=1 master=:"};
        const QString rank = "lockstep-rank --spec runs/02-it-s.json --record records/02-it-s --rank %1 --world-size 4 "
                             "--init-method tcp://rank0:29501 threads=1 master=:";
        QTest::newRow("rank 0") << "compose"
                                << "rank.sh" << QStringList{"0", "rank0"} << false
                                << QStringList{"lockstep-rank --spec runs/01-alone.json --record records/01-alone "
                                               "--rank 0 --world-size 1 --init-method tcp://rank0:29500 threads=2 "
                                               "master=:",
                                       rank.arg(0)};
        QTest::newRow("rank 3") << "compose"
                                << "rank.sh" << QStringList{"3", "rank0"} << false << QStringList{rank.arg(3)};
    }
    void scriptsStartEveryRun()
    {
        QFETCH(QString, launcher);
        QFETCH(QString, script);
        QFETCH(QStringList, words);
        QFETCH(bool, onHosts);
        QFETCH(QStringList, lines);
        const auto files
            = jobWriterOf(launcher.toStdString())->write(onHosts ? job({{"n1", 2, ""}, {"ada@n2", 2, ""}}) : job());
        QVERIFY(files);
        const QTemporaryDir folder;
        writeInto(folder, *files);
        const EndedJob ended = runScript(folder, QStringList{folder.filePath(script)} + words);
        QCOMPARE(ended.lines, lines);
        QCOMPARE(ended.code, words.value(0) == u"3" ? 0 : 3);
        if (onHosts) {
            QCOMPARE(textOf(*files, "hosts"), u"n1 slots=2\nada@n2 slots=2\n"_s);
        }
    }

    void batchScriptsAskForWhatTheLargestRunNeeds()
    {
        const auto files = writeSbatch(job({{"n1", 2, ""}, {"n2", 2, ""}}));
        const QString text = textOf(*files, "job.sbatch");
        for (const char* line : {"#SBATCH --job-name=lockstep-mine\n", "#SBATCH --ntasks=4\n",
                 "#SBATCH --cpus-per-task=2\n", "#SBATCH --nodelist=n1,n2\n"}) {
            QVERIFY2(text.contains(QString::fromLatin1(line)), line);
        }
        QVERIFY(text.indexOf(u"#SBATCH --output"_s) < text.indexOf(u"set -u"_s)); // sbatch reads no options after it
    }

    void tooFewSlotsAreRefused()
    {
        const std::vector<rendezvous::Host> hosts{{"n1", 2, ""}, {"n2", 1, ""}, {"n3", 1, ""}};
        QVERIFY(writeMpirun(job(hosts)));
        QCOMPARE(QString::fromStdString(writeTorchrun(job(hosts)).error().message),
            u"torchrun starts the same number of ranks on each host: 1 ranks are not a multiple of 3 hosts "
            "(runs/01-alone.json)"_s);
        const std::vector<rendezvous::Host> few{{"n1", 2, ""}};
        for (const auto& write : {writeMpirun, writeSbatch}) {
            QCOMPARE(QString::fromStdString(write(job(few)).error().message),
                u"the run needs 4 ranks, and the hosts have 2 slots"_s);
        }
    }

    /// It is in files that only their owner reads, and in no command line, environment or other file.
    void theSecretIsOnlyInSecretFiles()
    {
        QCOMPARE(jobWriters().size(), std::size_t{5});
        for (const JobWriter& writer : jobWriters()) {
            const auto files = writer.write(job());
            QVERIFY(files);
            int secrets = 0;
            for (const JobFile& file : *files) {
                const bool hasIt = file.text.find(Secret.toStdString()) != std::string::npos;
                QCOMPARE(hasIt, file.kind == JobFile::Kind::Secret);
                secrets += hasIt ? 1 : 0;
            }
            QVERIFY2(secrets >= 1, writer.name.data());
        }
    }

    /// Read with Python's YAML reader, where it is installed.
    void manifestsAreYaml()
    {
        const QString program = lockstep::tests::pythonWith(u"yaml"_s);
        if (program.isEmpty()) {
            QSKIP("python3-yaml is not installed");
        }
        const QTemporaryDir folder;
        const auto compose = writeCompose(job());
        const auto kubernetes = writeKubernetes(job());
        writeInto(folder, *compose);
        writeInto(folder, *kubernetes);
        QProcess python;
        python.setWorkingDirectory(folder.path());
        python.start(program, {u"-c"_s, QString::fromLatin1(YamlChecks)});
        QVERIFY(python.waitForFinished(60'000));
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    }
};

LOCKSTEP_TEST(TestJobs)
#include "test_jobs.moc"
