// Files of tensors: what is written comes back as it was, everything else is refused in one line.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/run/files/safetensors.h"
#include "engine/run/files/tensor_file.h"
#include "program/test_class.h"

#include <torch/serialize.h>
#include <torch/types.h>

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A file with this header and as many bytes behind it.
std::string fileOf(const std::string& header, std::size_t dataBytes)
{
    std::string length(HeaderLengthBytes, '\0');
    for (unsigned i = 0; i < HeaderLengthBytes; ++i) {
        length[i] = static_cast<char>(header.size() >> (8 * i) & 0xffU);
    }
    return length + header + std::string(dataBytes, '\x01');
}

/// Of a header: its shape and its offsets as JSON has them, without brackets.
std::string entry(const char* name, const char* type, const char* shape, const char* offsets)
{
    return QStringLiteral("\"%1\":{\"dtype\":\"%2\",\"shape\":[%3],\"data_offsets\":[%4]}")
        .arg(name, type, shape, offsets)
        .toStdString();
}

QString refusalOf(const QTemporaryDir& folder, const std::string& bytes)
{
    const std::string path = folder.filePath("hostile.safetensors").toStdString();
    const auto read = writeFile(path, bytes) ? readTensorFile(path) : Result<TensorFile>(Error{"cannot be written"});
    return QString::fromStdString(read ? messageOf(read->tensors) : messageOf(read));
}

} // namespace

class TestTensorFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTypeComesBack()
    {
        const double inf = std::numeric_limits<double>::infinity();
        Tensors written{{"empty", torch::empty({0, 3})}, {"one number", torch::tensor(7.5)},
            {"transposed", torch::arange(6, torch::kFloat).view({2, 3}).t()},
            {"a part", torch::arange(100, torch::kDouble).slice(0, 7, 90, 3)},
            {"\xc3\xa9 \"quoted\"\\", torch::tensor({-0.0, inf, 5e-324}, torch::kDouble)}};
        for (const auto type : {torch::kFloat, torch::kDouble, torch::kHalf, torch::kBFloat16, torch::kLong,
                 torch::kInt, torch::kShort, torch::kChar, torch::kByte}) {
            written[std::string("of type ") + c10::toString(type)] = torch::arange(300).view({2, 150}).to(type);
        }
        const QTemporaryDir folder;
        const std::string path = folder.filePath("all.safetensors").toStdString();
        const auto sum = writeTensors(path, written);
        QVERIFY2(sum.isOk(), messageOf(sum).c_str());
        const auto read = readTensorFile(path);
        QVERIFY2(read && read->tensors, read ? messageOf(read->tensors).c_str() : messageOf(read).c_str());
        QVERIFY(read->sum == *sum);
        QCOMPARE(read->tensors->size(), written.size());
        for (const auto& [name, tensor] : written) {
            const torch::Tensor& back = read->tensors->at(name);
            QVERIFY2(back.dtype() == tensor.dtype() && torch::equal(back, tensor), name.c_str());
        }
        QVERIFY(std::signbit(read->tensors->at("\xc3\xa9 \"quoted\"\\")[0].item<double>()));
    }

    void aSumIsOfTheWholeFile()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("w.safetensors").toStdString();
        const auto sum = writeTensors(path, {{"w", torch::rand({1000, 700})}}); // read in more than one piece
        QVERIFY2(sum.isOk(), messageOf(sum).c_str());
        const std::string bytes = contentOf(path);
        QCOMPARE(sum->bytes, std::ssize(bytes));
        QCOMPARE(QByteArray::fromStdString(sum->sha256),
            QCryptographicHash::hash(QByteArray::fromStdString(bytes), QCryptographicHash::Sha256).toHex());
        QVERIFY(*sumOf(path) == *sum);
        // Also where the rest is not read as tensors.
        const auto foreign = writeFile(path, "no tensors " + bytes);
        const auto read = readTensorFile(path);
        QVERIFY(read && foreign && read->sum == *foreign && !read->tensors);
    }

    void wideTypesLieFirst()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("w.safetensors").toStdString();
        QVERIFY(writeTensors(path, {{"a", torch::ones({3}, torch::kByte)}, {"b", torch::ones({3}, torch::kDouble)}}));
        const std::string bytes = contentOf(path);
        const auto length = static_cast<std::size_t>(static_cast<unsigned char>(bytes[0]));
        QCOMPARE(length % 8, std::size_t{0});
        const auto stored = parseHeader(bytes.substr(8, length), std::ssize(bytes) - 8 - std::int64_t(length));
        QVERIFY2(stored.isOk(), messageOf(stored).c_str());
        QCOMPARE(stored->at(0).name, std::string("b"));
        QCOMPARE(stored->at(1).bytes, 3);
    }

    void aTorchFileIsADictionary()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("w.pt").toStdString();
        const torch::Tensor numbers = torch::arange(600'000, torch::kDouble);
        QVERIFY(writeTorchFile(path, {{"all", numbers.view({2, -1}).t()}, {"a part", numbers.slice(0, 4, 8)}}));
        const std::string bytes = contentOf(path);
        QVERIFY(bytes.size() < 601'000 * sizeof(double)); // a part is not saved with the whole
        const auto read = torch::pickle_load({bytes.begin(), bytes.end()}).toGenericDict();
        QCOMPARE(read.size(), std::size_t{2});
        QVERIFY(torch::equal(read.at("all").toTensor(), numbers.view({2, -1}).t()));
        QVERIFY(torch::equal(read.at("a part").toTensor(), numbers.slice(0, 4, 8)));
    }

    void whatCannotBeWrittenSaysWhy()
    {
        QCOMPARE(messageOf(writeTensors("/dev/null/none", {})),
            std::string("/dev/null/none: cannot be made: Not a directory"));
        QCOMPARE(messageOf(writeTensors("/dev/full", {{"w", torch::ones({3})}})),
            std::string("/dev/full: cannot be written: No space left on device"));
        QCOMPARE(messageOf(readTensorFile("/dev/null/none")),
            std::string("/dev/null/none: cannot be read: Not a directory"));
        const QTemporaryDir folder;
        QCOMPARE(messageOf(writeTensors(folder.filePath("w").toStdString(), {{"w", torch::ones({3}, torch::kBool)}})),
            std::string("its tensor w is of an unknown type, Bool"));
    }

    void aHostileHeaderIsRefused_data()
    {
        QTest::addColumn<QByteArray>("header"); // of a file with 16 bytes of numbers
        QTest::addColumn<QString>("message");
        const QString noHeader = "its header is not that of a safetensors file, or it is cut off";
        const QString misfit = "its tensor w does not fit its bytes";
        const auto row = [](const char* name, const std::string& header, const QString& message) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(header) << message;
        };
        const auto one = [](const char* type, const char* shape, const char* offsets) {
            return "{" + entry("w", type, shape, offsets) + "}";
        };
        const std::string upper = entry("a", "I64", "", "8,16");
        const std::string lower = entry("b", "U8", "8", "0,8");
        row("right", one("F32", "2,2", "0,16"), {});
        row("padded", one("F32", "2,2", "0,16") + "   ", {});
        row("with metadata", R"({"__metadata__":{"by":"us"},)" + entry("w", "F64", "2", "0,16") + "}", {});
        row("the second first", "{" + upper + "," + lower + "}", {});
        row("an empty one between", "{" + upper + "," + lower + "," + entry("c", "F32", "4,0", "8,8") + "}", {});
        row("no JSON", R"({"w":)", noHeader);
        row("no text", "{\"\xff\":1}", noHeader);
        row("an array", "[]", noHeader);
        row("a number for a tensor", R"({"w":1})", noHeader);
        row("no type", R"({"w":{"shape":[4],"data_offsets":[0,16]}})", noHeader);
        row("no shape", R"({"w":{"dtype":"F32","data_offsets":[0,16]}})", noHeader);
        row("no offsets", R"({"w":{"dtype":"F32","shape":[4]}})", noHeader);
        row("a type that is no text", R"({"w":{"dtype":4,"shape":[4],"data_offsets":[0,16]}})", noHeader);
        row("a shape that is no array", R"({"w":{"dtype":"F32","shape":{"a":4},"data_offsets":[0,16]}})", noHeader);
        row("half an element", one("F32", "4.5", "0,16"), noHeader);
        row("no such type", one("F\\u001b4", "4", "0,16"), "its tensor w is of an unknown type, F?4");
        row("no tensor for the bytes", "{}", noHeader);
        row("one offset", one("F32", "4", "0"), misfit);
        row("three offsets", one("F32", "4", "0,16,32"), misfit);
        row("a gap before", one("F32", "3", "4,16"), misfit);
        row("bytes behind the last", one("F32", "3", "0,12"), noHeader);
        row("behind the end", one("F32", "5", "0,20"), misfit);
        row("begins below zero", one("F32", "5", "-4,16"), misfit);
        row("ends before it begins", one("F32", "0", "8,4"), misfit);
        row("far offsets", one("F32", "4", "18446744073709551600,18446744073709551615"), misfit);
        row("more elements than bytes", one("F32", "5", "0,16"), misfit);
        row("fewer elements than bytes", one("F32", "3", "0,16"), misfit);
        row("sizes below zero", one("F32", "-1,4", "0,16"), misfit);
        row("a product that wraps", one("F32", "4294967296,4294967296,4", "0,16"), misfit);
        row("an empty one whose sizes wrap", one("F32", "0,4294967296,4294967296", "0,0"), misfit);
        row("an overlap", "{" + entry("a", "F32", "4", "0,16") + "," + entry("w", "F32", "2", "8,16") + "}", misfit);
        row("a gap between", "{" + entry("a", "F32", "1", "0,4") + "," + entry("w", "F32", "2", "8,16") + "}", misfit);
        row("one name twice", "{" + entry("w", "F32", "2", "0,8") + "," + entry("w", "F32", "2", "8,16") + "}",
            "two of its tensors are named w");
    }

    void aHostileHeaderIsRefused()
    {
        QFETCH(QByteArray, header);
        QFETCH(QString, message);
        QCOMPARE(refusalOf(QTemporaryDir(), fileOf(header.toStdString(), 16)), message);
    }

    void tooManyDimensionsAreRefused()
    {
        std::string shape = "1";
        for (int i = 0; i < 64; ++i) {
            shape += ",1";
        }
        const std::string header = "{" + entry("w", "F32", shape.c_str(), "0,4") + "}";
        QCOMPARE(refusalOf(QTemporaryDir(), fileOf(header, 4)), QStringLiteral("its tensor w does not fit its bytes"));
    }

    void lengthsThatDoNotFitAreRefused()
    {
        const QString noHeader = "its header is not that of a safetensors file, or it is cut off";
        const QTemporaryDir folder;
        QCOMPARE(refusalOf(folder, ""), noHeader);
        QCOMPARE(refusalOf(folder, std::string(7, '\0')), noHeader);
        QCOMPARE(refusalOf(folder, std::string(8, '\0')), noHeader); // a header of no bytes
        QCOMPARE(refusalOf(folder, std::string(8, '\xff') + "{}"), noHeader);
        QCOMPARE(refusalOf(folder, fileOf("{}", 0)), QString());
        QCOMPARE(refusalOf(folder, fileOf("[]", 0)), noHeader);
        const std::string big = fileOf("{}" + std::string(std::size_t{17} << 20, ' '), 0); // more than is allowed
        QCOMPARE(refusalOf(folder, big), noHeader);
        const std::string whole = fileOf("{" + entry("w", "F32", "4", "0,16") + "}", 16);
        for (std::size_t size = 0; size < whole.size(); size += 3) {
            QVERIFY2(!refusalOf(folder, whole.substr(0, size)).isEmpty(), qPrintable(QString::number(size)));
        }
        QVERIFY(!refusalOf(folder, whole + "x").isEmpty());
    }
};

LOCKSTEP_TEST(TestTensorFile)
#include "test_tensor_file.moc"
