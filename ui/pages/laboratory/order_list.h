// A list that is put into order by dragging, by two buttons, or by Alt+Up and Alt+Down. GUI thread only.
#pragma once

#include "ui/widgets/translated.h"

#include <QStringList>
#include <QWidget>

#include <utility>
#include <vector>

class QListWidget;
class QPushButton;

namespace lockstep::ui {

class OrderList : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit OrderList(QWidget* parent = nullptr);

    /// What is put into order, by key and title.
    void setEntries(const std::vector<std::pair<QString, QString>>& entries);
    [[nodiscard]] QStringList keys() const;
    void setReadOnly(bool isReadOnly); // NOLINT: a property, not a mode

Q_SIGNALS:
    /// By hand.
    void moved();

private:
    void move(int by);
    void number();
    void showButtons();
    void retranslate() final;

    QListWidget* m_list;
    QPushButton* m_up;
    QPushButton* m_down;
    bool m_isReadOnly = false;
};

} // namespace lockstep::ui
