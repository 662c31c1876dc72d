// work.jsonl: what a student did, one JSON object a line, only ever appended to. Each line has its time, the hash of
// the line before and its own, so that a line that was changed, removed or moved is seen. Someone who computes the
// whole chain again is not seen, unless a seal code was collected before (WhatSealsShow).
#pragma once

#include "base/descriptor.h"
#include "base/result.h"
#include "base/translate.h"

#include <nlohmann/json.hpp>

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

using Json = nlohmann::ordered_json;

/// Other: of a later version.
enum class EntryKind : std::uint8_t { Begin, Student, Text, Seal, Run, Claim, Comment, Done, Draft, Check, Other };
[[nodiscard]] std::string_view nameOf(EntryKind kind);

struct Entry {
    std::int64_t number = 0; ///< from 1
    std::string at; ///< UTC: `2026-11-29T21:04:05.123Z`
    EntryKind kind = EntryKind::Begin;
    std::string step; ///< empty: of none
    Json content; ///< an object
    std::string hash; ///< SHA-256 of the line without it, in hexadecimal
};

/// What a reader of seals must know; also part of each hand-in's report.
inline constexpr std::string_view WhatSealsShow = LS_TR("Laboratory",
    "Changes of what was sealed are noticed when the hand-in is read. Seals that were all made again are noticed only "
    "by "
    "the seal codes collected in class.");
/// The first 8 base32 characters (RFC 4648) of a seal's hash.
[[nodiscard]] std::string sealCodeOf(const std::string& hash);

class Journal {
public:
    /// Opens or creates it for appending. A torn last line is dropped. FILE.head beside it has the last sealed entry,
    /// so that the end of the journal is missed as well. Entries that do not follow are kept as they are: fault() names
    /// the first. Error: it cannot be read or written, or another program has it open.
    [[nodiscard]] static Result<Journal> open(const QString& file);
    /// For reading only, from its bytes. `head`: what head() was; empty: not known.
    [[nodiscard]] static Journal fromBytes(std::string_view bytes, std::string_view head = {});

    /// For reading in another thread: without the file, so that append() fails.
    [[nodiscard]] Journal copy() const;

    /// One whole line. `Sync::Disk` returns when it is on the disk. Error: it is not in the journal; or it is, as
    /// entries() says, and FILE.head could not be written.
    enum class Sync : std::uint8_t { No, Disk };
    [[nodiscard]] Result<void> append(EntryKind kind, const std::string& step, Json content, Sync sync = Sync::No);

    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    /// The first entry that does not follow from those before, as one line; nothing: every one does.
    [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }
    /// Whether this code is that of one of its seals. Ignores case, blanks and `-`.
    [[nodiscard]] bool hasSealCode(std::string_view code) const;
    /// The file's bytes as they were read and appended.
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }
    /// `NUMBER HASH` of the last sealed entry; empty: none.
    [[nodiscard]] std::string head() const;

private:
    Journal() = default;
    void read(std::string_view bytes);
    void readLine(const std::string& line);
    void checkHead(std::string_view head);
    void setFault(Error fault);

    QString m_file;
    Descriptor m_descriptor;
    std::vector<Entry> m_entries;
    std::optional<Error> m_fault;
    std::string m_bytes;
};

} // namespace lockstep::laboratory
