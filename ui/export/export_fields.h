// The settings of an export as fields: format, size, font, legend, axes, language. Private to ui/export.
#pragma once

#include "ui/export/render.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;

namespace lockstep::ui {

class ExportFields : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Charts, Drawing }; ///< a drawing has no axes, curves or legend

    explicit ExportFields(Kind kind, QWidget* parent = nullptr);

    [[nodiscard]] PaperOptions options() const;
    [[nodiscard]] PaperFormat format() const;
    /// 0: the window's; 1: English; 2: Chinese.
    [[nodiscard]] int language() const;
    [[nodiscard]] bool isGreyPreview() const;
    /// What is wrong with a typed end of an axis; empty: nothing.
    [[nodiscard]] QString problem() const;
    void setHeight(double mm);
    void remember() const;

    /// Those of the last export; for copies, which have no dialog.
    [[nodiscard]] static PaperOptions remembered();

Q_SIGNALS:
    /// Something that the preview shows has changed.
    void changed();
    void languageChosen();

private:
    void makeFields();
    void layOut();
    void layOutAxes(QFormLayout& form);
    void wire();
    void restore();
    void chooseSize(int index);

    Kind m_kind;
    QComboBox* m_format;
    QComboBox* m_column;
    QDoubleSpinBox* m_width;
    QDoubleSpinBox* m_height;
    QDoubleSpinBox* m_font;
    QDoubleSpinBox* m_dpi;
    QComboBox* m_colors;
    QComboBox* m_language;
    QComboBox* m_legend;
    std::array<QLineEdit*, 4> m_ends{}; ///< x from, x to, y from, y to
    QCheckBox* m_markers;
    QCheckBox* m_raw;
    QCheckBox* m_greyPreview;
};

} // namespace lockstep::ui
