// The programs of a release build are hardened as Debian's are: what readelf shows of them.
#include "program/programs.h"
#include "program/test_class.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace lockstep::tests;

namespace {

QByteArray shown(const QStringList& options, const QString& program)
{
    QProcess readelf;
    readelf.start(u"readelf"_s, options + QStringList{u"--wide"_s, program});
    return readelf.waitForFinished(60'000) ? readelf.readAllStandardOutput() : QByteArray();
}

} // namespace

class TestHardening : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void programs_data()
    {
        QTest::addColumn<QString>("program");
        for (const QString& program : {Lockstep, RankProgram}) {
            if (QFileInfo(program).isExecutable()) {
                QTest::addRow("%s", qPrintable(QFileInfo(program).fileName())) << program;
            }
        }
    }

    void programs()
    {
#ifndef LOCKSTEP_HARDENED
        QSKIP("not a release build, or one with sanitizers");
#endif
        QFETCH(QString, program);
        const QByteArray head = shown({u"--file-header"_s}, program);
        if (head.isEmpty()) {
            QSKIP("there is no readelf");
        }
        QVERIFY2(head.contains("DYN ("), head.constData()); // at an address that changes with each start
        const QByteArray segments = shown({u"--segments"_s}, program);
        QVERIFY(segments.contains("GNU_RELRO"));
        const QByteArray dynamic = shown({u"--dynamic"_s}, program);
        QVERIFY2(dynamic.contains("BIND_NOW") || dynamic.contains("Flags: NOW"), dynamic.constData());
        const QByteArray symbols = shown({u"--dyn-syms"_s}, program);
        QVERIFY(symbols.contains("__stack_chk_fail"));
        if (program == RankProgram) { // whose lines go through fprintf()
            QVERIFY(symbols.contains("__fprintf_chk"));
        }
    }

    /// What no program shows once it is linked with objects of the system that lack it.
    void jumps()
    {
#if !defined(LOCKSTEP_HARDENED) || !defined(__x86_64__)
        QSKIP("not a release build for x86-64, or one with sanitizers");
#endif
        QFile commands(QStringLiteral(LOCKSTEP_BINARY_DIR "/compile_commands.json"));
        QVERIFY(commands.open(QIODevice::ReadOnly));
        QVERIFY(commands.readAll().contains("-fcf-protection"));
    }
};

LOCKSTEP_TEST(TestHardening)
#include "test_hardening.moc"
