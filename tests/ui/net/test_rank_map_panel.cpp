// The map of ranks on the page of the net: choosing a grid, and the text about a rank's groups.
#include "program/window_test.h"
#include "ui/models/form/form_model.h"
#include "ui/models/pipeline_run.h"
#include "ui/models/sample_runs.h"
#include "ui/net/net_panel.h"
#include "ui/net/net_view.h"
#include "ui/net/rank_map_panel.h"
#include "ui/net/rank_map_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>
#include <QToolButton>

#include <memory>

using namespace lockstep;
using ui::FormModel;
using ui::NetPanel;
using ui::RankMapView;

class TestRankMapPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        m_form = std::make_unique<FormModel>();
        auto spec = *experiment::preset("model-parallel");
        spec.variants = {{"grid", {{"strategy.name", std::string("grid")}}}};
        m_form->setSpec(spec);
        m_panel = std::make_unique<NetPanel>(*m_form);
        m_panel->resize(560, 480);
        m_panel->show();
    }
    void cleanup()
    {
        m_panel.reset();
        m_form.reset();
    }

    void steppersChangeTheForm()
    {
        QCOMPARE(total(), QStringLiteral("= 4 ranks"));
        press("grid.tensor_more");
        QCOMPARE(m_form->row("grid.tensor")->text, QStringLiteral("2"));
        QCOMPARE(total(), QStringLiteral("= 8 ranks"));
        QCOMPARE(view().map().shape.tensor, 2);
        QVERIFY2(m_form->problem().isEmpty(), qPrintable(m_form->problem()));
        press("grid.data_fewer");
        QCOMPARE(m_form->row("grid.data")->text, QStringLiteral("1"));
        QVERIFY(!button("grid.data_fewer")->isEnabled());
        press("grid.pipeline_more");
        QCOMPARE(m_form->row("grid.pipeline")->text, QStringLiteral("3"));
        QCOMPARE(total(), QStringLiteral("= 6 ranks"));
        QCOMPARE(m_panel->view().picture().parts.size(), std::size_t(3));
        for (const experiment::RunSpec& run : m_form->runs()) {
            QCOMPARE(run.settings->grid.pipeline, 3);
        }
        m_panel->findChild<QCheckBox*>(QStringLiteral("grid.zero"))->click();
        QVERIFY(view().map().hasZero);
        QVERIFY(m_form->runs().front().settings->grid.isZero);
        // One stage is still a grid, which can be made larger again.
        press("grid.pipeline_fewer");
        press("grid.pipeline_fewer");
        QVERIFY(m_panel->ranks().isVisible() && m_panel->hasDividedNet());
    }

    void keysReachTheSteppers()
    {
        QToolButton* more = button("grid.data_more");
        QCOMPARE(more->accessibleName(), QStringLiteral("More copies"));
        QVERIFY(!more->accessibleDescription().isEmpty());
        QVERIFY((more->focusPolicy() & Qt::TabFocus) != 0);
        more->setFocus();
        QTest::keyClick(more, Qt::Key_Space);
        QCOMPARE(m_form->row("grid.data")->text, QStringLiteral("3"));
    }

    void anImpossibleSizeIsExplained_data()
    {
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem");
        QTest::newRow("stages") << QStringLiteral("grid.pipeline") << QStringLiteral("8")
                                << QStringLiteral("Stages per copy: 9 is too many");
        QTest::newRow("ranks") << QStringLiteral("grid.data") << QStringLiteral("32")
                               << QStringLiteral("Copies of the net: 66 ranks are too many");
        QTest::newRow("parts") << QStringLiteral("grid.tensor") << QStringLiteral("10")
                               << QStringLiteral("Parts per layer of a copy: 11 ranks are more than the 10 outputs");
    }

    void anImpossibleSizeIsExplained()
    {
        QFETCH(QString, parameter);
        QFETCH(QString, text);
        QFETCH(QString, problem);
        if (parameter == QLatin1String("grid.tensor")) {
            m_form->setText("net.depth", QStringLiteral("7")); // the last layer is shared by its outputs
            m_form->setText("grid.data", QStringLiteral("1"));
        }
        m_form->setText(parameter.toStdString(), text);
        QVERIFY2(m_form->problem().isEmpty(), qPrintable(m_form->problem()));
        press((parameter + QStringLiteral("_more")).toUtf8().constData());
        QVERIFY2(hasLabel(problem), qPrintable(m_form->problem()));
        QVERIFY(!m_form->problem().isEmpty() && m_form->runs().empty());
        QVERIFY(!m_form->row(parameter.toStdString())->error.isEmpty());
        QVERIFY(!m_panel->grab().isNull());
        press((parameter + QStringLiteral("_fewer")).toUtf8().constData());
        QVERIFY(!hasLabel(problem));
        QVERIFY(m_form->problem().isEmpty());
    }

    void headsThatCannotBeDivided()
    {
        m_form->setText("net.name", QStringLiteral("gpt"));
        m_form->setText("dataset.name", QStringLiteral("text"));
        m_form->setText("grid.pipeline", QStringLiteral("1"));
        m_form->setText("grid.tensor", QStringLiteral("3"));
        QVERIFY(hasLabel(QStringLiteral("Parts per layer of a copy: 3 ranks cannot share the")));
    }

    void aTypedSizeThatCannotBeRead()
    {
        m_form->setText("grid.data", QStringLiteral("many"));
        QVERIFY(hasLabel(QStringLiteral("Copies of the net: This must be an integer")));
        m_form->setText("grid.data", QStringLiteral("2"));
        QVERIFY(!hasLabel(QStringLiteral("Copies of the net:")));
    }

    void aRankPointedAtSaysWhomItWorksWith()
    {
        press("grid.tensor_more");
        QCOMPARE(view().current(), -1);
        QTest::qWait(10); // laid out again
        const QPoint middle = view().rankRect(5).center().toPoint();
        QCOMPARE(view().rankAt(middle), 5);
        QTest::mouseMove(&view(), middle);
        QTRY_COMPARE(view().current(), 5);
        QCOMPARE(words(), ui::rankInWords(5, view().map()).join(u'\n'));
        QCOMPARE(words().count(u'\n'), 3);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&view(), &leave);
        QCOMPARE(view().current(), -1);
    }

    void keysGoFromRankToRank()
    {
        press("grid.tensor_more");
        m_panel->activateWindow();
        view().setFocus();
        QTRY_VERIFY(view().hasFocus());
        QCOMPARE(view().current(), 0);
        for (const auto& [key, rank] : {std::pair{Qt::Key_Right, 1}, std::pair{Qt::Key_Right, 4}, // the next stage
                 std::pair{Qt::Key_Down, 6}, std::pair{Qt::Key_Down, 6}, std::pair{Qt::Key_End, 7},
                 std::pair{Qt::Key_Home, 2}, std::pair{Qt::Key_Up, 0}, std::pair{Qt::Key_Left, 0}}) {
            QTest::keyClick(&view(), key);
            QCOMPARE(view().current(), rank);
        }
        QVERIFY(view().accessibleDescription().startsWith(QStringLiteral("Rank 0: copy 0, stage 0, part 0.")));
    }

    /// No rank overlaps another or is outside, whatever the shape.
    void allRanksHaveRoom_data()
    {
        QTest::addColumn<int>("data");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("tensor");
        for (const auto& [data, pipeline, tensor] :
            {std::array{2, 2, 2}, std::array{64, 1, 1}, std::array{1, 64, 1}, std::array{1, 1, 64}, std::array{4, 4, 4},
                std::array{16, 2, 2}, std::array{2, 16, 2}, std::array{8, 8, 1}, std::array{21, 1, 3}}) {
            QTest::addRow("%d x %d x %d", data, pipeline, tensor) << data << pipeline << tensor;
        }
    }

    void allRanksHaveRoom()
    {
        QFETCH(int, data);
        QFETCH(int, pipeline);
        QFETCH(int, tensor);
        m_form->setText("net.depth", QStringLiteral("64"));
        m_form->setText("grid.data", QString::number(data));
        m_form->setText("grid.pipeline", QString::number(pipeline));
        m_form->setText("grid.tensor", QString::number(tensor));
        for (const int width : {556, 1100}) {
            m_panel->resize(width, 480);
            QTest::qWait(10);
            const QRectF all(view().rect());
            for (int rank = 0; rank < data * pipeline * tensor; ++rank) {
                const QRectF rect = view().rankRect(rank);
                QVERIFY2(all.contains(rect), qPrintable(QStringLiteral("rank %1 at %2").arg(rank).arg(width)));
                QVERIFY(rect.width() >= 2.0 && rect.height() >= 8.0);
                for (int other = 0; other < rank; ++other) {
                    QVERIFY(!rect.intersects(view().rankRect(other)));
                }
            }
        }
    }

    void aRunIsReadOnly()
    {
        const test::PipelineRun run(R"("pipeline.stages":3)");
        ui::RunFeed feed(
            run.record(), std::make_unique<test::ScriptedSource>(std::make_shared<std::deque<store::DeltaPtr>>()));
        m_panel->setFeeds({&feed});
        auto* picker = m_panel->findChild<QComboBox*>();
        QCOMPARE(picker->count(), 2);
        picker->setCurrentIndex(1);
        Q_EMIT picker->activated(1);
        QCOMPARE(total(), QStringLiteral("= 3 ranks"));
        QVERIFY(!button("grid.data_more")->isVisible());
        QVERIFY(!m_panel->findChild<QCheckBox*>(QStringLiteral("grid.zero"))->isVisible());
        m_panel->setFeeds({});
        QVERIFY(button("grid.data_more")->isVisible());
    }

private:
    [[nodiscard]] RankMapView& view() { return m_panel->ranks().view(); }
    [[nodiscard]] QToolButton* button(const char* name)
    {
        return m_panel->findChild<QToolButton*>(QLatin1String(name));
    }
    void press(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }
    [[nodiscard]] QString total() { return m_panel->findChild<QLabel*>(QStringLiteral("grid_total"))->text(); }
    [[nodiscard]] QString words() { return m_panel->findChild<QLabel*>(QStringLiteral("rank_words"))->text(); }
    [[nodiscard]] bool hasLabel(const QString& text)
    {
        const auto labels = m_panel->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
            [&](const QLabel* label) { return label->isVisible() && label->text().startsWith(text); });
    }

    std::unique_ptr<FormModel> m_form;
    std::unique_ptr<NetPanel> m_panel;
};

LOCKSTEP_WINDOW_TEST(TestRankMapPanel)
#include "test_rank_map_panel.moc"
