// The bundle for a report of a fault: what it has, and that it names neither users nor hosts nor their folders.
#include "exchange/bundle/fault_bundle.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace lockstep;
using namespace Qt::StringLiterals;

namespace {

/// A run that failed and tells of its user in its message and its log.
void addFailedRun(store::RunStore& store, const QString& home)
{
    analysis::RunRecord record;
    record.id = makeRunId(1'795'000'000, 1);
    record.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    record.status = analysis::RunStatus::Running;
    record.createdNs = 1'795'000'000'000'000'000;
    record.label = "the run of alice";
    const auto writer = store.create(record);
    QVERIFY(writer.isOk());
    const std::string path = home.toStdString() + "/weights";
    store::Delta delta;
    delta.hellos.push_back({0, {1, record.id.text, 0, 1, 4711, "node-of-alice", "cpu", "1.13.1"}});
    delta.logs.push_back({0, {11, wire::LogLevel::Info, "node-of-alice at 10.1.2.3 and fe80::1:2:3 reads " + path}});
    QVERIFY((*writer)->add(delta));
    QVERIFY((*writer)->finish(
        analysis::RunStatus::Failed, "alice on node-of-alice: " + path + ": no space on GPU-1234abcd-56", {}));
}

/// All members, as unzip prints them.
QByteArray contentsOf(const QString& archive)
{
    QProcess python;
    python.start(u"python3"_s,
        {u"-c"_s,
            u"import sys, zipfile\nfor e in zipfile.ZipFile(sys.argv[1]).infolist(): print(e.filename); "
            u"sys.stdout.flush(); sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(e))"_s,
            archive});
    return python.waitForFinished() && python.exitCode() == 0 ? python.readAllStandardOutput() : QByteArray();
}

} // namespace

class TestFaultBundle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_values = {{"HOME", qgetenv("HOME")}, {"USER", qgetenv("USER")}, {"LOCKSTEP_RANK", qgetenv("LOCKSTEP_RANK")}};
        QVERIFY(QDir().mkpath(home()));
        qputenv("HOME", home().toUtf8());
        qputenv("USER", "alice");
        qputenv("LOCKSTEP_RANK", home().toUtf8() + "/bin/lockstep-rank");
        const auto store = store::RunStore::open(storeFolder());
        QVERIFY(store.isOk());
        addFailedRun(**store, home());
        QCoreApplication::setOrganizationName(u"LockstepTests"_s);
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        QSettings settings;
        settings.setValue(u"hosts/list"_s, u"alice@node-of-alice slots=2"_s);
        settings.setValue(u"window/form"_s, QString(home() + u"/spec.json"_s));
        settings.setValue(u"ui/theme"_s, 2);
        settings.sync();
    }

    void cleanupTestCase()
    {
        for (const auto& [name, value] : m_values) {
            qputenv(name, value);
        }
    }

    void namesAreLeftOut()
    {
        const QByteArray text = written(exchange::Names::LeaveOut);
        for (const char* member :
            {"about.txt", "settings.txt", "doctor.txt", "doctor.json", "runs.txt", "failed-1.txt"}) {
            QVERIFY2(text.contains(member), member);
        }
        for (const char* needed : {"Lockstep 9.8.7", "Qt 6", "ui/theme=2", "window/form=~/spec.json", "\"cores\"",
                 "optimizers", "failed", "~/weights", "machine 1 at address and address reads", "no space on GPU-id"}) {
            QVERIFY2(text.contains(needed), needed);
        }
        for (const QByteArray& name : {QByteArray("alice"), home().toUtf8(), QByteArray("10.1.2.3"), QByteArray("fe80"),
                 QByteArray("1234abcd")}) {
            QVERIFY2(!text.contains(name), name.constData());
        }
        const QString host = QSysInfo::machineHostName();
        const QRegularExpression word(u"(?<![\\w.-])%1(?![\\w-])"_s.arg(QRegularExpression::escape(host)));
        QVERIFY2(
            host.size() < 3 || host == u"host"_s || host == u"localhost"_s || !QString::fromUtf8(text).contains(word),
            qPrintable(host));
    }

    void pathsAreKeptIfAsked()
    {
        const QByteArray text = written(exchange::Names::Keep);
        QVERIFY(text.contains(home().toUtf8() + "/weights"));
        QVERIFY(text.contains("alice@node-of-alice slots=2"));
        QVERIFY(text.contains("10.1.2.3"));
    }

    void aStoreThatCannotBeOpenedIsReported()
    {
        QFile file(m_folder.filePath(u"file"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QString archive = m_folder.filePath(u"broken.zip"_s);
        QVERIFY(exchange::writeFaultBundle(archive, {u"1"_s, file.fileName(), exchange::Names::LeaveOut}));
        const QByteArray text = contentsOf(archive);
        QVERIFY2(text.contains("runs.txt"), text.constData());
        QVERIFY2(text.contains("folder"), text.constData());
        const auto refused = exchange::writeFaultBundle(u"/nowhere/fault.zip"_s, {u"1"_s, storeFolder()});
        QVERIFY(!refused);
        QVERIFY2(
            refused.error().text().find("/nowhere/fault.zip") != std::string::npos, refused.error().text().c_str());
    }

private:
    [[nodiscard]] QString home() const { return m_folder.filePath(u"home/alice"_s); }
    [[nodiscard]] QString storeFolder() const { return home() + u"/runs"_s; }
    [[nodiscard]] QByteArray written(exchange::Names names) const
    {
        const QString archive = m_folder.filePath(u"fault.zip"_s);
        return exchange::writeFaultBundle(archive, {u"9.8.7"_s, storeFolder(), names}) ? contentsOf(archive)
                                                                                       : QByteArray();
    }

    QTemporaryDir m_folder;
    std::map<const char*, QByteArray> m_values;
};

LOCKSTEP_TEST(TestFaultBundle)
#include "test_fault_bundle.moc"
