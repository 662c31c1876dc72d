// A store that ends with the window: of a hand-in that is only read, or of a laboratory that its author tries as a
// student would. Also how a window asks for another one.
#pragma once

#include "base/draft_folder.h"
#include "base/result.h"

#include <QString>
#include <QStringList>

namespace lockstep::ui {

class TemporaryStore {
public:
    /// Empty.
    [[nodiscard]] static Result<TemporaryStore> make();
    /// With the runs of this hand-in.
    [[nodiscard]] static Result<TemporaryStore> ofHandIn(const QString& path);

    [[nodiscard]] QString folder() const;

private:
    explicit TemporaryStore(DraftFolder draft)
        : m_draft(std::move(draft))
    { }

    DraftFolder m_draft;
};

/// Tries a laboratory as a student would: `lockstep --preview FILE.lab`.
inline const QString PreviewOption = QStringLiteral("--preview");

/// Starts another window with these arguments, which outlives this one; false: the program cannot be started.
[[nodiscard]] bool openAnotherWindow(const QStringList& arguments);

} // namespace lockstep::ui
