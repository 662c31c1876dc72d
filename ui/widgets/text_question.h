// Asks for a line of text in a dialog. GUI thread only.
#pragma once

#include <functional>

class QObject;
class QString;
class QWidget;

namespace lockstep::ui {

/// Returns at once; `text` is there to be changed. `answer` has the text if the user agrees while `receiver` lives.
/// `question` names the field, for screen readers too.
void askForText(QWidget& window, const QString& title, const QString& question, const QObject& receiver,
    const std::function<void(const QString&)>& answer, const QString& text = {});

} // namespace lockstep::ui
