// The code of a code step, to be written beside its text. What is typed is saved; what another editor writes is shown.
// GUI thread only.
#pragma once

#include "laboratory/laboratory.h"
#include "ui/widgets/translated.h"

#include <QFileSystemWatcher>
#include <QWidget>

class QLabel;

namespace lockstep::ui {

class CodeEditor;
class LaboratoryModel;

class CodePane : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit CodePane(QWidget* parent = nullptr);

    /// Null: none, any more.
    void setModel(LaboratoryModel* model);
    /// Of the model's current step, which is a code step.
    void showWork();

private:
    void showFile(const laboratory::Step& step);
    void markFault(const laboratory::Step& step);
    void retranslate() final;

    LaboratoryModel* m_model = nullptr;
    std::string m_step; ///< whose code the editor holds
    bool m_hasMark = false;
    QFileSystemWatcher m_watcher;
    QLabel* m_name;
    CodeEditor* m_editor;
};

} // namespace lockstep::ui
