// What the form knows: which fields are shown, what is wrong, what reset brings back, what Run would start.
#include "experiment/spec.h"
#include "launch/ranks/rank_program.h"
#include "program/test_class.h"
#include "ui/models/form/form_model.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace lockstep;
using ui::FormModel;

class TestFormModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        auto spec = experiment::preset("optimizers");
        QVERIFY(spec.isOk());
        spec->repeats = 1;
        m_model = std::make_unique<FormModel>();
        m_model->setSpec(*spec);
    }

    void presetCanRunAtOnce()
    {
        QCOMPARE(m_model->problem(), QString());
        QCOMPARE(m_model->runs().size(), std::size_t(3));
        QVERIFY(!m_model->isModified());
    }

    void everyParameterHasARow() { QCOMPARE(m_model->rows().size(), experiment::parameters().size()); }

    void fieldsThatDoNotApplyAreHidden()
    {
        QVERIFY(m_model->row("net.hidden")->isShown);
        m_model->setText("net.name", QStringLiteral("cnn"));
        QVERIFY(!m_model->row("net.hidden")->isShown);
        QVERIFY(!m_model->row("dataset.path")->isShown);
        m_model->setText("dataset.name", QStringLiteral("mnist"));
        QVERIFY(m_model->row("dataset.path")->isShown);
        m_model->setText("dataset.name", QStringLiteral("cifar10"));
        QVERIFY(m_model->row("dataset.path")->isShown);
    }

    void whatThisMachineLacksDoesNotMatterForOthers()
    {
        if (launch::lookForGpus().hasGpu) {
            QSKIP("this machine has a GPU");
        }
        m_model->setText("device", QStringLiteral("cuda"));
        QVERIFY(!m_model->problem().isEmpty());
        QSignalSpy changed(m_model.get(), &FormModel::changed);
        m_model->setRanksAreHere(false);
        QCOMPARE(m_model->problem(), QString());
        QCOMPARE(m_model->runs().size(), std::size_t(3));
        m_model->setRanksAreHere(false);
        QCOMPARE(changed.size(), 1);
        m_model->setRanksAreHere(true);
        QVERIFY(!m_model->problem().isEmpty());
    }

    void aPathNamesAFolderOrAFile()
    {
        m_model->setText("dataset.name", QStringLiteral("mnist"));
        QVERIFY(!m_model->row("dataset.path")->isFile);
        m_model->setText("dataset.name", QStringLiteral("text"));
        QVERIFY(m_model->row("dataset.path")->isFile);
        QVERIFY(!m_model->row("checkpoint.path")->isFile);
    }

    void draftsAreThereWhileSomethingIsWrong()
    {
        QCOMPARE(m_model->drafts().size(), std::size_t(3));
        m_model->setText("train.batch", QStringLiteral("1000000"));
        QVERIFY(!m_model->problem().isEmpty() && m_model->runs().empty());
        QCOMPARE(m_model->drafts().size(), std::size_t(3));
        QCOMPARE(m_model->drafts()[2].settings->train.batch, 1'000'000);
        m_model->setVariantEnabled(0, false);
        QCOMPARE(m_model->drafts().size(), std::size_t(2));
        QCOMPARE(m_model->drafts()[0].name, m_model->variants()[1].name.toStdString());
    }

    void aTextGoesWhereItsVariantHasIt()
    {
        const std::string name = m_model->variants()[1].name.toStdString();
        m_model->setTextOf(name, "optimizer.lr", QStringLiteral("0.5"));
        QCOMPARE(m_model->variants()[1].cells.at("optimizer.lr").text, QStringLiteral("0.5"));
        QVERIFY(!m_model->row("optimizer.lr")->isModified());
        m_model->setTextOf(name, "train.batch", QStringLiteral("32"));
        QCOMPARE(m_model->row("train.batch")->text, QStringLiteral("32"));
    }

    void whatEveryVariantSetsIsNotInTheForm()
    {
        QVERIFY(!m_model->row("optimizer.name")->isShown);
        QVERIFY(!m_model->row("optimizer.lr")->isShown);
    }

    void aFieldOfOneVariantFollowsItsTick()
    {
        QVERIFY(m_model->row("optimizer.beta1")->isShown);
        for (std::size_t i = 0; i < m_model->variants().size(); ++i) {
            if (m_model->variants()[i].name == QLatin1String("Adam")) {
                m_model->setVariantEnabled(i, false);
            }
        }
        QVERIFY(!m_model->row("optimizer.beta1")->isShown);
        QCOMPARE(m_model->runs().size(), std::size_t(2));
    }

    void wrongValuesStopRun_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addRow("not a number") << "net.hidden"
                                      << "many";
        QTest::addRow("empty") << "net.hidden"
                               << "";
        QTest::addRow("out of range") << "net.hidden"
                                      << "-3";
        QTest::addRow("seed") << "train.seed"
                              << "1.5";
        QTest::addRow("a GPU that is not there") << "device"
                                                 << "cuda:63";
        QTest::addRow("GPUs that are not there") << "device.gpus"
                                                 << "62,63";
    }

    void wrongValuesStopRun()
    {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QSignalSpy changed(m_model.get(), &FormModel::changed);
        m_model->setText(name.toStdString(), text);
        QCOMPARE(changed.size(), 1);
        QVERIFY(!m_model->row(name.toStdString())->error.isEmpty());
        QVERIFY(m_model->problem().contains(ui::translatedLabel(*m_model->row(name.toStdString())->parameter)));
        QVERIFY(m_model->runs().empty());
        m_model->reset(name.toStdString());
        QCOMPARE(m_model->problem(), QString());
        QCOMPARE(m_model->runs().size(), std::size_t(3));
    }

    void mpiNeedsMpirun()
    {
        m_model->setSpec(*experiment::preset("aggregation"));
        const QByteArray path = qgetenv("PATH");
        const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
        qputenv("PATH", "/nowhere");
        m_model->setText("comm.backend", QStringLiteral("mpi"));
        QVERIFY(m_model->row("comm.backend")->error.contains(QStringLiteral("apt-get install openmpi-bin")));
        QVERIFY(m_model->problem().contains(QStringLiteral("mpirun")) && m_model->runs().empty());
        m_model->setText("comm.backend", QStringLiteral("shm"));
        QCOMPARE(m_model->problem(), QString());
    }

    void whatDoesNotApplyToARunIsNoted()
    {
        m_model->setSpec(*experiment::preset("model-parallel"));
        m_model->setRepeats(1);
        m_model->setText("pipeline.microbatches", QStringLiteral("8"));
        for (const experiment::RunSpec& run : m_model->runs()) {
            const bool hasIt = run.settings->rank.strategy == experiment::Strategy::Pipeline
                || run.settings->rank.strategy == experiment::Strategy::Grid;
            QCOMPARE(run.notes.size(), std::size_t(hasIt ? 0 : 1));
        }
        QVERIFY(!m_model->runs().empty());
    }

    void hiddenMistakesDoNotStopRun()
    {
        m_model->setText("net.hidden", QStringLiteral("many"));
        m_model->setText("net.name", QStringLiteral("logistic"));
        QCOMPARE(m_model->problem(), QString());
    }

    void crossChecksStandAtTheirField()
    {
        for (std::size_t i = 0; i < m_model->variants().size(); ++i) {
            if (m_model->variants()[i].cells.contains("train.batch")) {
                m_model->setVariantText(i, "train.batch", QStringLiteral("900000"));
            }
        }
        m_model->setText("train.batch", QStringLiteral("900000"));
        QVERIFY(!m_model->problem().isEmpty());
        QVERIFY(m_model->runs().empty());
    }

    void variantsAreEdited()
    {
        m_model->setVariantText(0, "optimizer.lr", QStringLiteral("0.25"));
        QVERIFY(m_model->isModified());
        QCOMPARE(m_model->runs().front().settings->optimizer.lr, 0.25);
        m_model->setVariantText(0, "optimizer.lr", QStringLiteral("-1"));
        QVERIFY(!m_model->variants()[0].cells.at("optimizer.lr").error.isEmpty());
        QVERIFY(!m_model->problem().isEmpty());
    }

    void noVariantNoRun()
    {
        for (std::size_t i = 0; i < 3; ++i) {
            m_model->setVariantEnabled(i, false);
        }
        QVERIFY(!m_model->problem().isEmpty());
    }

    void repeatsHaveSeedsOfTheirOwn()
    {
        m_model->setRepeats(3);
        QCOMPARE(m_model->runs().size(), std::size_t(9));
        std::set<std::int64_t> seeds;
        for (std::size_t i = 0; i < 3; ++i) {
            seeds.insert(m_model->runs()[i].settings->train.seed);
        }
        QCOMPARE(seeds.size(), std::size_t(3));
    }

    void resetAllBringsThePresetBack()
    {
        m_model->setText("net.hidden", QStringLiteral("32"));
        m_model->setRepeats(2);
        m_model->setVariantEnabled(1, false);
        m_model->resetAll();
        QVERIFY(!m_model->isModified());
        QCOMPARE(m_model->runs().size(), std::size_t(3));
        QCOMPARE(m_model->row("net.hidden")->text, QStringLiteral("128"));
    }

private:
    std::unique_ptr<FormModel> m_model;
};

LOCKSTEP_TEST(TestFormModel)
#include "test_form_model.moc"
