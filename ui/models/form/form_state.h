// What a person has put into the parameter form, as values: what undo and redo go back and forth between.
#pragma once

#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <QString>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace lockstep::ui {

/// One parameter of the table as the form has it.
struct FormRow {
    const experiment::Parameter* parameter = nullptr;
    QString text; ///< as typed, also when it is wrong
    QString standard; ///< the experiment's own value: what reset brings back
    bool isShown = false; ///< applies to at least one enabled variant that does not set it itself
    QString error; ///< empty: fine
    bool isFile = false; ///< a path that names a file in an enabled variant; other paths name folders

    [[nodiscard]] bool isModified() const { return text != standard; }
};

/// One value that a variant sets for itself.
struct VariantCell {
    QString text;
    QString standard; ///< what it was when the variant was opened or made
    QString error; ///< follows from the text; not compared

    bool operator==(const VariantCell& other) const { return text == other.text && standard == other.standard; }
};

struct VariantRow {
    QString name;
    QString group; ///< of variants of one idea (experiment::Variant); empty: of none
    bool isEnabled = true;
    std::map<std::string, VariantCell> cells; ///< by parameter name
    std::size_t color = 0; ///< place in the palette: it stays with the variant, wherever it is moved

    bool operator==(const VariantRow&) const = default;
};

struct FormState {
    std::map<std::string, QString> texts; ///< of the parameters that are not as in the experiment
    std::vector<VariantRow> variants;
    int repeats = 1;
    experiment::About about;

    bool operator==(const FormState&) const = default;
};

} // namespace lockstep::ui
