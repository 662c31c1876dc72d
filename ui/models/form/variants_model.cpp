#include "ui/models/form/variants_model.h"

#include "language/shown_names.h"
#include "ui/models/form/error_text.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/variant_edits.h"
#include "ui/models/palette.h"
#include "ui/models/shown_text.h"

#include <QBrush>
#include <QCoreApplication>
#include <QFont>
#include <QGuiApplication>
#include <QMimeData>
#include <QPalette>

#include <algorithm>

namespace lockstep::ui {

using experiment::Parameter;
using experiment::Type;

namespace {

const QString MimeType = QStringLiteral("application/x-lockstep-variant");

/// The groups of the presets; any other keeps the name that its spec gives.
[[maybe_unused]] constexpr const char* GroupTitles[]
    = {QT_TRANSLATE_NOOP("VariantGroups", "Collectives"), QT_TRANSLATE_NOOP("VariantGroups", "Messages"),
        QT_TRANSLATE_NOOP("VariantGroups", "Parameter server"), QT_TRANSLATE_NOOP("VariantGroups", "Rules"),
        QT_TRANSLATE_NOOP("VariantGroups", "One slow rank"), QT_TRANSLATE_NOOP("VariantGroups", "Micro-batches")};

bool isNumber(const Parameter& parameter)
{
    return parameter.type == Type::Integer || parameter.type == Type::Real;
}

} // namespace

QString groupTitle(const QString& group)
{
    return shownName(QCoreApplication::translate("VariantGroups", group.toUtf8().constData()));
}

VariantsModel::VariantsModel(FormModel& form, QObject* parent)
    : QAbstractItemModel(parent)
    , m_form(form)
{
    connect(&m_form, &FormModel::specReplaced, this, &VariantsModel::rebuild);
    connect(&m_form, &FormModel::changed, this, &VariantsModel::refresh);
    rebuild();
}

void VariantsModel::setPalette(PaletteName palette)
{
    m_palette = palette;
    refresh();
}

void VariantsModel::rebuild()
{
    beginResetModel();
    m_nodes.clear();
    const auto& variants = m_form.variants();
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const QString& group = variants[i].group;
        if (group.isEmpty() || m_nodes.empty() || m_nodes.back().group != group) {
            m_nodes.push_back({group, {}});
        }
        m_nodes.back().variants.push_back(i);
    }
    endResetModel();
}

void VariantsModel::refresh()
{
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex node = index(row, 0);
        Q_EMIT dataChanged(node, index(row, columnCount() - 1));
        if (const int children = rowCount(node); children > 0) {
            Q_EMIT dataChanged(index(0, 0, node), index(children - 1, columnCount() - 1, node));
        }
    }
}

std::optional<std::size_t> VariantsModel::variantAt(const QModelIndex& index) const
{
    if (!index.isValid()) {
        return std::nullopt;
    }
    if (index.internalId() > 0) {
        return m_nodes[index.internalId() - 1].variants[static_cast<std::size_t>(index.row())];
    }
    const Node& node = m_nodes[static_cast<std::size_t>(index.row())];
    return node.group.isEmpty() ? std::optional(node.variants.front()) : std::nullopt;
}

QString VariantsModel::groupAt(const QModelIndex& index) const
{
    return index.isValid() && index.internalId() == 0 ? m_nodes[static_cast<std::size_t>(index.row())].group
                                                      : QString();
}

QModelIndex VariantsModel::indexOf(std::size_t variant, int column) const
{
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const Node& node = m_nodes[i];
        const auto found = std::find(node.variants.begin(), node.variants.end(), variant);
        if (found == node.variants.end()) {
            continue;
        }
        const auto at = static_cast<int>(found - node.variants.begin());
        return node.group.isEmpty() ? createIndex(static_cast<int>(i), column, quintptr{0})
                                    : createIndex(at, column, static_cast<quintptr>(i + 1));
    }
    return {};
}

const Parameter* VariantsModel::parameterAt(int column) const
{
    const auto& columns = m_form.columns();
    return column < 1 || column > static_cast<int>(columns.size()) ? nullptr
                                                                   : columns[static_cast<std::size_t>(column - 1)];
}

std::optional<std::size_t> VariantsModel::baseline() const
{
    std::vector<std::string> names;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < m_form.variants().size(); ++i) {
        if (m_form.variants()[i].isEnabled) {
            names.push_back(m_form.variants()[i].name.toStdString());
            places.push_back(i);
        }
    }
    return names.size() < 2 ? std::nullopt : std::optional(places[experiment::baselineOf(names)]);
}

QModelIndex VariantsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= columnCount()) {
        return {};
    }
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : quintptr{0});
}

QModelIndex VariantsModel::parent(const QModelIndex& child) const
{
    return !child.isValid() || child.internalId() == 0
        ? QModelIndex()
        : createIndex(static_cast<int>(child.internalId()) - 1, 0, quintptr{0});
}

int VariantsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) {
        return static_cast<int>(m_nodes.size());
    }
    if (parent.internalId() > 0 || parent.column() > 0) {
        return 0;
    }
    const Node& node = m_nodes[static_cast<std::size_t>(parent.row())];
    return node.group.isEmpty() ? 0 : static_cast<int>(node.variants.size());
}

int VariantsModel::columnCount(const QModelIndex&) const
{
    return static_cast<int>(m_form.columns().size()) + 1;
}

QVariant VariantsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const auto variant = variantAt(index);
    if (!variant) {
        return index.column() == 0 ? groupData(m_nodes[static_cast<std::size_t>(index.row())], role) : QVariant();
    }
    if (*variant >= m_form.variants().size()) {
        return {}; // between a change of the form and the table's own
    }
    const Parameter* parameter = parameterAt(index.column());
    return parameter == nullptr ? nameData(*variant, role) : cellData(*variant, *parameter, role);
}

QVariant VariantsModel::groupData(const Node& node, int role) const
{
    const auto on = std::count_if(node.variants.begin(), node.variants.end(),
        [this](std::size_t i) { return i < m_form.variants().size() && m_form.variants()[i].isEnabled; });
    const auto all = static_cast<std::ptrdiff_t>(node.variants.size());
    switch (role) {
    case Qt::DisplayRole:
        return tr("%1 (%2 of %3)").arg(groupTitle(node.group)).arg(on).arg(all);
    case Qt::CheckStateRole:
        return on == 0 ? Qt::Unchecked : on == all ? Qt::Checked : Qt::PartiallyChecked;
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
        return tr("Whether Run trains all variants of this group.");
    default:
        return {};
    }
}

/// As its runs will be called: by the values that it sets.
QString VariantsModel::titleOf(const VariantRow& row) const
{
    experiment::Assignment settings;
    for (const auto& [name, cell] : row.cells) {
        if (const auto value = typedValue(*experiment::findParameter(name), cell.text)) {
            settings[name] = *value;
        }
    }
    return shownName(language::shownName(m_form.experiment(), row.name.toStdString(), settings));
}

QVariant VariantsModel::nameData(std::size_t variant, int role) const
{
    const VariantRow& row = m_form.variants()[variant];
    const bool isBaseline = baseline() == variant;
    const QString title = titleOf(row);
    switch (role) {
    case Qt::DisplayRole:
        return isBaseline ? tr("%1 (baseline)").arg(title) : title;
    case Qt::EditRole:
        return row.name;
    case Qt::CheckStateRole:
        return row.isEnabled ? Qt::Checked : Qt::Unchecked;
    case Qt::DecorationRole:
        return swatchIcon(lookOf(m_palette, row.color));
    case Qt::ToolTipRole:
        return tipText(nameData(variant, Qt::AccessibleDescriptionRole).toString());
    case Qt::AccessibleDescriptionRole:
        return isBaseline ? tr("%1: the other variants are compared with this one.").arg(title)
                          : tr("Whether Run trains %1.").arg(title);
    default:
        return {};
    }
}

QVariant VariantsModel::cellData(std::size_t variant, const Parameter& parameter, int role) const
{
    const VariantRow& row = m_form.variants()[variant];
    const auto cell = row.cells.find(std::string(parameter.name));
    const bool isOwn = cell != row.cells.end();
    const FormRow* shared = m_form.row(parameter.name);
    const QString text = isOwn ? cell->second.text : shared == nullptr ? QString() : shared->text;
    const bool isSwitch = parameter.type == Type::Boolean;
    const QPalette palette = QGuiApplication::palette();
    switch (role) {
    case Qt::DisplayRole:
        return isSwitch ? QVariant() : translatedValue(parameter, text);
    case Qt::EditRole:
        return text;
    case Qt::CheckStateRole:
        return !isSwitch ? QVariant() : text == QLatin1String("true") ? Qt::Checked : Qt::Unchecked;
    case Qt::TextAlignmentRole:
        return static_cast<int>((isNumber(parameter) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case WrongRole:
        return isOwn && !cell->second.error.isEmpty();
    case Qt::ForegroundRole:
        return isOwn && row.isEnabled ? QVariant() : palette.brush(QPalette::PlaceholderText);
    case Qt::FontRole: {
        QFont font = QGuiApplication::font();
        font.setBold(isOwn && cell->second.text != cell->second.standard);
        return font;
    }
    case Qt::ToolTipRole:
        return tipText(isOwn && !cell->second.error.isEmpty() ? cell->second.error
                : isOwn                                       ? translatedHelp(parameter)
                                                              : tr("The value that all variants share."));
    case Qt::AccessibleTextRole:
        return tr("%1 of %2: %3").arg(translatedLabel(parameter), titleOf(row), translatedValue(parameter, text));
    default:
        return {};
    }
}

QVariant VariantsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    const Parameter* parameter = parameterAt(section);
    if (role == Qt::DisplayRole) {
        return parameter == nullptr ? tr("Variant") : translatedLabel(*parameter);
    }
    if (role == Qt::ToolTipRole && parameter != nullptr) {
        return tipText(translatedHelp(*parameter));
    }
    if (role == Qt::TextAlignmentRole) {
        const bool isRight = parameter != nullptr && isNumber(*parameter);
        return static_cast<int>((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom | Qt::TextWordWrap);
    }
    return {};
}

bool VariantsModel::setGroupTicked(const Node& node, Qt::CheckState state)
{
    Variants variants = m_form.variants();
    for (const std::size_t variant : node.variants) {
        variants[variant].isEnabled = state == Qt::Checked;
    }
    m_form.setVariants((state == Qt::Checked ? tr("Tick %1") : tr("Untick %1")).arg(groupTitle(node.group)), variants);
    return true;
}

bool VariantsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const auto variant = variantAt(index);
    const Parameter* parameter = parameterAt(index.column());
    const auto state = static_cast<Qt::CheckState>(value.toInt());
    if (!variant) {
        const Node node = index.isValid() ? m_nodes[static_cast<std::size_t>(index.row())] : Node{};
        return role == Qt::CheckStateRole && index.isValid() && setGroupTicked(node, state);
    }
    if (parameter != nullptr) {
        const QString text = role != Qt::CheckStateRole ? value.toString()
            : state == Qt::Checked                      ? QStringLiteral("true")
                                                        : QStringLiteral("false");
        if (text == data(index, Qt::EditRole).toString()) {
            return false;
        }
        Variants variants = m_form.variants();
        setCellText(variants, *variant, std::string(parameter->name), text);
        m_form.setVariants(tr("%1 of %2").arg(translatedLabel(*parameter), variants[*variant].name), variants);
        return true;
    }
    if (role == Qt::CheckStateRole) {
        m_form.setVariantEnabled(*variant, state == Qt::Checked);
        return true;
    }
    const auto renamed = withName(m_form.variants(), *variant, value.toString());
    if (!renamed) {
        Q_EMIT refused(errorText(renamed.error()));
        return false;
    }
    m_form.setVariants(tr("Rename %1").arg(m_form.variants()[*variant].name), *renamed);
    return true;
}

Qt::ItemFlags VariantsModel::flags(const QModelIndex& index) const
{
    if (!index.isValid()) {
        return Qt::ItemIsDropEnabled;
    }
    const Qt::ItemFlags base = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (!variantAt(index)) {
        return index.column() == 0 ? base | Qt::ItemIsUserCheckable | Qt::ItemIsDropEnabled : base;
    }
    const Parameter* parameter = parameterAt(index.column());
    if (parameter == nullptr) {
        return base | Qt::ItemIsUserCheckable | Qt::ItemIsEditable | Qt::ItemIsDragEnabled;
    }
    return base | Qt::ItemIsDragEnabled
        | (parameter->type == Type::Boolean ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable);
}

QStringList VariantsModel::mimeTypes() const
{
    return {MimeType};
}

QMimeData* VariantsModel::mimeData(const QModelIndexList& indexes) const
{
    const auto variant = indexes.isEmpty() ? std::nullopt : variantAt(indexes.front());
    if (!variant) {
        return nullptr;
    }
    auto* data = new QMimeData;
    data->setData(MimeType, QByteArray::number(static_cast<qulonglong>(*variant)));
    return data;
}

/// Moves the variant itself and returns false, so that the view takes no row away.
bool VariantsModel::dropMimeData(const QMimeData* data, Qt::DropAction, int row, int, const QModelIndex& parent)
{
    const auto from = static_cast<std::size_t>(data->data(MimeType).toULongLong());
    Variants variants = m_form.variants();
    if (!data->hasFormat(MimeType) || from >= variants.size()) {
        return false;
    }
    // Before which variant; behind the last one where there is none.
    std::size_t before = variants.size();
    if (parent.isValid()) {
        const Node& node = m_nodes[static_cast<std::size_t>(parent.row())];
        const bool isInside = row >= 0 && row < static_cast<int>(node.variants.size());
        before = isInside ? node.variants[static_cast<std::size_t>(row)] : node.variants.back() + 1;
    } else if (row >= 0 && row < static_cast<int>(m_nodes.size())) {
        before = m_nodes[static_cast<std::size_t>(row)].variants.front();
    }
    variants[from].group = parent.isValid() ? groupAt(parent) : QString();
    const QString name = variants[from].name;
    m_form.setVariants(
        tr("Move %1").arg(name), withMoved(std::move(variants), from, before > from ? before - 1 : before));
    return false;
}

} // namespace lockstep::ui
