// A widget whose texts follow the window's language. GUI thread only.
#pragma once

#include <QEvent>

namespace lockstep::ui {

template <typename Widget>
class Translated : public Widget {
public:
    using Widget::Widget;

protected:
    void changeEvent(QEvent* event) override
    {
        Widget::changeEvent(event);
        if (event->type() == QEvent::LanguageChange) {
            retranslate();
        }
    }

private:
    /// Sets the texts in the window's language; the constructor calls it, too.
    virtual void retranslate() = 0;
};

} // namespace lockstep::ui
