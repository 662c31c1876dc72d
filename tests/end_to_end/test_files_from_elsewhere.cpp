// A file of each kind that names a program: neither importing, opening, exporting, reporting, resuming nor the window
// starts it. The program would leave a mark.
#include "program/programs.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace lockstep::tests;

namespace {

struct EndedReader {
    int code = -1;
    QString error;
};

/// Who measured has a folder of his own, as has who opens the file.
[[nodiscard]] QProcessEnvironment environmentOf(const QTemporaryDir& person)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"LOCKSTEP_RANK", "LOCKSTEP_RECORD"}) {
        environment.remove(name);
    }
    environment.insert("LOCKSTEP_STORE", person.filePath("store"));
    environment.insert("XDG_CONFIG_HOME", person.filePath("config"));
    environment.insert("XDG_DATA_HOME", person.filePath("data"));
    environment.insert("PYTHONDONTWRITEBYTECODE", "1");
    environment.insert("PYTHONPATH", QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/python"));
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    return environment;
}

[[nodiscard]] EndedReader ended(
    const QString& program, const QStringList& words, const QProcessEnvironment& environment)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, words);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit) {
        return {};
    }
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class TestFilesFromElsewhere : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void nothingIsStarted_data();
    void nothingIsStarted();

private:
    [[nodiscard]] QString mark() const { return m_author.filePath("mark"); }
    [[nodiscard]] bool write(const QString& name, const QString& text) const
    {
        QFile file(m_author.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0;
    }

    QTemporaryDir m_author;
};

/// The author's run, which starts the program, and files of it.
void TestFilesFromElsewhere::initTestCase()
{
    const QString script = m_author.filePath("own.py");
    const QString program = u"python3 "_s + script;
    QVERIFY(write("own.py",
        u"import lockstep\nopen('%1', 'a').close()\nrun = lockstep.connect()\nrun.step(loss=1.0)\nrun.finish()\n"_s.arg(
            mark())));
    QProcessEnvironment environment = environmentOf(m_author);
    QCOMPARE(ended(Lockstep, {u"run"_s, u"own"_s, u"--set"_s, u"rank.program="_s + program}, environment).code, 0);
    QVERIFY(QFileInfo::exists(mark()));
    QCOMPARE(
        ended(Lockstep, {u"bundle"_s, u"last"_s, u"--out"_s, m_author.filePath("bundle.lockstep")}, environment).code,
        0);
    const QStringList runs = QDir(m_author.filePath("store")).entryList({u"*.run"_s});
    QCOMPARE(runs.size(), 1);
    QVERIFY(QFile::copy(m_author.filePath("store/" + runs.front()), m_author.filePath(runs.front())));
    QVERIFY(QFile::rename(m_author.filePath(runs.front()), m_author.filePath("one.run")));
    environment.insert("LOCKSTEP_RECORD", m_author.filePath("recording.run"));
    QCOMPARE(ended(u"python3"_s, {script}, environment).code, 0);
    QVERIFY(write("spec.json", uR"({"version":1,"experiment":"own","base":{"rank.program":"%1"}})"_s.arg(program)));
    QVERIFY(QFile::remove(mark()));
}

void TestFilesFromElsewhere::nothingIsStarted_data()
{
    QTest::addColumn<bool>("hasRuns");
    QTest::addRow("spec.json") << false;
    QTest::addRow("bundle.lockstep") << true;
    QTest::addRow("one.run") << true;
    QTest::addRow("recording.run") << true;
}

void TestFilesFromElsewhere::nothingIsStarted()
{
    QFETCH(bool, hasRuns);
    const QTemporaryDir reader;
    const QProcessEnvironment environment = environmentOf(reader);
    const QString file = m_author.filePath(QString::fromUtf8(QTest::currentDataTag()));
    if (hasRuns) {
        const EndedReader imported = ended(Lockstep, {u"import"_s, file}, environment);
        QVERIFY2(imported.code == 0, qPrintable(imported.error));
        for (const QStringList& words : {QStringList{u"export"_s, u"last"_s, u"--chart"_s, u"loss"_s, u"--format"_s,
                                             u"csv"_s, u"--out"_s, reader.filePath("out")},
                 QStringList{u"report"_s, u"last"_s, u"--format"_s, u"md"_s, u"--out"_s, reader.filePath("report")}}) {
            const EndedReader made = ended(Lockstep, words, environment);
            QVERIFY2(made.code == 0, qPrintable(made.error));
        }
        QCOMPARE(ended(Lockstep, {u"resume"_s, u"last"_s}, environment).code, 2);
    }
    for (const QStringList& words : {QStringList{u"run"_s, file}, QStringList{u"queue"_s, u"add"_s, file}}) {
        const EndedReader refused = ended(Lockstep, words, environment);
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.error.count(u'\n'), 1);
        QVERIFY2(hasRuns || refused.error.contains("would be started"), qPrintable(refused.error));
    }
    QProcess window;
    window.setProcessEnvironment(environment);
    window.start(Lockstep, {file});
    QVERIFY(window.waitForStarted());
    QTest::qWait(2500);
    QCOMPARE(window.state(), QProcess::Running);
    window.terminate();
    QVERIFY(window.waitForFinished(60'000));
    QVERIFY(!QFileInfo::exists(mark()));
}

LOCKSTEP_TEST(TestFilesFromElsewhere)
#include "test_files_from_elsewhere.moc"
