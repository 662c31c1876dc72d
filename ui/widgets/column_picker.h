// A popup that offers the columns of the table of runs, each with a tick, and a field that narrows them by label or
// name. GUI thread only.
#pragma once

#include "analysis/table/column.h"

#include <QFrame>

#include <vector>

class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace lockstep::ui {

class ColumnPicker : public QFrame {
    Q_OBJECT

public:
    explicit ColumnPicker(QWidget* parent);

    /// Opens below `button` with these columns; the chosen ones are ticked and come first.
    void open(QWidget& button, const std::vector<const analysis::Column*>& offered,
        const std::vector<const analysis::Column*>& chosen);

Q_SIGNALS:
    /// A tick was set or taken away.
    void columnToggled(const lockstep::analysis::Column* column, bool isOn);

private:
    void retranslate();
    void narrow(const QString& text);
    void onChanged(QListWidgetItem* item);

    QLineEdit* m_search;
    QListWidget* m_list;
};

} // namespace lockstep::ui
