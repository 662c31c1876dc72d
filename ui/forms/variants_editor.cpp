#include "ui/forms/variants_editor.h"

#include "ui/forms/combine_dialog.h"
#include "ui/forms/variant_delegate.h"
#include "ui/forms/vary_dialog.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/variant_edits.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int MostLinesShown = 12;
constexpr int NarrowestName = 132;
constexpr int NarrowestCell = 52;
constexpr int WidestCell = 104;

/// As high as its lines, up to a limit; then it scrolls.
class LinesView final : public QTreeView {
public:
    using QTreeView::QTreeView;
    using QTreeView::sizeHintForColumn;

    QSize sizeHint() const override
    {
        int lines = 0;
        for (QModelIndex index = model()->index(0, 0); index.isValid() && lines < MostLinesShown;
             index = indexBelow(index)) {
            ++lines;
        }
        const int bar = horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff
            ? 0
            : style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
        return {200, header()->minimumHeight() + lines * sizeHintForRow(0) + 2 * frameWidth() + bar};
    }
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }
};

/// What a label needs in two lines: it breaks between words, Chinese anywhere.
int widthInTwoLines(const QString& label, const QFontMetrics& metrics)
{
    constexpr char16_t FirstChinese = 0x2E80;
    int longest = 0;
    for (const QString& word : label.split(u' ')) {
        const bool isChinese = !word.isEmpty() && word.back().unicode() >= FirstChinese;
        const int width = metrics.horizontalAdvance(word);
        longest = std::max(longest, isChinese ? width / 2 + metrics.height() : width);
    }
    return std::max(longest, metrics.horizontalAdvance(label) * 6 / 10) + 12;
}

} // namespace

VariantsEditor::VariantsEditor(FormModel& model, Cost cost, QWidget* parent)
    : Translated(parent)
    , m_model(model)
    , m_cost(std::move(cost))
    , m_variants(model)
    , m_table(new LinesView(this))
    , m_add(new QToolButton(this))
    , m_vary(new QToolButton(this))
    , m_combine(new QToolButton(this))
    , m_more(new QToolButton(this))
    , m_menu(new QMenu(this))
    , m_error(plainLabel(this))
{
    makeTable();
    makeActions();
    makeButtons();
    m_error->setObjectName(QStringLiteral("variants_error"));
    m_error->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 4, {m_table, m_error});
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(2);
    addAll(*buttons, {m_add, m_vary, m_combine, FreeRoom, m_more});
    layout->addLayout(buttons);
    connect(&m_variants, &VariantsModel::modelAboutToBeReset, this, [this] {
        m_place = current();
        m_column = m_table->currentIndex().column();
    });
    connect(&m_variants, &VariantsModel::modelReset, this, &VariantsEditor::rebuilt);
    connect(&m_variants, &VariantsModel::refused, this, [this](const QString& message) {
        m_refusal = message;
        showState();
    });
    connect(&m_model, &FormModel::changed, this, [this] {
        m_refusal.clear();
        showState();
    });
    retranslate();
    rebuilt();
}

void VariantsEditor::makeTable()
{
    m_table->setObjectName(QStringLiteral("variants"));
    m_table->setModel(&m_variants);
    m_table->setItemDelegate(new VariantDelegate(m_table));
    m_table->setUniformRowHeights(true);
    m_table->setIndentation(14);
    m_table->setIconSize(QSize(14, 14));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setDragDropMode(QAbstractItemView::InternalMove);
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setTabKeyNavigation(false);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionsMovable(false);
    m_table->header()->setMinimumSectionSize(NarrowestCell);
    m_table->header()->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->header()->setSectionsClickable(true);
    connect(m_table, &QWidget::customContextMenuRequested, this, &VariantsEditor::showMenu);
    connect(m_table->header(), &QWidget::customContextMenuRequested, this, &VariantsEditor::showHeaderMenu);
    connect(m_table->header(), &QHeaderView::sectionClicked, this, [this](int section) {
        showHeaderMenu({m_table->header()->sectionViewportPosition(section) + 4, m_table->header()->height()});
    });
    connect(m_table, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() > 0 && (index.flags() & Qt::ItemIsEditable) != 0) {
            m_table->edit(index);
        } else if (!m_variants.variantAt(index) && index.data(Qt::CheckStateRole) == m_tickWhenPressed) {
            m_table->setExpanded(index, !m_table->isExpanded(index)); // the title, not its tick
        }
    });
    connect(m_table, &QTreeView::pressed, this,
        [this](const QModelIndex& index) { m_tickWhenPressed = index.data(Qt::CheckStateRole); });
    const auto note = [this](const QModelIndex& index, bool isOpen) {
        if (isOpen) {
            m_open.insert(m_variants.groupAt(index));
        } else {
            m_open.remove(m_variants.groupAt(index));
        }
        m_table->updateGeometry();
        // The vertical scroll bar may come or go.
        QMetaObject::invokeMethod(this, &VariantsEditor::fitColumns, Qt::QueuedConnection);
    };
    connect(m_table, &QTreeView::expanded, this, [note](const QModelIndex& index) { note(index, true); });
    connect(m_table, &QTreeView::collapsed, this, [note](const QModelIndex& index) { note(index, false); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this](const QModelIndex& index, const QModelIndex&) {
            const experiment::Parameter* parameter = m_variants.parameterAt(index.column());
            Q_EMIT helpAvailable(parameter == nullptr ? QString() : translatedHelp(*parameter));
            showState();
        });
}

/// The menu of a variant, with its keys.
void VariantsEditor::makeActions()
{
    const auto addAction = [this](const QKeySequence& keys, auto carryOut) {
        auto* action = new QAction(this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, carryOut);
        m_table->addAction(action);
        m_menu->addAction(action);
        m_actions.push_back(action);
    };
    addAction(Qt::CTRL | Qt::Key_D, &VariantsEditor::duplicate);
    addAction(Qt::Key_F2, &VariantsEditor::rename);
    addAction(Qt::ALT | Qt::Key_Up, [this] { move(-1); });
    addAction(Qt::ALT | Qt::Key_Down, [this] { move(1); });
    addAction(Qt::Key_Delete, &VariantsEditor::remove);
}

void VariantsEditor::makeButtons()
{
    m_add->setObjectName(QStringLiteral("add_variant"));
    m_vary->setObjectName(QStringLiteral("vary"));
    m_combine->setObjectName(QStringLiteral("combine"));
    m_more->setObjectName(QStringLiteral("variant_menu"));
    for (QToolButton* button : {m_add, m_vary, m_combine, m_more}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    m_more->setText(QStringLiteral("⋮"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(m_menu);
    connect(m_add, &QToolButton::clicked, this, &VariantsEditor::add);
    connect(m_vary, &QToolButton::clicked, this, [this] { vary(); });
    connect(m_combine, &QToolButton::clicked, this, &VariantsEditor::combine);
}

void VariantsEditor::setColors(PaletteName palette)
{
    m_variants.setPalette(palette);
}

std::optional<std::size_t> VariantsEditor::current() const
{
    return m_variants.variantAt(m_table->currentIndex());
}

void VariantsEditor::vary(const experiment::Parameter* parameter)
{
    auto* dialog = new VaryDialog(m_model, m_cost, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (parameter != nullptr) {
        dialog->choose(*parameter);
    }
    connect(dialog, &QDialog::accepted, this, &VariantsEditor::varied);
    dialog->open();
}

void VariantsEditor::combine()
{
    auto* dialog = new CombineDialog(m_model, m_cost, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void VariantsEditor::add()
{
    const Variants rows = withAdded(m_model.variants(), tr("Variant"));
    m_model.setVariants(tr("Add a variant"), rows);
    m_table->setCurrentIndex(m_variants.indexOf(rows.size() - 1));
    m_table->setFocus(Qt::OtherFocusReason);
}

void VariantsEditor::duplicate()
{
    if (const auto place = current()) {
        m_model.setVariants(
            tr("Duplicate %1").arg(m_model.variants()[*place].name), withDuplicate(m_model.variants(), *place));
        m_table->setCurrentIndex(m_variants.indexOf(*place + 1));
    }
}

void VariantsEditor::remove()
{
    if (const auto place = current()) {
        m_model.setVariants(tr("Delete %1").arg(m_model.variants()[*place].name), without(m_model.variants(), *place));
        if (!m_model.variants().empty()) {
            m_table->setCurrentIndex(m_variants.indexOf(std::min(*place, m_model.variants().size() - 1)));
        }
    }
}

void VariantsEditor::rename()
{
    if (const auto place = current()) {
        m_table->setFocus(Qt::OtherFocusReason);
        m_table->edit(m_variants.indexOf(*place));
    }
}

void VariantsEditor::move(int rows)
{
    const auto place = current();
    const auto to = place ? static_cast<std::ptrdiff_t>(*place) + rows : -1;
    if (to >= 0 && to < static_cast<std::ptrdiff_t>(m_model.variants().size())) {
        m_model.setVariants(tr("Move %1").arg(m_model.variants()[*place].name),
            withMoved(m_model.variants(), *place, static_cast<std::size_t>(to)));
        m_table->setCurrentIndex(m_variants.indexOf(static_cast<std::size_t>(to)));
    }
}

void VariantsEditor::useShared(std::size_t variant, const experiment::Parameter& parameter)
{
    Variants rows = m_model.variants();
    rows[variant].cells.erase(std::string(parameter.name));
    m_model.setVariants(tr("Use the shared value of %1").arg(translatedLabel(parameter)), std::move(rows));
}

void VariantsEditor::showMenu(const QPoint& place)
{
    const QModelIndex index = m_table->indexAt(place);
    const auto variant = m_variants.variantAt(index);
    if (!variant) {
        return;
    }
    QMenu menu(this);
    menu.addActions(m_menu->actions());
    const experiment::Parameter* parameter = m_variants.parameterAt(index.column());
    if (parameter != nullptr && m_model.variants()[*variant].cells.contains(std::string(parameter->name))) {
        menu.addSeparator();
        menu.addAction(tr("Use the shared value of %1").arg(translatedLabel(*parameter)), this,
            [this, variant, parameter] { useShared(*variant, *parameter); });
    }
    menu.exec(m_table->viewport()->mapToGlobal(place));
}

void VariantsEditor::showHeaderMenu(const QPoint& place)
{
    const experiment::Parameter* parameter = m_variants.parameterAt(m_table->header()->logicalIndexAt(place.x()));
    if (parameter == nullptr) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Fill %1…").arg(translatedLabel(*parameter)), this, [this, parameter] { vary(parameter); });
    menu->addAction(tr("Do not vary %1").arg(translatedLabel(*parameter)), this, [this, parameter] {
        m_model.setVariants(
            tr("Do not vary %1").arg(translatedLabel(*parameter)), withoutColumn(m_model.variants(), *parameter));
    });
    menu->popup(m_table->header()->mapToGlobal(place));
}

void VariantsEditor::rebuilt()
{
    bool hasGroups = false;
    for (int row = 0; row < m_variants.rowCount(); ++row) {
        const QModelIndex node = m_variants.index(row, 0);
        const bool isGroup = !m_variants.variantAt(node);
        m_table->setFirstColumnSpanned(row, {}, isGroup);
        hasGroups = hasGroups || isGroup;
        if (isGroup) {
            m_table->setExpanded(node, m_open.contains(m_variants.groupAt(node)));
        }
    }
    m_table->setRootIsDecorated(hasGroups);
    if (m_place && *m_place < m_model.variants().size()) {
        const QModelIndex index = m_variants.indexOf(*m_place, std::clamp(m_column, 0, m_variants.columnCount() - 1));
        if (!index.parent().isValid() || m_table->isExpanded(index.parent())) { // it would open the group
            m_table->setCurrentIndex(index);
        }
    }
    fitColumns();
    m_table->setVisible(!m_model.variants().empty());
    m_table->updateGeometry();
    showState();
}

/// Values get what they need; the names get the rest, and where it is too little the table scrolls sideways.
void VariantsEditor::fitColumns()
{
    int used = 0;
    const int lines = m_variants.columnCount() > 1 ? 2 : 1;
    m_table->header()->setFixedHeight(lines * m_table->header()->fontMetrics().lineSpacing() + 6);
    for (int column = 1; column < m_variants.columnCount(); ++column) {
        const int wanted
            = std::clamp(static_cast<LinesView*>(m_table)->sizeHintForColumn(column) + 10, NarrowestCell, WidestCell);
        const QString label = m_variants.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int width = std::max(wanted, widthInTwoLines(label, m_table->header()->fontMetrics()));
        m_table->setColumnWidth(column, width);
        used += width;
    }
    const int room = m_table->viewport()->width();
    m_table->setColumnWidth(0, std::max(NarrowestName, room - used));
    m_table->setHorizontalScrollBarPolicy(room - used < NarrowestName ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    m_table->updateGeometry();
}

void VariantsEditor::showState()
{
    QString error = m_refusal;
    for (const VariantRow& row : m_model.variants()) {
        for (const auto& [name, cell] : row.cells) {
            if (error.isEmpty() && row.isEnabled && !cell.error.isEmpty()) {
                error = QStringLiteral("%1: %2").arg(shownName(row.name), cell.error);
            }
        }
    }
    QPalette wrong = palette();
    wrong.setColor(QPalette::WindowText, toneColor(Tone::Error, palette()));
    m_error->setPalette(wrong);
    m_error->setText(error);
    m_error->setVisible(!error.isEmpty());
    m_combine->setVisible(m_model.columns().size() > 1);
    const auto place = current();
    m_more->setVisible(!m_model.variants().empty());
    for (QAction* action : m_actions) {
        action->setEnabled(place.has_value());
    }
}

void VariantsEditor::retranslate()
{
    setAccessibleName(tr("Variants"));
    m_add->setText(tr("+ Variant"));
    describe(*m_add, tr("Add a variant"), tr("Adds a variant with the values of the last one."));
    m_vary->setText(tr("+ Vary…"));
    describe(*m_vary, tr("Vary a parameter"),
        tr("Chooses a parameter and the values that the variants take: a list or a range."));
    m_combine->setText(tr("Combine…"));
    describe(*m_combine, tr("Combine two parameters"),
        tr("Makes a variant for every combination of the values of two parameters."));
    describe(*m_more, tr("Variant"), tr("Duplicate, rename, move or delete the chosen variant."));
    describe(*m_table, tr("Variants"),
        tr("One row per variant, one column per parameter that varies. Tick what Run trains; click a value to change "
           "it."));
    const QStringList texts{tr("Duplicate"), tr("Rename"), tr("Move up"), tr("Move down"), tr("Delete")};
    for (std::size_t i = 0; i < m_actions.size(); ++i) {
        m_actions[i]->setText(texts[static_cast<qsizetype>(i)]);
    }
    m_table->setToolTip({});
    fitColumns();
}

void VariantsEditor::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

} // namespace lockstep::ui
