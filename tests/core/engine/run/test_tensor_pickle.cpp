// Files of tensors: what torch.save writes is read as it was, everything else is refused in one line.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/run/tensor_archive.h"
#include "engine/run/tensor_pickle.h"
#include "engine/run/zip_records.h"
#include "program/test_class.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/serialize.h>
#include <torch/types.h>

#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

/// {"w": a tensor of `rebuilt`}, where the last tuple of arguments is complete.
std::string programOf(const std::string& arguments)
{
    return "\x80\x02}(X\x01" + std::string(3, '\0') + "wctorch._utils\n_rebuild_tensor_v2\n(" + arguments + "tRu.";
}

/// Zeros among them.
template <std::size_t N>
QByteArray bytes(const char (&literal)[N])
{
    return {literal, N - 1};
}

std::string text(const std::string& letters)
{
    return "X" + std::string(1, static_cast<char>(letters.size())) + std::string(3, '\0') + letters;
}

/// Of four elements in the record 0.
std::string storage()
{
    return "(" + text("storage") + "ctorch\nFloatStorage\n" + text("0") + text("cpu") + "K\x04tQ";
}

/// torch.save's, of a program of our own and one record.
std::vector<char> archiveOf(const std::string& program, const torch::Tensor& numbers)
{
    std::vector<char> archive;
    caffe2::serialize::PyTorchStreamWriter writer([&archive](const void* bytes, std::size_t size) {
        const auto* begin = static_cast<const char*>(bytes);
        archive.insert(archive.end(), begin, begin + size);
        return size;
    });
    writer.writeRecord("data/0", numbers.data_ptr(), numbers.nbytes());
    writer.writeRecord("data.pkl", program.data(), program.size());
    writer.writeEndOfFile();
    return archive;
}

QString refusalOf(const std::string& program)
{
    return QString::fromStdString(messageOf(readTensorPickle(program)));
}

} // namespace

class TestTensorPickle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTypeComesBack()
    {
        Tensors written{{"empty", torch::empty({0, 3})}, {"one number", torch::tensor(7.5)},
            {"transposed", torch::arange(6, torch::kFloat).view({2, 3}).t()}};
        for (const auto type : {torch::kFloat, torch::kDouble, torch::kHalf, torch::kBFloat16, torch::kLong,
                 torch::kInt, torch::kShort, torch::kChar, torch::kByte, torch::kBool}) {
            written[std::string("of type ") + c10::toString(type)] = torch::arange(300).view({2, 150}).to(type);
        }
        const auto read = tensorsOfArchive(tensorArchive(written));
        QVERIFY2(read.isOk(), messageOf(read).c_str());
        QCOMPARE(read->size(), written.size());
        for (const auto& [name, tensor] : written) {
            QVERIFY2(read->at(name).dtype() == tensor.dtype() && torch::equal(read->at(name), tensor), name.c_str());
        }
    }

    void aMarkedDictionaryComesBack()
    {
        c10::Dict<std::string, at::Tensor> dictionary;
        dictionary.insert("w", torch::ones({3}));
        const auto read = tensorsOfArchive(torch::pickle_save(dictionary));
        QVERIFY2(read.isOk(), messageOf(read).c_str());
        QVERIFY(torch::equal(read->at("w"), torch::ones({3})));
    }

    void tensorsMayShareNumbers()
    {
        const torch::Tensor numbers = torch::arange(6, torch::kFloat);
        c10::Dict<std::string, at::Tensor> dictionary;
        dictionary.insert("all", numbers);
        dictionary.insert("again", numbers);
        dictionary.insert("transposed", numbers.view({2, 3}).t());
        dictionary.insert("behind", numbers.slice(0, 4));
        dictionary.insert("wide", torch::ones({1}).expand({5}));
        const auto read = tensorsOfArchive(torch::pickle_save(dictionary));
        QVERIFY2(read.isOk(), messageOf(read).c_str());
        for (const auto& each : dictionary) {
            QVERIFY2(torch::equal(read->at(each.key()), each.value()), each.key().c_str());
        }
    }

    void recordsAreFoundByTheirNames()
    {
        const std::vector<char> archive = tensorArchive({{"w", torch::arange(3)}});
        const auto records = zipRecords(archive);
        QVERIFY2(records.isOk(), messageOf(records).c_str());
        QVERIFY(records->contains("data.pkl"));
        QCOMPARE(records->at("data/0").size(), std::size_t{24});
    }

    void aTensorOutsideOfItsRecordIsRefused_data()
    {
        QTest::addColumn<QByteArray>("arguments"); // offset, sizes and strides, in a record of four numbers
        QTest::addRow("behind the last") << bytes("K\x04))");
        QTest::addRow("one too many") << bytes("K\x00K\x05\x85K\x01\x85");
        QTest::addRow("an offset too many") << bytes("K\x01K\x04\x85K\x01\x85");
        QTest::addRow("a stride too long") << bytes("K\x00K\x02\x85K\x04\x85");
        QTest::addRow("a negative offset") << bytes("J\xff\xff\xff\xff))");
        QTest::addRow("a negative size") << bytes("K\x00J\xff\xff\xff\xff\x85K\x01\x85");
        QTest::addRow("a negative stride") << bytes("K\x03K\x02\x85J\xff\xff\xff\xff\x85");
        QTest::addRow("more numbers than the archive could hold") << bytes("K\x00J\xff\xff\xff\x7f\x85K\x00\x85");
        QTest::addRow("a product that wraps")
            << bytes("K\x00J\xff\xff\xff\x7fJ\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x87K\x00K\x00K\x00\x87");
    }

    void aTensorOutsideOfItsRecordIsRefused()
    {
        QFETCH(QByteArray, arguments);
        const auto program = programOf(storage() + arguments.toStdString() + "\x89)");
        const auto read = tensorsOfArchive(archiveOf(program, torch::ones({4})));
        QCOMPARE(QString::fromStdString(messageOf(read)), QStringLiteral("its tensor w does not fit its memory"));
    }

    void whatAnotherFileSaysIsQuoted()
    {
        const std::string strange = programOf("(" + text("storage") + "ctorch\n\x1b[2J\xff\n" + text("0") + text("cpu")
            + "K\x04tQ" + bytes("K\x00))\x89)").toStdString());
        const auto read = tensorsOfArchive(archiveOf(strange, torch::ones({4})));
        QCOMPARE(QString::fromStdString(messageOf(read)), QStringLiteral("its tensor w is of an unknown type, ?[2J?"));
    }

    void anArchiveThatIsNotPlainIsRefused_data()
    {
        QTest::addColumn<int>("at"); // from the start of the directory's first entry
        QTest::addColumn<int>("byte");
        QTest::addColumn<QString>("message");
        const QString notAnArchive = QStringLiteral("it is not an archive of torch.save, or it is cut off");
        const QString notPlain
            = QStringLiteral("its records are compressed or encrypted, which those of torch.save are not");
        QTest::addRow("no entry") << 0 << 1 << notAnArchive;
        QTest::addRow("encrypted") << 8 << 1 << notPlain;
        QTest::addRow("deflated") << 10 << 8 << notPlain;
        QTest::addRow("bytes that it does not have") << 23 << 0x7f << notAnArchive;
        QTest::addRow("more bytes when unpacked") << 26 << 0x7f << notPlain;
        QTest::addRow("a name behind the end") << 29 << 0xff << notAnArchive;
        QTest::addRow("a header elsewhere") << 42 << 1 << notAnArchive;
    }

    void anArchiveThatIsNotPlainIsRefused()
    {
        QFETCH(int, at);
        QFETCH(int, byte);
        QFETCH(QString, message);
        std::vector<char> archive = tensorArchive({{"w", torch::ones({3})}});
        const auto entry = std::ranges::search(archive, std::string_view("PK\x01\x02")).begin();
        QVERIFY(entry != archive.end());
        entry[at] = static_cast<char>(byte);
        QCOMPARE(QString::fromStdString(messageOf(tensorsOfArchive(archive))), message);
    }

    void anArchiveThatIsCutOffIsRefused()
    {
        const std::vector<char> archive = tensorArchive({{"w", torch::ones({3})}});
        for (std::size_t size = 0; size < archive.size(); size += 7) {
            QVERIFY2(!tensorsOfArchive(std::span(archive).first(size)).isOk(), qPrintable(QString::number(size)));
        }
    }

    void aPickleIsReadWithoutRunningIt()
    {
        const std::string arguments = storage() + "K\x01K\x02K\x01\x86K\x01K\x01\x86\x89)";
        const auto read = readTensorPickle(programOf(arguments));
        QVERIFY2(read.isOk(), messageOf(read).c_str());
        const PickledTensor& tensor = read->at("w");
        QCOMPARE(QString::fromStdString(tensor.storage), QStringLiteral("FloatStorage"));
        QCOMPARE(tensor.elements, 4);
        QCOMPARE(tensor.offset, 1);
        QCOMPARE(tensor.sizes, (std::vector<std::int64_t>{2, 1}));
        const std::string program = programOf(arguments);
        for (std::size_t size = 0; size < program.size(); ++size) {
            QVERIFY(!readTensorPickle(std::span(program).first(size)));
        }
    }

    void wholeNumbersOfEveryWidth()
    {
        const std::string offsets[] = {"M\x01\x02", std::string("J\xff\xff\xff\xff", 5), std::string("\x8a\x00", 2),
            std::string("\x8a\x02\x00\x80", 4), std::string("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", 10)};
        const std::int64_t expected[] = {513, -1, 0, -32768, std::numeric_limits<std::int64_t>::max()};
        for (std::size_t i = 0; i < std::size(expected); ++i) {
            const auto read = readTensorPickle(programOf(storage() + offsets[i] + "))\x89)"));
            QVERIFY2(read.isOk(), messageOf(read).c_str());
            QCOMPARE(read->at("w").offset, expected[i]);
        }
    }

    void whatIsNoDictionaryOfTensorsIsRefused_data()
    {
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& program, const char* message) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(program) << QString::fromUtf8(message);
        };
        const char* const NoTensors = "its pickle does not build a dictionary of tensors";
        row("nothing", "", "its pickle is cut off");
        row("a function",
            "\x80\x02"
            "cos\nsystem\n("
                + text("true") + "tR.",
            NoTensors);
        row("an old instruction",
            "\x80\x02"
            "i",
            "its pickle has the instruction 105, which a dictionary of tensors does not need");
        row("a later protocol", "\x80\x04}.", NoTensors);
        row("an empty stack", "\x80\x02.", NoTensors);
        row("a tuple of nothing", "\x80\x02\x87.", NoTensors);
        row("no mark", "\x80\x02}u.", NoTensors);
        row("a mark below everything", "\x80\x02(u.", NoTensors);
        row("a name without a tensor", "\x80\x02}(" + text("w") + "u.", NoTensors);
        row("a number for a tensor", "\x80\x02}(" + text("w") + "K\x01u.", NoTensors);
        row("a value that was not kept", "\x80\x02h\x05.", NoTensors);
        row("nothing to keep", "\x80\x02q\x05.", NoTensors);
        row("a string that is too long", "\x80\x02X\xff\xff\xff\xffw", "its pickle is cut off");
        row("nested tuples", "\x80\x02)" + std::string(100'000, '\x85') + ".", NoTensors);
        row("too many dimensions", programOf(storage() + "K\x01(" + std::string(65, '\x88') + "t)\x89)"), NoTensors);
        row("more sizes than strides", programOf(storage() + "K\x01K\x02\x85)\x89)"), NoTensors);
        row("a long name of a record",
            programOf("(" + text("storage") + "ctorch\nFloatStorage\n" + text(std::string(65, '0')) + text("cpu")
                + "K\x04tQ" + bytes("K\x00))\x89)").toStdString()),
            NoTensors);
        row("another storage", programOf("(" + text("file") + "tQ" + "K\x01))\x89)"), NoTensors);
    }

    void whatIsNoDictionaryOfTensorsIsRefused()
    {
        QFETCH(QByteArray, program);
        QFETCH(QString, message);
        QCOMPARE(refusalOf(program.toStdString()), message);
    }
};

LOCKSTEP_TEST(TestTensorPickle)
#include "test_tensor_pickle.moc"
