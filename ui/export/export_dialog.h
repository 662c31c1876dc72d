// Saves what is seen: a chart, several of them in one figure, or another drawing. Paper and preview are identical.
#pragma once

#include "ui/export/render.h"

#include <QDialog>

#include <memory>

namespace lockstep::ui {

/// A chart that a figure can have as a panel. Made again for each language, so the function outlives the dialog.
struct ChartSource {
    QString name; ///< as on its tab
    std::function<ChartSpec()> chart; ///< every point, nothing decimated
};

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// A chart as it is: its language is not offered.
    explicit ExportDialog(ChartSpec chart, QWidget* parent = nullptr);
    /// The first source is the chart; the others can be added to it as panels.
    explicit ExportDialog(std::vector<ChartSource> charts, QWidget* parent = nullptr);
    explicit ExportDialog(std::function<std::optional<Drawing>()> drawing, QWidget* parent = nullptr);
    ~ExportDialog() override;

    [[nodiscard]] PaperOptions options() const;
    [[nodiscard]] PaperFormat format() const;
    /// What would be saved now.
    [[nodiscard]] const Picture& picture() const;
    /// Renders and writes; on failure says why in the dialog and gives false.
    [[nodiscard]] bool saveTo(const QString& path);

Q_SIGNALS:
    /// The user has saved the chart; the dialog closes.
    void saved(const QString& path);

private:
    class Private;
    void build();
    void showProblem(const QString& text);
    void choosePath();

    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
