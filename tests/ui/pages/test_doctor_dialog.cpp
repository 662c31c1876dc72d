// The page about this machine: examined in the background, shown as a table, in the window's language.
#include "language/language.h"
#include "program/window_test.h"
#include "ui/models/backend_table_model.h"
#include "ui/pages/machine/doctor_dialog.h"
#include "ui/shell/desktop.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QPushButton>
#include <QRegularExpression>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>

using namespace lockstep;
using Outcome = launch::TriedOperation::Outcome;

namespace {

launch::MachineReport sampleReport()
{
    launch::MachineReport report;
    report.lines = {{"system", "Debian <12>"}, {"GPUs", "none"}};
    report.tried = {{"shm", "cpu", "all_reduce", Outcome::Works, {}}, {"gloo", "cpu", "all_reduce", Outcome::Works, {}},
        {"gloo", "cpu", "all_to_all", Outcome::BuiltFromMessages, {}},
        {"nccl", "cuda", "all_reduce", Outcome::Fails, "no GPU"}};
    report.advice = {"Install NVIDIA's driver."};
    return report;
}

} // namespace

class TestDoctorDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ui::loadResources(); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        language::installTexts(language::TextLanguage::English);
    }

    void tableIsBackendByOperation()
    {
        ui::BackendTableModel model;
        const QAbstractItemModelTester tester(&model);
        model.setTried(sampleReport().tried);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.columnCount(), 3);
        QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("nccl on cuda"));
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("works"));
        QCOMPARE(model.index(1, 1).data().toString(), QStringLiteral("from messages"));
        QCOMPARE(model.index(0, 2).data().toString(), QStringLiteral("fails"));
        QCOMPARE(model.index(0, 2).data(Qt::ToolTipRole).toString(), QStringLiteral("no GPU"));
        QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("not tried")); // unknown is no failure
    }

    void windowLivesWhileItIsExamined()
    {
        QSemaphore mayEnd;
        ui::DoctorDialog dialog([&] {
            mayEnd.acquire();
            return sampleReport();
        });
        QSignalSpy examined(&dialog, &ui::DoctorDialog::examined);
        dialog.show();
        dialog.examine();
        QVERIFY(dialog.isExamining()); // and this thread continues
        QTest::qWait(50);
        QCOMPARE(examined.size(), 0);
        mayEnd.release();
        QVERIFY(examined.wait(60'000));
        QVERIFY(!dialog.isExamining());
        QCOMPARE(dialog.table().rowCount(), 2);
        QVERIFY(dialog.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/doctor.png")));
        const QString text = dialog.findChild<QTextBrowser*>()->toPlainText();
        QVERIFY(text.contains(QStringLiteral("Install NVIDIA's driver.")));
        QVERIFY(text.contains(QStringLiteral("Debian <12>"))); // text, not a tag
        QVERIFY(text.contains(QStringLiteral("shm")) && text.contains(QStringLiteral("Fastest on the CPU")));
        QVERIFY(dialog.text().startsWith(QStringLiteral("system        Debian <12>\n")));
    }

    void textsAreChineseInAChineseWindow()
    {
        language::installTexts(language::TextLanguage::Chinese);
        language::TextLanguage seen = language::TextLanguage::English;
        ui::DoctorDialog dialog([&] {
            seen = language::textLanguage();
            return sampleReport();
        });
        QSignalSpy examined(&dialog, &ui::DoctorDialog::examined);
        dialog.show();
        dialog.examine();
        QVERIFY(examined.wait(60'000));
        QCOMPARE(seen, language::TextLanguage::Chinese); // also on its thread
        QCOMPARE(dialog.windowTitle(), QStringLiteral("本机"));
        QCOMPARE(dialog.table().index(0, 0).data().toString(), QStringLiteral("可用"));
        QVERIFY(dialog.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/doctor_zh.png")));
    }

    void closingItIsNoWait()
    {
        QSemaphore mayEnd;
        auto dialog = std::make_unique<ui::DoctorDialog>([&] {
            mayEnd.acquire();
            return sampleReport();
        });
        dialog->examine();
        dialog.reset();
        mayEnd.release();
        QTest::qWait(100);
    }
};

LOCKSTEP_WINDOW_TEST(TestDoctorDialog)
#include "test_doctor_dialog.moc"
