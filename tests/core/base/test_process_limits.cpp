// What limits a process: open files, and processes of its control groups.
#include "base/process_limits.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>

#include <sys/resource.h>

using namespace lockstep;

class TestProcessLimits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupsOfVersionTwo()
    {
        write("job", "100", "90");
        write("job/step", "max", "5");
        const auto found = groupAllowance("0::/job/step\n", m_folder.path().toStdString());
        QVERIFY(found.has_value());
        QCOMPARE(found->most, std::int64_t{100}); // the group above binds, too
        QCOMPARE(found->left(), std::int64_t{10});
        QVERIFY(!groupAllowance("0::/other\n", m_folder.path().toStdString()));
    }

    void groupsOfVersionOne()
    {
        write("pids/here", "20", "17");
        const auto found = groupAllowance("3:memory:/here\n2:pids:/here\n1:cpu:/\n", m_folder.path().toStdString());
        QVERIFY(found.has_value());
        QCOMPARE(found->left(), std::int64_t{3});
        QVERIFY(!groupAllowance("", m_folder.path().toStdString()));
        QVERIFY(!groupAllowance("no group", m_folder.path().toStdString()));
    }

    void openFiles()
    {
        rlimit before{};
        QVERIFY(getrlimit(RLIMIT_NOFILE, &before) == 0);
        const auto found = openFileAllowance();
        QVERIFY(!found || found->used >= 3);
        rlimit low = before;
        low.rlim_cur = std::min<rlim_t>(256, before.rlim_max);
        QVERIFY(setrlimit(RLIMIT_NOFILE, &low) == 0);
        raiseOpenFileLimit();
        rlimit now{};
        QVERIFY(getrlimit(RLIMIT_NOFILE, &now) == 0);
        QCOMPARE(now.rlim_cur, before.rlim_max);
        restoreOpenFileLimit();
        QVERIFY(getrlimit(RLIMIT_NOFILE, &now) == 0);
        QCOMPARE(now.rlim_cur, low.rlim_cur);
        const Text said = atLimit(EMFILE);
        QVERIFY2(said.english.find("ulimit -n") != std::string::npos, said.english.c_str());
        QVERIFY(setrlimit(RLIMIT_NOFILE, &before) == 0);
        QCOMPARE(atLimit(ENOENT), systemError(ENOENT));
    }

private:
    void write(const QString& group, const char* most, const char* used)
    {
        QVERIFY(QDir(m_folder.path()).mkpath(group));
        for (const auto& [name, text] : {std::pair{"pids.max", most}, std::pair{"pids.current", used}}) {
            QFile file(m_folder.filePath(group + u'/' + QLatin1StringView(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray(text) + '\n');
        }
    }

    QTemporaryDir m_folder;
};

LOCKSTEP_TEST(TestProcessLimits)
#include "test_process_limits.moc"
