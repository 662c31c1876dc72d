#include "ui/shell/last_session.h"

#include "ui/models/form_model.h"
#include "ui/theme/settings.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int SaveAfterMs = 400;

QString text(const std::string& text)
{
    return QString::fromStdString(text);
}

QString nameOf(const experiment::Parameter& parameter)
{
    return QString::fromUtf8(parameter.name.data(), static_cast<qsizetype>(parameter.name.size()));
}

QJsonObject remembered()
{
    return QJsonDocument::fromJson(settings::form.read().toUtf8()).object();
}

/// What was typed, also what is wrong; values that are the experiment's own are left out.
QJsonObject contentOf(const FormModel& form)
{
    QJsonObject rows;
    for (const FormRow& row : form.rows()) {
        if (row.isModified()) {
            rows[nameOf(*row.parameter)] = row.text;
        }
    }
    QJsonArray variants;
    for (const VariantRow& variant : form.variants()) {
        QJsonObject cells;
        for (const auto& [name, cell] : variant.cells) {
            if (cell.text != cell.standard) {
                cells[text(name)] = cell.text;
            }
        }
        variants.append(QJsonObject{{QStringLiteral("name"), variant.name}, {QStringLiteral("on"), variant.isEnabled},
            {QStringLiteral("cells"), cells}});
    }
    return {{QStringLiteral("experiment"), text(form.experiment())}, {QStringLiteral("repeats"), form.repeats()},
        {QStringLiteral("rows"), rows}, {QStringLiteral("variants"), variants}};
}

} // namespace

LastSession::LastSession(FormModel& form, QObject* parent)
    : QObject(parent)
    , m_form(form)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(SaveAfterMs);
    connect(&m_timer, &QTimer::timeout, this, &LastSession::save);
    connect(&form, &FormModel::changed, &m_timer, qOverload<>(&QTimer::start));
}

QString LastSession::experiment()
{
    return remembered()[QStringLiteral("experiment")].toString();
}

void LastSession::save()
{
    m_timer.stop();
    if (!m_form.rows().empty()) {
        settings::form.write(QString::fromUtf8(QJsonDocument(contentOf(m_form)).toJson(QJsonDocument::Compact)));
    }
}

void LastSession::restore()
{
    const QJsonObject all = remembered();
    if (all[QStringLiteral("experiment")].toString() != text(m_form.experiment())) {
        return;
    }
    const QJsonObject rows = all[QStringLiteral("rows")].toObject();
    for (auto row = rows.begin(); row != rows.end(); ++row) {
        m_form.setText(row.key().toStdString(), row.value().toString());
    }
    for (const QJsonValue& each : all[QStringLiteral("variants")].toArray()) {
        const QString name = each[QStringLiteral("name")].toString();
        const auto& variants = m_form.variants();
        const auto found = std::ranges::find(variants, name, &VariantRow::name);
        if (found == variants.end()) {
            continue;
        }
        const auto place = static_cast<std::size_t>(found - variants.begin());
        m_form.setVariantEnabled(place, each[QStringLiteral("on")].toBool(true));
        const QJsonObject cells = each[QStringLiteral("cells")].toObject();
        for (auto cell = cells.begin(); cell != cells.end(); ++cell) {
            m_form.setVariantText(place, cell.key().toStdString(), cell.value().toString());
        }
    }
    m_form.setRepeats(all[QStringLiteral("repeats")].toInt(m_form.repeats()));
}

std::optional<RunId> LastSession::interrupted(const std::vector<analysis::RunRecord>& records)
{
    const auto newest = std::ranges::max_element(records, {}, &analysis::RunRecord::createdNs);
    if (newest == records.end() || newest->status != analysis::RunStatus::Interrupted) {
        return std::nullopt;
    }
    const QString id = text(newest->id.text);
    if (settings::interruptedOffered.read() == id) {
        return std::nullopt;
    }
    settings::interruptedOffered.write(id);
    return newest->id;
}

} // namespace lockstep::ui
