#include "ui/shell/help_window.h"

#include "language/language.h"
#include "ui/models/form/form_model.h"

#include <QAction>
#include <QDesktopServices>
#include <QFile>
#include <QListWidget>
#include <QSplitter>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <array>

namespace lockstep::ui {

namespace {

/// The pages of the manual, in reading order: files of resources/docs.
constexpr std::array ManualPages{"window", "experiments", "several_ranks", "runs", "command_line", "own_programs",
    "data_sets", "gpu", "hosts", "grading", "install", "problems", "inside", "dependencies"};

/// Empty where there is no such page in this language.
QString manualPage(const QString& name)
{
    const bool isChinese = language::textLanguage() == language::TextLanguage::Chinese;
    QFile file(QStringLiteral(":/docs/%1%2.md").arg(name, isChinese ? QStringLiteral(".zh_CN") : QString()));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Of `# The window`, its first line.
QString titleOf(const QString& page)
{
    return page.section(u'\n', 0, 0).mid(2).trimmed();
}

QString row(const QString& left, const QString& right)
{
    return QStringLiteral("<tr><td style='padding-right:16px; white-space:nowrap'>%1</td><td>%2</td></tr>")
        .arg(left, right);
}

QString heading(const QString& text)
{
    return QStringLiteral("<h3>%1</h3>").arg(text.toHtmlEscaped());
}

QString shortcutsTable(const QList<QAction*>& commands)
{
    QString text;
    for (const QAction* command : commands) {
        if (!command->text().isEmpty() && !command->shortcut().isEmpty()) {
            text += row(command->shortcut().toString(QKeySequence::NativeText), command->text().toHtmlEscaped());
        }
    }
    return QStringLiteral("<table>%1</table>").arg(text);
}

QString parameterText(const experiment::Parameter& parameter)
{
    const auto standard = QString::fromStdString(experiment::toText(parameter.standard));
    QString text = QStringLiteral("<p><b>%1</b> &nbsp;<code>%2</code><br>%3")
                       .arg(translatedLabel(parameter).toHtmlEscaped(), QString::fromUtf8(parameter.name),
                           translatedHelp(parameter).toHtmlEscaped());
    text += u' '
        + (standard.isEmpty() ? HelpWindow::tr("Allowed: %1.").arg(allowedInWords(parameter).toHtmlEscaped())
                              : HelpWindow::tr("Allowed: %1; default: %2.")
                                    .arg(allowedInWords(parameter).toHtmlEscaped(), standard.toHtmlEscaped()));
    return text + QStringLiteral("</p>");
}

QString quickStart(const QList<QAction*>& commands)
{
    QString text = heading(HelpWindow::tr("Quick start")) + QStringLiteral("<ul>");
    for (const QString& line :
        {HelpWindow::tr("Choose an experiment on the left, set its parameters on the right and press Run. Every "
                        "variant trains in its own rank processes."),
            HelpWindow::tr("Watch the curves live: hover to read values, scroll to zoom, drag to pan, double-click to "
                           "show everything, click a name in the legend to hide its curve."),
            HelpWindow::tr("Tick stored runs in the table below to compare them. Findings says what the numbers mean."),
            HelpWindow::tr(
                "Export saves what the tab shows as PDF, SVG, PNG, EPS or CSV, and charts as PGFPlots, in the "
                "size that a paper needs.")}) {
        text += QStringLiteral("<li>%1</li>").arg(line.toHtmlEscaped());
    }
    return text + QStringLiteral("</ul>") + heading(HelpWindow::tr("Keyboard")) + shortcutsTable(commands);
}

QString parametersText()
{
    QString text = heading(HelpWindow::tr("Parameters"))
        + QStringLiteral("<p>%1</p>")
              .arg(HelpWindow::tr("The form shows the parameters that apply. On the command line, set each with --set "
                                  "name=value.")
                       .toHtmlEscaped());
    std::string_view group;
    for (const experiment::Parameter& parameter : experiment::parameters()) {
        if (parameter.group != group) {
            group = parameter.group;
            text += QStringLiteral("<h4>%1</h4>").arg(translatedGroup(parameter).toHtmlEscaped());
        }
        text += parameterText(parameter);
    }
    return text;
}

} // namespace

HelpWindow::HelpWindow(const QList<QAction*>& commands, QWidget* parent)
    : QDialog(parent)
    , m_contents(new QListWidget(this))
    , m_page(new QTextBrowser(this))
{
    setWindowTitle(tr("Help"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(920, 640);
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setAccessibleDescription(tr("The pages of the help."));
    m_page->setAccessibleName(tr("Help"));
    m_page->setAccessibleDescription(tr("How to use the window, its shortcuts and all parameters."));
    m_page->document()->setDocumentMargin(16);
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setOpenLinks(false);
    addPage(tr("Quick start"), {}, quickStart(commands));
    for (const char* name : ManualPages) {
        const QString page = manualPage(QString::fromLatin1(name));
        if (!page.isEmpty()) {
            addPage(titleOf(page), QString::fromLatin1(name), page);
        }
    }
    addPage(tr("Parameters"), QStringLiteral("parameters"), parametersText());
    connect(m_contents, &QListWidget::currentRowChanged, this, &HelpWindow::showPage);
    connect(m_page, &QTextBrowser::anchorClicked, this, &HelpWindow::follow);
    m_contents->setCurrentRow(0);

    auto* halves = new QSplitter(this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(m_contents);
    halves->addWidget(m_page);
    halves->setStretchFactor(1, 1);
    m_contents->setMinimumWidth(m_contents->sizeHintForColumn(0) + 2 * m_contents->frameWidth() + 8);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(halves);
}

void HelpWindow::addPage(const QString& title, const QString& name, const QString& text)
{
    m_contents->addItem(title);
    m_pages.append({name, text});
}

void HelpWindow::showPage(int row)
{
    const auto& [name, text] = m_pages.at(row);
    if (text.startsWith(u'#')) {
        m_page->setMarkdown(text);
    } else {
        m_page->setHtml(text);
    }
}

/// To another page of the manual, as its files link each other, or to the web.
void HelpWindow::follow(const QUrl& link)
{
    const QString name = link.path().section(u'.', 0, 0);
    for (int row = 0; link.isRelative() && row < m_contents->count(); ++row) {
        if (m_pages.at(row).name == name) {
            m_contents->setCurrentRow(row);
            return;
        }
    }
    QDesktopServices::openUrl(link);
}

} // namespace lockstep::ui
