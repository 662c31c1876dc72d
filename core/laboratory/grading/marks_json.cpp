// marks.json: one table a kind of object says names, forms and help, reads and writes.
#include "base/translate.h"
#include "laboratory/careful_json.h"
#include "laboratory/format/field_table.h"
#include "laboratory/grading/marks.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace lockstep::laboratory::grading {

namespace {

using Kind = FieldForm::Kind;

constexpr double AnyNumber = std::numeric_limits<double>::lowest();

/// A field, and what the object has in it; null: it is not written.
template <typename T>
struct MarkField {
    FieldRow<T> row;
    FieldJson (*give)(const T& from);
};

template <typename T>
const std::vector<MarkField<T>>& fieldsOf();

template <typename T>
FieldJson written(const T& from)
{
    FieldJson json = FieldJson::object();
    for (const MarkField<T>& field : fieldsOf<T>()) {
        if (FieldJson value = field.give(from); !value.is_null()) {
            json[std::string(field.row.info.name)] = std::move(value);
        }
    }
    return json;
}

template <typename T>
T readFrom(const FieldJson& json, const FieldReader& reader)
{
    std::vector<FieldRow<T>> rows;
    std::ranges::transform(fieldsOf<T>(), std::back_inserter(rows), &MarkField<T>::row);
    T into;
    readFields<T>(json, rows, into, reader);
    return into;
}

template <auto Member, typename T>
MarkField<T> textField(std::string_view name, std::string_view help)
{
    return {{{name, {Kind::Text}, false, help},
                [](const FieldJson& value, T& into, const FieldReader&) { into.*Member = value.get<std::string>(); }},
        [](const T& from) { return (from.*Member).empty() ? FieldJson() : FieldJson(std::string(from.*Member)); }};
}

template <auto Member, typename T>
MarkField<T> numberField(std::string_view name, std::string_view help)
{
    return {{{name, {Kind::Number, {}, {}, AnyNumber}, false, help},
                [](const FieldJson& value, T& into, const FieldReader&) { into.*Member = value.get<double>(); }},
        [](const T& from) { return FieldJson(from.*Member); }};
}

/// A list of texts; each is kept in English.
template <auto Member, typename T>
MarkField<T> textsField(std::string_view name, std::string_view help)
{
    return {{{name, {Kind::Texts}, false, help},
                [](const FieldJson& value, T& into, const FieldReader&) {
                    for (const std::string& each : textsFrom(value)) {
                        (into.*Member).emplace_back(each);
                    }
                }},
        [](const T& from) {
            FieldJson list = FieldJson::array();
            for (const std::string& each : from.*Member) {
                list.push_back(each);
            }
            return list.empty() ? FieldJson() : list;
        }};
}

template <auto Member, typename Item, typename T>
MarkField<T> listField(std::string_view name, std::string_view of, std::string_view help)
{
    return {{{name, {Kind::Objects, of}, false, help},
                [](const FieldJson& value, T& into, const FieldReader& reader) {
                    for (const FieldJson& each : value) {
                        (into.*Member).push_back(readFrom<Item>(each, reader));
                    }
                }},
        [](const T& from) {
            FieldJson list = FieldJson::array();
            for (const Item& each : from.*Member) {
                list.push_back(written(each));
            }
            return list.empty() ? FieldJson() : list;
        }};
}

template <>
const std::vector<MarkField<RubricRow>>& fieldsOf()
{
    static const std::vector<MarkField<RubricRow>> Fields{
        textField<&RubricRow::text, RubricRow>("text", "What it is for."),
        numberField<&RubricRow::points, RubricRow>("points", "What it gave."),
    };
    return Fields;
}

template <>
const std::vector<MarkField<ByHand>>& fieldsOf()
{
    static const std::vector<MarkField<ByHand>> Fields{
        {{{"points", {Kind::Number, {}, {}, AnyNumber}, false, "Counts in the place of automatic points."},
             [](const FieldJson& value, ByHand& into, const FieldReader&) { into.points = value.get<double>(); }},
            [](const ByHand& from) { return from.points ? FieldJson(*from.points) : FieldJson(); }},
        listField<&ByHand::rubric, RubricRow, ByHand>("rubric", "rubric row", "Without `points` their sum counts."),
        textField<&ByHand::comment, ByHand>("comment", "For the student."),
        textField<&ByHand::by, ByHand>("by", "Who marked."),
    };
    return Fields;
}

template <>
const std::vector<MarkField<Student>>& fieldsOf()
{
    static const std::vector<MarkField<Student>> Fields{
        textField<&Student::number, Student>("number", "Text: leading zeros stay."),
        textField<&Student::name, Student>("name", "Any script."),
    };
    return Fields;
}

template <>
const std::vector<MarkField<StepMark>>& fieldsOf()
{
    static const std::vector<MarkField<StepMark>> Fields{
        textField<&StepMark::step, StepMark>("step", "The step's id."),
        numberField<&StepMark::of, StepMark>("of", "The most that it gives, by the key."),
        {{{"automatic", {Kind::Number, {}, {}, AnyNumber}, false, "Computed; missing: to be marked by hand."},
             [](const FieldJson& value, StepMark& into, const FieldReader&) { into.automatic = value.get<double>(); }},
            [](const StepMark& from) { return from.automatic ? FieldJson(*from.automatic) : FieldJson(); }},
        textField<&StepMark::note, StepMark>("note", "Why, or what was measured."),
        textsField<&StepMark::remarks, StepMark>("remarks", "What the marker should see."),
        {{{"by_hand", {Kind::Object, "by hand"}, false, "What a marker gave."},
             [](const FieldJson& value, StepMark& into, const FieldReader& reader) {
                 into.byHand = readFrom<ByHand>(value, reader);
             }},
            [](const StepMark& from) { return from.byHand.empty() ? FieldJson() : written(from.byHand); }},
    };
    return Fields;
}

template <>
const std::vector<MarkField<WorkMarks>>& fieldsOf()
{
    static const std::vector<MarkField<WorkMarks>> Fields{
        listField<&WorkMarks::students, Student, WorkMarks>("students", "student", "Each of them gets the marks."),
        textField<&WorkMarks::file, WorkMarks>("file", "The hand-in."),
        textField<&WorkMarks::at, WorkMarks>("at", "When it was written, by the student's computer."),
        {{{"revision", {Kind::Integer, {}, {}, 1.0}, false, "Of the laboratory."},
             [](const FieldJson& value, WorkMarks& into, const FieldReader&) { into.revision = value.get<int>(); }},
            [](const WorkMarks& from) { return FieldJson(from.revision); }},
        {{{"late", {Kind::Flag}, false, "By the LMS."},
             [](const FieldJson& value, WorkMarks& into, const FieldReader&) { into.isLate = value.get<bool>(); }},
            [](const WorkMarks& from) { return from.isLate ? FieldJson(true) : FieldJson(); }},
        textsField<&WorkMarks::others, WorkMarks>("others", "Earlier hand-ins, which do not count."),
        textsField<&WorkMarks::remarks, WorkMarks>("remarks", "What the marker should see."),
        listField<&WorkMarks::steps, StepMark, WorkMarks>("steps", "step mark", "Those with points."),
        textField<&WorkMarks::comment, WorkMarks>("comment", "By hand, to the whole."),
    };
    return Fields;
}

template <>
const std::vector<MarkField<Marks>>& fieldsOf()
{
    static const std::vector<MarkField<Marks>> Fields{
        {{{"version", {Kind::Version, {}, {}, 1.0}, true, "1. A later version is refused."},
             [](const FieldJson& value, Marks&, const FieldReader& reader) {
                 if (const auto version = value.get<std::int64_t>(); version > MarksVersion) {
                     reader.fail(LS_TR("Messages", "version %1 is of a later Lockstep; this program reads %2"),
                         {version, MarksVersion});
                 }
             }},
            [](const Marks&) { return FieldJson(MarksVersion); }},
        textField<&Marks::laboratory, Marks>("laboratory", "Its id."),
        textField<&Marks::salt, Marks>("salt", "Random: makes the codes of answers.csv."),
        textsField<&Marks::comments, Marks>("comments", "The comment bank: `{3}` in a comment is the third."),
        listField<&Marks::works, WorkMarks, Marks>("works", "work", "One a hand-in that counts."),
    };
    return Fields;
}

} // namespace

std::string toJson(const Marks& marks)
{
    return written(marks).dump(1, ' ', false, FieldJson::error_handler_t::replace) + "\n";
}

Result<Marks> parseMarks(std::string_view text, const std::string& name)
{
    const FieldJson json = carefulJson(text);
    if (!json.is_object()) {
        return during(verbatim(name), failure(LS_TR("Messages", "it is not JSON")));
    }
    std::vector<Error> errors;
    Marks marks = readFrom<Marks>(json, FieldReader({}, errors));
    return errors.empty() ? Result<Marks>(std::move(marks)) : during(verbatim(name), errors.front());
}

} // namespace lockstep::laboratory::grading
