// Readable ticks: grouped thousands, no more decimals than the steps need, and enough of them on a logarithmic axis
// that spans less than a decade. Private to ui/charts and ui/export.
#pragma once

#include "ui/charts/qcp.h"

namespace lockstep::ui {

class LinearTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;

private:
    double m_step = 1.0;
};

class LogTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
};

/// Powers of two.
class BinaryTicker : public LogTicker {
protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
};

} // namespace lockstep::ui
