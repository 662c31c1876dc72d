// The help: shortcuts and parameters, made from the same tables as the window, and between them the pages of the manual
// (resources/docs). Texts are in the language that the window has when this opens.
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

class QAction;
class QListWidget;
class QTextBrowser;
class QUrl;

namespace lockstep::ui {

class HelpWindow : public QDialog {
    Q_OBJECT

public:
    /// `commands`: those with a text and a shortcut are listed.
    explicit HelpWindow(const QList<QAction*>& commands, QWidget* parent);

private:
    struct Page {
        QString name; ///< that of its file; empty for the first page
        QString text; ///< HTML, or Markdown that begins with `# Title`
    };

    void addPage(const QString& title, const QString& name, const QString& text);
    void showPage(int row);
    void follow(const QUrl& link);

    QListWidget* m_contents;
    QTextBrowser* m_page;
    QList<Page> m_pages; ///< a row of the contents each
};

} // namespace lockstep::ui
