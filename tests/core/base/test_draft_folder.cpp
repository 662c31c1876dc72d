// Drafts: what a killed process leaves is cleared by the next, what a live one has is not.
#include "base/draft_folder.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fstream>
#include <optional>

#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep;

class TestDraftFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatAKilledProcessLeavesIsCleared()
    {
        const QTemporaryDir place;
        const std::string path = place.path().toStdString();
        const pid_t child = fork();
        if (child == 0) {
            const auto draft = DraftFolder::make(path);
            const bool isMade = draft && std::ofstream(draft->file("half")).is_open();
            kill(getpid(), isMade ? SIGKILL : SIGABRT);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        QCOMPARE(drafts(place.path()).size(), 1);
        const QString left = drafts(place.path()).front();
        {
            const auto draft = DraftFolder::make(path);
            QVERIFY(draft.isOk());
            QVERIFY(!drafts(place.path()).contains(left));
            const auto other = DraftFolder::make(path);
            QVERIFY(other.isOk());
            QCOMPARE(drafts(place.path()).size(), 2); // both live
        }
        QVERIFY(drafts(place.path()).isEmpty());
    }

    void publishReplaces()
    {
        const QTemporaryDir place;
        const std::string target = place.filePath("result").toStdString();
        std::ofstream(target) << "before";
        {
            const auto draft = DraftFolder::make(place.path().toStdString());
            QVERIFY(draft.isOk());
            std::ofstream(draft->file("new")) << "after";
            QVERIFY(draft->publish("new", target).isOk());
            QVERIFY(!draft->publish("missing", target).isOk());
        }
        QFile file(place.filePath("result"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("after"));
        QVERIFY(drafts(place.path()).isEmpty());
    }

    void roomIsNotKnownOfWhatIsNotThere()
    {
        const QTemporaryDir place;
        const auto room = freeBytes(place.path().toStdString());
        QVERIFY(!room || *room >= 0);
        QVERIFY(!freeBytes(place.filePath("missing").toStdString()));
    }

private:
    static QStringList drafts(const QString& folder)
    {
        return QDir(folder).entryList({QStringLiteral(".lockstep-*")}, QDir::Dirs | QDir::Hidden);
    }
};

LOCKSTEP_TEST(TestDraftFolder)
#include "test_draft_folder.moc"
