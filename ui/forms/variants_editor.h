// The variants of an experiment: colour, tick, name, and the numbers by which they differ. Variants of one group are
// folded together under its title. GUI thread only.
#pragma once

#include <QColor>
#include <QWidget>

#include <vector>

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QToolButton;

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
    /// The title of a group: a click opens it, its tick is that of all its variants.
    struct GroupRow {
        QString name; ///< as in the spec
        QCheckBox* tick = nullptr;
        QToolButton* title = nullptr;
        bool isOpen = false;
    };
    struct Row {
        int group = -1; ///< index of its GroupRow; -1: none
        QWidget* place = nullptr; ///< of the tick
        QCheckBox* tick = nullptr;
        std::vector<QLineEdit*> cells; ///< null where the variant does not set the column
        QLabel* error = nullptr;
    };

    void build();
    void addRow(std::size_t variant, int line);
    void addGroup(const QString& name, int line);
    void tickGroup(int group, bool isOn); // NOLINT: a property, not a mode
    void openGroup(int group, bool isOpen); // NOLINT: a property, not a mode
    void showGroups();
    void fold(const Row& row, bool isWrong); // NOLINT: a property, not a mode
    void addHeader();
    void showRows();
    void retranslate();

    FormModel& m_model;
    QGridLayout* m_grid;
    std::vector<QLabel*> m_headers;
    std::vector<GroupRow> m_groups;
    std::vector<Row> m_rows;
    std::vector<QColor> m_colors;
};

} // namespace lockstep::ui
