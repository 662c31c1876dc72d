// How long the functions and classes of a source file are, by its braces.
#pragma once

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace lockstep::test {

struct FunctionShape {
    QString name; ///< as it is written: `Net::forward`
    int line = 0;
    int lines = 0; ///< from the name to the closing brace
};

struct ClassShape {
    int lines = 0; ///< its body and its members' definitions
    int functions = 0; ///< but for those that are defaulted or deleted
    QStringList definitions{}; ///< where it is defined: `core/base/ids.h:12`
};

struct SourceShape {
    QList<FunctionShape> functions;
    QMap<QString, ClassShape> classes; ///< by name with namespace; one in an anonymous namespace also has its file
};

/// Adds what `text`, the file's content, holds to `shape`. Headers go first, so that classes are known.
void addShape(const QString& text, const QString& file, SourceShape& shape);

} // namespace lockstep::test
