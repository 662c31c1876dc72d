#include "store/view_files.h"

#include "base/translate.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype LongestViewName = 200;

Error noView()
{
    return failure(LS_TR("Messages", "it is not a saved view"));
}

bool isViewName(const QString& name)
{
    return !name.isEmpty() && name.size() <= LongestViewName
        && std::ranges::all_of(name, [](QChar c) { return c.isPrint() || c.isSurrogate(); });
}

} // namespace

ViewFile ViewFile::named(const QString& other) const
{
    QJsonObject object = QJsonDocument::fromJson(json).object();
    object[u"name"_s] = other;
    return {other, runs, QJsonDocument(object).toJson()};
}

Result<ViewFile> viewFileFrom(const QByteArray& json)
{
    const QJsonDocument document = QJsonDocument::fromJson(json);
    if (json.size() > LargestView || !document.isObject()) {
        return noView();
    }
    const QJsonObject object = document.object();
    if (object[u"view"_s].toInt() > ViewVersion) {
        return failure(LS_TR("Messages", "it was saved by a later version of Lockstep"));
    }
    const QStringList entries{u"beside"_s, u"charts"_s, u"name"_s, u"opening"_s, u"runs"_s, u"view"_s};
    ViewFile view{object[u"name"_s].toString(), {}, json};
    if (object.keys() != entries || object[u"view"_s].toInt() < 1 || !isViewName(view.name)
        || !object[u"charts"_s].isObject()) {
        return noView();
    }
    for (const QJsonValue& id : object[u"runs"_s].toArray()) {
        view.runs.push_back({id.toString().toStdString()});
        if (!isRunId(view.runs.back().text)) {
            return noView();
        }
    }
    return view;
}

QString viewsFolder(const QString& storeFolder)
{
    return QDir(storeFolder).filePath(u"views"_s);
}

QString viewPath(const QString& storeFolder, const QString& name)
{
    const QByteArray hash = QCryptographicHash::hash(name.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QDir(viewsFolder(storeFolder)).filePath(QString::fromLatin1(hash) + u".json"_s);
}

std::vector<ViewFile> viewsIn(const QString& storeFolder)
{
    std::vector<ViewFile> views;
    const QDir folder(viewsFolder(storeFolder));
    for (const QString& name : folder.entryList({u"*.json"_s}, QDir::Files)) {
        QFile file(folder.filePath(name));
        if (file.size() > LargestView || !file.open(QIODevice::ReadOnly)) {
            continue;
        }
        if (auto view = viewFileFrom(file.readAll())) {
            views.push_back(*std::move(view));
        }
    }
    std::ranges::sort(views, {}, &ViewFile::name);
    return views;
}

Result<void> writeView(const QString& storeFolder, const QString& name, const QByteArray& json)
{
    QSaveFile file(viewPath(storeFolder, name));
    if (!QDir().mkpath(viewsFolder(storeFolder)) || !file.open(QIODevice::WriteOnly) || file.write(json) != json.size()
        || !file.commit()) {
        return refusal(file.fileName().toStdString(), LS_TR("Refusals", "cannot be written: %1"),
            {verbatim(file.errorString().toStdString())});
    }
    return {};
}

} // namespace lockstep::store
