// Fills box layouts: rows and columns of widgets. GUI thread only.
#pragma once

#include <QBoxLayout>

#include <initializer_list>

namespace lockstep::ui {

/// A widget, a layout, or free room, and its share of the room that is left.
struct BoxItem {
    BoxItem(QWidget* theWidget, int itsStretch = 0)
        : widget(theWidget)
        , stretch(itsStretch)
    { }
    BoxItem(QLayout* theLayout, int itsStretch = 0)
        : layout(theLayout)
        , stretch(itsStretch)
    { }
    explicit BoxItem(int itsStretch)
        : stretch(itsStretch)
    { }

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretch = 0;
};

inline const BoxItem FreeRoom{1};

inline void addAll(QBoxLayout& box, std::initializer_list<BoxItem> items)
{
    for (const BoxItem& item : items) {
        if (item.widget != nullptr) {
            box.addWidget(item.widget, item.stretch);
        } else if (item.layout != nullptr) {
            box.addLayout(item.layout, item.stretch);
        } else {
            box.addStretch(item.stretch);
        }
    }
}

inline void addAll(QBoxLayout& box, const QMargins& margins, int spacing, std::initializer_list<BoxItem> items)
{
    box.setContentsMargins(margins);
    box.setSpacing(spacing);
    addAll(box, items);
}

} // namespace lockstep::ui
