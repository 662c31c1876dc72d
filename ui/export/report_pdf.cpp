#include "ui/export/report_pdf.h"

#include "ui/export/report_pages.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>

namespace lockstep::ui {

namespace {

constexpr int PdfDpi = 288;

} // namespace

Result<QByteArray> reportPdf(const report::Report& report, const report::Pictures& pictures)
{
    const ReportPages pages(report, pictures);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(QString::fromStdString(report.title));
        writer.setCreator(QStringLiteral("Lockstep"));
        writer.setResolution(PdfDpi);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        QPainter painter;
        if (!painter.begin(&writer)) {
            return Error{"the PDF could not be drawn"};
        }
        painter.scale(PdfDpi / 96.0, PdfDpi / 96.0);
        for (int page = 0; page < pages.count(); ++page) {
            if (page > 0 && !writer.newPage()) {
                return Error{"the PDF could not be drawn"};
            }
            pages.paint(painter, page);
        }
    }
    return bytes;
}

} // namespace lockstep::ui
