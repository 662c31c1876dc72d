#include "exchange/bundle/fault_bundle.h"

#include "archive/zip_writer.h"
#include "launch/machine/doctor_report.h"
#include "store/run_store.h"

#include <fmt/format.h>

#include <QDateTime>
#include <QLocale>
#include <QMetaType>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QSettings>
#include <QSysInfo>

#include <deque>
#include <string>
#include <vector>

namespace lockstep::exchange {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t ListedRuns = 20;
constexpr std::size_t RunsWithLog = 5; ///< the latest that failed
constexpr std::size_t LogLines = 5000; ///< of each, the last

/// What PrivateNames leaves: addresses of the network and the ids of GPUs.
QString withoutAddresses(QString text)
{
    static const QRegularExpression ipv4(u"(?<![\\w.])(?!127\\.|0\\.0\\.0\\.0)(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\w.])"_s);
    static const QRegularExpression ipv6(u"(?<![\\w:])(?:[0-9A-Fa-f]{0,4}:){3,7}[0-9A-Fa-f]{1,4}(?![\\w:])"_s);
    static const QRegularExpression gpu(u"(GPU|MIG)-[0-9a-f][0-9a-f-]{7,}"_s);
    return text.replace(ipv4, u"address"_s).replace(ipv6, u"address"_s).replace(gpu, u"\\1-id"_s);
}

class FaultFiles {
public:
    explicit FaultFiles(const FaultBundle& bundle)
        : m_bundle(bundle)
        , m_private(Names::LeaveOut, Identity::ofThisMachine())
    { }

    [[nodiscard]] std::vector<archive::ZipInput> made()
    {
        addRuns();
        add("about.txt", aboutText());
        add("settings.txt", settingsText());
        const launch::MachineReport machine = launch::examineMachine(m_bundle.store);
        add("doctor.txt", launch::reportText(machine));
        add("doctor.json", machine.json);
        if (m_bundle.names == Names::LeaveOut) {
            for (archive::ZipInput& each : m_files) {
                m_private.change(each.content);
                each.content = withoutAddresses(QString::fromStdString(each.content)).toStdString();
            }
        }
        return m_files;
    }

private:
    void add(std::string name, std::string content) { m_files.push_back({std::move(name), std::move(content)}); }

    [[nodiscard]] std::string aboutText() const
    {
        QString text = u"Lockstep %1\nQt %2, built with %3\n%4, %5 %6, %7\nlocale %8\n\n"_s.arg(m_bundle.version,
            QString::fromLatin1(qVersion()), QStringLiteral(QT_VERSION_STR), QSysInfo::prettyProductName(),
            QSysInfo::kernelType(), QSysInfo::kernelVersion(), QSysInfo::buildAbi(), QLocale::system().name());
        const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        static const QRegularExpression ofInterest(
            u"^(LOCKSTEP_(?!\\w*SECRET)\\w*|QT_\\w+|LD_LIBRARY_PATH|XDG_(SESSION_TYPE|CURRENT_DESKTOP)|WAYLAND_DISPLAY|"
            u"CUDA_VISIBLE_DEVICES|"
            u"(OMP|MKL|OPENBLAS)_NUM_THREADS)$"_s);
        QStringList names = environment.keys().filter(ofInterest);
        names.sort();
        for (const QString& name : names) {
            text += name + u'=' + environment.value(name) + u'\n';
        }
        return text.toStdString();
    }

    /// Without what only describes the window's geometry.
    [[nodiscard]] std::string settingsText() const
    {
        const QSettings settings;
        QString text;
        for (const QString& key : settings.allKeys()) {
            const QVariant value = settings.value(key);
            if (key.startsWith(u"hosts/list"_s) && m_bundle.names == Names::LeaveOut) {
                text += key + u" (left out: names of hosts)\n"_s;
            } else if (value.typeId() != QMetaType::QByteArray) {
                text += key + u'=' + value.toString() + u'\n';
            }
        }
        return text.toStdString();
    }

    void addRuns()
    {
        const auto store = store::RunStore::open(m_bundle.store);
        if (!store) {
            add("runs.txt", store.error().text() + "\n");
            return;
        }
        std::string list;
        std::size_t listed = 0;
        std::size_t logs = 0;
        for (const analysis::RunRecord& run : (*store)->list()) {
            const bool hasFailed = run.status == analysis::RunStatus::Failed;
            const bool isRead = hasFailed && logs < RunsWithLog;
            if (isRead) {
                add(fmt::format("failed-{}.txt", ++logs), logOf(**store, run));
            }
            if (listed++ < ListedRuns) {
                // A message may have names of hosts, which only reading the run tells.
                const bool isToldOf = isRead || !hasFailed || m_bundle.names == Names::Keep;
                const QDateTime created = QDateTime::fromMSecsSinceEpoch(run.createdNs / 1'000'000, Qt::UTC);
                list += fmt::format("{} {}/{} {} {}\n", created.toString(Qt::ISODate).toStdString(),
                    run.spec.experiment, run.spec.name, analysis::nameOf(run.status), isToldOf ? run.message : "");
            }
        }
        add("runs.txt", list);
    }

    /// Its settings and log; learns the names of its hosts.
    [[nodiscard]] std::string logOf(const store::RunStore& store, const analysis::RunRecord& run)
    {
        std::string text = run.message + "\n\n" + experiment::toJson(run.spec) + "\n\n";
        std::deque<std::string> lines;
        const auto read = store.replay(run.id, [&](const store::Delta& delta) {
            m_private.learn(delta);
            for (const auto& [rank, line] : delta.logs) {
                lines.push_back(fmt::format("rank {}: {}\n", rank, line.text));
            }
            while (lines.size() > LogLines) {
                lines.pop_front();
            }
            return true;
        });
        for (const std::string& line : lines) {
            text += line;
        }
        return read ? text : text + read.error().text() + "\n";
    }

    const FaultBundle& m_bundle;
    PrivateNames m_private;
    std::vector<archive::ZipInput> m_files;
};

} // namespace

Result<void> writeFaultBundle(const QString& path, const FaultBundle& bundle)
{
    const std::vector<archive::ZipInput> files = FaultFiles(bundle).made();
    return archive::writeZip(path.toStdString(), files);
}

} // namespace lockstep::exchange
