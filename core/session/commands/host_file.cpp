#include "session/commands/host_file.h"

#include <QFile>

namespace lockstep::session {

Result<std::vector<rendezvous::Host>> readHosts(const QString& file)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly)) {
        return Error{file.toStdString() + ": cannot be read: " + input.errorString().toStdString()};
    }
    constexpr qint64 MostBytes = 1 << 20;
    auto hosts = rendezvous::parseHosts(input.read(MostBytes).toStdString());
    return hosts ? std::move(hosts) : Result<std::vector<rendezvous::Host>>(during(file.toStdString(), hosts.error()));
}

} // namespace lockstep::session
