// Above the pages of the report: hides the parts, turns the pages, and makes them larger and smaller. GUI thread only.
#pragma once

#include "ui/widgets/translated.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockstep::ui {

class ReportBar : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit ReportBar(QWidget* parent = nullptr);

    /// The page at the top, from 0, and how many there are.
    void showPage(int page, int count);

Q_SIGNALS:
    void partsToggled(bool areShown);
    /// Each as ReportPreview takes it.
    void zoomed(int steps);
    void turned(int by);

private:
    void retranslate() final;

    QPushButton* m_parts;
    QPushButton* m_smaller;
    QPushButton* m_larger;
    QPushButton* m_former;
    QPushButton* m_next;
    QLabel* m_number;
};

} // namespace lockstep::ui
