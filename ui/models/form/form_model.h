// The parameter form: its contents, and the changes of them, each of which can be undone. GUI thread only; no widgets.
#pragma once

#include "launch/own/own_parameters.h"
#include "ui/models/form/form_contents.h"
#include "ui/models/form/parameter_text.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::ui {

class FormModel : public QObject, public FormContents {
    Q_OBJECT

public:
    explicit FormModel(QObject* parent = nullptr);
    ~FormModel() override;

    /// Starts over with an experiment; drops everything typed, and what could be undone.
    void setSpec(const experiment::Spec& spec);

    void setText(std::string_view name, const QString& text);
    /// In the variant if it sets this parameter itself; else for all variants.
    void setTextOf(const std::string& variant, std::string_view name, const QString& text);
    void reset(std::string_view name);
    void resetAll();
    void setVariantEnabled(std::size_t variant, bool isEnabled); // NOLINT: a property, not a mode
    void setVariantText(std::size_t variant, const std::string& name, const QString& text);
    /// Rows added, removed, moved, renamed, columns filled: `what` is the name of the change in the undo menu.
    void setVariants(const QString& what, std::vector<VariantRow> variants);
    void setRepeats(int repeats);
    void setAbout(const experiment::About& about);
    /// Adds a row for each parameter that a script declares, with its default; rows that are there keep their texts.
    void declare(const std::vector<launch::OwnParameter>& parameters);
    /// All at once.
    void apply(const QString& what, const FormState& state);

    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }
    /// What undo and redo bring back; adds no entry to the undo stack.
    void restore(const FormState& state);

    /// Something outside the form that Run needs first; empty if nothing.
    void setMissing(const QString& missing);
    /// Whether runs start on this machine; else what it lacks, such as a GPU, does not matter.
    void setRanksAreHere(bool areHere); // NOLINT: a property, not a mode
    /// Retranslates the errors to the window's current language.
    void retranslate();

Q_SIGNALS:
    /// Any text, error or visibility. Sent once per edit.
    void changed();
    /// Names or columns of the variants table, or another experiment.
    void specReplaced();

private:
    /// Carries out a change that can be undone. Changes one after another with the same `field` are undone together.
    void edit(const QString& what, const QString& field, const std::function<void(FormState&)>& change);

    QUndoStack m_undo;
    QString m_missing;
};

} // namespace lockstep::ui
