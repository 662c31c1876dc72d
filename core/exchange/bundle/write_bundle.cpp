#include "exchange/bundle/write_bundle.h"

#include "base/translate.h"
#include "exchange/bundle/environment.h"
#include "experiment/spec_of_runs.h"
#include "language/language.h"
#include "language/wording.h"
#include "store/file/run_file_reader.h"
#include "store/foreign_run.h"

#include <fmt/format.h>

#include <QFileInfo>

#include <algorithm>
#include <iterator>

namespace lockstep::exchange {

using namespace Qt::StringLiterals;

namespace {

using Json = nlohmann::ordered_json;

/// Without the pages' unused bytes, which can hold what was there before.
Result<void> compact(const QString& from, const QString& to)
{
    LOCKSTEP_TRY_ASSIGN(const auto file, store::Database::open(from, store::Access::ReadWrite));
    return file->exec(u"VACUUM INTO '%1'"_s.arg(QString(to).replace(u'\'', u"''"_s)));
}

std::string sizeText(qint64 bytes)
{
    return bytes < 1'000'000 ? fmt::format("{} kB", (bytes + 999) / 1000)
                             : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

} // namespace

BundleDraft::BundleDraft(Names names)
    : m_names(names)
    , m_namesOfViews(names, Identity::ofThisMachine())
{ }

Result<BundleDraft> BundleDraft::create(
    const store::RunStore& store, std::span<const analysis::RunRecord> runs, Names names)
{
    BundleDraft draft(names);
    draft.m_manifest.hasNames = names == Names::Keep;
    LOCKSTEP_TRY_ASSIGN(
        draft.m_folder, store.checkWritable() ? store::importFolderIn(store.folder()) : DraftFolder::makeTemporary());
    std::vector<analysis::RunRecord> ordered(runs.begin(), runs.end());
    std::ranges::sort(ordered, {}, [](const auto& run) { return run.id; });
    const auto isDouble = [](const auto& run, const auto& other) { return run.id == other.id; };
    ordered.erase(std::unique(ordered.begin(), ordered.end(), isDouble), ordered.end());
    for (const analysis::RunRecord& run : ordered) {
        if (!isFinal(run.status)) {
            return failure(
                LS_TR("Messages", "run %1 has not ended yet; a bundle takes runs that have"), {verbatim(run.id.text)});
        }
        if (const auto added = draft.addRun(store, run); !added) {
            return during({LS_TR("Messages", "run %1"), {verbatim(run.id.text)}}, added.error());
        }
    }
    draft.addViews(store);
    draft.addDocuments();
    return draft;
}

Result<void> BundleDraft::addRun(const store::RunStore& store, const analysis::RunRecord& run)
{
    const QString name = QString::fromStdString(run.id.text) + u".run"_s;
    LOCKSTEP_TRY_ASSIGN(const auto source, store::openForeignRun(store.folder() + u'/' + name));
    PrivateNames names(m_names, run.importedFrom.empty() ? Identity::ofThisMachine() : Identity());
    LOCKSTEP_TRY(store::replayFile(*source, [&](const store::Delta& delta) {
        names.learn(delta);
        m_namesOfViews.learn(delta);
        return true;
    }));
    RunEnvironment environment;
    const QString copy = QString::fromStdString(m_folder->file("copy-" + name.toStdString()));
    LOCKSTEP_TRY_ASSIGN(const auto record,
        store::copyRun(*source, copy,
            {.record =
                    [&](analysis::RunRecord& changed) {
                        changed.importedFrom.clear();
                        names.change(changed);
                    },
                .delta =
                    [&](store::Delta& delta) {
                        names.change(delta);
                        environment.add(delta);
                    }}));
    const std::string compacted = m_folder->file(name.toStdString());
    LOCKSTEP_TRY(compact(copy, QString::fromStdString(compacted)));
    QFile::remove(copy);
    const BundledRun bundled{record.id, record.spec.experiment, record.label.empty() ? record.spec.name : record.label,
        record.spec.repeat, std::string(nameOf(record.status)), record.summary.steps};
    m_members.push_back({bundled.member().toStdString(), {}, compacted});
    m_manifest.runs.push_back(bundled);
    m_specs.push_back(record.spec);
    m_environment.push_back(environment.toJson(record.id));
    if (const std::string line = environment.text();
        !line.empty() && std::ranges::find(m_environmentLines, line) == m_environmentLines.end()) {
        m_environmentLines.push_back(line);
    }
    m_homes += names.homes();
    m_hosts = std::max(m_hosts, names.hosts());
    return {};
}

void BundleDraft::addViews(const store::RunStore& store)
{
    const auto isBundled = [this](const RunId& id) {
        return std::ranges::find(m_manifest.runs, id, &BundledRun::id) != m_manifest.runs.end();
    };
    for (const store::ViewFile& view : store::viewsIn(store.folder())) {
        if (!view.runs.empty() && std::ranges::all_of(view.runs, isBundled)) {
            std::string name = view.name.toStdString();
            m_namesOfViews.change(name);
            m_views.push_back(view.named(QString::fromStdString(name)));
        }
    }
    m_homes += m_namesOfViews.homes();
    std::ranges::sort(m_views, {}, &store::ViewFile::name);
}

void BundleDraft::addDocuments()
{
    std::vector<archive::ZipInput> documents;
    for (const experiment::Spec& spec : experiment::specsOfRuns(m_specs)) {
        const std::string json = experiment::toJson(spec);
        if (experiment::parseSpec(json)) { // settings of an earlier version may no longer be allowed
            const QString name = Manifest::specName(m_manifest.specs.size());
            m_manifest.specs += name;
            documents.push_back({name.toStdString(), json});
        }
    }
    documents.push_back({EnvironmentName, Json{{"version", 1}, {"runs", m_environment}}.dump(2) + "\n"});
    for (const store::ViewFile& view : m_views) {
        m_manifest.views += Manifest::viewName(m_manifest.views.size());
        documents.push_back({m_manifest.views.last().toStdString(), view.json.toStdString()});
    }
    documents.insert(documents.begin(), {ManifestName, m_manifest.toJson().toStdString()});
    m_members.insert(m_members.begin(), documents.begin(), documents.end());
}

BundleContents BundleDraft::contents() const
{
    BundleContents contents;
    for (const BundledRun& run : m_manifest.runs) {
        const auto member = std::ranges::find(m_members, run.member().toStdString(), &archive::ZipInput::name);
        contents.runs.push_back({run, QFileInfo(QString::fromStdString(member->file)).size()});
    }
    contents.specs = m_manifest.specs.size();
    std::ranges::transform(m_views, std::back_inserter(contents.views), &store::ViewFile::name);
    contents.environment = m_environmentLines;
    contents.names = m_names;
    contents.homes = m_homes;
    contents.hosts = m_hosts;
    return contents;
}

std::string BundleDraft::listing() const
{
    std::string text;
    for (const auto& [run, bytes] : contents().runs) {
        text += "  "
            + language::told(LS_TR("CommandLine", "%1  %2, %3, %4, %5 steps, %6"),
                {run.id.text, run.experiment, run.name + (run.repeat > 0 ? fmt::format(" #{}", run.repeat + 1) : ""),
                    language::worded(run.status), std::to_string(run.steps), sizeText(bytes)})
            + "\n";
    }
    for (const QString& name : m_manifest.specs) {
        text += "  " + language::told(LS_TR("CommandLine", "%1: the experiment of these runs"), {name.toStdString()})
            + "\n";
    }
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        text += fmt::format("  {}: the saved view {}\n", m_manifest.views[static_cast<qsizetype>(i)].toStdString(),
            m_views[i].name.toStdString());
    }
    text += fmt::format("  {}: {}\n", EnvironmentName, fmt::join(m_environmentLines, "; "));
    text += "  "
        + language::told(LS_TR("CommandLine", "home folders shortened to ~ in %1 texts"), {std::to_string(m_homes)})
        + "; ";
    text += m_names == Names::Keep
        ? language::told(LS_TR("CommandLine", "host and user names are kept"))
        : language::told(LS_TR("CommandLine", "host names (%1) and user names left out (--with-names keeps them)"),
            {std::to_string(m_hosts)});
    return text + "\n";
}

Result<void> BundleDraft::write(const QString& path) const
{
    return archive::writeZip(path.toStdString(), m_members);
}

} // namespace lockstep::exchange
