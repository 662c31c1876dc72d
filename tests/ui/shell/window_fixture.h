// A window over a fresh store with separate settings, for tests that drive the whole program with rank processes.
#pragma once

#include "ui/pages/message_strip.h"
#include "ui/shell/desktop.h"
#include "ui/shell/main_window.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/theme/theme.h"
#include "ui/theme/window_language.h"

#include <QApplication>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace lockstep::tests {

inline const QString FakeRank = QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank");
inline const QString RealRank = QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/lockstep-rank");

/// Settings and data go to a folder that ends with the test. Call before the first window.
inline void isolate(const QTemporaryDir& folder)
{
    QCoreApplication::setOrganizationName(QStringLiteral("LockstepTests"));
    QCoreApplication::setApplicationName(QStringLiteral("lockstep"));
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QSettings().clear();
    ui::loadResources();
}

/// The window, on screen and with its store open. Its form is that of a first start, but runs each variant once:
/// presets may repeat theirs.
inline std::unique_ptr<ui::MainWindow> openWindow(
    const QString& store, const QSize& size = {1280, 800}, const launch::SessionOptions& options = {})
{
    ui::settings::form.write({});
    auto window = std::make_unique<ui::MainWindow>(store);
    window->resize(size);
    window->show();
    window->open(options);
    window->form().setRepeats(1);
    return window;
}

/// Where the window says what has happened.
inline ui::MessageStrip& noticesOf(const ui::MainWindow& window)
{
    return *window.findChild<ui::MessageStrip*>(QStringLiteral("notices"));
}

/// Fake ranks, the settings of a first start, and a fresh store for each test function. A member of a test class.
class FreshWindows {
public:
    /// Of initTestCase.
    void begin()
    {
        isolate(m_settings);
        qputenv("LOCKSTEP_RANK", FakeRank.toUtf8());
        QVERIFY2(QFileInfo(FakeRank).isExecutable(), "fake_rank has not been built");
    }
    /// Of init.
    void renew()
    {
        m_store = std::make_unique<QTemporaryDir>();
        qputenv("LOCKSTEP_FAKE", "steps=200,rate=0,evaluate=100,log=50");
        ui::applyLanguage(ui::Language::English);
        ui::applyTheme(ui::Theme::Light);
        QSettings().clear();
    }
    [[nodiscard]] QString store() const { return m_store->path(); }

private:
    QTemporaryDir m_settings;
    std::unique_ptr<QTemporaryDir> m_store;
};

} // namespace lockstep::tests
