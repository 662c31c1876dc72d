// What must hold for every widget of a window or a dialog: nothing is cut off, and every control has a name.
#pragma once

#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/elided_label.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>

namespace lockstep::tests {

inline QString nameOf(const QWidget& widget)
{
    return QStringLiteral("%1 '%2' %3 in %4")
        .arg(QLatin1String(widget.metaObject()->className()), widget.accessibleName(), widget.objectName(),
            widget.parent() == nullptr ? QString() : QLatin1String(widget.parent()->metaObject()->className()));
}

inline QRect inWindow(const QWidget& widget)
{
    return {widget.mapTo(widget.window(), QPoint()), widget.size()};
}

/// Part of one of Qt's own widgets: its owner is what has a name.
inline bool isInner(const QWidget& widget)
{
    const QObject* parent = widget.parent();
    return widget.objectName().startsWith(QLatin1String("qt_")) || widget.inherits("QHeaderView")
        || widget.inherits("QComboBoxListView") || widget.inherits("QTableCornerButton")
        || widget.inherits("QLineEditIconButton") || qobject_cast<const QTabBar*>(parent) != nullptr
        || qobject_cast<const QAbstractSpinBox*>(parent) != nullptr
        || qobject_cast<const QComboBox*>(parent) != nullptr;
}

inline bool isControl(const QWidget& widget)
{
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr
        || qobject_cast<const QLineEdit*>(&widget) != nullptr || qobject_cast<const QComboBox*>(&widget) != nullptr
        || qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr
        || qobject_cast<const QAbstractItemView*>(&widget) != nullptr
        || qobject_cast<const QSlider*>(&widget) != nullptr || qobject_cast<const QProgressBar*>(&widget) != nullptr;
}

/// Controls that a screen reader could not name or describe. The buttons of Qt's own dialogs say what they do.
inline QStringList namelessIn(const QWidget& window)
{
    QStringList nameless;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!isControl(*widget) || isInner(*widget)) {
            continue;
        }
        const auto* button = qobject_cast<const QPushButton*>(widget);
        const bool isStandard = button != nullptr && widget->parent()->inherits("QDialogButtonBox");
        if ((widget->accessibleName().isEmpty() || widget->accessibleDescription().isEmpty())
            && !(isStandard && !button->text().isEmpty())) {
            nameless << nameOf(*widget);
        }
    }
    return nameless;
}

/// Part of a widget that scrolls, so that it need not be within the window.
inline bool scrolls(const QWidget& widget)
{
    for (const QWidget* parent = widget.parentWidget(); parent != nullptr; parent = parent->parentWidget()) {
        if (qobject_cast<const QAbstractScrollArea*>(parent) != nullptr) {
            return true;
        }
    }
    return false;
}

/// The width in which the widget shows its text whole; 0: it has no text of one line.
inline int neededWidth(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        const bool isCutOnPurpose = label->wordWrap() || label->text().isEmpty()
            || qobject_cast<const ui::ElidedLabel*>(&widget) != nullptr
            || label->objectName() == QStringLiteral("progress")
            || label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored;
        return isCutOnPurpose ? 0 : label->sizeHint().width();
    }
    if (const auto* push = qobject_cast<const QPushButton*>(&widget)) {
        return push->fontMetrics().horizontalAdvance(push->text()) + 8; // the style makes it wider than that
    }
    if (qobject_cast<const ui::ElidedComboBox*>(&widget) != nullptr) {
        return 0;
    }
    if (const auto* list = qobject_cast<const QComboBox*>(&widget)) {
        QStyleOptionComboBox option;
        option.initFrom(list);
        const int edit
            = list->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField).width();
        return list->width() - edit + list->fontMetrics().horizontalAdvance(list->currentText());
    }
    const bool isButton = qobject_cast<const QAbstractButton*>(&widget) != nullptr && !isInner(widget);
    return isButton ? widget.sizeHint().width() : 0;
}

/// Texts of one line that are narrower than they need, and widgets that are not within the window.
inline QStringList cutOf(const QWidget& window)
{
    QStringList cut;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != &window) {
            continue;
        }
        if (const int needed = neededWidth(*widget); widget->width() < needed) {
            cut << QStringLiteral("%1 has %2 of %3 pixels").arg(nameOf(*widget)).arg(widget->width()).arg(needed);
        }
        if (!scrolls(*widget) && !window.rect().contains(inWindow(*widget))) {
            cut << QStringLiteral("%1 is not within the window").arg(nameOf(*widget));
        }
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (label != nullptr && label->wordWrap() && label->height() < label->heightForWidth(label->width())) {
            cut << QStringLiteral("%1 lacks height: %2 of %3")
                       .arg(nameOf(*widget))
                       .arg(label->height())
                       .arg(label->heightForWidth(label->width()));
        }
    }
    for (const QScrollArea* area : window.findChildren<QScrollArea*>()) {
        if (area->isVisible() && area->widget()->width() > area->viewport()->width()) {
            cut << QStringLiteral("%1 scrolls sideways: %2 of %3 pixels")
                       .arg(nameOf(*area))
                       .arg(area->viewport()->width())
                       .arg(area->widget()->width());
        }
    }
    return cut;
}

} // namespace lockstep::tests
