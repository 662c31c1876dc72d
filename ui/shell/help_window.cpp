#include "ui/shell/help_window.h"

#include "ui/models/form_model.h"

#include <QAction>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

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
                       .arg(translatedLabel(parameter).toHtmlEscaped(),
                           QString::fromUtf8(parameter.name.data(), static_cast<qsizetype>(parameter.name.size())),
                           translatedHelp(parameter).toHtmlEscaped());
    text += u' '
        + (standard.isEmpty() ? HelpWindow::tr("Allowed: %1.").arg(allowedInWords(parameter).toHtmlEscaped())
                              : HelpWindow::tr("Allowed: %1; default: %2.")
                                    .arg(allowedInWords(parameter).toHtmlEscaped(), standard.toHtmlEscaped()));
    return text + QStringLiteral("</p>");
}

} // namespace

HelpWindow::HelpWindow(const QList<QAction*>& commands, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Help"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(720, 640);
    QString text = heading(tr("Quick start"));
    text += QStringLiteral("<ul>");
    for (const QString& line :
        {tr("Choose an experiment on the left, set its parameters on the right and press Run. Every variant trains in "
            "its own rank processes."),
            tr("Watch the curves live: hover to read values, scroll to zoom, drag to pan, double-click to show "
               "everything, click a name in the legend to hide its curve."),
            tr("Tick stored runs in the table below to compare them. Findings says what the numbers mean."),
            tr("Export saves what the tab shows as PDF, SVG, PNG or CSV, and charts as PGFPlots, in the size that a "
               "paper needs.")}) {
        text += QStringLiteral("<li>%1</li>").arg(line.toHtmlEscaped());
    }
    text += QStringLiteral("</ul>") + heading(tr("Keyboard")) + shortcutsTable(commands) + heading(tr("Parameters"))
        + QStringLiteral("<p>%1</p>")
              .arg(tr("The form shows the parameters that apply. On the command line, set each with --set name=value.")
                       .toHtmlEscaped());
    std::string_view group;
    for (const experiment::Parameter& parameter : experiment::parameters()) {
        if (parameter.group != group) {
            group = parameter.group;
            text += QStringLiteral("<h4>%1</h4>").arg(translatedGroup(parameter).toHtmlEscaped());
        }
        text += parameterText(parameter);
    }
    auto* browser = new QTextBrowser(this);
    browser->setAccessibleName(tr("Help"));
    browser->setAccessibleDescription(tr("How to use the window, its shortcuts and all parameters."));
    browser->document()->setDocumentMargin(16);
    browser->setHtml(text);
    browser->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(browser);
}

} // namespace lockstep::ui
