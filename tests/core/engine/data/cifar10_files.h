// Small files in the binary format of CIFAR-10, made for a test.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <cstdint>

namespace lockstep::tests {

/// A byte that depends on everything that says where it is.
inline std::uint8_t pixelOfCifar10(int file, int sample, int channel, int row, int column)
{
    return static_cast<std::uint8_t>(31 * file + 17 * sample + 7 * channel + 5 * row + 3 * column + sample * row % 11);
}

/// `samples` records; the label of sample i is (file + i) mod 10. The test file is number 6.
inline QByteArray recordsOfCifar10(int file, int samples)
{
    QByteArray bytes;
    for (int sample = 0; sample < samples; ++sample) {
        bytes.append(static_cast<char>((file + sample) % 10));
        for (int channel = 0; channel < 3; ++channel) {
            for (int row = 0; row < 32; ++row) {
                for (int column = 0; column < 32; ++column) {
                    bytes.append(static_cast<char>(pixelOfCifar10(file, sample, channel, row, column)));
                }
            }
        }
    }
    return bytes;
}

inline QString nameOfCifar10(int file)
{
    return file == 6 ? QStringLiteral("test_batch.bin") : QStringLiteral("data_batch_%1.bin").arg(file);
}

inline bool writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

/// All six files, five of them with `samples` each.
[[nodiscard]] inline bool writeCifar10(const QString& folder, int samples, int testSamples)
{
    bool isWritten = true;
    for (int file = 1; file <= 6; ++file) {
        const QByteArray records = recordsOfCifar10(file, file == 6 ? testSamples : samples);
        isWritten = writeFile(folder + u'/' + nameOfCifar10(file), records) && isWritten;
    }
    return isWritten;
}

} // namespace lockstep::tests
