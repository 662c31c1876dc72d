#include "ui/shell/last_session.h"

#include "ui/models/form/form_model.h"
#include "ui/shell/document_actions.h"
#include "ui/theme/settings.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lockstep::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int SaveAfterMs = 400;

QString text(const std::string& text)
{
    return QString::fromStdString(text);
}

QJsonObject remembered()
{
    return QJsonDocument::fromJson(settings::form.read().toUtf8()).object();
}

/// What was typed, also what is wrong.
QJsonObject jsonOf(const FormState& state)
{
    QJsonObject rows;
    for (const auto& [name, typed] : state.texts) {
        rows[text(name)] = typed;
    }
    QJsonArray variants;
    for (const VariantRow& variant : state.variants) {
        QJsonObject cells;
        for (const auto& [name, cell] : variant.cells) {
            cells[text(name)] = QJsonArray{cell.text, cell.standard};
        }
        variants.append(QJsonObject{{u"name"_s, variant.name}, {u"group"_s, variant.group},
            {u"on"_s, variant.isEnabled}, {u"color"_s, static_cast<int>(variant.color)}, {u"cells"_s, cells}});
    }
    return {{u"rows"_s, rows}, {u"variants"_s, variants}, {u"repeats"_s, state.repeats}};
}

/// `about`: of the remembered spec, which has it in both languages.
FormState stateIn(const QJsonObject& json, const experiment::About& about)
{
    FormState state;
    const QJsonObject rows = json[u"rows"_s].toObject();
    for (auto row = rows.begin(); row != rows.end(); ++row) {
        if (experiment::findParameter(row.key().toStdString()) != nullptr) {
            state.texts[row.key().toStdString()] = row.value().toString();
        }
    }
    for (const QJsonValue& each : json[u"variants"_s].toArray()) {
        VariantRow variant;
        variant.name = each[u"name"_s].toString();
        variant.group = each[u"group"_s].toString();
        variant.isEnabled = each[u"on"_s].toBool(true);
        variant.color = static_cast<std::size_t>(std::max(0, each[u"color"_s].toInt()));
        const QJsonObject cells = each[u"cells"_s].toObject();
        for (auto cell = cells.begin(); cell != cells.end(); ++cell) {
            if (experiment::findParameter(cell.key().toStdString()) != nullptr) {
                const QJsonArray texts = cell.value().toArray();
                variant.cells[cell.key().toStdString()] = {texts[0].toString(), texts[1].toString(), {}};
            }
        }
        state.variants.push_back(std::move(variant));
    }
    state.repeats = std::max(1, json[u"repeats"_s].toInt(1));
    state.about = about;
    return state;
}

} // namespace

LastSession::LastSession(FormModel& form, DocumentActions& documents, QObject* parent)
    : QObject(parent)
    , m_form(form)
    , m_documents(documents)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(SaveAfterMs);
    connect(&m_timer, &QTimer::timeout, this, &LastSession::save);
    connect(&form, &FormModel::changed, &m_timer, qOverload<>(&QTimer::start));
}

void LastSession::save()
{
    m_timer.stop();
    if (m_form.rows().empty()) {
        return;
    }
    QJsonObject all = jsonOf(m_form.state());
    all[u"place"_s] = m_documents.document().place();
    all[u"spec"_s] = text(experiment::toJson(m_form.document()));
    settings::form.write(QString::fromUtf8(QJsonDocument(all).toJson(QJsonDocument::Compact)));
}

bool LastSession::restore()
{
    const QJsonObject all = remembered();
    const auto spec = experiment::parseSpec(all[u"spec"_s].toString().toStdString());
    if (!spec) {
        return false;
    }
    ExperimentDocument& document = m_documents.document();
    const QString place = all[u"place"_s].toString();
    if (place.isEmpty() || !document.open(place)) { // it was never saved, or its file is gone
        m_documents.openSpec(*spec);
    } else {
        Q_EMIT m_documents.opened();
    }
    if (const FormState left = stateIn(all, spec->about); left != m_form.state()) {
        m_form.apply(ExperimentDocument::tr("Changes that were not saved"), left);
    }
    return true;
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
