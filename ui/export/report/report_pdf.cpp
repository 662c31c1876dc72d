#include "ui/export/report/report_pdf.h"

#include "ui/export/paper_pages.h"
#include "ui/export/report/report_pages.h"
#include "ui/models/shown_text.h"

#include <QBuffer>
#include <QPdfWriter>

namespace lockstep::ui {

Result<QByteArray> reportPdf(const report::Report& report, const ReportCharts& charts, const QByteArray& specJson)
{
    const ReportPages pages(report, charts);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(shownName(report.title));
        writer.setCreator(QStringLiteral("Lockstep"));
        if (!specJson.isEmpty()) {
            writer.addFileAttachment(QStringLiteral("spec.json"), specJson, QStringLiteral("application/json"));
        }
        writer.setResolution(VectorDpi);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        QCPPainter painter;
        if (!painter.begin(&writer)) {
            return failure(LS_TR("Messages", "the PDF could not be drawn"));
        }
        setVectorModes(painter);
        painter.scale(VectorDpi / ReportPages::UnitsPerInch, VectorDpi / ReportPages::UnitsPerInch);
        for (int page = 0; page < pages.count(); ++page) {
            if (page > 0 && !writer.newPage()) {
                return failure(LS_TR("Messages", "the PDF could not be drawn"));
            }
            pages.print(painter, page);
        }
    }
    return bytes;
}

} // namespace lockstep::ui
