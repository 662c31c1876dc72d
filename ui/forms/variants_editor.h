// The variants of an experiment as a table, and what can be done with it: add, duplicate, delete, rename, move, tick,
// vary a parameter, combine two. GUI thread only.
#pragma once

#include "ui/models/form/variants_model.h"
#include "ui/widgets/translated.h"

#include <QSet>
#include <QVariant>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QMenu;
class QToolButton;
class QTreeView;

namespace lockstep::experiment {
struct Spec;
}

namespace lockstep::ui {

class FormModel;

class VariantsEditor : public Translated<QWidget> {
    Q_OBJECT

public:
    /// What a spec would cost, in words, for the dialogs.
    using Cost = std::function<QString(const experiment::Spec&)>;

    /// The model outlives the editor.
    VariantsEditor(FormModel& model, Cost cost, QWidget* parent = nullptr);

    /// The palette of the variants.
    void setColors(PaletteName palette);
    [[nodiscard]] QTreeView& table() { return *m_table; }

    /// Opens the dialog; `parameter` is chosen in it, if it is not null.
    void vary(const experiment::Parameter* parameter = nullptr);
    void combine();
    void add();
    void duplicate();
    void remove();
    /// Starts to edit the name of the current variant.
    void rename();
    /// Moves the current variant by this many rows, down if positive.
    void move(int rows);

Q_SIGNALS:
    void helpAvailable(const QString& help);
    /// Variants of several values have been made in the dialog.
    void varied();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTable();
    void makeButtons();
    void makeActions();
    void showMenu(const QPoint& place);
    void showHeaderMenu(const QPoint& place);
    void useShared(std::size_t variant, const experiment::Parameter& parameter);
    void rebuilt();
    void showState();
    void fitColumns();
    void retranslate() final;
    [[nodiscard]] std::optional<std::size_t> current() const;

    FormModel& m_model;
    Cost m_cost;
    VariantsModel m_variants;
    QTreeView* m_table;
    QToolButton* m_add;
    QToolButton* m_vary;
    QToolButton* m_combine;
    QToolButton* m_more;
    QMenu* m_menu;
    QLabel* m_error;
    QString m_refusal;
    QSet<QString> m_open; ///< groups
    QVariant m_tickWhenPressed;
    std::optional<std::size_t> m_place; ///< the current variant while the rows are replaced
    int m_column = 0;
    std::vector<QAction*> m_actions;
};

} // namespace lockstep::ui
