// The contents of the parameter form: one text per parameter of the table and per varied value of each variant, with
// their errors. Makes the spec that Run starts. GUI thread only; no widgets.
#pragma once

#include "base/result.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "session/launch/own_parameters.h"

#include <QObject>
#include <QString>

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
    QString standard;
    QString error;
};

struct VariantRow {
    QString name;
    QString group; ///< of variants of one idea (experiment::Variant); empty: of none
    bool isEnabled = true;
    std::map<std::string, VariantCell> cells; ///< by parameter name
};

class FormModel : public QObject {
    Q_OBJECT

public:
    explicit FormModel(QObject* parent = nullptr);

    /// Starts over with an experiment; drops everything typed.
    void setSpec(const experiment::Spec& spec);

    [[nodiscard]] const std::string& experiment() const { return m_preset.experiment; }
    [[nodiscard]] const std::vector<FormRow>& rows() const { return m_rows; }
    [[nodiscard]] const FormRow* row(std::string_view name) const;
    [[nodiscard]] const std::vector<VariantRow>& variants() const { return m_variants; }
    /// Numbers by which variants differ, in table order: the columns of the variants editor.
    [[nodiscard]] const std::vector<const experiment::Parameter*>& variedNumbers() const { return m_variedNumbers; }
    [[nodiscard]] int repeats() const { return m_repeats; }
    [[nodiscard]] bool isModified() const;

    /// Why Run is off; empty when it is on.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    [[nodiscard]] const experiment::Spec& spec() const { return m_spec; }
    /// The runs that Run would start; empty while there is a problem.
    [[nodiscard]] const std::vector<experiment::RunSpec>& runs() const { return m_runs; }

    /// The enabled variants in order, complete (base alone where there are none); also while there is a problem, which
    /// they then have. Fields that cannot be read have the experiment's own value.
    [[nodiscard]] std::vector<experiment::RunSpec> drafts() const;

    void setText(std::string_view name, const QString& text);
    /// In the variant if it sets this parameter itself; else for all variants.
    void setTextOf(const std::string& variant, std::string_view name, const QString& text);
    void reset(std::string_view name);
    void resetAll();
    void setVariantEnabled(std::size_t variant, bool isEnabled); // NOLINT: a property, not a mode
    void setVariantText(std::size_t variant, const std::string& name, const QString& text);
    void setRepeats(int repeats);
    /// Adds a row for each parameter that a script declares, with its default; rows that are there keep their texts.
    void declare(const std::vector<session::OwnParameter>& parameters);
    /// Something outside the form that Run needs first; empty if nothing.
    void setMissing(const QString& missing);
    /// Retranslates the errors to the window's current language.
    void retranslate();

Q_SIGNALS:
    /// Any text, error or visibility. Sent once per edit.
    void changed();
    /// Another experiment: rows and variants are new.
    void specReplaced();

private:
    void update();
    void readVariants(std::vector<experiment::Variant>& enabled);
    void readRows(experiment::Assignment& base, const std::vector<experiment::Variant>& enabled);
    void expandRuns();
    void placeError(const Error& error);

    experiment::Spec m_preset;
    experiment::Spec m_spec;
    std::vector<FormRow> m_rows;
    std::vector<VariantRow> m_variants;
    std::vector<const experiment::Parameter*> m_variedNumbers;
    std::vector<experiment::RunSpec> m_runs;
    QString m_problem;
    QString m_missing;
    int m_repeats = 1;
};

/// The table's texts in the window's language.
[[nodiscard]] QString translatedLabel(const experiment::Parameter& parameter);
[[nodiscard]] QString translatedHelp(const experiment::Parameter& parameter);
[[nodiscard]] QString translatedGroup(const experiment::Parameter& parameter);
/// What a field accepts, in words: "a number above 0 and at most 10".
[[nodiscard]] QString allowedInWords(const experiment::Parameter& parameter);

} // namespace lockstep::ui
