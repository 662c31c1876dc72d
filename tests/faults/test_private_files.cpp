// What Lockstep writes is its user's alone, in folders that keep their mode, and found without HOME. Programs that it
// starts get the mask for files that it was started with.
#include "base/private_files.h"
#include "program/programs.h"
#include "program/test_class.h"

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr mode_t UsualMask = 0022;
constexpr mode_t Others = 0077;

[[nodiscard]] mode_t modeOf(const QString& path)
{
    struct stat facts { };
    return ::lstat(QFile::encodeName(path).constData(), &facts) == 0 ? facts.st_mode & 0777 : 0;
}

[[nodiscard]] mode_t maskNow()
{
    const mode_t mask = ::umask(UsualMask);
    ::umask(mask);
    return mask;
}

/// Puts back what a test changes for the whole process.
class Restored {
public:
    ~Restored()
    {
        ::umask(m_mask);
        qputenv("HOME", m_home);
    }

private:
    mode_t m_mask = maskNow();
    QByteArray m_home = qgetenv("HOME");
};

} // namespace

class TestPrivateFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void homeIsTheUsersFolder()
    {
        const Restored restored;
        const passwd* user = getpwuid(getuid());
        if (user == nullptr) {
            QSKIP("this user is not in the password database");
        }
        const QByteArray folder = user->pw_dir;
        for (const bool isEmpty : {false, true}) {
            if (isEmpty) {
                qputenv("HOME", "");
            } else {
                qunsetenv("HOME");
            }
            beginProcess();
            QCOMPARE(qgetenv("HOME"), folder);
        }
        qputenv("HOME", "/elsewhere");
        beginProcess();
        QCOMPARE(qgetenv("HOME"), QByteArray("/elsewhere"));
    }

    void newFilesAreTheUsersAlone()
    {
        const Restored restored;
        ::umask(UsualMask);
        QTemporaryDir folder;
        const QString old = folder.filePath(QStringLiteral("old"));
        QVERIFY(QDir().mkpath(old));
        QCOMPARE(modeOf(old), mode_t{0755});
        beginProcess();
        QVERIFY(QDir().mkpath(old + QStringLiteral("/new")));
        QFile file(old + QStringLiteral("/file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(modeOf(file.fileName()), mode_t{0600});
        QCOMPARE(modeOf(old + QStringLiteral("/new")), mode_t{0700});
        QCOMPARE(modeOf(old), mode_t{0755});
        restoreFileMask();
        QCOMPARE(maskNow(), UsualMask);
    }

    /// What is handed out is for others to read, as far as the user's mask lets them; the key beside it is not.
    void aHandedOutLaboratoryIsForOthers()
    {
        const Restored restored;
        ::umask(UsualMask); // of the programs that are started here
        QTemporaryDir folder;
        QProcess lockstep;
        lockstep.setWorkingDirectory(folder.path());
        for (const QStringList& words : {QStringList{"lab", "new", "optimizers", "--out", "own"},
                 QStringList{"lab", "hand-out", "own", "--out", "own.lab"}}) {
            lockstep.start(Lockstep, words);
            QVERIFY(lockstep.waitForFinished(60'000));
            QVERIFY2(lockstep.exitCode() == 0, lockstep.readAllStandardError().constData());
        }
        QCOMPARE(modeOf(folder.filePath(QStringLiteral("own.lab"))), mode_t{0644});
        QCOMPARE(modeOf(folder.filePath(QStringLiteral("own.key"))), mode_t{0600});
        QCOMPARE(modeOf(folder.filePath(QStringLiteral("own/key.json"))), mode_t{0600});
    }

    /// A run with all that it writes: store, index, queue, results, figures.
    void aRunIsTheUsersAlone()
    {
        const Restored restored;
        ::umask(UsualMask); // of the programs that are started here
        QTemporaryDir folder;
        const QString store = folder.filePath(QStringLiteral("store"));
        QVERIFY(QDir().mkpath(store));
        QProcess run;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSTEP_RANK", QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank"));
        environment.insert("LOCKSTEP_FAKE", "steps=20,rate=400");
        environment.insert("XDG_CONFIG_HOME", folder.filePath(QStringLiteral("config")));
        environment.insert("XDG_DATA_HOME", folder.filePath(QStringLiteral("data")));
        environment.remove(QStringLiteral("HOME"));
        run.setProcessEnvironment(environment);
        run.start(Lockstep,
            {"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--set", "train.steps=20", "--store", store,
                "--out", folder.filePath(QStringLiteral("out"))});
        QVERIFY(run.waitForFinished(120'000));
        QVERIFY2(run.exitCode() == 0, run.readAllStandardError().constData());
        int looked = 0;
        QStringList open;
        QDirIterator walk(folder.path(), QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
            QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            const QString path = walk.next();
            ++looked;
            if (path != store && (modeOf(path) & Others) != 0) {
                open += QStringLiteral("%1: %2").arg(path).arg(modeOf(path), 0, 8);
            }
        }
        QVERIFY(looked > 3);
        QVERIFY2(open.isEmpty(), qPrintable(open.join(u'\n')));
        QCOMPARE(modeOf(store), mode_t{0755}); // it was there
    }
};

LOCKSTEP_TEST(TestPrivateFiles)
#include "test_private_files.moc"
