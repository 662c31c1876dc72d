// The report of the shown runs: which parts, in which order, with which words; its pages; its export. GUI thread only.
#pragma once

#include "ui/export/report/report_draft.h"
#include "ui/widgets/translated.h"

#include <QDir>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPlainTextEdit;
class QPushButton;
class QTimer;

namespace lockstep::ui {

class ReportBar;
class ReportPreview;

class ReportPage : public Translated<QWidget> {
    Q_OBJECT

public:
    /// `folder` keeps the user's changes.
    explicit ReportPage(const QString& folder, QWidget* parent = nullptr);

    void setFeeds(const std::vector<RunFeed*>& feeds);
    void setInterfered(analysis::Interfered which) { m_interfered = which; }
    /// Asks for a file, and writes it.
    void exportReport();
    /// A section of the user's own for the report of these runs.
    void add(report::Section section, const std::vector<RunFeed*>& feeds);
    [[nodiscard]] ReportDraft& draft() { return m_draft; }

Q_SIGNALS:
    void exported(const QString& path);

private:
    void build();
    [[nodiscard]] QWidget* makeSide();
    [[nodiscard]] QWidget* makePages();
    void addSection();
    void showQuestions();
    void connectAll();
    /// Empty: asks for a file.
    void chooseTemplate(const QString& choice);
    void showBlocks();
    void showText();
    void showPreview();
    void moveBlock(int by);
    void keepOrder();
    void keepText();
    void say(const QString& message);
    void retranslate() final;
    [[nodiscard]] std::string currentKey() const;

    ReportDraft m_draft;
    analysis::Interfered m_interfered = analysis::Interfered::LeaveOut;
    bool m_isShowing = false; ///< the fields are being filled, not edited
    QComboBox* m_templates;
    QPushButton* m_export;
    QListWidget* m_blocks;
    QPushButton* m_up;
    QPushButton* m_down;
    QPushButton* m_resetAll;
    QLabel* m_textLabel;
    QPlainTextEdit* m_text;
    QPushButton* m_resetText;
    QLineEdit* m_name;
    QLineEdit* m_number;
    QLineEdit* m_class;
    QPushButton* m_addSection;
    QLabel* m_unanswered;
    QWidget* m_side = nullptr;
    ReportBar* m_bar;
    QLabel* m_message;
    ReportPreview* m_preview;
    QTimer* m_previewTimer;
    QDir m_folder; ///< of the last export
    QString m_previewedTemplate;
};

} // namespace lockstep::ui
