// A message over the page that it concerns: what happened, what to do, until dismissed. Never modal, moves nothing and
// covers no control. GUI thread only.
#pragma once

#include "ui/theme/theme.h"
#include "ui/widgets/translated.h"

#include <QFrame>
#include <QString>

#include <functional>

class QHBoxLayout;
class QLabel;
class QTimer;
class QToolButton;

namespace lockstep::ui {

class MessageStrip : public Translated<QFrame> {
    Q_OBJECT

public:
    explicit MessageStrip(QWidget* parent = nullptr);

    /// Replaces what is shown. Details are below in a fixed-width font; actions are buttons, and `answer` is called
    /// with the number of the pressed one. setFocus() leads to the first of them; Escape there closes the strip.
    void showMessage(Tone tone, const QString& text, const QStringList& details = {}, const QStringList& actions = {},
        const std::function<void(int)>& answer = {});
    /// Closes after a while: for undo.
    void hideAfter(int milliseconds);
    [[nodiscard]] QString text() const;
    /// Lies over the lower end of this widget, above any control there. Without this it is laid out as other widgets.
    void floatOver(QWidget& page);
    /// Finds its place again, after the page has changed what it shows.
    void place();

Q_SIGNALS:
    /// Closed by the user or by timeout.
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate() final;

    Tone m_tone = Tone::Information;
    QLabel* m_text;
    QLabel* m_details;
    QHBoxLayout* m_actions;
    QToolButton* m_close;
    QTimer* m_timer;
    QWidget* m_page = nullptr; ///< null: laid out
};

} // namespace lockstep::ui
