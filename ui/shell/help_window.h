// The help page: navigation, every shortcut, every parameter; made from the same tables as the window, in its language.
#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace lockstep::ui {

class HelpWindow : public QDialog {
    Q_OBJECT

public:
    /// `commands`: those with a text and a shortcut are listed.
    explicit HelpWindow(const QList<QAction*>& commands, QWidget* parent);
};

} // namespace lockstep::ui
