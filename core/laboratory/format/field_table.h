// Tables of the fields of JSON objects: one row says name, form, help and how it is read, and gives the JSON schema and
// the reference page too. Private to core/laboratory.
#pragma once

#include "base/edit_distance.h"
#include "base/result.h"
#include "base/translate.h"
#include "experiment/spec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

using FieldJson = nlohmann::ordered_json;

/// What may stand in a field.
struct FieldForm {
    enum class Kind {
        Version, ///< 1
        Id, ///< lower-case letters, digits and `-`
        Text,
        Integer, ///< from `least` on
        Number, ///< from `least` on
        Flag,
        Wording, ///< {"en": "...", "zh": "..."}: at least one of them
        TextOrWording,
        Choice, ///< one of `choices`
        Texts, ///< a list of texts
        Object, ///< an object of `of`
        Objects, ///< a list of these
        ObjectsById, ///< an object with ids as names and such objects as values
        Any, ///< an object that another reader checks, described by `of`
        Answer ///< a number, a text or a list of texts
    };
    Kind kind = Kind::Text;
    std::string_view of{}; ///< name of the table, or what an Any is
    std::vector<std::string_view> choices{};
    double least = 0.0;
};

struct FieldInfo {
    std::string_view name;
    FieldForm form;
    bool isRequired = false;
    std::string_view help; ///< English, for the reference page
};

/// Collects errors while one object after the other is read; `where` is the path to it: `steps.guess.of`.
class FieldReader {
public:
    FieldReader(std::string where, std::vector<Error>& errors)
        : m_where(std::move(where))
        , m_errors(errors)
    { }
    [[nodiscard]] FieldReader in(std::string_view name) const
    {
        return {m_where.empty() ? std::string(name) : m_where + "." + std::string(name), m_errors};
    }
    void fail(std::string_view pattern, std::vector<Text> arguments = {}) const
    {
        m_errors.push_back(refusal(m_where, pattern, std::move(arguments)));
    }
    void fail(const Error& error) const { m_errors.push_back(error); }
    [[nodiscard]] const std::string& where() const { return m_where; }

private:
    std::string m_where;
    std::vector<Error>& m_errors;
};

template <typename T>
struct FieldRow {
    FieldInfo info;
    void (*take)(const FieldJson& value, T& into, const FieldReader& reader); ///< of a value of the row's form
};

/// Whether the value is of this form; says what is allowed where it is not.
[[nodiscard]] bool checkForm(const FieldJson& value, const FieldForm& form, const FieldReader& reader);
/// `one of text, number`, `an id: lower-case letters, digits and -`: for messages and the page.
[[nodiscard]] Text formText(const FieldForm& form);
[[nodiscard]] FieldJson schemaOf(const FieldForm& form);
[[nodiscard]] experiment::Wording wordingFrom(const FieldJson& value);
[[nodiscard]] std::vector<std::string> textsFrom(const FieldJson& value);
/// The name that is written most like this one; empty: there is none.
[[nodiscard]] std::string_view nearestOf(std::string_view given, std::span<const std::string_view> names);
void failUnknown(const std::string& name, const std::vector<std::string_view>& known, const FieldReader& reader);

template <typename T>
void readFields(const FieldJson& json, std::span<const FieldRow<T>> rows, T& into, const FieldReader& reader)
{
    if (!json.is_object()) {
        reader.fail(LS_TR("Messages", "it is not a JSON object"));
        return;
    }
    std::vector<std::string_view> known;
    for (const FieldRow<T>& row : rows) {
        known.push_back(row.info.name);
        const auto found = json.find(row.info.name);
        if (found == json.end()) {
            if (row.info.isRequired) {
                reader.fail(LS_TR("Messages", "the field %1 is missing"), {verbatim(row.info.name)});
            }
        } else if (checkForm(*found, row.info.form, reader.in(row.info.name))) {
            row.take(*found, into, reader.in(row.info.name));
        }
    }
    for (const auto& [name, value] : json.items()) {
        if (std::ranges::find(known, name) == known.end()) {
            failUnknown(name, known, reader);
        }
    }
}

} // namespace lockstep::laboratory
