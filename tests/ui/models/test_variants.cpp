// The table of variants: its changes, undo and redo, and the model that a view shows.
#include "base/random.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "experiment/vary.h"
#include "program/test_class.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/variant_edits.h"
#include "ui/models/form/variants_model.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>

#include <cstdlib>
#include <memory>
#include <set>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

experiment::Spec once(const char* preset)
{
    auto spec = *experiment::preset(preset);
    spec.repeats = 1;
    return spec;
}

QStringList namesOf(const Variants& variants)
{
    QStringList names;
    for (const VariantRow& row : variants) {
        names += row.name;
    }
    return names;
}

Variants column(const FormModel& model, const char* text, Fill fill = Fill::EveryCombination)
{
    const auto made = withColumn(model.variants(), model.spec(), *experiment::parseVaried(text), fill);
    return made ? *made : Variants{};
}

} // namespace

class TestVariants : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_model = std::make_unique<FormModel>();
        m_model->setSpec(once("optimizers"));
    }

    void aColumnGivesEveryVariantEveryValue()
    {
        m_model->setVariants({}, column(*m_model, "train.seed=16,32"));
        QCOMPARE(namesOf(m_model->variants()),
            (QStringList{"GD seed=16", "GD seed=32", "SGD seed=16", "SGD seed=32", "Adam seed=16", "Adam seed=32"}));
        QCOMPARE(m_model->runs().size(), std::size_t{6});
        QCOMPARE(m_model->variants()[3].cells.at("optimizer.lr").text, QStringLiteral("0.1"));
        std::set<std::size_t> colors;
        for (const VariantRow& row : m_model->variants()) {
            colors.insert(row.color);
        }
        QCOMPARE(colors.size(), std::size_t{6});
        // Filled again, not on top.
        m_model->setVariants({}, column(*m_model, "train.seed=64,128,256"));
        QCOMPARE(m_model->variants().size(), std::size_t{9});
        QCOMPARE(m_model->variants()[1].name, QStringLiteral("GD seed=128"));
        m_model->setVariants({}, withoutColumn(m_model->variants(), *experiment::findParameter("train.seed")));
        QCOMPARE(namesOf(m_model->variants()), (QStringList{"GD", "SGD", "Adam"}));
    }

    void aColumnCanGiveEachVariantOneValue()
    {
        m_model->setVariants({}, column(*m_model, "train.batch=16,32,64,128", Fill::OneEach));
        QCOMPARE(namesOf(m_model->variants()), (QStringList{"GD", "SGD", "Adam", "Adam 2"}));
        QCOMPARE(m_model->variants()[1].cells.at("train.batch").text, QStringLiteral("32"));
        QCOMPARE(m_model->variants()[3].cells.at("train.batch").text, QStringLiteral("128"));
        m_model->setVariants({}, column(*m_model, "train.batch=8", Fill::OneEach));
        QCOMPARE(m_model->variants()[3].cells.at("train.batch").text, QStringLiteral("8"));
    }

    void twoColumnsAreCombined()
    {
        m_model->setSpec(once("own"));
        m_model->setText("optimizer.name", QStringLiteral("momentum"));
        m_model->setVariants({}, column(*m_model, "optimizer.momentum=0.5,0.9"));
        m_model->setVariants({}, column(*m_model, "train.batch=16,32", Fill::OneEach));
        QCOMPARE(m_model->variants().size(), std::size_t{2});
        const auto grid = withCombined(m_model->variants(), m_model->spec(),
            *experiment::findParameter("optimizer.momentum"), *experiment::findParameter("train.batch"));
        QVERIFY(grid.isOk());
        QCOMPARE(namesOf(*grid),
            (QStringList{
                "momentum=0.5 batch=16", "momentum=0.5 batch=32", "momentum=0.9 batch=16", "momentum=0.9 batch=32"}));
        const Variants some = sampleOf(*grid, 2, 1);
        QCOMPARE(some.size(), std::size_t{2});
        QCOMPARE(namesOf(sampleOf(*grid, 2, 1)), namesOf(some));
    }

    void otherColumnsGoWithTheFirst()
    {
        m_model->setVariants({}, column(*m_model, "train.seed=16,32,64", Fill::OneEach));
        const auto grid = withCombined(m_model->variants(), m_model->spec(),
            *experiment::findParameter("optimizer.name"), *experiment::findParameter("train.seed"));
        QVERIFY(grid.isOk());
        QCOMPARE(grid->size(), std::size_t{9});
        QCOMPARE(grid->at(8).name, QStringLiteral("Adam seed=64"));
        QCOMPARE(grid->at(8).cells.at("optimizer.lr").text, QStringLiteral("0.001"));
    }

    void whatCannotBeIsRefused()
    {
        const auto made = [this](const char* text) {
            return withColumn(
                m_model->variants(), m_model->spec(), *experiment::parseVaried(text), Fill::EveryCombination);
        };
        QVERIFY(made("zero.stage=1,2").error().message.starts_with("zero.stage: has no effect"));
        std::string seeds = "train.seed=0";
        for (int i = 1; i < 334; ++i) {
            seeds += "," + std::to_string(i);
        }
        QCOMPARE(QString::fromStdString(made(seeds.c_str()).error().message),
            QStringLiteral("variants: variants times repeats give 1002 runs; at most 1000 are allowed"));
        QVERIFY(!withName(m_model->variants(), 0, QStringLiteral(" ")).isOk());
        QVERIFY(!withName(m_model->variants(), 0, QStringLiteral("SGD")).isOk());
        QCOMPARE((*withName(m_model->variants(), 0, QStringLiteral(" Full "))).front().name, QStringLiteral("Full"));
    }

    void aNameMadeFromAValueFollowsIt()
    {
        m_model->setVariants({}, column(*m_model, "train.seed=16,32"));
        m_model->setVariantText(1, "train.seed", QStringLiteral("48"));
        QCOMPARE(m_model->variants()[1].name, QStringLiteral("GD seed=48"));
        m_model->setVariantText(1, "train.seed", QStringLiteral("x"));
        QCOMPARE(m_model->variants()[1].name, QStringLiteral("GD seed=48"));
        QVERIFY(!m_model->variants()[1].cells.at("train.seed").error.isEmpty());
        m_model->setVariantText(1, "train.seed", QStringLiteral("16"));
        QCOMPARE(m_model->variants()[1].name, QStringLiteral("GD seed=16 2"));
    }

    /// GD takes the whole set in a step: a batch size has no effect there.
    void whereItDoesNotApplyOneVariantIsMade()
    {
        QCOMPARE(namesOf(column(*m_model, "train.batch=16,32")),
            (QStringList{"GD", "SGD batch=16", "SGD batch=32", "Adam batch=16", "Adam batch=32"}));
    }

    void aColorStaysWithItsVariant()
    {
        m_model->setVariants({}, withMoved(m_model->variants(), 0, 2));
        m_model->setVariants({}, without(m_model->variants(), 0));
        QCOMPARE(namesOf(m_model->variants()), (QStringList{"Adam", "GD"}));
        for (const experiment::RunSpec& run : m_model->runs()) {
            QCOMPARE(*run.place, std::size_t{run.name == "GD" ? 0U : 2U});
        }
        m_model->setVariants({}, withAdded(m_model->variants(), QStringLiteral("New")));
        QCOMPARE(m_model->variants().back().color, std::size_t{1});
    }

    void typingIsOneStep()
    {
        for (const char* text : {"3", "32", "320"}) {
            m_model->setText("train.batch", QString::fromUtf8(text));
        }
        QCOMPARE(m_model->undoStack().count(), 1);
        m_model->undoStack().undo();
        QVERIFY(!m_model->isModified());
        m_model->undoStack().redo();
        QCOMPARE(m_model->row("train.batch")->text, QStringLiteral("320"));
        m_model->reset("train.batch");
        QCOMPARE(m_model->undoStack().count(), 0); // what comes back to where it began is no step
    }

    void aThousandEditsAreUndoneAndRedone()
    {
        Random random(Seed{2026});
        m_model->undoStack().clear();
        const FormState before = m_model->state();
        const std::string specBefore = experiment::toJson(m_model->document());
        int steps = 0;
        for (int i = 0; i < 1000; ++i) {
            editAtRandom(random);
            steps = m_model->undoStack().count();
        }
        QVERIFY2(steps > 500, qPrintable(QString::number(steps)));
        const FormState after = m_model->state();
        const std::string specAfter = experiment::toJson(m_model->document());
        QVERIFY(before != after);
        for (int i = 0; i < steps; ++i) {
            QVERIFY(m_model->undoStack().canUndo());
            m_model->undoStack().undo();
        }
        QVERIFY(!m_model->undoStack().canUndo());
        QVERIFY(m_model->state() == before);
        QCOMPARE(experiment::toJson(m_model->document()), specBefore);
        QVERIFY(!m_model->isModified());
        while (m_model->undoStack().canRedo()) {
            m_model->undoStack().redo();
        }
        QVERIFY(m_model->state() == after);
        QCOMPARE(experiment::toJson(m_model->document()), specAfter);
    }

    void theTableShowsGroupsAndCells()
    {
        m_model->setSpec(once("aggregation"));
        VariantsModel table(*m_model);
        QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        int groups = 0;
        int variants = 0;
        for (int row = 0; row < table.rowCount(); ++row) {
            const QModelIndex node = table.index(row, 0);
            groups += table.groupAt(node).isEmpty() ? 0 : 1;
            variants += table.groupAt(node).isEmpty() ? 1 : table.rowCount(node);
        }
        QCOMPARE(static_cast<std::size_t>(variants), m_model->variants().size());
        QCOMPARE(groups, 5);
        for (std::size_t i = 0; i < m_model->variants().size(); ++i) {
            QCOMPARE(table.variantAt(table.indexOf(i)), std::optional(i));
        }
        QCOMPARE(table.baseline(), std::optional(std::size_t{0}));
        QVERIFY(table.indexOf(0).data().toString().contains(QStringLiteral("baseline")));
        m_model->undoStack().undo();
        m_model->setVariants({}, without(m_model->variants(), 3));
        m_model->undoStack().undo();
    }

    void aCellIsEditedAsItsParameterIs()
    {
        VariantsModel table(*m_model);
        QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        int rate = 0;
        int name = 0;
        for (int i = 1; i < table.columnCount(); ++i) {
            rate = table.parameterAt(i)->name == "optimizer.lr" ? i : rate;
            name = table.parameterAt(i)->name == "optimizer.name" ? i : name;
        }
        QVERIFY(rate > 0 && name > 0);
        QCOMPARE(table.indexOf(2, name).data().toString(), QStringLiteral("Adam"));
        QVERIFY(table.setData(table.indexOf(1, rate), QStringLiteral("-1"), Qt::EditRole));
        QVERIFY(table.indexOf(1, rate).data(VariantsModel::WrongRole).toBool());
        QVERIFY(!m_model->problem().isEmpty());
        QVERIFY(table.setData(table.indexOf(1, rate), QStringLiteral("0.25"), Qt::EditRole));
        QCOMPARE(m_model->problem(), QString());
        QSignalSpy refused(&table, &VariantsModel::refused);
        QVERIFY(!table.setData(table.indexOf(1), QStringLiteral("Adam"), Qt::EditRole));
        QCOMPARE(refused.count(), 1);
        QVERIFY(table.setData(table.indexOf(1), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(m_model->runs().size(), std::size_t{2});
        // A row is dropped between two others.
        std::unique_ptr<QMimeData> data(table.mimeData({table.indexOf(2)}));
        QVERIFY(!table.dropMimeData(data.get(), Qt::MoveAction, 0, 0, {}));
        QCOMPARE(namesOf(m_model->variants()), (QStringList{"Adam", "GD", "SGD"}));
    }

private:
    void editAtRandom(Random& random)
    {
        Variants variants = m_model->variants();
        const std::size_t at = variants.empty() ? 0 : random.below(variants.size());
        const QString number = QString::number(1 + random.below(64));
        switch (random.below(12)) {
        case 0:
            return m_model->setText("train.batch", number);
        case 1:
            return m_model->setText("net.hidden", random.below(2) == 0 ? number : QStringLiteral("wrong"));
        case 2:
            return m_model->setRepeats(1 + static_cast<int>(random.below(3)));
        case 3:
            return m_model->setVariants(QStringLiteral("add"), withAdded(variants, QStringLiteral("V")));
        case 4:
            return m_model->setVariants(QStringLiteral("copy"), withDuplicate(variants, at));
        case 5:
            return variants.size() > 6 ? m_model->setVariants(QStringLiteral("delete"), without(variants, at)) : void();
        case 6:
            return variants.empty()
                ? void()
                : m_model->setVariants(QStringLiteral("move"), withMoved(variants, at, random.below(variants.size())));
        case 7:
            if (const auto named = withName(variants, at, QStringLiteral("N") + number)) {
                m_model->setVariants(QStringLiteral("rename"), *named);
            }
            return;
        case 8:
            return variants.size() > 5
                ? m_model->setVariants(QStringLiteral("sample"), sampleOf(variants, 3, at))
                : m_model->setVariants(QStringLiteral("vary"), column(*m_model, "train.seed=1,2"));
        case 9:
            return m_model->setVariants(
                QStringLiteral("unvary"), withoutColumn(variants, *experiment::findParameter("train.seed")));
        case 10:
            return m_model->setVariantEnabled(at, random.below(2) == 0);
        default:
            return m_model->setAbout({{number.toStdString(), {}}, {}, {}, {}});
        }
    }

    std::unique_ptr<FormModel> m_model;
};

LOCKSTEP_TEST_WITH(QGuiApplication, TestVariants)
#include "test_variants.moc"
