// For tests that assert how long something takes: on a busy machine everything takes longer, and is right.
#pragma once

#include <QByteArrayList>
#include <QFile>

#include <algorithm>
#include <thread>

namespace lockstep::tests {

/// Whether `ms` is at most `limitMs`, which is meant for an idle machine: the limit grows with how many processes want
/// each core, now or in the last minute.
[[nodiscard]] inline bool isWithin(double ms, double limitMs)
{
    QFile file(QStringLiteral("/proc/loadavg"));
    const QByteArrayList fields = file.open(QIODevice::ReadOnly) ? file.readAll().split(' ') : QByteArrayList();
    const double wanting
        = fields.size() > 3 ? std::max(fields[0].toDouble(), fields[3].split('/').front().toDouble()) : 0.0;
    return ms <= limitMs * (1.0 + wanting / std::max(1U, std::thread::hardware_concurrency()));
}

} // namespace lockstep::tests
