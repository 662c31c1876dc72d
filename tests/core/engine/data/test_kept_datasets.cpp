// Data sets that a ready process keeps: given again for the same settings and unchanged files only, and booked as
// memory of the rank that uses them.
#include "core/engine/run_of.h"
#include "engine/data/kept_datasets.h"
#include "engine/memory/memory_account.h"
#include "program/test_class.h"

#include <ATen/ATen.h>

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

experiment::RunSpec digits(const char* dtype = "float32")
{
    return runOf({{"train.batch", "1"}, {"dataset.train_samples", "120"}, {"dataset.test_samples", "30"},
        {"train.dtype", dtype}});
}

} // namespace

class TestKeptDatasets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameTensorsAreGivenAgain()
    {
        const auto before = loadDataset(digits());
        QVERIFY(!keptDataset(digits()));
        keepDataset(digits());
        const auto first = loadDataset(digits());
        const auto second = loadDataset(digits());
        QCOMPARE(first->train.inputs.data_ptr(), second->train.inputs.data_ptr());
        QVERIFY(first->train.inputs.data_ptr() != before->train.inputs.data_ptr());
        QVERIFY(at::equal(first->train.inputs, before->train.inputs));
        QVERIFY(at::equal(first->test.labels, before->test.labels));
        QCOMPARE(first->description, before->description);
        QVERIFY(keptDataset(digits("float64"))); // both are made of the same bytes
        // What is checked against the data still is.
        auto tooMany = digits();
        tooMany.settings["train.batch"] = std::int64_t{121};
        QVERIFY(!loadDataset(tooMany).isOk());
    }

    void aChangedFileIsReadAgain()
    {
        const QTemporaryDir folder;
        const auto write = [&folder](char letter, qint64 seconds) {
            QFile file(folder.filePath("text.txt"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(QByteArray(4000, letter)), 4000);
            QVERIFY(file.setFileTime(QDateTime::fromSecsSinceEpoch(seconds), QFileDevice::FileModificationTime));
        };
        const auto run = runOf({{"dataset.name", "text"}, {"net.name", "gpt"}, {"train.batch", "1"},
            {"dataset.path", folder.filePath("text.txt").toStdString()}});
        write('a', 1'000'000'000);
        keepDataset(run);
        QVERIFY(keptDataset(run).has_value());
        QCOMPARE(loadDataset(run)->train.inputs.max().item<std::int64_t>(), std::int64_t{'a'});
        write('b', 1'000'000'001); // as long as before
        QVERIFY(!keptDataset(run));
        QCOMPARE(loadDataset(run)->train.inputs.max().item<std::int64_t>(), std::int64_t{'b'});
    }

    void itIsBookedWhileItIsUsed()
    {
        MemoryAccount account;
        const MemoryAccount::Use use(&account);
        std::int64_t read = 0;
        {
            auto run = digits();
            run.settings["dataset.seed"] = std::int64_t{5};
            const auto data = loadDataset(run);
            read = of(account.live(), MemoryKind::Data);
            QVERIFY(read >= 150 * 784);
            QVERIFY(read < 150 * 784 * 2); // a byte a pixel
        }
        QCOMPARE(of(account.live(), MemoryKind::Data), std::int64_t{0});
        {
            const MemoryAccount::Use none(nullptr);
            keepDataset(digits());
        }
        {
            const auto data = loadDataset(digits());
            QCOMPARE(of(account.live(), MemoryKind::Data), read);
        }
        QCOMPARE(of(account.live(), MemoryKind::Data), std::int64_t{0});
        MemoryAccount small(100'000);
        const MemoryAccount::Use limited(&small);
        QVERIFY_THROWS_EXCEPTION(MemoryLimitReached, static_cast<void>(loadDataset(digits())));
    }
};

LOCKSTEP_TEST(TestKeptDatasets)
#include "test_kept_datasets.moc"
