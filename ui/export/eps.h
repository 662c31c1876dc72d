// EPS from a PDF of one page, by poppler's pdftops. Private to ui/export.
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

namespace lockstep::ui {

/// `specJson` becomes comments of the file ("%Lockstep-Spec: …"); empty: none. Refuses where pdftops is missing or
/// fails. Waits for it: half a minute at most.
[[nodiscard]] Result<QByteArray> epsFromPdf(const QByteArray& pdf, const QString& specJson);

} // namespace lockstep::ui
