// The variants of an experiment: colour, tick, name, and the numbers by which they differ. GUI thread only.
#pragma once

#include <QColor>
#include <QWidget>

#include <vector>

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace lockstep::ui {

class FormModel;

class VariantsEditor : public QWidget {
    Q_OBJECT

public:
    /// The model outlives the editor.
    explicit VariantsEditor(FormModel& model, QWidget* parent = nullptr);

    /// One colour a variant, in their order.
    void setColors(const std::vector<QColor>& colors);

Q_SIGNALS:
    void helpAvailable(const QString& help);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        QCheckBox* tick = nullptr;
        std::vector<QLineEdit*> cells; ///< null where the variant does not set the column
        QLabel* error = nullptr;
    };

    void build();
    void addRow(std::size_t variant);
    void addHeader();
    void showRows();
    void retranslate();

    FormModel& m_model;
    QGridLayout* m_grid;
    std::vector<QLabel*> m_headers;
    std::vector<Row> m_rows;
    std::vector<QColor> m_colors;
};

} // namespace lockstep::ui
