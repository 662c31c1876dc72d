// The list of variants: those of one group are folded together under its title.
#include "program/window_test.h"
#include "ui/models/form_model.h"
#include "ui/shell/window_fixture.h"

#include <QCheckBox>
#include <QDir>
#include <QRegularExpression>
#include <QToolButton>

using namespace lockstep;
using namespace lockstep::tests;

class TestVariantsEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        isolate(m_settings);
        ui::applyLanguage(ui::Language::English);
        m_window = openWindow(m_store.path(), {1024, 640});
        m_window->form().setSpec(*experiment::preset("aggregation"));
        QTRY_VERIFY(tick("all_reduce") != nullptr && tick("all_reduce")->isVisible());
    }
    void cleanup() { m_window.reset(); }

    void aGroupOpensWithAClick()
    {
        QToolButton* rules = group("Rules");
        QVERIFY(rules->isVisible());
        QVERIFY(!tick("median")->isVisible());
        QVERIFY(!tick("ring")->isVisible());
        QTest::mouseClick(rules, Qt::LeftButton);
        QTRY_VERIFY(tick("median")->isVisible() && tick("sum")->isVisible());
        QVERIFY(!tick("ring")->isVisible());
        QTest::mouseClick(rules, Qt::LeftButton);
        QVERIFY(!tick("median")->isVisible());
        QTest::keyClick(rules, Qt::Key_Space);
        QVERIFY(tick("median")->isVisible());
    }

    void itsTickIsThatOfAllItsVariants()
    {
        auto* all = m_window->findChild<QCheckBox*>(QStringLiteral("group-tick:Rules"));
        QCOMPARE(all->checkState(), Qt::Checked);
        QCOMPARE(group("Rules")->text(), QStringLiteral("Rules (4 of 4)"));
        const std::size_t runs = m_window->form().runs().size();
        tick("median")->click();
        QCOMPARE(all->checkState(), Qt::PartiallyChecked);
        QCOMPARE(group("Rules")->text(), QStringLiteral("Rules (3 of 4)"));
        QCOMPARE(m_window->form().runs().size(), runs - 1);
        all->click();
        QCOMPARE(all->checkState(), Qt::Checked);
        QVERIFY(tick("median")->isChecked());
        all->click();
        QCOMPARE(all->checkState(), Qt::Unchecked);
        QCOMPARE(m_window->form().runs().size(), runs - 4);
        QVERIFY(!tick("sum")->isChecked() && tick("ring")->isChecked());
    }

    void theListFitsIntoTheSmallestWindow()
    {
        QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots"));
        for (const auto& [language, name] :
            {std::pair{ui::Language::English, "en"}, std::pair{ui::Language::Chinese, "zh"}}) {
            ui::applyLanguage(language);
            QTest::qWait(50);
            QVERIFY(m_window->grab().save(
                QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/aggregation-form-%1.png").arg(QLatin1String(name))));
            for (const char* each : {"Collectives", "Messages", "Parameter server", "Rules"}) {
                const QToolButton* title = group(each);
                QVERIFY(title->isVisible());
                QVERIFY(title->mapTo(m_window.get(), title->rect().bottomRight()).x() < m_window->width());
                QVERIFY(title->mapTo(m_window.get(), title->rect().bottomRight()).y() < m_window->height());
                QVERIFY(title->width() >= title->fontMetrics().horizontalAdvance(title->text()));
            }
        }
        QVERIFY(group("Rules")->text().startsWith(QStringLiteral("规则")));
        ui::applyLanguage(ui::Language::English);
    }

private:
    [[nodiscard]] QCheckBox* tick(const char* variant) const
    {
        return m_window->findChild<QCheckBox*>(QStringLiteral("variant:") + QLatin1String(variant));
    }
    [[nodiscard]] QToolButton* group(const char* name) const
    {
        return m_window->findChild<QToolButton*>(QStringLiteral("group:") + QLatin1String(name));
    }

    QTemporaryDir m_settings;
    QTemporaryDir m_store;
    std::unique_ptr<ui::MainWindow> m_window;
};

LOCKSTEP_WINDOW_TEST(TestVariantsEditor)
#include "test_variants_editor.moc"
