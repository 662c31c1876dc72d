// The list of experiments on the left: presets, the user's own, those of a course; and a button for programs of the
// user's own. GUI thread only.
#pragma once

#include "experiment/spec.h"
#include "ui/models/form/experiment_shelf.h"
#include "ui/widgets/translated.h"

#include <QKeySequence>
#include <QWidget>

#include <string>
#include <vector>

class QAction;
class QLabel;
class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace lockstep::ui {

[[nodiscard]] QString experimentQuestion(const std::string& preset);
/// The chart that it opens with; empty: the one that is there.
[[nodiscard]] QString experimentOpening(const experiment::Spec& spec);

class Gallery : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit Gallery(QWidget* parent = nullptr);

    /// The preset with this number.
    void choose(int number);
    /// Of presets.
    [[nodiscard]] int count() const;

    /// Files under *Mine* and *Course*; `unsaved`: what is open and was not saved yet, also under *Mine*.
    void setShelf(std::vector<ShelfEntry> mine, std::vector<ShelfEntry> course, const std::vector<ShelfEntry>& unsaved);
    /// Files and folders under *Laboratories*.
    void setLaboratories(std::vector<ShelfEntry> laboratories);
    /// Marks the experiment that is open, a preset's name or a path; chooses nothing.
    void showOpen(const QString& place, const QStringList& unsaved);

Q_SIGNALS:
    /// A preset's name, or a path.
    void experimentChosen(const QString& place);
    void ownProgramRequested();
    /// By a click or Return: moving along the list opens none.
    void laboratoryChosen(const QString& path);
    /// From the context menu and by F2 and Delete; the first and the last of the user's own only.
    void renameRequested(const QString& place);
    void duplicateRequested(const QString& place);
    void deleteRequested(const QString& place);

private:
    void rebuild();
    void addHeading(const QString& text);
    void addEntry(const ShelfEntry& entry);
    void addSection(const QString& title, const std::vector<ShelfEntry>& entries);
    [[nodiscard]] bool isLaboratory(const QString& place) const;
    void openLaboratory(const QListWidgetItem* item);
    void mark();
    [[nodiscard]] QAction* addToMenu(const QKeySequence& key, void (Gallery::*requested)(const QString&));
    void openContextMenu(const QPoint& at);
    /// Of the current entry.
    void enableActions();
    void retranslate() final;

    QLabel* m_heading;
    QListWidget* m_list;
    QToolButton* m_ownProgram;
    QAction* m_rename;
    QAction* m_duplicate;
    QAction* m_delete;
    std::vector<ShelfEntry> m_laboratories;
    std::vector<ShelfEntry> m_mine;
    std::vector<ShelfEntry> m_course;
    QString m_open;
    QStringList m_unsaved;
};

} // namespace lockstep::ui
