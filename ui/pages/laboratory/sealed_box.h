// What is sealed: when, its seal code, and remarks that can only be added. GUI thread only.
#pragma once

#include "ui/models/laboratory/laboratory_model.h"
#include "ui/widgets/translated.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;

namespace lockstep::ui {

class SealedBox : public Translated<QWidget> {
    Q_OBJECT

public:
    SealedBox(LaboratoryModel& model, QWidget* parent);

    void showSeal(const std::string& at, const std::string& code, const std::vector<std::string>& comments);

private:
    void addComment();
    void showTexts();
    void retranslate() final;

    LaboratoryModel& m_model;
    QString m_at;
    QString m_sealCode;
    QLabel* m_seal;
    QLabel* m_warning;
    QLabel* m_comments;
    QLineEdit* m_comment;
    QPushButton* m_add;
};

} // namespace lockstep::ui
