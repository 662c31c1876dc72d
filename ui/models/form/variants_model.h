// The variants of the form as a table: a row a variant, a column a parameter that varies. Variants of one group stand
// under its title. GUI thread only; no widgets.
#pragma once

#include "ui/models/form/form_state.h"
#include "ui/models/palette.h"

#include <QAbstractItemModel>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace lockstep::ui {

class FormModel;

class VariantsModel : public QAbstractItemModel {
    Q_OBJECT

public:
    /// Of a cell: whether its text is refused; the tool tip says why.
    static constexpr int WrongRole = Qt::UserRole;

    /// The form outlives the model.
    explicit VariantsModel(FormModel& form, QObject* parent = nullptr);

    /// The palette from which each variant takes its colour.
    void setPalette(PaletteName palette);

    /// Nothing for the title of a group.
    [[nodiscard]] std::optional<std::size_t> variantAt(const QModelIndex& index) const;
    /// The group's name as in the spec; empty for a variant.
    [[nodiscard]] QString groupAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(std::size_t variant, int column = 0) const;
    /// Null for the first column, which has the names.
    [[nodiscard]] const experiment::Parameter* parameterAt(int column) const;
    /// The variant with which the others are compared; nothing for fewer than two.
    [[nodiscard]] std::optional<std::size_t> baseline() const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(
        const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

Q_SIGNALS:
    /// A name that cannot be, in words.
    void refused(const QString& message);

private:
    /// A variant by itself, or a group's title with its variants.
    struct Node {
        QString group;
        std::vector<std::size_t> variants;
    };

    void rebuild();
    void refresh();
    [[nodiscard]] QVariant groupData(const Node& node, int role) const;
    [[nodiscard]] QString titleOf(const VariantRow& row) const;
    [[nodiscard]] QVariant nameData(std::size_t variant, int role) const;
    [[nodiscard]] QVariant cellData(std::size_t variant, const experiment::Parameter& parameter, int role) const;
    [[nodiscard]] bool setGroupTicked(const Node& node, Qt::CheckState state);

    FormModel& m_form;
    std::vector<Node> m_nodes;
    PaletteName m_palette = PaletteName::Vibrant;
};

/// The title of a preset's group in the window's language; any other as its spec gives it.
[[nodiscard]] QString groupTitle(const QString& group);

} // namespace lockstep::ui
