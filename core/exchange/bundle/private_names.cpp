#include "exchange/bundle/private_names.h"

#include "experiment/parameter.h"

#include <QDir>
#include <QRegularExpression>
#include <QSysInfo>

#include <utility>

namespace lockstep::exchange {

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

void PrivateNames::change(std::string& text)
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

void PrivateNames::learn(const store::Delta& delta)
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
    change(record.label);
    record.setWhy(edited(record.why(), [this](std::string& text) { change(text); }));
    change(record.marks.note);
    for (std::string& tag : record.marks.tags) {
        change(tag);
    }
    const experiment::Assignment given = record.spec.settings;
    for (const auto& [name, value] : given) {
        // Other settings are words of ours, which a user may be called as well.
        const auto* text = std::get_if<std::string>(&value);
        if (text != nullptr && (text->find('/') != std::string::npos || experiment::isOwnParameter(name))) {
            std::string cleaned = *text;
            change(cleaned);
            record.spec.settings.set(name, std::move(cleaned));
        }
    }
}

void PrivateNames::change(store::Delta& delta)
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
        const auto cleanText = [this](std::string& english, std::string& data) {
            std::tie(english, data) = asFields(edited(unpacked(english, data), [this](std::string& t) { change(t); }));
        };
        cleanText(prepared.dataset, prepared.datasetData);
        cleanText(prepared.communication, prepared.communicationData);
    }
    for (auto& [rank, line] : delta.logs) {
        std::tie(line.text, line.data) = asFields(edited(line.said(), [this](std::string& text) { change(text); }));
    }
    const auto cleanWords = [this](auto& of) {
        const Text text = unpacked(of.message, of.data);
        std::tie(of.message, of.data) = asFields(edited(text, [this](std::string& part) { change(part); }));
    };
    std::ranges::for_each(delta.ranks, cleanWords);
    std::ranges::for_each(delta.statuses, cleanWords);
}

} // namespace lockstep::exchange
