// Pictures of windows and dialogs: each is held against window_checks.h, and with LOCKSTEP_PICTURES=FOLDER it is
// written there for eyes, in both languages and themes, at three sizes and at two scales. Otherwise there are two
// looks.
#pragma once

#include "ui/shell/window_checks.h"
#include "ui/shell/window_fixture.h"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QProcess>

#include <functional>

namespace lockstep::tests {

/// What was opened beside the window: dialogs, menus and popups.
inline QList<QWidget*> openedBeside(const QWidget& window)
{
    QList<QWidget*> opened;
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        if (widget != &window && widget->isVisible() && !widget->inherits("QTipLabel")) {
            opened << widget;
        }
    }
    return opened;
}

/// Triggers the window's action of these keys.
inline void pressKeys(const QWidget& window, const QKeySequence& keys)
{
    for (QAction* action : window.actions()) {
        if (action->shortcuts().contains(keys)) {
            action->trigger();
            return;
        }
    }
    QFAIL(qPrintable(QStringLiteral("no action has ") + keys.toString()));
}

/// Of a test class, as a member.
class Pictures {
public:
    /// Of initTestCase. Real ranks with LOCKSTEP_PICTURES, fake ones without.
    void begin()
    {
        isolate(m_settings);
        m_folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
        if (isFull()) {
            QVERIFY2(QFileInfo(RealRank).isExecutable(), "pictures need lockstep-rank");
            QVERIFY(QDir().mkpath(m_folder));
        }
        qputenv("LOCKSTEP_RANK", (isFull() ? RealRank : FakeRank).toUtf8());
        qputenv("LOCKSTEP_FAKE", "steps=200,rate=0,evaluate=50,log=50");
    }

    [[nodiscard]] bool isFull() const { return !m_folder.isEmpty(); }
    /// A store that stays in the folder for the next time, else one that ends with the test.
    [[nodiscard]] QString store(const QString& name) const
    {
        const QString place = isFull() ? m_folder + u'/' + name : m_temporary.filePath(name);
        QDir().mkpath(place);
        return place;
    }

    /// The columns and rows of a test function that begins with startLook.
    void addLooks() const
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<QSize>("size");
        for (const bool isChinese : {false, true}) {
            for (const bool isDark : {false, true}) {
                for (const QSize size : {QSize(1280, 800), QSize(1024, 640), QSize(2560, 1440)}) {
                    if (isFull() || (isChinese == isDark && size.width() == (isDark ? 1024 : 1280))) {
                        QTest::addRow("%s-%s-%d-%d", isChinese ? "zh" : "en", isDark ? "dark" : "light", size.width(),
                            int(100 * qApp->devicePixelRatio()))
                            << isChinese << isDark << size;
                    }
                }
            }
        }
    }

    /// Language and theme of the row; its size.
    QSize startLook()
    {
        QFETCH(bool, isChinese);
        QFETCH(bool, isDark);
        QFETCH(QSize, size);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        QSettings().clear();
        m_problems.clear();
        return size;
    }

    /// Fails if a picture of this look had a problem.
    void endLook() const
    {
        for (const QString& problem : m_problems) { // a test's message would be cut off
            qWarning("%s", qPrintable(problem));
        }
        QVERIFY(m_problems.isEmpty());
    }

    void look(QWidget& widget, const QString& name)
    {
        QStringList cuts = cutOf(widget);
        for (int i = 0; i < 20 && !cuts.isEmpty(); ++i) { // layouts follow each other
            QTest::qWait(50);
            cuts = cutOf(widget);
        }
        for (const QString& cut : cuts) {
            m_problems << name + QStringLiteral(": ") + cut;
        }
        for (const QString& nameless : namelessIn(widget)) {
            m_problems << name + QStringLiteral(": no name or description: ") + nameless;
        }
        save(widget, name);
    }

    /// For eyes alone.
    void save(QWidget& widget, const QString& name) const
    {
        if (isFull()) {
            QVERIFY(widget.grab().save(
                QStringLiteral("%1/%2-%3.png").arg(m_folder, name, QLatin1String(QTest::currentDataTag()))));
        }
    }

    /// What `open` opens beside the window is looked at and closed.
    void lookAtOpened(const QWidget& window, const QString& name, const std::function<void()>& open)
    {
        open();
        QTest::qWait(60);
        const QList<QWidget*> opened = openedBeside(window);
        if (opened.isEmpty()) {
            m_problems << QStringLiteral("%1 opens nothing").arg(name);
        }
        for (QWidget* widget : opened) {
            look(*widget, name);
            widget->close();
        }
        QTest::qWait(10);
    }

    /// The same test class again at 200 %.
    void repeatAtTwiceTheScale(const QString& testClass) const
    {
        if (!isFull() || qApp->devicePixelRatio() > 1.0) {
            return;
        }
        QProcess again;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("2"));
        // The offscreen platform's screen has 800 x 800 pixels, which is no place for twice the scale.
        QFile screens(m_temporary.filePath(QStringLiteral("screens.json")));
        QVERIFY(screens.open(QIODevice::WriteOnly));
        screens.write(R"({"screens": [{"name": "large", "width": 5120, "height": 2880, "logicalDpi": 96, "dpr": 1}]})");
        screens.close();
        environment.insert(
            QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen:configfile=") + screens.fileName());
        again.setProcessEnvironment(environment);
        again.setProcessChannelMode(QProcess::ForwardedChannels);
        again.start(QCoreApplication::applicationFilePath(), {testClass});
        QVERIFY(again.waitForFinished(-1));
        QCOMPARE(again.exitCode(), 0);
    }

private:
    QTemporaryDir m_settings;
    QTemporaryDir m_temporary;
    QString m_folder;
    QStringList m_problems;
};

} // namespace lockstep::tests
