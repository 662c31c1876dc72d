// What a user has confirmed: the command with the content of the files that it names, and nothing else.
#include "core/session_fixture.h"
#include "launch/trust.h"
#include "program/test_class.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::launch;
using namespace lockstep::tests;

namespace {

experiment::RunSpec runOf(const QString& script)
{
    experiment::RunSpec run = fakeSpec();
    run.settings["strategy.name"] = std::string("own");
    run.settings["rank.program"] = "python3 '" + script.toStdString() + "'";
    return run;
}

} // namespace

class TestTrust : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anotherContentIsAskedAbout_data()
    {
        constexpr qint64 MiB = 1 << 20;
        QTest::addColumn<qint64>("before");
        QTest::addColumn<qint64>("after");
        QTest::addColumn<char>("fill");
        QTest::addRow("one letter") << qint64{100} << qint64{100} << 'b';
        QTest::addRow("grown to 2 MiB") << qint64{100} << 2 * MiB << 'a';
        QTest::addRow("grown to 40 MiB") << qint64{100} << 40 * MiB << 'a';
        QTest::addRow("a large one, grown") << 40 * MiB << 40 * MiB + 1 << 'a';
        QTest::addRow("deleted") << qint64{100} << qint64{-1} << 'a';
    }

    void anotherContentIsAskedAbout()
    {
        QFETCH(qint64, before);
        QFETCH(qint64, after);
        QFETCH(char, fill);
        QVERIFY(write(before, 'a'));
        const experiment::RunSpec run = runOf(script());
        Trust trust(m_folder.filePath("trusted"));
        const auto open = trust.uncovered({&run, 1});
        QCOMPARE(open.size(), std::size_t{1});
        QVERIFY(!open.front().isChanged);
        QVERIFY(trust.add(open).isOk());
        QVERIFY(trust.uncovered({&run, 1}).empty());
        QVERIFY(write(after, fill));
        for (const Trust& each : {trust, Trust(m_folder.filePath("trusted"))}) {
            const auto changed = each.uncovered({&run, 1});
            QCOMPARE(changed.size(), std::size_t{1});
            QVERIFY(changed.front().isChanged);
        }
        QVERIFY(write(before, 'a'));
        QVERIFY(Trust(m_folder.filePath("trusted")).uncovered({&run, 1}).empty());
    }

    /// `python3 -m` runs what is in the working folder: a changed file of the package is asked about again.
    void aModuleIsPartOfIt()
    {
        const QString before = QDir::currentPath();
        QVERIFY(QDir(m_folder.path()).mkpath("package") && QDir::setCurrent(m_folder.path()));
        const auto writeModule = [this](const char* text) {
            QFile file(m_folder.filePath("package/helper.py"));
            return file.open(QIODevice::WriteOnly) && file.write(text) > 0;
        };
        QVERIFY(writeModule("a = 1"));
        experiment::RunSpec run = runOf(script());
        run.settings.set(&experiment::RankSettings::program, std::string("python3 -m package.train"));
        Trust trust(m_folder.filePath("trusted"));
        const auto open = trust.uncovered({&run, 1});
        QCOMPARE(open.size(), std::size_t{1});
        QVERIFY(trust.add(open).isOk());
        QVERIFY(trust.uncovered({&run, 1}).empty());
        QVERIFY(writeModule("a = 2"));
        QVERIFY(!trust.uncovered({&run, 1}).empty());
        run.settings.set(&experiment::RankSettings::program, std::string("python3 -m elsewhere"));
        const auto risks = risksOf({&run, 1});
        QVERIFY(QDir::setCurrent(before));
        QVERIFY2(risks.front().text().english.find("module elsewhere") != std::string::npos,
            risks.front().text().english.c_str());
    }

    void cleanup()
    {
        QFile::remove(m_folder.filePath("trusted"));
        QFile::remove(script());
    }

private:
    [[nodiscard]] QString script() const { return m_folder.filePath("train it.py"); }
    /// -1: there is no such file.
    [[nodiscard]] bool write(qint64 bytes, char fill) const
    {
        QFile file(script());
        return bytes < 0 ? file.remove()
                         : file.open(QIODevice::WriteOnly) && file.write(QByteArray(bytes, fill)) == bytes;
    }

    QTemporaryDir m_folder;
};

LOCKSTEP_TEST(TestTrust)
#include "test_trust.moc"
