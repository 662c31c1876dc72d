// Saves a chart: paper and preview are identical.
#pragma once

#include "ui/export/render.h"

#include <QDialog>

#include <memory>

namespace lockstep::ui {

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// `chart`: every point, nothing decimated.
    explicit ExportDialog(ChartSpec chart, QWidget* parent = nullptr);
    explicit ExportDialog(Drawing drawing, QWidget* parent = nullptr);
    ~ExportDialog() override;

    [[nodiscard]] PaperOptions options() const;
    [[nodiscard]] PaperFormat format() const;
    /// Renders and writes; on failure says why in the dialog and gives false.
    [[nodiscard]] bool saveTo(const QString& path);

Q_SIGNALS:
    /// The user has saved the chart; the dialog closes.
    void saved(const QString& path);

private:
    class Private;
    void build();
    void wire();
    void choosePath();

    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
