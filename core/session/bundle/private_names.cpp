#include "session/bundle/private_names.h"

#include "experiment/parameter.h"

#include <QDir>
#include <QRegularExpression>
#include <QSysInfo>

#include <utility>

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

/// A name that is a common word, too, would change texts that do not mean it.
constexpr qsizetype ShortestName = 3;

QString withWord(const QString& text, const QString& word, const QString& replacement)
{
    if (word.size() < ShortestName || !text.contains(word)) {
        return text;
    }
    const QRegularExpression whole(u"(?<![\\w.-])%1(?![\\w-])"_s.arg(QRegularExpression::escape(word)));
    return QString(text).replace(whole, replacement);
}

} // namespace

Identity Identity::ofThisMachine()
{
    const QString home = QDir::homePath();
    const QString user = qEnvironmentVariable("USER");
    const QString host = QSysInfo::machineHostName();
    return {
        home == u"/" ? QString() : home, user == u"root" ? QString() : user, host == u"localhost" ? QString() : host};
}

PrivateNames::PrivateNames(Names names, Identity here)
    : m_names(names)
    , m_here(std::move(here))
{ }

QString PrivateNames::withoutHomes(QString text) const
{
    if (!text.contains(u'/')) {
        return text;
    }
    if (!m_here.home.isEmpty()) {
        const QRegularExpression mine(u"%1(?![\\w.-])"_s.arg(QRegularExpression::escape(m_here.home)));
        text.replace(mine, u"~"_s);
    }
    static const QRegularExpression anyone(u"(?<![\\w.~-])(?:/(?:home|Users)/[^/\\s\"':;,]+|/root(?![\\w.-]))"_s);
    return text.replace(anyone, u"~"_s);
}

QString PrivateNames::withoutNames(QString text) const
{
    static const QRegularExpression elsewhere(u"/(home|Users|media)/[^/\\s\"':;,]+"_s);
    text.replace(elsewhere, u"/\\1/user"_s);
    for (const auto& [host, number] : m_hosts) {
        text = withWord(text, QString::fromStdString(host), QString::fromStdString(number));
    }
    return withWord(withWord(text, m_here.host, u"host"_s), m_here.user, u"user"_s);
}

void PrivateNames::shorten(std::string& text)
{
    std::string shorter = withoutHomes(QString::fromStdString(text)).toStdString();
    m_homes += shorter != text ? 1 : 0;
    text = std::move(shorter);
}

void PrivateNames::clean(std::string& text)
{
    shorten(text);
    if (m_names == Names::LeaveOut) {
        text = withoutNames(QString::fromStdString(text)).toStdString();
    }
}

void PrivateNames::rename(std::string& host) const
{
    if (const auto found = m_hosts.find(host); found != m_hosts.end()) {
        host = found->second;
    }
}

void PrivateNames::learn(const std::string& host)
{
    if (m_names == Names::LeaveOut && !host.empty()) {
        m_hosts.try_emplace(host, "machine " + std::to_string(m_hosts.size() + 1));
    }
}

void PrivateNames::learn(const Delta& delta)
{
    for (const auto& [rank, hello] : delta.hellos) {
        learn(hello.host);
    }
    for (const analysis::Machine& machine : delta.machines) {
        learn(machine.host);
    }
    for (const analysis::MachineSample& sample : delta.machineSamples) {
        learn(sample.host);
    }
}

void PrivateNames::change(analysis::RunRecord& record)
{
    clean(record.label);
    clean(record.message);
    clean(record.marks.note);
    for (std::string& tag : record.marks.tags) {
        clean(tag);
    }
    for (auto& [name, value] : record.spec.settings) {
        // Other settings are words of ours, which a user may be called as well.
        auto* text = std::get_if<std::string>(&value);
        if (text != nullptr && (text->find('/') != std::string::npos || experiment::isOwnParameter(name))) {
            clean(*text);
        }
    }
}

void PrivateNames::change(Delta& delta)
{
    for (auto& [rank, hello] : delta.hellos) {
        rename(hello.host);
    }
    for (analysis::Machine& machine : delta.machines) {
        rename(machine.host);
        for (analysis::MachineGpu& gpu : machine.gpus) {
            gpu.uuid = m_names == Names::Keep ? gpu.uuid : std::string();
        }
    }
    for (analysis::MachineSample& sample : delta.machineSamples) {
        rename(sample.host);
    }
    for (auto& [rank, prepared] : delta.prepared) {
        clean(prepared.dataset);
        clean(prepared.communication);
    }
    for (auto& [rank, line] : delta.logs) {
        clean(line.text);
    }
    for (RankChange& change : delta.ranks) {
        clean(change.message);
    }
    for (StatusChange& change : delta.statuses) {
        clean(change.message);
    }
}

} // namespace lockstep::session
