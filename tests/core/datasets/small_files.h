// Small data sets in each kind of file, made for a test: the same images and labels in all of them.
#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QList>
#include <QString>
#include <QTemporaryDir>

#include <zlib.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace lockstep::tests {

inline bool writeSmallFile(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

/// In big or little endian.
inline QByteArray numberBytes(std::uint64_t number, int size, bool isBig)
{
    QByteArray bytes;
    for (int i = 0; i < size; ++i) {
        bytes.append(static_cast<char>(number >> (8 * (isBig ? size - 1 - i : i)) & 0xffU));
    }
    return bytes;
}

inline QByteArray packed(const QByteArray& bytes)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("x"));
    gzFile out = gzopen(path.toStdString().c_str(), "wb6");
    gzwrite(out, bytes.constData(), static_cast<unsigned>(bytes.size()));
    gzclose(out);
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Image `number` of a label: noise, and bright rows that say the label.
inline QByteArray smallImage(int label, int number, int side = 28)
{
    QByteArray image;
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
            const bool isBright = row == label % side || column == (label * 5) % side;
            image.append(static_cast<char>(isBright ? 250 - number % 7 : (row * 31 + column * 17 + number * 13) % 60));
        }
    }
    return image;
}

inline QByteArray smallImages(const QList<int>& labels, int side = 28)
{
    QByteArray images;
    for (qsizetype i = 0; i < labels.size(); ++i) {
        images += smallImage(labels[i], static_cast<int>(i), side);
    }
    return images;
}

inline QByteArray idxImages(const QList<int>& labels, int side = 28)
{
    return numberBytes(0x803, 4, true) + numberBytes(static_cast<std::uint64_t>(labels.size()), 4, true)
        + numberBytes(static_cast<std::uint64_t>(side), 4, true)
        + numberBytes(static_cast<std::uint64_t>(side), 4, true) + smallImages(labels, side);
}

/// `columns`: 0 for bytes, else so many 32-bit numbers for each label, as QMNIST has eight.
inline QByteArray idxLabels(const QList<int>& labels, int columns = 0)
{
    QByteArray bytes = numberBytes(columns == 0 ? 0x801 : 0xc02, 4, true)
        + numberBytes(static_cast<std::uint64_t>(labels.size()), 4, true);
    bytes += columns == 0 ? QByteArray() : numberBytes(static_cast<std::uint64_t>(columns), 4, true);
    for (const int label : labels) {
        bytes += columns == 0
            ? QByteArray(1, static_cast<char>(label))
            : numberBytes(static_cast<std::uint64_t>(label), 4, true) + QByteArray(4 * (columns - 1), '\x7f');
    }
    return bytes;
}

struct SmallSet {
    QList<int> train;
    QList<int> test;
};

/// With MNIST's names after `prefix`.
[[nodiscard]] inline bool writeIdx(const QString& folder, const SmallSet& set, const QString& prefix = {})
{
    const QString begin = folder + u'/' + prefix;
    return writeSmallFile(begin + QStringLiteral("train-images-idx3-ubyte"), idxImages(set.train))
        && writeSmallFile(begin + QStringLiteral("train-labels-idx1-ubyte"), idxLabels(set.train))
        && writeSmallFile(begin + QStringLiteral("t10k-images-idx3-ubyte"), idxImages(set.test))
        && writeSmallFile(begin + QStringLiteral("t10k-labels-idx1-ubyte"), idxLabels(set.test));
}

inline QByteArray npy(const QByteArray& descr, const QByteArray& shape, const QByteArray& numbers)
{
    QByteArray header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header = header.leftJustified(128 - 10 - 1, ' ') + '\n';
    return QByteArray("\x93NUMPY\x01\x00", 8) + numberBytes(static_cast<std::uint64_t>(header.size()), 2, false)
        + header + numbers;
}

/// `says`: the length that the archive says, if not the true one.
struct SmallMember {
    QByteArray name;
    QByteArray bytes;
    qint64 says = -1;
};

inline QByteArray rawDeflated(const QByteArray& bytes)
{
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    QByteArray out(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size()))) + 64, '\0');
    QByteArray in = bytes;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return out;
}

/// As numpy writes it: local headers with an extra field.
inline QByteArray zipOf(const QList<SmallMember>& members, bool isDeflated)
{
    QByteArray archive;
    QByteArray directory;
    const QByteArray extra = numberBytes(1, 2, false) + numberBytes(16, 2, false) + QByteArray(16, '\0');
    for (const SmallMember& member : members) {
        const QByteArray data = isDeflated ? rawDeflated(member.bytes) : member.bytes;
        const auto sum = static_cast<std::uint64_t>(
            crc32(0, reinterpret_cast<const Bytef*>(member.bytes.constData()), static_cast<uInt>(member.bytes.size())));
        const qint64 says = member.says >= 0 ? member.says : member.bytes.size();
        const QByteArray facts = numberBytes(20, 2, false) + numberBytes(0, 2, false)
            + numberBytes(isDeflated ? 8 : 0, 2, false) + numberBytes(0, 4, false) + numberBytes(sum, 4, false)
            + numberBytes(static_cast<std::uint64_t>(data.size()), 4, false)
            + numberBytes(static_cast<std::uint64_t>(says), 4, false)
            + numberBytes(static_cast<std::uint64_t>(member.name.size()), 2, false);
        const auto at = static_cast<std::uint64_t>(archive.size());
        archive += numberBytes(0x04034b50, 4, false) + facts
            + numberBytes(static_cast<std::uint64_t>(extra.size()), 2, false) + member.name + extra + data;
        directory += numberBytes(0x02014b50, 4, false) + numberBytes(20, 2, false) + facts + numberBytes(0, 2, false)
            + QByteArray(10, '\0') + numberBytes(at, 4, false) + member.name;
    }
    const auto count = static_cast<std::uint64_t>(members.size());
    return archive + directory + numberBytes(0x06054b50, 4, false) + QByteArray(4, '\0') + numberBytes(count, 2, false)
        + numberBytes(count, 2, false) + numberBytes(static_cast<std::uint64_t>(directory.size()), 4, false)
        + numberBytes(static_cast<std::uint64_t>(archive.size()), 4, false) + QByteArray(2, '\0');
}

inline QByteArray shapeText(std::initializer_list<qsizetype> sizes)
{
    QByteArray text = "(";
    for (const qsizetype size : sizes) {
        text += QByteArray::number(size) + (sizes.size() == 1 ? "," : ", ");
    }
    return (sizes.size() == 1 ? text : text.chopped(2)) + ')';
}

/// Labels as 64-bit numbers, as numpy makes them.
inline QList<SmallMember> npzMembers(const SmallSet& set, int side = 28)
{
    QList<SmallMember> members;
    for (const auto& [part, labels] : {std::pair("train", set.train), std::pair("test", set.test)}) {
        QByteArray numbers;
        for (const int label : labels) {
            numbers += numberBytes(static_cast<std::uint64_t>(label), 8, false);
        }
        members.append({QByteArray("x_") + part + ".npy",
            npy("|u1", shapeText({labels.size(), side, side}), smallImages(labels, side))});
        members.append({QByteArray("y_") + part + ".npy", npy("<i8", shapeText({labels.size()}), numbers)});
    }
    return members;
}

inline QByteArray csvOf(const QList<int>& labels, bool hasHeader = true, int side = 28, bool hasLabels = true)
{
    QByteArray text;
    if (hasHeader) {
        text = hasLabels ? "label" : "";
        for (int i = 0; i < side * side; ++i) {
            text += QByteArray(text.isEmpty() ? "" : ",") + "pixel" + QByteArray::number(i);
        }
        text += '\n';
    }
    for (qsizetype i = 0; i < labels.size(); ++i) {
        QByteArray line = hasLabels ? QByteArray::number(labels[i]) : QByteArray();
        for (const char pixel : smallImage(labels[i], static_cast<int>(i), side)) {
            line += QByteArray(line.isEmpty() ? "" : ",") + QByteArray::number(static_cast<unsigned char>(pixel));
        }
        text += line + '\n';
    }
    return text;
}

/// CIFAR-100's records: coarse label (fine / 5), fine label, 3 x 32 x 32 bytes.
inline QByteArray recordsOfCifar100(const QList<int>& labels)
{
    QByteArray bytes;
    for (qsizetype i = 0; i < labels.size(); ++i) {
        bytes.append(static_cast<char>(labels[i] / 5));
        bytes.append(static_cast<char>(labels[i]));
        for (int channel = 0; channel < 3; ++channel) {
            bytes += smallImage(labels[i] + channel, static_cast<int>(i), 32);
        }
    }
    return bytes;
}

} // namespace lockstep::tests
