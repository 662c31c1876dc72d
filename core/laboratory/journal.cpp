#include "laboratory/journal.h"

#include "base/draft_folder.h"
#include "exchange/export/series_csv.h"
#include "laboratory/careful_json.h"
#include "laboratory/entry_json.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cctype>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

constexpr std::string_view EntryNames[]
    = {"begin", "student", "text", "seal", "run", "claim", "comment", "done", "check", "other"};
constexpr qint64 LargestJournal = qint64{256} << 20;

std::string sha256(const std::string& text)
{
    return QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256).toHex().toStdString();
}

std::string dumped(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

EntryKind entryKindOf(const std::string& name)
{
    const auto found = std::ranges::find(EntryNames, name);
    return found == std::end(EntryNames) ? EntryKind::Other : static_cast<EntryKind>(found - std::begin(EntryNames));
}

Error cannotWrite(const QString& file, int code)
{
    return failure(LS_TR("Messages", "%1 cannot be written: %2"), {verbatim(file.toStdString()), systemError(code)});
}

QString headOf(const QString& file)
{
    return file + u".head"_s;
}

Result<std::string> wholeFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "%1 cannot be read: %2"),
            {verbatim(path.toStdString()), verbatim(file.errorString().toStdString())});
    }
    if (file.size() > LargestJournal) {
        return failure(LS_TR("Messages", "%1 has more than %2 bytes; it is no journal"),
            {verbatim(path.toStdString()), LargestJournal});
    }
    return file.readAll().toStdString();
}

} // namespace

std::string_view nameOf(EntryKind kind)
{
    return EntryNames[static_cast<std::size_t>(kind)];
}

std::string sealCodeOf(const std::string& hash)
{
    constexpr std::string_view Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    constexpr int BitsOfALetter = 5;
    constexpr int Letters = 8;
    std::uint64_t bits = 0;
    for (const char byte : QByteArray::fromHex(QByteArray::fromStdString(hash)).left(BitsOfALetter)) {
        bits = (bits << 8u) | static_cast<unsigned char>(byte);
    }
    std::string code;
    for (int letter = Letters - 1; letter >= 0; --letter) {
        code += Alphabet[(bits >> static_cast<unsigned>(letter * BitsOfALetter)) & 31u];
    }
    return code;
}

Result<Journal> Journal::open(const QString& file)
{
    Journal journal;
    journal.m_file = file;
    journal.m_descriptor = Descriptor(uninterrupted([&] {
        return ::open(QFile::encodeName(file).constData(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    }));
    const int number = journal.m_descriptor.number();
    if (number < 0) {
        return cannotWrite(file, errno);
    }
    if (flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return failure(LS_TR("Messages", "%1 is open in another window of Lockstep; close that first"),
            {verbatim(file.toStdString())});
    }
    LOCKSTEP_TRY_ASSIGN(std::string bytes, wholeFile(file));
    const std::size_t whole = bytes.rfind('\n') == std::string::npos ? 0 : bytes.rfind('\n') + 1;
    if (whole < bytes.size()) { // torn by a crash
        if (uninterrupted([&] { return ftruncate(number, static_cast<off_t>(whole)); }) != 0) {
            return cannotWrite(file, errno);
        }
        bytes.resize(whole);
    }
    journal.read(bytes);
    if (const auto head = wholeFile(headOf(file)); head) {
        journal.checkHead(*head);
    }
    if (const int code = syncToDisk(QFileInfo(file).absolutePath().toStdString()); code != 0) {
        return cannotWrite(file, code);
    }
    return journal;
}

Journal Journal::fromBytes(std::string_view bytes, std::string_view head)
{
    Journal journal;
    journal.read(bytes.substr(0, bytes.rfind('\n') == std::string_view::npos ? 0 : bytes.rfind('\n') + 1));
    journal.checkHead(head);
    return journal;
}

Journal Journal::copy() const
{
    Journal copy;
    copy.m_file = m_file;
    copy.m_entries = m_entries;
    copy.m_fault = m_fault;
    copy.m_bytes = m_bytes;
    return copy;
}

void Journal::read(std::string_view bytes)
{
    m_bytes = bytes;
    for (std::size_t begin = 0; begin < m_bytes.size();) {
        const std::size_t end = m_bytes.find('\n', begin);
        readLine(m_bytes.substr(begin, end - begin));
        begin = end + 1;
    }
}

void Journal::readLine(const std::string& line)
{
    const auto number = static_cast<std::int64_t>(m_entries.size()) + 1;
    const std::string before = m_entries.empty() ? std::string() : m_entries.back().hash;
    const Error changed = failure(LS_TR("Messages", "entry %1 of the journal was changed"), {number});
    Json json = carefulJson(line);
    Entry entry{number, {}, EntryKind::Other, {}, Json::object(), sha256(line)};
    if (!json.is_object() || dumped(json) != line || !json.contains("hash") || !json.contains("content")) {
        setFault(changed);
        m_entries.push_back(std::move(entry));
        return;
    }
    const std::string said = textIn(json, "hash");
    json.erase("hash");
    entry.at = textIn(json, "at");
    entry.kind = entryKindOf(textIn(json, "kind"));
    entry.step = textIn(json, "step");
    entry.content = json["content"].is_object() ? json["content"] : Json::object();
    entry.hash = sha256(dumped(json));
    if (said != entry.hash) {
        setFault(changed);
    } else if (json.value("entry", Json()) != number || textIn(json, "previous") != before) {
        setFault(failure(
            LS_TR("Messages", "entry %1 of the journal does not follow the one before: entries were removed or moved"),
            {number}));
    }
    m_entries.push_back(std::move(entry));
}

void Journal::checkHead(std::string_view head)
{
    const auto blank = head.find(' ');
    if (blank == std::string_view::npos) {
        return;
    }
    const std::string hash(head.substr(blank + 1, head.find('\n') - blank - 1));
    if (std::ranges::find(m_entries, hash, &Entry::hash) == m_entries.end()) {
        setFault(
            failure(LS_TR("Messages", "the sealed entry %1 of the journal is missing: entries were removed or changed"),
                {verbatim(std::string(head.substr(0, blank)))}));
    }
}

void Journal::setFault(Error fault)
{
    if (!m_fault) {
        m_fault = std::move(fault);
    }
}

std::string Journal::head() const
{
    for (auto entry = m_entries.rbegin(); entry != m_entries.rend(); ++entry) {
        if (entry->kind == EntryKind::Seal) {
            return std::to_string(entry->number) + " " + entry->hash;
        }
    }
    return {};
}

Result<void> Journal::append(EntryKind kind, const std::string& step, Json content, Sync sync)
{
    const auto number = static_cast<std::int64_t>(m_entries.size()) + 1;
    const std::string at = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
    Json json{{"entry", number}, {"at", at}, {"kind", std::string(nameOf(kind))}, {"step", step},
        {"content", std::move(content)}, {"previous", m_entries.empty() ? std::string() : m_entries.back().hash}};
    const std::string hash = sha256(dumped(json));
    json["hash"] = hash;
    const std::string line = dumped(json) + "\n";
    const int descriptor = m_descriptor.number();
    bool isWritten = writeAll(descriptor, line);
    const int writeError = isWritten ? 0 : errno;
    if (isWritten && sync == Sync::Disk) {
        isWritten = uninterrupted([&] { return fdatasync(descriptor); }) == 0;
    }
    if (!isWritten) {
        const int code = writeError != 0 ? writeError : errno;
        [[maybe_unused]] const int cut = ftruncate(descriptor, static_cast<off_t>(m_bytes.size()));
        return cannotWrite(m_file, code);
    }
    m_bytes += line;
    // As a reader has it: bytes that are no UTF-8 were replaced.
    m_entries.push_back({number, at, kind, step, Json::parse(line)["content"], hash});
    return sync == Sync::Disk && kind == EntryKind::Seal
        ? exchange::writeFile(headOf(m_file), QByteArray::fromStdString(head() + "\n"))
        : Result<void>();
}

bool Journal::hasSealCode(std::string_view code) const
{
    std::string wanted;
    for (const char c : code) {
        if (c != ' ' && c != '-') {
            wanted += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        }
    }
    return std::ranges::any_of(m_entries,
        [&wanted](const Entry& entry) { return entry.kind == EntryKind::Seal && sealCodeOf(entry.hash) == wanted; });
}

} // namespace lockstep::laboratory
