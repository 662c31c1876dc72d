// What the parameter form contains, to be read: one text per parameter of the table and per value that a variant sets,
// with their errors, and the spec and the runs that they amount to. No widgets.
#pragma once

#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "ui/models/form/form_check.h"
#include "ui/models/form/form_state.h"

#include <QString>
#include <QStringList>

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::ui {

class FormContents {
public:
    [[nodiscard]] const std::string& experiment() const { return m_preset.experiment; }
    [[nodiscard]] const std::vector<FormRow>& rows() const { return m_rows; }
    [[nodiscard]] const FormRow* row(std::string_view name) const;
    [[nodiscard]] const std::vector<VariantRow>& variants() const { return m_variants; }
    /// Parameters that a variant sets for itself, in table order: the columns of the variants table.
    [[nodiscard]] const std::vector<const experiment::Parameter*>& columns() const { return m_columns; }
    [[nodiscard]] int repeats() const { return m_repeats; }
    [[nodiscard]] const experiment::About& about() const { return m_about; }
    /// Its own title; else that of its file; else, of an experiment that is no preset's, what varies in it.
    [[nodiscard]] const experiment::Wording& title() const { return m_title; }
    /// That of its file; empty: none.
    void setFileTitle(const QString& title);
    /// Equal to that of the runs that it starts: experiment::experimentKey().
    [[nodiscard]] std::string key() const;
    /// Whether it differs from the experiment as it was opened.
    [[nodiscard]] bool isModified() const { return state() != m_opened; }

    /// Why Run is off; empty when it is on.
    [[nodiscard]] const QString& problem() const { return m_outcome.problem; }
    /// Of the enabled variants.
    [[nodiscard]] const experiment::Spec& spec() const { return m_outcome.spec; }
    /// The runs that Run would start; empty while there is a problem.
    [[nodiscard]] const std::vector<experiment::RunSpec>& runs() const { return m_outcome.runs; }
    /// The enabled variants in order, complete (base alone where there are none); also while there is a problem, which
    /// they then have. Fields that cannot be read have the experiment's own value.
    [[nodiscard]] std::vector<experiment::RunSpec> drafts() const;
    /// What Run would start with these variants.
    [[nodiscard]] FormOutcome outcomeWith(std::vector<VariantRow> variants) const;

    /// All of it as a spec, with the variants that are not enabled. Texts that cannot be read are as they were opened.
    [[nodiscard]] experiment::Spec document() const;
    /// The first text that cannot be read, in words; empty if all can.
    [[nodiscard]] QString unreadable() const;
    [[nodiscard]] FormState state() const;

protected:
    FormContents() = default;
    ~FormContents() = default;

    void open(const experiment::Spec& spec);
    /// Whether names, groups or columns of the variants table are others than before.
    bool put(const FormState& state);
    void check(const QString& missing);

    std::vector<FormRow> m_rows;
    std::vector<VariantRow> m_variants;
    experiment::About m_about;
    int m_repeats = 1;
    bool m_ranksAreHere = true;
    FormState m_opened;

private:
    bool listTable();
    void nameRuns();

    experiment::Spec m_preset;
    QString m_fileTitle;
    experiment::Wording m_title;
    FormOutcome m_outcome;
    std::vector<const experiment::Parameter*> m_columns;
    QStringList m_lines; ///< names and groups of the variants
};

} // namespace lockstep::ui
