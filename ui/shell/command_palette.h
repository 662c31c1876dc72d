// Ctrl+Shift+P: every action of the window, found by typing a part of its name. GUI thread only.
#pragma once

#include <QFrame>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace lockstep::ui {

class CommandPalette : public QFrame {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* parent);

    /// Opens at the parent's top with the actions available now.
    void open(const QList<QAction*>& actions);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void retranslate();
    void runChosen();

    QList<QAction*> m_actions;
    QLineEdit* m_edit;
    QListWidget* m_list;
};

} // namespace lockstep::ui
