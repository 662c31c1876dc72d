// The experiment in the form as a document: where it came from, whether it is saved, and experiments that were left
// unsaved. GUI thread only; no widgets.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "ui/models/form/form_state.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <vector>

namespace lockstep::ui {

class FormModel;

/// The text in the window's language; the other one where that is empty.
[[nodiscard]] QString wordingText(const experiment::Wording& wording);

/// Sets the text in the window's language. The other one goes with it where it is only what the preset says.
void setWording(experiment::Wording& wording, const QString& text, const experiment::Wording& ofPreset);

/// The settings of one run as a separate experiment: only what differs from the defaults.
[[nodiscard]] experiment::Spec specOfRun(const experiment::RunSpec& run);

/// Whether a place is the name of a preset.
[[nodiscard]] bool isPresetName(const QString& place);

class ExperimentDocument : public QObject {
    Q_OBJECT

public:
    /// The form outlives the document.
    explicit ExperimentDocument(FormModel& form, QObject* parent = nullptr);

    /// The name of a preset, or the path of a spec file. What was left unsaved there is brought back, and can be
    /// undone.
    Result<void> open(const QString& place);
    /// An experiment that has no place yet: a new one, a copy, the settings of a run. Its changes are not saved.
    void openSpec(const experiment::Spec& spec);
    void openNew();
    /// A copy of what is in the form, without a place.
    void duplicate();

    /// Writes the file, and stays with it. Refuses texts that cannot be read.
    Result<void> save(const QString& path);

    /// A path, the name of a preset, or of an experiment without a place.
    [[nodiscard]] const QString& place() const { return m_now.place; }
    /// Whether it is a file; else it must be given a name before it can be saved.
    [[nodiscard]] bool isFile() const;
    /// Whether what is in the form is in the file, or as in the preset.
    [[nodiscard]] bool isSaved() const;
    /// FormContents::title(), with a number where another one that is not saved is called the same.
    [[nodiscard]] QString title() const;
    /// Gives it another title, which can be undone; empty: it has none.
    void rename(const QString& title);
    /// Forgets the open experiment with what is not saved of it. The form stays until another one is opened.
    void drop();
    /// A file name for its title, without folder.
    [[nodiscard]] QString suggestedFileName() const;

    /// Places of the experiments that have changes which are not saved, this one among them.
    [[nodiscard]] QStringList unsaved() const;
    [[nodiscard]] QString titleOf(const QString& place) const;

Q_SIGNALS:
    /// Another experiment, its title, or whether it is saved.
    void changed();

private:
    /// An experiment that was opened, and its changes when it was left.
    struct Opened {
        QString place;
        experiment::Spec spec;
        QByteArray bytes; ///< of the file, so that a spec that did not change keeps its form
        FormState changes{};
        QString title{}; ///< when it was left
    };

    void leave();
    void enter(Opened opened);
    [[nodiscard]] std::vector<Opened>::const_iterator leftAt(const QString& place) const;
    [[nodiscard]] QByteArray bytesOf(const experiment::Spec& spec) const;

    FormModel& m_form;
    Opened m_now;
    std::vector<Opened> m_left; ///< those with changes
    bool m_isNew = false; ///< unsaved even without a change
    int m_untitled = 0;
};

} // namespace lockstep::ui
