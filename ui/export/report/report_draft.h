// The report that the window shows: made from the shown runs by a template, with the user's changes, which are kept in
// a file a template and come back with new runs. GUI thread only.
#pragma once

#include "exchange/report/edits.h"
#include "exchange/report/template.h"
#include "ui/export/report/report_files.h"
#include "ui/export/report/report_pictures.h"
#include "ui/models/feeds/run_feed.h"

#include <QObject>
#include <QString>

#include <vector>

namespace lockstep::ui {

class ReportDraft : public QObject {
    Q_OBJECT

public:
    /// `folder` keeps the changes.
    explicit ReportDraft(QString folder, ReportDrawings drawings = {}, QObject* parent = nullptr);

    /// Draws the charts again. The template stays, if the user has chosen one; else it is that of the first run's
    /// experiment.
    void setFeeds(const std::vector<RunFeed*>& feeds, analysis::Interfered which);
    /// As readTemplate() takes it; an error is reported by failed(), and the template stays.
    void setTemplate(const QString& nameOrFile);
    [[nodiscard]] QString templateName() const;
    /// That it is about.
    [[nodiscard]] std::vector<RunId> runs() const;

    /// In the user's order, those that are left out included; empty without runs.
    [[nodiscard]] const std::vector<report::Block>& blocks() const { return m_blocks; }
    [[nodiscard]] const report::Edits& edits() const { return m_edits; }
    /// As it is written, and its charts.
    [[nodiscard]] report::Report report() const;
    [[nodiscard]] const ReportCharts& charts() const { return m_charts; }

    /// Each is kept at once; an error of the disk is reported by failed().
    void setOrder(const std::vector<std::string>& keys);
    void setLeftOut(const std::string& key, bool isLeftOut);
    /// The generated text itself is no change: edits().texts does not hold it then.
    void setText(const std::string& key, const std::string& text);
    void resetText(const std::string& key);
    /// Of all reports, whatever they are about.
    void setAuthor(const QString& name, const QString& number, const QString& className);
    [[nodiscard]] QString author() const;
    [[nodiscard]] QString number() const;
    [[nodiscard]] QString className() const;
    /// A section of the user's own for the report of these runs. Gives its key, the beginning of its blocks' keys.
    std::string add(report::Section section, const std::vector<RunFeed*>& feeds);
    /// The same behind a block, in the report that is shown. Gives the key of its first block.
    std::string insert(report::Section section, const std::string& behind);
    /// After experiment and author, without a suffix.
    [[nodiscard]] QString fileName() const;
    void resetAll();

    /// Writes it to `path`, whose suffix is the format, and its separate files beside it; without questions that have
    /// no answer.
    [[nodiscard]] Result<void> write(const QString& path);

Q_SIGNALS:
    /// Blocks, words or pictures.
    void changed();
    void failed(const QString& message);

private:
    void take(const std::vector<RunFeed*>& feeds);
    void make();
    void load();
    void keep();
    void arrange();

    QString m_folder;
    ReportDrawings m_drawings;
    report::Template m_template;
    QString m_chosen; ///< the template that the user chose; empty: none
    std::vector<RunFeed*> m_feeds;
    analysis::Interfered m_interfered = analysis::Interfered::LeaveOut;
    report::Report m_generated;
    report::Edits m_edits;
    ReportCharts m_charts;
    std::vector<report::Block> m_blocks;
};

} // namespace lockstep::ui
