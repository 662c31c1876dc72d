#include "ui/shell/runs/store_worker.h"

#include "exchange/bundle/environment.h"
#include "exchange/bundle/import_bundle.h"
#include "exchange/reference/import_reference.h"
#include "language/language.h"
#include "language/wording.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr int LookEveryMs = 1000; ///< a look asks SQLite for one number

} // namespace

/// A recording that is read while ranks write it.
struct StoreWorker::Follower {
    Follower(QString path, QString common)
        : file(std::move(path))
        , name(std::move(common))
    { }

    [[nodiscard]] RunId runId() const
    {
        const std::lock_guard lock(mutex);
        return run;
    }
    void setRun(const RunId& id)
    {
        const std::lock_guard lock(mutex);
        run = id;
    }

    const QString file;
    const QString name; ///< the same for the files of all its ranks
    std::atomic<bool> isStopped = false;
    std::atomic<bool> hasEnded = false;
    mutable std::mutex mutex;
    RunId run; ///< empty until a rank has begun
    std::jthread thread{}; ///< last: it uses the others
};

StoreWorker::StoreWorker(QString folder, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder))
{
    qRegisterMetaType<lockstep::RunId>("lockstep::RunId");
    qRegisterMetaType<lockstep::ui::Records>("lockstep::ui::Records");
    qRegisterMetaType<lockstep::ui::BundleContentsPtr>("lockstep::ui::BundleContentsPtr");
    m_place.moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("store"));
    m_thread.start();
    m_look.setInterval(LookEveryMs);
    connect(&m_look, &QTimer::timeout, this, &StoreWorker::listIfChanged);
}

StoreWorker::~StoreWorker()
{
    // The store is closed by the thread that opened it.
    QMetaObject::invokeMethod(
        &m_place,
        [this] {
            for (Follower& follower : m_followers) {
                follower.isStopped = true;
            }
            m_followers.clear();
            m_draft.reset();
            m_store.reset();
        },
        Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

template <typename Work>
void StoreWorker::post(Work work)
{
    QMetaObject::invokeMethod(&m_place, [this, work] {
        if (m_store != nullptr) {
            work(*m_store);
        }
    });
}

void StoreWorker::use(const std::function<void(store::RunStore& store)>& work)
{
    post(work);
}

void StoreWorker::report(const Result<void>& result)
{
    if (!result) {
        Q_EMIT failed(QString::fromStdString(language::errorLine(result.error())));
    }
}

void StoreWorker::open()
{
    QMetaObject::invokeMethod(&m_place, [this] {
        auto store = store::RunStore::open(m_folder);
        if (!store) {
            Q_EMIT failed(QString::fromStdString(language::errorLine(store.error())));
            return;
        }
        m_store = std::move(store).value();
        static_cast<void>(m_store->hasChangedElsewhere()); // from now on
        for (const Text& remark : m_store->remarks()) {
            Q_EMIT failed(QString::fromStdString(language::worded(remark)));
        }
        Q_EMIT opened();
    });
    list();
    m_look.start();
}

void StoreWorker::list()
{
    post([this](store::RunStore& store) {
        Q_EMIT listed(std::make_shared<const std::vector<analysis::RunRecord>>(store.list()));
    });
}

void StoreWorker::rename(const RunId& id, const QString& label)
{
    post([this, id, label](store::RunStore& store) { report(store.rename(id, label)); });
}

void StoreWorker::mark(const RunId& id, const analysis::RunMarks& marks)
{
    post([this, id, marks](store::RunStore& store) { report(store.mark(id, marks)); });
}

void StoreWorker::listIfChanged()
{
    post([this](store::RunStore& store) {
        if (store.hasChangedElsewhere()) {
            Q_EMIT listed(std::make_shared<const std::vector<analysis::RunRecord>>(store.list()));
        }
    });
}

void StoreWorker::remove(const RunId& id)
{
    post([this, id](store::RunStore& store) {
        const auto result = store.remove(id);
        report(result);
        if (result) {
            Q_EMIT removed(id);
        }
    });
}

void StoreWorker::import(const QString& file)
{
    post([this, file](store::RunStore& store) {
        std::erase_if(m_followers, [](const Follower& each) { return each.hasEnded.load(); });
        const QString name = store::recordingOf(file);
        const auto known = std::ranges::find(m_followers, name, &Follower::name);
        if (known != m_followers.end()) {
            if (const RunId run = known->runId(); !run.isEmpty()) {
                Q_EMIT followed(file, run);
            }
            return;
        }
        if (store::isBeingRecorded(file)) {
            Follower& follower = m_followers.emplace_back(file, name);
            follower.thread = std::jthread([this, &follower] { follow(follower); });
            return;
        }
        const auto result = exchange::importAny(store, {file});
        if (result) {
            Q_EMIT imported(file, static_cast<int>(result->runs.size()), static_cast<int>(result->alreadyThere.size()),
                result->specs.empty() ? QByteArray() : result->specs.front());
            for (const Error& error : result->refused) {
                Q_EMIT failed(QString::fromStdString(language::errorLine(error)));
            }
        } else {
            Q_EMIT failed(QString::fromStdString(language::errorLine(result.error())));
        }
    });
    list();
}

void StoreWorker::stopFollowing(const RunId& id)
{
    post([this, id](store::RunStore&) {
        for (Follower& follower : m_followers) {
            follower.isStopped = follower.isStopped || follower.runId() == id;
        }
    });
}

void StoreWorker::follow(Follower& follower)
{
    const auto store = store::RunStore::open(m_folder);
    const auto onRead = [this, &follower](const store::Followed& read) {
        if (!read.run.isEmpty() && follower.runId().isEmpty()) {
            follower.setRun(read.run);
            list();
            Q_EMIT followed(follower.file, read.run);
        }
        return !follower.isStopped;
    };
    const auto done = store ? (*store)->follow(follower.file, onRead, store::LongestSilence)
                            : Result<store::Followed>(store.error());
    if (!done || !done->cut.empty()) {
        Q_EMIT failed(QString::fromStdString(language::errorLine(done ? failureOf(done->cut) : done.error())));
    } else if (follower.runId().isEmpty()) { // its ranks ended at once
        Q_EMIT imported(follower.file, 1, 0, {});
    }
    list();
    follower.hasEnded = true;
}

void StoreWorker::readEnvironment(const RunId& id)
{
    post([this, id](store::RunStore& store) {
        exchange::RunEnvironment environment;
        const auto read = store.replay(id, [&environment](const store::Delta& delta) {
            environment.add(delta);
            return !environment.isWhole();
        });
        Q_EMIT environmentRead(id, read ? QString::fromStdString(environment.text()) : QString());
    });
}

void StoreWorker::draftBundle(const std::vector<RunId>& ids, exchange::Names names)
{
    post([this, ids, names](store::RunStore& store) {
        std::vector<analysis::RunRecord> runs;
        for (const RunId& id : ids) {
            auto run = store.load(id);
            if (!run) {
                Q_EMIT bundleFailed(QString::fromStdString(language::errorLine(run.error())));
                return;
            }
            runs.push_back(std::move(*run));
        }
        m_draft.reset();
        auto draft = exchange::BundleDraft::create(store, runs, names);
        if (!draft) {
            Q_EMIT bundleFailed(QString::fromStdString(language::errorLine(draft.error())));
            return;
        }
        m_draft = std::move(*draft);
        Q_EMIT bundleDrafted(std::make_shared<const exchange::BundleContents>(m_draft->contents()));
    });
}

void StoreWorker::writeBundle(const QString& path)
{
    post([this, path](store::RunStore&) {
        if (!m_draft) {
            return;
        }
        if (const auto written = m_draft->write(path); !written) {
            Q_EMIT bundleFailed(QString::fromStdString(language::errorLine(written.error())));
        } else {
            Q_EMIT bundleWritten(path);
        }
    });
}

void StoreWorker::dropBundle()
{
    post([this](store::RunStore&) { m_draft.reset(); });
}

void StoreWorker::restore(const RunId& id)
{
    post([this, id](store::RunStore& store) { report(store.restore(id)); });
    list();
}

} // namespace lockstep::ui
