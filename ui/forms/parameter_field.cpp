#include "ui/forms/parameter_field.h"

#include "ui/models/shown_text.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QEvent>
#include <QFileDialog>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace lockstep::ui {

using experiment::Type;

namespace {

QString fromText(std::string_view text)
{
    return QString::fromUtf8(text);
}

QString choiceText(std::string_view text)
{
    return QCoreApplication::translate("Parameters", std::string(text).c_str());
}

constexpr int UnitWidth = 64;
constexpr int ResetSide = 22;

} // namespace

void markWrong(QWidget& editor, bool isWrong)
{
    QPalette palette;
    if (isWrong) {
        const QColor error = toneColor(Tone::Error, editor.parentWidget()->palette());
        palette.setColor(QPalette::Text, error);
        palette.setColor(QPalette::Window, error); // Fusion draws the frame of a line edit darker than this
        palette.setColor(QPalette::Highlight, error);
    }
    editor.setPalette(palette);
}

bool leavesUndoToTheForm(QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride) {
        return false;
    }
    const auto* key = static_cast<const QKeyEvent*>(event);
    if (!key->matches(QKeySequence::Undo) && !key->matches(QKeySequence::Redo)) {
        return false;
    }
    event->ignore(); // so that the window's shortcut gets it
    return true;
}

ParameterField::ParameterField(const experiment::Parameter& parameter, QWidget* parent)
    : QWidget(parent)
    , m_parameter(parameter)
    , m_label(plainLabel(this))
    , m_unit(plainLabel(this))
    , m_reset(new QToolButton(this))
    , m_error(plainLabel(this))
{
    setObjectName(QStringLiteral("field:") + fromText(parameter.name));
    makeEditor();
    m_editor->setObjectName(fromText(parameter.name));
    m_editor->installEventFilter(this);
    m_label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_label->setBuddy(m_editor);
    m_label->setWordWrap(true);
    m_unit->setForegroundRole(QPalette::PlaceholderText);
    m_unit->setFixedWidth(UnitWidth);
    m_reset->setIcon(glyphIcon(Glyph::Reset));
    m_reset->setAutoRaise(true);
    m_reset->setIconSize(QSize(14, 14));
    m_reset->setFixedSize(ResetSide, ResetSide);
    m_error->setWordWrap(true);
    m_error->setObjectName(QStringLiteral("error:") + fromText(parameter.name));
    m_error->hide();
    auto policy = m_reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(policy);
    connect(m_reset, &QToolButton::clicked, this, &ParameterField::resetRequested);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 2, 0, 2);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(1);
    grid->addWidget(m_label, 0, 0);
    grid->addWidget(m_editor, 0, 1);
    if (m_browse != nullptr) {
        m_unit->hide();
        grid->addWidget(m_browse, 0, 2, Qt::AlignLeft);
    } else if (parameter.unit.empty() && zeroText(parameter, QStringLiteral("0")).isEmpty()) {
        m_unit->hide();
    } else {
        grid->addWidget(m_unit, 0, 2);
    }
    grid->addWidget(m_reset, 0, 3);
    grid->addWidget(m_error, 1, 1, 1, 3);
    grid->setColumnStretch(1, 1);
    retranslate();
}

void ParameterField::makeEditor()
{
    switch (m_parameter.type) {
    case Type::Boolean: {
        auto* box = new QCheckBox(this);
        connect(box, &QCheckBox::toggled, this,
            [this](bool on) { Q_EMIT textEdited(on ? QStringLiteral("true") : QStringLiteral("false")); });
        m_editor = box;
        return;
    }
    case Type::Choice: {
        auto* combo = new ElidedComboBox(this);
        combo->setFocusPolicy(Qt::StrongFocus);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(6);
        for (const experiment::Choice& choice : m_parameter.choices) {
            combo->addItem(choiceText(choice.label), fromText(choice.name));
        }
        connect(combo, &QComboBox::activated, this,
            [this, combo](int index) { Q_EMIT textEdited(combo->itemData(index).toString()); });
        m_editor = combo;
        return;
    }
    case Type::Path:
        makeLineEdit(Qt::AlignLeft);
        m_browse = new QToolButton(this);
        m_browse->setIcon(glyphIcon(Glyph::Folder));
        m_browse->setAutoRaise(true);
        m_browse->setObjectName(QStringLiteral("browse:") + fromText(m_parameter.name));
        connect(m_browse, &QToolButton::clicked, this, &ParameterField::choosePath);
        return;
    case Type::Integer:
    case Type::Real:
        makeLineEdit(Qt::AlignRight);
        return;
    case Type::Text:
    case Type::Scalar:
    case Type::IntegerList:
    case Type::RealList:
        makeLineEdit(Qt::AlignLeft);
        return;
    }
}

void ParameterField::makeLineEdit(Qt::Alignment alignment)
{
    auto* edit = new QLineEdit(this);
    edit->setAlignment(alignment | Qt::AlignVCenter);
    edit->setMinimumWidth(m_parameter.range.maximum >= 1e9 ? 92 : 60);
    connect(edit, &QLineEdit::textEdited, this, &ParameterField::textEdited);
    m_editor = edit;
}

void ParameterField::choosePath()
{
    auto* edit = qobject_cast<QLineEdit*>(m_editor);
    const QString path = m_isFile ? QFileDialog::getOpenFileName(this, m_label->text(), edit->text())
                                  : QFileDialog::getExistingDirectory(this, m_label->text(), edit->text());
    if (!path.isEmpty()) {
        edit->setText(path);
        Q_EMIT textEdited(path);
    }
}

void ParameterField::setBrowseTexts()
{
    if (m_browse != nullptr) {
        describe(*m_browse, m_isFile ? tr("Choose a file") : tr("Choose a folder"),
            m_isFile ? tr("Choose a file on this machine.") : tr("Choose a folder on this machine."));
    }
}

void ParameterField::show(const FormRow& row)
{
    setVisible(row.isShown);
    setEditorText(row.text);
    showUnit(row.text);
    if (m_isFile != row.isFile) {
        m_isFile = row.isFile;
        setBrowseTexts();
    }
    QFont font = m_label->font();
    font.setBold(row.isModified());
    m_label->setFont(font);
    m_reset->setVisible(row.isModified());
    m_error->setText(row.error);
    m_error->setVisible(!row.error.isEmpty());
    markEditor(!row.error.isEmpty());
    const QString reset = tr("Reset to %1").arg(row.standard.isEmpty() ? tr("empty") : row.standard);
    m_reset->setToolTip(tipText(reset));
    m_reset->setAccessibleDescription(reset);
}

/// A zero that is no number says what it means instead of its unit.
void ParameterField::showUnit(const QString& text)
{
    const QString zero = zeroText(m_parameter, text);
    m_unit->setText(zero.isEmpty() ? choiceText(m_parameter.unit) : zero);
}

void ParameterField::setEditorText(const QString& text)
{
    if (auto* edit = qobject_cast<QLineEdit*>(m_editor)) {
        if (edit->text() != text) {
            edit->setText(text);
        }
    } else if (auto* box = qobject_cast<QCheckBox*>(m_editor)) {
        const QSignalBlocker blocker(box);
        box->setChecked(text == QLatin1String("true"));
    } else if (auto* combo = qobject_cast<QComboBox*>(m_editor)) {
        combo->setCurrentIndex(combo->findData(text));
    }
}

void ParameterField::markEditor(bool isWrong)
{
    if (isWrong != m_isWrong) {
        m_isWrong = isWrong;
        markWrong(*m_editor, isWrong);
    }
    QPalette errorPalette = palette();
    errorPalette.setColor(QPalette::WindowText, toneColor(Tone::Error, palette()));
    m_error->setPalette(errorPalette);
}

int ParameterField::labelWidth() const
{
    QFont bold = m_label->font();
    bold.setBold(true);
    return QFontMetrics(bold).horizontalAdvance(m_label->text()) + 2;
}

void ParameterField::setLabelWidth(int width)
{
    m_label->setFixedWidth(width);
}

void ParameterField::retranslate()
{
    const QString label = translatedLabel(m_parameter);
    const QString help = translatedHelp(m_parameter);
    m_label->setText(label);
    m_label->setToolTip(tipText(help));
    const QString unit = choiceText(m_parameter.unit);
    m_unit->setText(unit);
    describe(*m_editor, unit.isEmpty() ? label : tr("%1 in %2").arg(label, unit), help);
    m_reset->setAccessibleName(tr("Reset %1").arg(label));
    setBrowseTexts();
    if (auto* combo = qobject_cast<QComboBox*>(m_editor)) {
        for (std::size_t i = 0; i < m_parameter.choices.size(); ++i) {
            combo->setItemText(static_cast<int>(i), choiceText(m_parameter.choices[i].label));
            combo->setItemData(static_cast<int>(i), tipText(choiceText(m_parameter.choices[i].help)), Qt::ToolTipRole);
        }
    }
}

void ParameterField::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    } else if (event->type() == QEvent::PaletteChange && m_isWrong) {
        m_isWrong = false;
        markEditor(true);
    }
}

bool ParameterField::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn) {
        Q_EMIT focused();
    }
    // Scrolling the form over a closed combo box must not change the experiment.
    if (event->type() == QEvent::Wheel && !m_editor->hasFocus()) {
        event->ignore();
        return true;
    }
    return leavesUndoToTheForm(event) || QWidget::eventFilter(watched, event);
}

} // namespace lockstep::ui
