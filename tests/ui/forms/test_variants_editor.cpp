// The table of variants in the window: groups, values, the dialogs that vary and combine, undo.
#include "program/window_test.h"
#include "ui/forms/combine_dialog.h"
#include "ui/forms/variant_delegate.h"
#include "ui/forms/vary_dialog.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/variants_model.h"
#include "ui/shell/window_fixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

using namespace lockstep;
using namespace lockstep::tests;

class TestVariantsEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        // A dialog that grows tells its window, which the offscreen platform does not hear.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        isolate(m_settings);
        ui::applyLanguage(ui::Language::English);
        m_window = openWindow(m_store.path(), {1024, 640});
        m_table = m_window->findChild<QTreeView*>(QStringLiteral("variants"));
        show("aggregation");
    }
    void cleanup() { m_window.reset(); }

    void aGroupOpensWithAClick()
    {
        QVERIFY(!m_table->isExpanded(group("Rules")));
        click(group("Rules"));
        QVERIFY(m_table->isExpanded(group("Rules")));
        QVERIFY(!m_table->isExpanded(group("Messages")));
        click(group("Rules"));
        QVERIFY(!m_table->isExpanded(group("Rules")));
    }

    void itsTickIsThatOfAllItsVariants()
    {
        QCOMPARE(tickOf(group("Rules")), Qt::Checked);
        QCOMPARE(group("Rules").data().toString(), QStringLiteral("Rules (4 of 4)"));
        const std::size_t runs = form().runs().size();
        tick(variant("median"));
        QCOMPARE(tickOf(group("Rules")), Qt::PartiallyChecked);
        QCOMPARE(group("Rules").data().toString(), QStringLiteral("Rules (3 of 4)"));
        QCOMPARE(form().runs().size(), runs - 1);
        tick(group("Rules"));
        QCOMPARE(tickOf(variant("median")), Qt::Checked);
        tick(group("Rules"));
        QCOMPARE(form().runs().size(), runs - 4);
        form().undoStack().undo();
        QCOMPARE(form().runs().size(), runs);
        QVERIFY(!m_table->isExpanded(group("Rules"))); // a tick is not a click on the title
    }

    void theTableFitsIntoTheSmallestWindow()
    {
        QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots"));
        for (const auto& [language, name] :
            {std::pair{ui::Language::English, "en"}, std::pair{ui::Language::Chinese, "zh"}}) {
            ui::applyLanguage(language);
            for (const char* preset : {"aggregation", "optimizers", "scaling"}) {
                show(preset);
                QVERIFY(m_window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/variants-%1-%2.png")
                                                  .arg(QLatin1String(preset), QLatin1String(name))));
                const auto place = [this] { return QRect(m_table->mapTo(m_window.get(), QPoint()), m_table->size()); };
                QTRY_VERIFY(m_window->rect().contains(place()));
                int columns = 0;
                for (int i = 0; i < m_table->model()->columnCount(); ++i) {
                    columns += m_table->columnWidth(i);
                }
                QVERIFY(columns <= m_table->viewport()->width()
                    || m_table->horizontalScrollBarPolicy() == Qt::ScrollBarAsNeeded);
            }
        }
        QVERIFY(m_table->model()->headerData(0, Qt::Horizontal).toString() == QStringLiteral("变体"));
        ui::applyLanguage(ui::Language::English);
    }

    void aValueIsEditedInPlace()
    {
        show("optimizers");
        const QModelIndex rate = cell("SGD", "optimizer.lr");
        click(rate);
        auto* edit = m_table->findChild<QLineEdit*>();
        QVERIFY(edit != nullptr);
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("20"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_COMPARE(form().variants()[1].cells.at("optimizer.lr").text, QStringLiteral("20"));
        const auto* error = m_window->findChild<QLabel*>(QStringLiteral("variants_error"));
        QVERIFY(error->isVisible() && error->text().contains(QStringLiteral("at most 10")));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(form().variants()[1].cells.at("optimizer.lr").text, QStringLiteral("0.1"));
        QVERIFY(!error->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(form().variants()[1].cells.at("optimizer.lr").text, QStringLiteral("20"));
    }

    /// Defect 27: a variant's own value is given up for the one of all.
    void aCellIsReset()
    {
        show("optimizers");
        const QModelIndex epochs = cell("SGD", "train.epochs");
        QVERIFY(form().variants()[1].cells.contains("train.epochs"));
        m_table->scrollTo(epochs);
        QString chosen;
        QTimer::singleShot(50, m_table, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            chosen = menu->actions().last()->text();
            menu->actions().last()->trigger();
            menu->close();
        });
        Q_EMIT m_table->customContextMenuRequested(m_table->visualRect(epochs).center());
        QCOMPARE(chosen, QStringLiteral("Use the shared value of Epochs"));
        QVERIFY(!form().variants()[1].cells.contains("train.epochs"));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(form().variants()[1].cells.contains("train.epochs"));
    }

    void namesThatAreCutDiffer()
    {
        show("model-parallel");
        struct Shown : ui::VariantDelegate {
            using VariantDelegate::initStyleOption;
        } shown;
        QStringList texts;
        int shortened = 0;
        const QAbstractItemModel& model = *m_table->model();
        for (int row = 0; row < model.rowCount(); ++row) {
            QStyleOptionViewItem option;
            option.initFrom(m_table);
            option.widget = m_table;
            option.rect = QRect(0, 0, 110, 20);
            shown.initStyleOption(&option, model.index(row, 0));
            texts += option.text;
            shortened += option.text != model.index(row, 0).data().toString() ? 1 : 0;
        }
        QVERIFY(shortened > 0); // not left to be cut at its end
        QVERIFY(texts.size() > 4);
        const auto all = texts.size();
        QVERIFY2(texts.removeDuplicates() == 0, qPrintable(QString::number(all) + texts.join(u'|')));
    }

    void undoInAFieldIsThatOfTheForm()
    {
        show("optimizers");
        auto* batch = m_window->findChild<QLineEdit*>(QStringLiteral("train.batch"));
        batch->setFocus();
        batch->selectAll();
        QTest::keyClicks(batch, QStringLiteral("512"));
        QCOMPARE(form().row("train.batch")->text, QStringLiteral("512"));
        QTest::keyClick(batch, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!form().row("train.batch")->isModified());
        QCOMPARE(batch->text(), form().row("train.batch")->standard);
    }

    void variantsAreDuplicatedMovedAndDeleted()
    {
        show("optimizers");
        m_table->setFocus();
        m_table->setCurrentIndex(variant("SGD"));
        QTest::keyClick(m_table, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(names(), (QStringList{"GD", "SGD", "SGD 2", "Adam"}));
        QTest::keyClick(m_table, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(names(), (QStringList{"GD", "SGD", "Adam", "SGD 2"}));
        QTest::keyClick(m_table, Qt::Key_Delete);
        QCOMPARE(names(), (QStringList{"GD", "SGD", "Adam"}));
        button("add_variant")->click();
        QCOMPARE(names().size(), 4);
        QCOMPARE(form().undoStack().count(), 4);
        form().undoStack().setIndex(0);
        QCOMPARE(names(), (QStringList{"GD", "SGD", "Adam"}));
    }

    /// "Does momentum or batch size matter more on the CNN at 4 ranks": each line below is one interaction.
    void aGridOfTwoParametersTakesFewInteractions()
    {
        int interactions = 0;
        form().setSpec(*experiment::preset("own"));
        ++interactions; // a new experiment
        choose("net.name", "cnn", interactions);
        choose("strategy.name", "data", interactions);
        type("world_size", "4", interactions);
        choose("optimizer.name", "momentum", interactions);
        vary("optimizer.momentum", "0.5, 0.9, 0.99", interactions);
        vary("train.batch", "16, 32, 64", interactions);
        m_window->findChild<QSpinBox*>(QStringLiteral("repeats"))->setValue(3);
        ++interactions;
        QCOMPARE(form().problem(), QString());
        QCOMPARE(form().variants().size(), std::size_t{9});
        QCOMPARE(form().runs().size(), std::size_t{27});
        QCOMPARE(names().at(5), QStringLiteral("momentum=0.9 batch=64"));
        const QString cost = m_window->findChild<QLabel*>(QStringLiteral("estimate"))->text();
        QVERIFY2(cost.startsWith(QStringLiteral("27 runs · ≈ ")), qPrintable(cost));
        // Run and Save are one more each.
        QVERIFY2(interactions + 2 < 15, qPrintable(QString::number(interactions)));
    }

    void theDialogSaysWhatIsWrong()
    {
        show("optimizers");
        ui::VaryDialog* dialog = openVary();
        auto* parameter = dialog->findChild<QComboBox*>(QStringLiteral("vary_parameter"));
        auto* values = dialog->findChild<QLineEdit*>(QStringLiteral("vary_values"));
        const auto* outcome = dialog->findChild<QLabel*>(QStringLiteral("outcome"));
        const QPushButton* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        parameter->setEditText(QStringLiteral("train.batch"));
        values->setText(QStringLiteral("16, 32"));
        QVERIFY2(outcome->text().startsWith(QStringLiteral("5 variants · 5 runs · ")), qPrintable(outcome->text()));
        QVERIFY(ok->isEnabled());
        values->setText(QStringLiteral("16, x"));
        QVERIFY(!ok->isEnabled());
        QVERIFY2(outcome->text().startsWith(QStringLiteral("“x” is not allowed: each value must be an integer")),
            qPrintable(outcome->text()));
        parameter->setEditText(QStringLiteral("zero.stage"));
        QVERIFY2(outcome->text().contains(QStringLiteral("It applies where")), qPrintable(outcome->text()));
        parameter->setEditText(QStringLiteral("nothing"));
        QVERIFY2(outcome->text().contains(QStringLiteral("no such parameter")), qPrintable(outcome->text()));
        parameter->setEditText(QStringLiteral("net.name"));
        const auto* choices = dialog->findChild<QListWidget*>(QStringLiteral("vary_choices"));
        QVERIFY(choices->isVisible());
        for (int i = 0; i < choices->count(); ++i) {
            choices->item(i)->setCheckState(i < 2 ? Qt::Checked : Qt::Unchecked);
        }
        QVERIFY2(outcome->text().startsWith(QStringLiteral("6 variants")), qPrintable(outcome->text()));
        dialog->reject();
        QCOMPARE(names().size(), 3);
    }

    void aRangeAndASample()
    {
        show("optimizers");
        ui::VaryDialog* dialog = openVary();
        dialog->findChild<QComboBox*>(QStringLiteral("vary_parameter"))->setEditText(QStringLiteral("train.batch"));
        dialog->findChild<QComboBox*>(QStringLiteral("vary_way"))->setCurrentIndex(2);
        dialog->findChild<QLineEdit*>(QStringLiteral("vary_from"))->setText(QStringLiteral("16"));
        dialog->findChild<QLineEdit*>(QStringLiteral("vary_to"))->setText(QStringLiteral("256"));
        dialog->findChild<QSpinBox*>(QStringLiteral("vary_count"))->setValue(5);
        const auto* outcome = dialog->findChild<QLabel*>(QStringLiteral("outcome"));
        QVERIFY2(outcome->text().startsWith(QStringLiteral("11 variants")), qPrintable(outcome->text()));
        dialog->findChild<QCheckBox*>(QStringLiteral("is_sample"))->setChecked(true);
        dialog->findChild<QSpinBox*>(QStringLiteral("sample"))->setValue(4);
        QVERIFY2(outcome->text().startsWith(QStringLiteral("4 variants")), qPrintable(outcome->text()));
        dialog->accept();
        QCOMPARE(names().size(), 4);
    }

    void dialogsFitInBothLanguages()
    {
        for (const auto& [language, name] :
            {std::pair{ui::Language::English, "en"}, std::pair{ui::Language::Chinese, "zh"}}) {
            ui::applyLanguage(language);
            show("optimizers");
            ui::VaryDialog* dialog = openVary();
            QTest::qWait(30);
            dialog->grab().save(
                QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/vary-%1.png").arg(QLatin1String(name)));
            dialog->findChild<QComboBox*>(QStringLiteral("vary_parameter"))->setEditText(QStringLiteral("net.name"));
            QTest::qWait(30);
            dialog->grab().save(
                QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/vary-choice-%1.png").arg(QLatin1String(name)));
            QVERIFY(dialog->height() <= 640 && dialog->width() <= 1024);
            dialog->reject();
            button("combine")->click();
            auto* combine = m_window->findChild<ui::CombineDialog*>();
            QVERIFY(combine != nullptr);
            QTest::qWait(30);
            combine->grab().save(
                QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/combine-%1.png").arg(QLatin1String(name)));
            combine->reject();
            QTRY_VERIFY(m_window->findChild<ui::CombineDialog*>() == nullptr);
        }
        ui::applyLanguage(ui::Language::English);
    }

private:
    [[nodiscard]] ui::FormModel& form() const { return m_window->form(); }
    [[nodiscard]] const ui::VariantsModel& model() const
    {
        return *qobject_cast<const ui::VariantsModel*>(m_table->model());
    }
    void show(const char* preset)
    {
        auto spec = *experiment::preset(preset);
        spec.repeats = 1;
        form().setSpec(spec);
        QTRY_VERIFY(m_table->isVisible());
        QTest::qWait(30);
    }
    [[nodiscard]] QStringList names() const
    {
        QStringList all;
        for (const ui::VariantRow& row : form().variants()) {
            all += row.name;
        }
        return all;
    }
    [[nodiscard]] QModelIndex group(const char* name) const
    {
        for (int row = 0; row < model().rowCount(); ++row) {
            if (model().groupAt(model().index(row, 0)) == QLatin1String(name)) {
                return model().index(row, 0);
            }
        }
        return {};
    }
    [[nodiscard]] QModelIndex variant(const char* name, int column = 0) const
    {
        return model().indexOf(static_cast<std::size_t>(names().indexOf(QLatin1String(name))), column);
    }
    [[nodiscard]] QModelIndex cell(const char* name, const char* parameter) const
    {
        for (int column = 1; column < model().columnCount(); ++column) {
            if (model().parameterAt(column)->name == parameter) {
                return variant(name, column);
            }
        }
        return {};
    }
    [[nodiscard]] static Qt::CheckState tickOf(const QModelIndex& index)
    {
        return static_cast<Qt::CheckState>(index.data(Qt::CheckStateRole).toInt());
    }
    void tick(const QModelIndex& index)
    {
        const Qt::CheckState wanted = tickOf(index) == Qt::Checked ? Qt::Unchecked : Qt::Checked;
        QVERIFY(m_table->model()->setData(index, wanted, Qt::CheckStateRole));
    }
    void click(const QModelIndex& index)
    {
        m_table->scrollTo(index);
        const QRect place = m_table->visualRect(index) & m_table->viewport()->rect(); // a group spans all columns
        QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, {place.right() - 4, place.center().y()});
    }
    [[nodiscard]] QToolButton* button(const char* name) const
    {
        return m_window->findChild<QToolButton*>(QLatin1String(name));
    }
    [[nodiscard]] ui::VaryDialog* openVary() const
    {
        button("vary")->click();
        return m_window->findChildren<ui::VaryDialog*>().last();
    }
    void choose(const char* field, const char* value, int& interactions)
    {
        auto* combo = m_window->findChild<QComboBox*>(QLatin1String(field));
        QVERIFY(combo != nullptr);
        const int index = combo->findData(QLatin1String(value));
        QVERIFY(index >= 0);
        combo->setCurrentIndex(index);
        Q_EMIT combo->activated(index);
        QCOMPARE(form().row(field)->text, QLatin1String(value));
        ++interactions;
    }
    void type(const char* field, const char* text, int& interactions)
    {
        auto* edit = m_window->findChild<QLineEdit*>(QLatin1String(field));
        QVERIFY(edit != nullptr);
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
        QCOMPARE(form().row(field)->text, QLatin1String(text));
        ++interactions;
    }
    /// The button, the parameter's name, and the values with Return.
    void vary(const char* parameter, const char* values, int& interactions)
    {
        ui::VaryDialog* dialog = openVary();
        dialog->findChild<QComboBox*>(QStringLiteral("vary_parameter"))->setEditText(QLatin1String(parameter));
        auto* edit = dialog->findChild<QLineEdit*>(QStringLiteral("vary_values"));
        edit->setText(QLatin1String(values));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(dialog->result(), static_cast<int>(QDialog::Accepted));
        interactions += 3;
    }

    QTemporaryDir m_settings;
    QTemporaryDir m_store;
    std::unique_ptr<ui::MainWindow> m_window;
    QTreeView* m_table = nullptr;
};

LOCKSTEP_WINDOW_TEST(TestVariantsEditor)
#include "test_variants_editor.moc"
