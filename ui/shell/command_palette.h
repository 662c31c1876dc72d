// Ctrl+Shift+P or Ctrl+K: every action, button and field of the window, found by typing a part of its name. GUI thread
// only.
#pragma once

#include <QFrame>
#include <QPointer>

#include <vector>

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace lockstep::ui {

class CommandPalette : public QFrame {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* parent);

    /// Opens at the parent's top with what the parent offers now: actions and buttons that are enabled, fields to go
    /// to.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// An action or a button, which is carried out, or a field, which gets the focus.
    struct Command {
        QString name;
        QString keys;
        QString help; ///< may be empty
        QPointer<QObject> target;
    };

    void collect();
    void add(const QString& name, const QString& keys, const QString& help, QObject* target);
    void fill();
    void showHelp();
    void retranslate();
    void runChosen();

    std::vector<Command> m_commands;
    QLineEdit* m_edit;
    QTreeWidget* m_list;
    QLabel* m_help;
};

} // namespace lockstep::ui
