// Ctrl+Shift+P or Ctrl+K: every action, button and field of the window, found by typing a part of its name in English
// or Chinese. GUI thread only.
#pragma once

#include <QFrame>
#include <QPointer>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace lockstep::ui {

class CommandPalette : public QFrame {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* parent);

    /// A field that may be folded away: open() lists it with those that are visible.
    struct Place {
        QString name;
        QString help;
        std::function<void()> go;
    };
    void setPlaces(std::function<std::vector<Place>()> places) { m_places = std::move(places); }

    /// Opens at the parent's top with what the parent offers: actions and buttons, fields to go to. What cannot be
    /// carried out now is grey, at the end.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// An action or a button, which is carried out, or a field, which gets the focus.
    struct Command {
        QString name;
        QString words; ///< in lower case: the name, and its parts in the other language
        QString keys{};
        QString help{}; ///< may be empty
        QPointer<QObject> target{};
        std::function<void()> go{}; ///< in place of a target
        bool isEnabled = true;
    };

    void collect();
    void addActions();
    void addButtons();
    void addFields();
    /// `parts`: entries of the catalogue that the name consists of.
    void add(Command command, const QStringList& parts);
    void fill();
    void showHelp();
    void retranslate();
    void runChosen();

    std::function<std::vector<Place>()> m_places;
    std::vector<Command> m_commands;
    QLineEdit* m_edit;
    QTreeWidget* m_list;
    QLabel* m_help;
};

} // namespace lockstep::ui
