// Readable ticks: distinct labels, grouped thousands, no more decimals than the steps need, and at least three of them
// on a logarithmic axis. Private to ui/charts and ui/export.
#pragma once

#include "ui/charts/axis_numbers.h"
#include "ui/charts/qcp.h"
#include "ui/models/chart_spec.h"

#include <QSharedPointer>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

class LinearTicker : public QCPAxisTicker {
public:
    void setRoom(LabelRoom room) { m_room = room; }

protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;

private:
    double m_step = 1.0;
    AxisNumbers m_numbers;
    LabelRoom m_room = LabelRoom::Enough;
};

class LogTicker : public LinearTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    /// Whether the ticks are at equal distances, with the labels of a linear axis.
    void setEven(bool isEven) { m_isEven = isEven; }

private:
    /// Of every `every`-th decade.
    [[nodiscard]] static QVector<double> ticksAt(const QVector<double>& mantissas, int every, const QCPRange& range);

    bool m_isEven = false;
};

/// Powers of two.
class BinaryTicker : public LogTicker {
protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
};

/// Of ranks and the like: whole numbers only.
template <typename Ticker>
class CountTicker final : public Ticker {
protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override
    {
        QVector<double> ticks = Ticker::createTickVector(std::max(1.0, std::ceil(tickStep)), range);
        ticks.removeIf([](double tick) { return tick != std::round(tick); });
        return ticks;
    }
};

/// As this axis without categories has it.
[[nodiscard]] QSharedPointer<QCPAxisTicker> tickerOf(const AxisSpec& axis);

} // namespace lockstep::ui
