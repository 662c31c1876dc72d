// Code that differs from other code by a few edits, in the files of solutions.
#pragma once

#include <QString>
#include <QStringList>

namespace lockstep::tests {

/// `edits`: of each `- ` the text that the code has, then `+ ` what stands there instead. Empty: an edit does not fit.
inline QString editedCode(QString code, const QString& edits)
{
    for (const QString& edit : (u'\n' + edits).split(u"\n- "_s).mid(1)) {
        const QString old = edit.section(u"\n+ "_s, 0, 0);
        QString changed = edit.section(u"\n+ "_s, 1);
        if (changed.endsWith(u'\n')) {
            changed.chop(1);
        }
        const auto place = code.indexOf(old);
        if (place < 0) {
            return {};
        }
        code.replace(place, old.size(), changed);
    }
    return code;
}

} // namespace lockstep::tests
