// The experiments in folders on this machine: the user's (*Mine*) and those of a course (*Course*). Files are
// read by another thread. GUI thread only; no widgets.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace lockstep::ui {

struct ShelfEntry {
    QString path;
    QString title; ///< its own in the window's language, else the name of the file
    QString question;
    QString error; ///< why it cannot be opened; empty if it can

    bool operator==(const ShelfEntry&) const = default;
};

class ExperimentShelf : public QObject {
    Q_OBJECT

public:
    /// Where Save puts experiments.
    [[nodiscard]] static QString mineFolder();

    explicit ExperimentShelf(QObject* parent = nullptr);

    [[nodiscard]] const std::vector<ShelfEntry>& mine() const { return m_mine; }
    [[nodiscard]] const std::vector<ShelfEntry>& course() const { return m_course; }

    /// In *Mine*: this file name, with a number if it is taken.
    [[nodiscard]] static QString freePath(const QString& fileName);
    /// A file is copied to *Mine*, a folder is listed under *Course*. Returns the path to open, or an empty one.
    QString add(const QString& path);
    /// Reads the folders again; listed() follows.
    void refresh();

Q_SIGNALS:
    void listed();

private:
    void put(int generation, std::vector<ShelfEntry> mine, std::vector<ShelfEntry> course);

    std::vector<ShelfEntry> m_mine;
    std::vector<ShelfEntry> m_course;
    QFileSystemWatcher m_watcher;
    int m_generation = 0;
};

} // namespace lockstep::ui
