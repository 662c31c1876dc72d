// What hosts answer to `lockstep hosts --json`, and a program in its place.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QTemporaryDir>

namespace lockstep::tests {

inline const QByteArray HostsAnswer = R"({"version": 1, "hosts": [
    {"name": "n1", "slots": 2, "ok": true, "error": "", "hostname": "n1", "address": "10.0.0.1", "cores": 2,
     "memory_bytes": 8589934592, "free_bytes": 4294967296, "gpus": [], "version": "1.0", "libtorch": "1.13",
     "clock_ahead_ms": 0.012, "clock_error_ms": 0.05, "round_trip_ms": 0.1},
    {"name": "ada@n2", "slots": 4, "ok": true, "error": "", "hostname": "n2", "address": "10.0.0.2", "cores": 16,
     "memory_bytes": 8589934592, "free_bytes": 4294967296, "gpus": ["H100", "H100"], "version": "1.0",
     "libtorch": "1.13", "clock_ahead_ms": -11000, "clock_error_ms": 0.2, "round_trip_ms": 0.4},
    {"name": "n3", "slots": 1, "ok": false, "error": "n3: no answer"}],
  "links": [
    {"hosts": ["n1", "ada@n2"], "ok": true, "error": "", "latency_us": 55, "bandwidth_mb_per_s": 117.4},
    {"hosts": ["n1", "n3"], "ok": false, "error": "n3: no answer", "latency_us": null, "bandwidth_mb_per_s": null},
    {"hosts": ["ada@n2", "n3"], "ok": false, "error": "n3: no answer", "latency_us": null,
     "bandwidth_mb_per_s": null}]})";

inline const QString HostsList = QStringLiteral("n1 slots=2\nada@n2 slots=4\nn3\n");
/// Of a FakeProgram.
inline const QByteArray AnswerHosts = "cat <<'END'\n" + HostsAnswer + "\nEND\n";

/// A program in the place of `lockstep`.
class FakeProgram {
public:
    explicit FakeProgram(const QByteArray& script)
    {
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + script) < 0
            || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner)) {
            qFatal("there is no place for a program");
        }
    }
    [[nodiscard]] QString path() const { return m_folder.filePath("lockstep"); }
    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }

private:
    QTemporaryDir m_folder;
};

} // namespace lockstep::tests
