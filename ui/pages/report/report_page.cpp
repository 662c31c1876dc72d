#include "ui/pages/report/report_page.h"

#include "language/language.h"
#include "ui/export/report/report_templates.h"
#include "ui/models/shown_text.h"
#include "ui/pages/report/report_bar.h"
#include "ui/pages/report/report_drawings.h"
#include "ui/pages/report/report_preview.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStandardPaths>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr int KeyRole = Qt::UserRole;
constexpr int PreviewDelayMs = 250;
constexpr int LongestTitle = 60;

template <typename... Functions>
struct PerContent : Functions... {
    using Functions::operator()...;
};
template <typename... Functions>
PerContent(Functions...) -> PerContent<Functions...>;

/// What kind of block it is.
QString kindOf(const report::Block& block)
{
    return std::visit(PerContent{[](const report::Heading&) { return ReportPage::tr("Heading"); },
                          [](const report::Paragraph&) { return ReportPage::tr("Text"); },
                          [](const report::Sentences&) { return ReportPage::tr("Findings"); },
                          [](const report::Chart&) { return ReportPage::tr("Figure"); },
                          [](const report::Table&) { return ReportPage::tr("Table"); },
                          [](const report::Question&) { return ReportPage::tr("Question"); },
                          [](const report::Listing&) { return ReportPage::tr("Listing"); }},
        block.content);
}

/// Of a block's entry in the list: its kind and its first words.
QString entryText(const report::Block& block)
{
    const auto* question = std::get_if<report::Question>(&block.content);
    QString words = shownText(question != nullptr ? question->text : report::textOf(block)).simplified();
    if (words.size() > LongestTitle) {
        words = words.left(LongestTitle) + u'…';
    }
    const bool isHeading = std::holds_alternative<report::Heading>(block.content);
    return isHeading ? words : QStringLiteral("    %1 · %2").arg(kindOf(block), words);
}

/// What the text field beside the list holds.
QString labelOf(const report::Block& block)
{
    return std::visit(PerContent{[](const report::Question& question) { return shownText(question.text); },
                          [](const report::Chart&) { return ReportPage::tr("Caption:"); },
                          [](const report::Table&) { return ReportPage::tr("Caption:"); },
                          [](const report::Sentences&) { return ReportPage::tr("Sentences, one per line:"); },
                          [](const auto&) { return ReportPage::tr("Text:"); }},
        block.content);
}

const report::Block* findBlock(const ReportDraft& draft, const std::string& key)
{
    const auto found = std::ranges::find(draft.blocks(), key, &report::Block::key);
    return found == draft.blocks().end() ? nullptr : &*found;
}

/// Its text is the user's, not the generated one.
bool isChanged(const ReportDraft& draft, const std::string& key)
{
    return draft.edits().texts.contains(key);
}

/// The templates there are, that of the report chosen; the last entry asks for a file.
void fillTemplates(QComboBox& box, const QString& current)
{
    box.clear();
    const bool isChinese = QLocale().language() == QLocale::Chinese;
    QStringList choices = templateChoices();
    if (!choices.contains(current)) {
        choices += current;
    }
    for (const QString& choice : choices) {
        const auto made = readTemplate(choice);
        const std::string title
            = made ? made->title.in(isChinese ? report::Language::Chinese : report::Language::English) : std::string();
        box.addItem(title.empty() ? shownName(QFileInfo(choice).fileName()) : shownName(title), choice);
        box.setItemData(box.count() - 1, tipText(choice), Qt::ToolTipRole);
    }
    box.insertSeparator(box.count());
    box.addItem(ReportPage::tr("Open a template…"));
    box.setItemData(box.count() - 1,
        tipText(ReportPage::tr("A JSON file. Those in %1 are in this list.")
                    .arg(QDir::toNativeSeparators(templateFolder()))),
        Qt::ToolTipRole);
    box.setCurrentIndex(box.findData(current));
}

QVBoxLayout* column(QWidget* parent)
{
    auto* layout = new QVBoxLayout(parent);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->setSpacing(6);
    return layout;
}

} // namespace

ReportPage::ReportPage(const QString& folder, QWidget* parent)
    : Translated(parent)
    , m_draft(folder, reportDrawings())
    , m_templates(new ElidedComboBox(this))
    , m_export(new QPushButton(this))
    , m_blocks(new QListWidget(this))
    , m_up(new QPushButton(this))
    , m_down(new QPushButton(this))
    , m_resetAll(new QPushButton(this))
    , m_textLabel(plainLabel(this))
    , m_text(new QPlainTextEdit(this))
    , m_resetText(new QPushButton(this))
    , m_name(new QLineEdit(this))
    , m_number(new QLineEdit(this))
    , m_class(new QLineEdit(this))
    , m_addSection(new QPushButton(this))
    , m_unanswered(plainLabel(this))
    , m_bar(new ReportBar(this))
    , m_message(plainLabel(this))
    , m_preview(new ReportPreview(this))
    , m_previewTimer(new QTimer(this))
    , m_folder(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
{
    build();
    connectAll();
    retranslate();
    showBlocks();
}

QWidget* ReportPage::makeSide()
{
    auto* side = new QWidget(this);
    QVBoxLayout* left = column(side);
    auto* top = new QHBoxLayout;
    top->addWidget(m_templates, 1);
    top->addWidget(m_export);
    left->addLayout(top);
    left->addWidget(m_name);
    auto* author = new QHBoxLayout;
    author->addWidget(m_number, 1);
    author->addWidget(m_class, 1);
    left->addLayout(author);
    m_blocks->setDragDropMode(QAbstractItemView::InternalMove);
    m_blocks->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_blocks->setTextElideMode(Qt::ElideRight);
    left->addWidget(m_blocks, 3);
    auto* order = new QHBoxLayout;
    addAll(*order, {m_up, m_down, FreeRoom, m_addSection});
    left->addLayout(order);
    left->addWidget(m_textLabel);
    m_text->setTabChangesFocus(true);
    m_textLabel->setBuddy(m_text);
    m_textLabel->setWordWrap(true);
    left->addWidget(m_text, 2);
    auto* resets = new QHBoxLayout;
    addAll(*resets, {m_resetText, FreeRoom, m_resetAll});
    left->addLayout(resets);
    for (QLabel* label : {m_unanswered, m_message}) {
        label->setWordWrap(true);
        label->hide();
        left->addWidget(label);
    }
    m_unanswered->setObjectName(QStringLiteral("unanswered"));
    side->setMinimumWidth(268);
    return side;
}

QWidget* ReportPage::makePages()
{
    auto* pages = new QWidget(this);
    auto* layout = new QVBoxLayout(pages);
    m_preview->setMinimumWidth(245); // a page at its smallest, and the scroll bar
    addAll(*layout, {}, 0, {m_bar, {m_preview, 1}});
    return pages;
}

void ReportPage::build()
{
    m_side = makeSide();
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->setChildrenCollapsible(false);
    split->addWidget(m_side);
    split->addWidget(makePages());
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setSizes({300, 450});
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(split);
    m_previewTimer->setSingleShot(true);
    m_previewTimer->setInterval(PreviewDelayMs);
}

void ReportPage::connectAll()
{
    connect(&m_draft, &ReportDraft::changed, this, &ReportPage::showBlocks);
    connect(&m_draft, &ReportDraft::failed, this, &ReportPage::say);
    connect(m_previewTimer, &QTimer::timeout, this, &ReportPage::showPreview);
    connect(m_templates, &QComboBox::activated, this,
        [this](int row) { chooseTemplate(m_templates->itemData(row).toString()); });
    connect(m_export, &QPushButton::clicked, this, &ReportPage::exportReport);
    connect(m_up, &QPushButton::clicked, this, [this] { moveBlock(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveBlock(1); });
    connect(m_resetAll, &QPushButton::clicked, &m_draft, &ReportDraft::resetAll);
    connect(m_resetText, &QPushButton::clicked, this, [this] {
        m_draft.resetText(currentKey());
        showText();
    });
    connect(m_blocks, &QListWidget::currentRowChanged, this, &ReportPage::showText);
    connect(m_blocks, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
        if (!m_isShowing) {
            m_draft.setLeftOut(item->data(KeyRole).toString().toStdString(), item->checkState() == Qt::Unchecked);
        }
    });
    // The rows are where they are only after the drop.
    connect(m_blocks->model(), &QAbstractItemModel::rowsMoved, this, &ReportPage::keepOrder, Qt::QueuedConnection);
    connect(m_text, &QPlainTextEdit::textChanged, this, &ReportPage::keepText);
    for (QLineEdit* field : {m_name, m_number, m_class}) {
        connect(field, &QLineEdit::textEdited, this,
            [this] { m_draft.setAuthor(m_name->text(), m_number->text(), m_class->text()); });
    }
    connect(m_addSection, &QPushButton::clicked, this, &ReportPage::addSection);
    connect(m_bar, &ReportBar::partsToggled, m_side, &QWidget::setVisible);
    connect(m_bar, &ReportBar::zoomed, m_preview, &ReportPreview::zoom);
    connect(m_bar, &ReportBar::turned, m_preview, &ReportPreview::turnPage);
    connect(m_preview, &ReportPreview::pageChanged, this,
        [this](int page) { m_bar->showPage(page, m_preview->pageCount()); });
}

void ReportPage::setFeeds(const std::vector<RunFeed*>& feeds)
{
    m_message->hide();
    m_draft.setFeeds(feeds, m_interfered);
}

void ReportPage::chooseTemplate(const QString& choice)
{
    const QString name = choice.isEmpty()
        ? QFileDialog::getOpenFileName(this, tr("Open a template"), templateFolder(), tr("Templates (*.json)"))
        : choice;
    m_message->hide();
    if (!name.isEmpty()) {
        m_draft.setTemplate(name);
    }
    fillTemplates(*m_templates, m_draft.templateName());
}

std::string ReportPage::currentKey() const
{
    const QListWidgetItem* item = m_blocks->currentItem();
    return item == nullptr ? std::string() : item->data(KeyRole).toString().toStdString();
}

void ReportPage::showBlocks()
{
    m_isShowing = true;
    const std::string key = currentKey();
    const auto& blocks = m_draft.blocks();
    while (m_blocks->count() > static_cast<int>(blocks.size())) {
        delete m_blocks->takeItem(m_blocks->count() - 1);
    }
    for (int row = 0; row < static_cast<int>(blocks.size()); ++row) {
        const report::Block& block = blocks[static_cast<std::size_t>(row)];
        if (row == m_blocks->count()) {
            m_blocks->addItem(new QListWidgetItem);
        }
        QListWidgetItem* item = m_blocks->item(row);
        QFont font = m_blocks->font();
        font.setBold(std::holds_alternative<report::Heading>(block.content));
        font.setItalic(isChanged(m_draft, block.key));
        item->setFont(font);
        item->setText(entryText(block));
        item->setData(KeyRole, QString::fromStdString(block.key));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled);
        item->setCheckState(m_draft.edits().leftOut.contains(block.key) ? Qt::Unchecked : Qt::Checked);
        if (block.key == key) {
            m_blocks->setCurrentRow(row);
        }
    }
    m_templates->setCurrentIndex(m_templates->findData(m_draft.templateName()));
    const auto fill = [](QLineEdit& field, const QString& text) {
        if (!field.hasFocus()) {
            field.setText(text);
        }
    };
    fill(*m_name, m_draft.author());
    fill(*m_number, m_draft.number());
    fill(*m_class, m_draft.className());
    showQuestions();
    m_isShowing = false;
    if (!m_text->hasFocus()) {
        showText();
    }
    m_export->setEnabled(!blocks.empty());
    m_addSection->setEnabled(!blocks.empty());
    if (std::exchange(m_previewedTemplate, m_draft.templateName()) != m_draft.templateName()) {
        m_preview->clear(); // not another experiment's report until this one is drawn
    }
    m_previewTimer->start();
}

void ReportPage::showText()
{
    const report::Block* block = findBlock(m_draft, currentKey());
    if (block != nullptr) {
        m_preview->showBlock(block->key);
    }
    m_isShowing = true;
    m_text->setEnabled(block != nullptr);
    m_textLabel->setText(block == nullptr ? tr("Choose a part to edit its text.") : labelOf(*block));
    m_text->setPlainText(block == nullptr ? QString() : QString::fromStdString(report::textOf(*block)));
    m_resetText->setEnabled(block != nullptr && isChanged(m_draft, block->key));
    m_up->setEnabled(block != nullptr && m_blocks->currentRow() > 0);
    m_down->setEnabled(block != nullptr && m_blocks->currentRow() + 1 < m_blocks->count());
    m_isShowing = false;
}

void ReportPage::showPreview()
{
    m_preview->setReport(m_draft.report(), m_draft.charts());
    m_bar->showPage(m_preview->page(), m_preview->pageCount());
}

/// Said before the report is saved: they are not printed.
void ReportPage::showQuestions()
{
    const int count = report::unansweredIn(m_draft.report());
    m_unanswered->setText(tr("Questions without an answer, not printed: %1").arg(count));
    m_unanswered->setVisible(count > 0);
}

void ReportPage::add(report::Section section, const std::vector<RunFeed*>& feeds)
{
    m_draft.add(std::move(section), feeds);
}

/// Behind the chosen part, with a text to write over.
void ReportPage::addSection()
{
    const auto both = [](const QString& text) { return report::BothLanguages{text.toStdString(), text.toStdString()}; };
    report::Section section;
    section.heading = both(tr("New section"));
    section.content.emplace_back().text = both(tr("Write here."));
    const std::string before = currentKey();
    const std::string key = m_draft.insert(std::move(section), before);
    for (int row = 0; row < m_blocks->count(); ++row) {
        if (m_blocks->item(row)->data(KeyRole).toString().toStdString() == key) {
            m_blocks->setCurrentRow(row);
        }
    }
    m_text->setFocus(Qt::OtherFocusReason);
    m_text->selectAll();
}

void ReportPage::moveBlock(int by)
{
    const int row = m_blocks->currentRow();
    const int target = row + by;
    if (row < 0 || target < 0 || target >= m_blocks->count()) {
        return;
    }
    m_isShowing = true;
    m_blocks->insertItem(target, m_blocks->takeItem(row));
    m_blocks->setCurrentRow(target);
    m_isShowing = false;
    keepOrder();
}

void ReportPage::keepOrder()
{
    std::vector<std::string> keys;
    for (int row = 0; row < m_blocks->count(); ++row) {
        keys.push_back(m_blocks->item(row)->data(KeyRole).toString().toStdString());
    }
    m_draft.setOrder(keys);
}

void ReportPage::keepText()
{
    if (!m_isShowing && !currentKey().empty()) {
        m_draft.setText(currentKey(), m_text->toPlainText().toStdString());
        m_resetText->setEnabled(isChanged(m_draft, currentKey()));
    }
}

void ReportPage::say(const QString& message)
{
    m_message->setText(message);
    m_message->show();
}

void ReportPage::exportReport()
{
    QString filter;
    QString path = QFileDialog::getSaveFileName(this, tr("Export the report"),
        m_folder.filePath(m_draft.fileName() + QStringLiteral(".docx")),
        tr("Word (*.docx);;PDF (*.pdf);;Web page (*.html);;Markdown (*.md);;LaTeX (*.tex)"), &filter);
    if (path.isEmpty()) {
        return;
    }
    if (QFileInfo(path).suffix().isEmpty()) {
        path += filter.section(u'*', 1).chopped(1);
        if (QFileInfo::exists(path)) { // the dialog asked about the name without its suffix
            say(tr("%1 exists already: choose another name.").arg(QDir::toNativeSeparators(path)));
            return;
        }
    }
    m_folder = QFileInfo(path).dir();
    if (const auto written = m_draft.write(path); !written) {
        say(QString::fromStdString(language::errorLine(written.error())));
        return;
    }
    m_message->hide();
    Q_EMIT exported(path);
}

void ReportPage::retranslate()
{
    fillTemplates(*m_templates, m_draft.templateName());
    describe(*m_templates, tr("Template"), tr("The parts that the report has, and their order."));
    labelButton(*m_export, tr("Export…"), tr("Writes the report as Word, PDF, a web page, Markdown or LaTeX."));
    labelButton(*m_up, tr("Up"), tr("Moves the chosen part up."));
    labelButton(*m_down, tr("Down"), tr("Moves the chosen part down."));
    labelButton(*m_resetAll, tr("Reset all"), tr("Discards your order, omissions and text; keeps the name."));
    labelButton(*m_resetText, tr("Reset"), tr("Restores the generated text of this part."));
    m_name->setPlaceholderText(tr("Name"));
    describe(*m_name, tr("Name"), tr("Your name, for the title page."));
    m_number->setPlaceholderText(tr("Student number"));
    describe(*m_number, tr("Student number"), tr("Your student number, for the title page."));
    m_class->setPlaceholderText(tr("Class"));
    describe(*m_class, tr("Class"), tr("Your class or group, for the title page; empty: no line."));
    labelButton(*m_addSection, tr("Add section"), tr("Adds a heading and a text of your own behind the chosen part."));
    describe(*m_blocks, tr("Parts of the report"), tr("Untick a part to leave it out; drag it to move it."));
    describe(*m_text, tr("Text of the chosen part"),
        tr("Your text is stored separately from the generated text and is kept when the runs change."));
    showText();
}

} // namespace lockstep::ui
