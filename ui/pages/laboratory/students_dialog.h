// Who works on a laboratory: one to four names and numbers. GUI thread only.
#pragma once

#include "laboratory/prediction.h"

#include <QDialog>

#include <utility>
#include <vector>

class QLineEdit;

namespace lockstep::ui {

class StudentsDialog : public QDialog {
    Q_OBJECT

public:
    StudentsDialog(const std::vector<laboratory::Student>& known, QWidget* parent);

    [[nodiscard]] std::vector<laboratory::Student> students() const;

private:
    std::vector<std::pair<QLineEdit*, QLineEdit*>> m_rows; ///< name and number
};

} // namespace lockstep::ui
