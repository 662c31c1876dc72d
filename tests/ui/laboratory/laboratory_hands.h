// A student at the page of the made-up laboratory: what tests of its window click, type and draw.
#pragma once

#include "program/test_class.h"
#include "ui/pages/laboratory/curve_pad.h"
#include "ui/pages/laboratory/laboratory_page.h"
#include "ui/pages/laboratory/students_dialog.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/window_fixture.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRadioButton>
#include <QTest>

#include <algorithm>
#include <memory>

namespace lockstep::tests {

class LaboratoryHands {
protected:
    /// The window over a store, with the laboratory open.
    void openAt(const QString& store, const QString& laboratory, const QSize& size = {1280, 800})
    {
        m_window.reset();
        m_window = openWindow(store, size);
        QTRY_VERIFY(!m_window->form().rows().empty());
        m_window->documents().addDropped({laboratory});
        QVERIFY2(page() != nullptr, qPrintable(noticesOf(*m_window).text()));
    }

    [[nodiscard]] ui::RunController& controller() { return m_window->controller(); }
    [[nodiscard]] ui::LaboratoryPage* page() { return m_window->findChild<ui::LaboratoryPage*>(); }
    [[nodiscard]] QListWidget& steps() { return *page()->findChild<QListWidget*>(QStringLiteral("steps")); }
    /// Of the form that is shown: the one before is deleted later.
    template <typename Widget>
    [[nodiscard]] Widget* shown(const char* name)
    {
        const auto all = page()->findChildren<Widget*>(QLatin1String(name));
        const auto seen = std::ranges::find_if(all, [this](Widget* each) { return each->isVisibleTo(page()); });
        return seen != all.end() ? *seen : all.isEmpty() ? nullptr : all.back();
    }
    [[nodiscard]] QAbstractButton* button(const char* name) { return shown<QAbstractButton>(name); }
    [[nodiscard]] QRadioButton* radio(const char* name) { return shown<QRadioButton>(name); }
    [[nodiscard]] QLabel* label(const char* name) { return shown<QLabel>(name); }
    void click(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }
    void type(const char* field, const char* text)
    {
        auto* edit = shown<QLineEdit>(field);
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
    }

    void go(const char* step)
    {
        static const QStringList Ids{QStringLiteral("start"), QStringLiteral("guess-way"),
            QStringLiteral("guess-accuracy"), QStringLiteral("guess-order"), QStringLiteral("guess-curve"),
            QStringLiteral("rates"), QStringLiteral("why"), QStringLiteral("updates"), QStringLiteral("reason"),
            QStringLiteral("sorted"), QStringLiteral("claim")};
        steps().setCurrentRow(static_cast<int>(Ids.indexOf(QLatin1String(step))));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents(); // what is new in a layout is shown then
    }

    static void draw(QWidget& pad)
    {
        const QRect area = pad.rect();
        const auto at = [&](int part) {
            return QPoint(
                area.left() + area.width() * (20 + 7 * part) / 100, area.top() + area.height() * (15 + 6 * part) / 100);
        };
        QTest::mousePress(&pad, Qt::LeftButton, {}, at(0));
        for (int part = 1; part <= 10; ++part) {
            QTest::mouseMove(&pad, at(part));
        }
        QTest::mouseRelease(&pad, Qt::LeftButton, {}, at(10));
    }

    void sealAll()
    {
        go("guess-way");
        radio("lower")->click();
        click("seal_prediction");
        go("guess-accuracy");
        type("low", "50");
        type("best", "90");
        type("high", "99");
        click("seal_prediction");
        go("guess-order");
        click("seal_prediction");
        go("guess-curve");
        draw(*m_window->findChild<ui::CurvePad*>(QStringLiteral("curve_pad")));
        click("seal_prediction");
    }

    static void documentsAreIn(const QString& folder)
    {
        QFile places(qEnvironmentVariable("XDG_CONFIG_HOME") + QStringLiteral("/user-dirs.dirs"));
        QVERIFY(places.open(QIODevice::WriteOnly));
        places.write("XDG_DOCUMENTS_DIR=\"" + folder.toUtf8() + "\"\n");
    }

    void enterStudents()
    {
        click("students");
        auto* dialog = m_window->findChild<ui::StudentsDialog*>();
        dialog->findChild<QLineEdit*>(QStringLiteral("name1"))->setText(QStringLiteral("阿达 Lovelace"));
        dialog->findChild<QLineEdit*>(QStringLiteral("number1"))->setText(QStringLiteral("007"));
        dialog->accept();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace lockstep::tests
