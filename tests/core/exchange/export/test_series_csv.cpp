#include "exchange/export/series_csv.h"
#include "program/full_disk.h"
#include "program/test_class.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace lockstep;

class TestSeriesCsv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void numbersAreWholeAndNamesQuoted()
    {
        analysis::RunRecord run;
        run.id.text = "20261120-221403-k3f9";
        run.spec.name = "a \"b\", c";
        run.importedFrom = "x.lockstep";
        run.loss = {{1, 2}, {0.125, 0.25}, {0.5, 1.0}, {0.1, std::nan("")}};
        const QByteArray csv = exchange::seriesCsv({&run, 1});
        QCOMPARE(csv,
            QByteArray("run,name,repeat,series,step,epoch,seconds,value,imported_from\r\n"
                       "20261120-221403-k3f9,\"a \"\"b\"\", c\",0,loss,1,0.125,0.5,0.1,x.lockstep\r\n"
                       "20261120-221403-k3f9,\"a \"\"b\"\", c\",0,loss,2,0.25,1,,x.lockstep\r\n"));
    }

    void aNameIsNoFormula()
    {
        analysis::RunRecord run;
        run.id.text = "20261120-221403-k3f9";
        run.spec.name = "=cmd|' /C calc'!A0";
        run.loss = {{1}, {0.125}, {0.5}, {-0.1}};
        const QByteArray csv = exchange::seriesCsv({&run, 1});
        QVERIFY(csv.contains(",\"'=cmd|' /C calc'!A0\",0,loss,1,0.125,0.5,-0.1,"));
    }

    void aFullDiskIsAnErrorAndKeepsTheOldFile()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.csv"));
        QVERIFY(exchange::writeFile(path, "old").isOk());
        {
            const test::FullDisk disk(100'000);
            QVERIFY(!exchange::writeFile(path, QByteArray(1'000'000, 'x')));
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old"));
    }

    void whatIsNoFileIsLeftAlone()
    {
        const QTemporaryDir folder;
        QVERIFY(!exchange::writeFile(folder.path(), "x").isOk());
        QVERIFY(!exchange::writeFile(QStringLiteral("/dev/null"), "x").isOk());
        QVERIFY(!exchange::writeFile(QStringLiteral("/no/such/folder/x.csv"), "x").isOk());
    }
};

LOCKSTEP_TEST(TestSeriesCsv)
#include "test_series_csv.moc"
