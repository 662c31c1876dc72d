#include "ui/models/form/error_text.h"

#include "experiment/parameter.h"
#include "language/wording.h"
#include "ui/models/form/form_model.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace lockstep::ui {

namespace {

/// The text names parameters as on the command line; this uses the labels of their fields.
QString withLabels(const QString& text)
{
    static const QRegularExpression name(QStringLiteral("[a-z][a-z0-9_]*(\\.[a-z0-9_]+)+"));
    QString result;
    qsizetype from = 0;
    for (auto found = name.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const auto* parameter = experiment::findParameter(match.captured().toStdString());
        result += text.mid(from, match.capturedStart() - from);
        result += parameter == nullptr ? match.captured() : u'“' + translatedLabel(*parameter) + u'”';
        from = match.capturedEnd();
    }
    return result + text.mid(from);
}

} // namespace

std::string subjectOf(const Error& error)
{
    if (!error.subject.empty()) {
        return error.subject;
    }
    const std::string name = error.message.substr(0, error.message.find(": "));
    return experiment::findParameter(name) != nullptr ? name : std::string();
}

QString errorText(const Error& error)
{
    Error own = error;
    own.subject.clear();
    if (error.pattern.empty()) {
        const std::string subject = subjectOf(error);
        own.message = subject.empty() ? error.message : error.message.substr(subject.size() + 2);
    }
    return withLabels(QString::fromStdString(language::worded(own)));
}

QString titledErrorText(const Error& error)
{
    const auto* parameter = experiment::findParameter(subjectOf(error));
    return parameter == nullptr
        ? errorText(error)
        : QCoreApplication::translate("ErrorText", "%1: %2").arg(translatedLabel(*parameter), errorText(error));
}

} // namespace lockstep::ui
