#include "base/translate.h"
#include "exchange/reference/reference_builder.h"

#include <QStringDecoder>

#include <array>
#include <memory>
#include <optional>

#include <zlib.h>

namespace lockstep::exchange {

namespace {

using namespace Qt::StringLiterals;

struct InflateEnd {
    void operator()(z_stream* stream) const { inflateEnd(stream); }
};

/// Of a gzip file, with all its members. A file that ends too early, or is damaged, gives what comes before that.
Result<TableText> inflatedText(const QByteArray& packed)
{
    constexpr int GzipWindow = MAX_WBITS + 16;
    z_stream state{};
    if (inflateInit2(&state, GzipWindow) != Z_OK) {
        return failure(LS_TR("Messages", "cannot be unpacked"));
    }
    const std::unique_ptr<z_stream, InflateEnd> stream(&state);
    // zlib reads through a pointer that is not const, without changing anything.
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.constData()));
    state.avail_in = static_cast<uInt>(packed.size());
    TableText text;
    std::array<char, 1 << 16> part{};
    int code = Z_OK;
    while (code == Z_OK) {
        state.next_out = reinterpret_cast<Bytef*>(part.data());
        state.avail_out = static_cast<uInt>(part.size());
        code = inflate(&state, Z_NO_FLUSH);
        text.bytes.append(part.data(), static_cast<qsizetype>(part.size() - state.avail_out));
        if (text.bytes.size() > MaxReferenceBytes) {
            return refusal({}, LS_TR("Refusals", "it has more than %1 bytes"), {MaxReferenceBytes});
        }
        if (code == Z_STREAM_END && state.avail_in > 0) {
            code = inflateReset(&state);
        }
    }
    text.isCut = code != Z_STREAM_END;
    return text.bytes.isEmpty() && text.isCut ? Result<TableText>(failure(LS_TR("Messages", "cannot be unpacked")))
                                              : Result<TableText>(std::move(text));
}

std::optional<QStringConverter::Encoding> wideEncoding(const QByteArray& bytes)
{
    return bytes.startsWith("\xFF\xFE") ? std::optional(QStringConverter::Utf16LE)
        : bytes.startsWith("\xFE\xFF")  ? std::optional(QStringConverter::Utf16BE)
                                        : std::nullopt;
}

} // namespace

Result<TableText> readTableText(const QString& path)
{
    QFile file(path);
    LOCKSTEP_TRY(openReference(file));
    TableText text{file.readAll(), false};
    if (text.bytes.startsWith("\x1F\x8B")) {
        LOCKSTEP_TRY_ASSIGN(text, inflatedText(text.bytes));
    }
    if (const auto wide = wideEncoding(text.bytes)) {
        QStringDecoder decoder(*wide);
        const QString decoded = decoder.decode(text.bytes);
        text.bytes = decoded.toUtf8();
    }
    qsizetype end = text.bytes.size();
    while (end > 0 && text.bytes[end - 1] == '\0') {
        --end;
    }
    text.isCut = text.isCut || end < text.bytes.size();
    text.bytes.truncate(end);
    if (text.bytes.contains('\0')) {
        return refusal({}, LS_TR("Refusals", "it is no text: it contains zero bytes"));
    }
    return text;
}

} // namespace lockstep::exchange
