// The run store on its own thread: the window posts requests and gets results by signals, so that the GUI thread never
// reads files or SQL.
#pragma once

#include "analysis/run_record.h"
#include "exchange/bundle/write_bundle.h"
#include "store/run_store.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::ui {

using BundleContentsPtr = std::shared_ptr<const exchange::BundleContents>;
using Records = std::shared_ptr<const std::vector<analysis::RunRecord>>;

/// GUI thread; the work is done in `m_thread`. Requests are executed in order. Once opened, it lists the runs again
/// whenever another program, such as a second window, has changed the store.
class StoreWorker : public QObject {
    Q_OBJECT

public:
    explicit StoreWorker(QString folder, QObject* parent = nullptr);
    ~StoreWorker() override;

    [[nodiscard]] const QString& folder() const { return m_folder; }
    void open();
    void list();
    void rename(const RunId& id, const QString& label);
    void mark(const RunId& id, const analysis::RunMarks& marks);
    void remove(const RunId& id);
    void restore(const RunId& id);
    /// A bundle, a run file or a recording. One that ranks are still writing is followed, in a separate thread, until
    /// they have ended or this does: followed().
    void import(const QString& file);
    /// Ends reading the recording that this run is made from.
    void stopFollowing(const RunId& id);
    /// What the run was measured on: environmentRead() follows, with an empty text if it is unknown or cannot be read.
    void readEnvironment(const RunId& id);
    /// Prepares a bundle of these runs in place of the one before: bundleDrafted() or bundleFailed() follows.
    void draftBundle(const std::vector<RunId>& ids, exchange::Names names);
    /// Writes what was drafted: bundleWritten() or bundleFailed() follows.
    void writeBundle(const QString& path);
    /// Removes what was drafted.
    void dropBundle();
    /// Calls this in the store's thread; never where the store cannot be opened.
    void use(const std::function<void(store::RunStore& store)>& work);

Q_SIGNALS:
    // Emitted from the worker's thread: connect with a context.
    void opened();
    void listed(const lockstep::ui::Records& records);
    void removed(const lockstep::RunId& id);
    /// How many runs are new in the store, how many were there already, and the bundle's experiment, if it has one.
    void imported(const QString& file, int runs, int alreadyThere, const QByteArray& spec);
    /// A recording that ranks are writing has become a run of the store, or was one already.
    void followed(const QString& file, const lockstep::RunId& id);
    void failed(const QString& message);
    void environmentRead(const lockstep::RunId& id, const QString& text);
    void bundleDrafted(const lockstep::ui::BundleContentsPtr& contents);
    void bundleWritten(const QString& path);
    void bundleFailed(const QString& message);

private:
    template <typename Work>
    void post(Work work);
    void report(const Result<void>& result);
    void listIfChanged();
    struct Follower;
    /// In a follower's thread.
    void follow(Follower& follower);

    QString m_folder;
    QThread m_thread;
    QObject m_place; ///< lives in m_thread
    std::unique_ptr<store::RunStore> m_store; ///< m_thread only
    std::optional<exchange::BundleDraft> m_draft; ///< m_thread only
    std::list<Follower> m_followers; ///< m_thread only
    QTimer m_look;
};

} // namespace lockstep::ui
