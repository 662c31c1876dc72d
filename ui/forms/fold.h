// A heading that folds the rows below it. GUI thread only.
#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace lockstep::ui {

class Fold : public QWidget {
    Q_OBJECT

public:
    explicit Fold(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void addWidget(QWidget* widget);
    void setOpen(bool isOpen);
    [[nodiscard]] bool isOpen() const { return m_isOpen; }

private:
    QToolButton* m_button;
    QWidget* m_content;
    QVBoxLayout* m_layout;
    bool m_isOpen = false;
};

} // namespace lockstep::ui
