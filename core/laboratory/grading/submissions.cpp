#include "laboratory/grading/submissions.h"

#include "base/translate.h"
#include "exchange/bundle/zip_reader.h"
#include "laboratory/hand_in_names.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace lockstep::laboratory::grading {

using namespace Qt::StringLiterals;

namespace {

constexpr int MostArchives = 3; ///< in one another

bool endsIn(const QString& name, const char* suffix)
{
    return name.endsWith(QLatin1StringView(suffix), Qt::CaseInsensitive);
}

/// macOS and Windows put files beside what a person put into an archive.
bool isOfSystem(const QString& name)
{
    return name.contains(u"__MACOSX"_s) || name.section(u'/', -1).startsWith(u'.');
}

class Finder {
public:
    /// `ownDepth`: of an archive that one student handed in.
    Finder(const DraftFolder& unpacked, int ownDepth)
        : m_unpacked(unpacked)
        , m_ownDepth(ownDepth)
    { }

    Result<void> addFolder(const QString& folder)
    {
        QDirIterator files(folder, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            add(path.mid(folder.size()).remove(QRegularExpression(u"^/+"_s)), path, 0);
        }
        return {};
    }
    Result<void> addArchive(const QString& name, const QString& path, int depth)
    {
        LOCKSTEP_TRY_ASSIGN(const auto archive, exchange::ZipReader::open(path, exchange::Unsafe::LeaveOut));
        const QString before = name.isEmpty() ? name : name + u'/';
        m_ownBytes = depth == m_ownDepth ? 0 : m_ownBytes;
        for (const exchange::RefusedMember& member : archive.refused()) {
            refuse(before + member.name, member.why);
        }
        for (const exchange::ZipMember& member : archive.members()) {
            const QString file = QString::fromStdString(m_unpacked.file(std::to_string(++m_number)));
            if (!isWanted(member.name)) {
                addOther(before + member.name);
            } else if (const auto extracted = extract(archive, member, file, depth); extracted) {
                add(before + member.name, file, depth + 1);
            } else {
                refuse(before + member.name, extracted.error());
            }
        }
        return {};
    }
    Submissions found()
    {
        std::ranges::sort(m_found.handIns, {}, &Submission::name);
        std::ranges::sort(m_found.others);
        return std::move(m_found);
    }

private:
    static bool isWanted(const QString& name)
    {
        return !isOfSystem(name) && (endsIn(name, HandInSuffix) || endsIn(name, ".zip"));
    }
    /// A student's archive may have as much in it as any archive: others within would multiply that.
    Result<void> extract(
        const exchange::ZipReader& archive, const exchange::ZipMember& member, const QString& file, int depth)
    {
        m_ownBytes += depth < m_ownDepth ? 0 : member.bytes;
        return m_ownBytes > exchange::MaxUnpackedBytes
            ? Result<void>(failure(LS_TR("Messages", "it is more than 4 GiB unpacked, the most that is allowed")))
            : archive.extract(member.name, file);
    }
    void add(const QString& name, const QString& path, int depth)
    {
        if (!isWanted(name)) {
            addOther(name);
            return;
        }
        if (!endsIn(name, HandInSuffix)) {
            const auto added = depth < MostArchives
                ? addArchive(name, path, depth)
                : Result<void>(failure(LS_TR("Messages", "it is an archive in too many others")));
            if (!added) {
                refuse(name, added.error());
            }
            return;
        }
        Submission found{name.toStdString(), path};
        // `lovelaceada_LATE_12_345_007-Ada-optimizers.handin`: user and upload
        static const QRegularExpression Canvas(u"\\A[^_]+_(LATE_)?\\d+_(\\d+)_"_s);
        if (const auto match = Canvas.match(name.section(u'/', -1)); match.hasMatch()) {
            found.isLate = !match.captured(1).isEmpty();
            found.upload = match.captured(2).toLongLong();
        }
        m_found.handIns.push_back(std::move(found));
    }
    void addOther(const QString& name)
    {
        if (!isOfSystem(name)) {
            m_found.others.push_back(name.toStdString());
        }
    }
    void refuse(const QString& name, const Error& why) { m_found.handIns.push_back({name.toStdString(), {}, why}); }

    const DraftFolder& m_unpacked;
    Submissions m_found;
    int m_number = 0;
    const int m_ownDepth;
    std::uint64_t m_ownBytes = 0; ///< unpacked of one student's archive and those within it
};

} // namespace

Result<Submissions> submissionsIn(const QString& path, const DraftFolder& unpacked)
{
    const bool isFolder = QFileInfo(path).isDir();
    Finder finder(unpacked, isFolder ? 0 : 1);
    const auto done = isFolder ? finder.addFolder(path) : finder.addArchive({}, path, 0);
    if (!done) {
        return during({LS_TR("Messages", "%1 cannot be opened"), {verbatim(path.toStdString())}}, done.error());
    }
    return finder.found();
}

} // namespace lockstep::laboratory::grading
