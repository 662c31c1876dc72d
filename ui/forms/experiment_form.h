// The right-hand panel: variants, repeats, the parameter form, help for the current field, and the cost of Run. GUI
// thread only.
#pragma once

#include "analysis/run_record.h"
#include "ui/models/palette.h"

#include <QWidget>

#include <span>
#include <string>
#include <vector>

class QLabel;
class QScrollArea;
class QSpinBox;
class QToolButton;

namespace lockstep::ui {

class DownloadRow;
class FormModel;
class ParameterForm;
class VariantsEditor;

class ExperimentForm : public QWidget {
    Q_OBJECT

public:
    /// The model outlives the form.
    explicit ExperimentForm(FormModel& model, QWidget* parent = nullptr);

    /// One colour of this palette per variant: its place there stays with it.
    void setColors(PaletteName palette);
    /// Shows what Run would cost, estimated from finished runs: "9 runs · ≈ 12 s · 102 k parameters · 1,875 steps".
    /// `history` outlives the form, or the next call.
    void showEstimate(const std::vector<analysis::RunRecord>& history);
    void focusField(const std::string& name);
    [[nodiscard]] VariantsEditor& variants() { return *m_variants; }

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeHeader();
    QWidget* makeContent();
    QToolButton* makeHeaderButton(QWidget* header, const char* name);
    [[nodiscard]] std::span<const analysis::RunRecord> history() const;
    void showCost();
    void showState();
    void showDownload();
    void retranslate();

    FormModel& m_model;
    const std::vector<analysis::RunRecord>* m_history = nullptr; ///< not a copy: it is as large as the store's index
    QScrollArea* m_scroll = nullptr;
    QLabel* m_heading = nullptr;
    QToolButton* m_undo = nullptr;
    QToolButton* m_redo = nullptr;
    QToolButton* m_reset = nullptr;
    VariantsEditor* m_variants = nullptr;
    QLabel* m_repeatsLabel = nullptr;
    QSpinBox* m_repeats = nullptr;
    ParameterForm* m_form = nullptr;
    DownloadRow* m_download = nullptr;
    QLabel* m_help = nullptr;
    QLabel* m_estimate = nullptr;
};

} // namespace lockstep::ui
