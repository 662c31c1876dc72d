// Several files at once: all of them or none.
#include "program/full_disk.h"
#include "program/test_class.h"

#include "exchange/export/file_set.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::exchange;
using lockstep::test::FullDisk;

namespace {

const std::vector<NewFile> Two{
    {QStringLiteral("report.tex"), "first"}, {QStringLiteral("report-files/loss.tsv"), QByteArray(3000, '1')}};

QByteArray textOfFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not there");
}

QStringList everythingIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

} // namespace

class TestFileSet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allAreWritten()
    {
        const QTemporaryDir folder;
        const QString out = folder.filePath(QStringLiteral("new/deep"));
        QVERIFY(writeFiles(out, Two, Existing::Refuse).isOk());
        QCOMPARE(textOfFile(out + QStringLiteral("/report.tex")), QByteArray("first"));
        QCOMPARE(textOfFile(out + QStringLiteral("/report-files/loss.tsv")).size(), 3000);
        QCOMPARE(everythingIn(out), (QStringList{QStringLiteral("report-files"), QStringLiteral("report.tex")}));
    }

    void aNameThatExistsIsRefused()
    {
        const QTemporaryDir folder;
        QVERIFY(
            writeFiles(folder.path(), {{QStringLiteral("report-files/loss.tsv"), "mine"}}, Existing::Refuse).isOk());
        const auto written = writeFiles(folder.path(), Two, Existing::Refuse);
        QVERIFY(!written);
        QVERIFY(QString::fromStdString(written.error().text()).contains(QStringLiteral("loss.tsv exists already")));
        QCOMPARE(textOfFile(folder.filePath(QStringLiteral("report-files/loss.tsv"))), QByteArray("mine"));
        QCOMPARE(everythingIn(folder.path()), QStringList{QStringLiteral("report-files")});

        QVERIFY(writeFiles(folder.path(), Two, Existing::Replace).isOk());
        QCOMPARE(textOfFile(folder.filePath(QStringLiteral("report-files/loss.tsv"))).size(), 3000);
    }

    /// The spec beside a report: the same for all formats.
    void aSharedFileMayBeThereWithTheSameBytes()
    {
        const QTemporaryDir folder;
        const auto beside = [&](const char* name, const char* spec) {
            return writeFiles(folder.path(),
                {{QString::fromLatin1(name), "text"}, {QStringLiteral("spec.json"), spec, true}}, Existing::Refuse);
        };
        QVERIFY(beside("report.md", "{}").isOk());
        QVERIFY(beside("report.html", "{}").isOk());
        QVERIFY(!beside("report.tex", "{1}").isOk());
        QVERIFY(!beside("report.md", "{}").isOk());
        QCOMPARE(textOfFile(folder.filePath(QStringLiteral("spec.json"))), QByteArray("{}"));
    }

    void aFullDiskLeavesNothing()
    {
        const QTemporaryDir folder;
        const QString out = folder.filePath(QStringLiteral("new/deep"));
        const FullDisk disk(1000);
        const auto written = writeFiles(out, Two, Existing::Refuse);
        QVERIFY(!written);
        QVERIFY(QString::fromStdString(written.error().text())
                    .startsWith(out + QStringLiteral("/report-files/loss.tsv cannot be ")));
        QCOMPARE(everythingIn(folder.path()), QStringList());
    }

    void aFileInTheWayOfAFolderIsNamed()
    {
        const QTemporaryDir folder;
        QVERIFY(writeFiles(folder.path(), {{QStringLiteral("report-files"), "a file"}}, Existing::Refuse).isOk());
        const auto written = writeFiles(folder.path(), Two, Existing::Refuse);
        QVERIFY(!written);
        QCOMPARE(everythingIn(folder.path()), QStringList{QStringLiteral("report-files")});
        QVERIFY(!writeFiles(folder.filePath(QStringLiteral("report-files")), Two, Existing::Refuse));
    }
};

LOCKSTEP_TEST(TestFileSet)
#include "test_file_set.moc"
