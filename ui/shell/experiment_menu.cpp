#include "ui/shell/experiment_menu.h"

#include "exchange/export/series_csv.h"
#include "ui/models/form/error_text.h"
#include "ui/models/form/form_model.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/runs/gallery.h"
#include "ui/shell/document_actions.h"
#include "ui/widgets/text_question.h"

#include <QAction>
#include <QFile>

#include <optional>

namespace lockstep::ui {

namespace {

constexpr int UndoMs = 15000;

} // namespace

ExperimentMenu::ExperimentMenu(
    QWidget& window, FormModel& form, DocumentActions& documents, Gallery& gallery, MessageStrip& strip)
    : QObject(&window)
    , m_window(window)
    , m_form(form)
    , m_documents(documents)
    , m_strip(strip)
{
    connect(&gallery, &Gallery::renameRequested, this, &ExperimentMenu::rename);
    connect(&gallery, &Gallery::duplicateRequested, this, &ExperimentMenu::duplicate);
    connect(&gallery, &Gallery::deleteRequested, this, &ExperimentMenu::remove);
}

bool ExperimentMenu::open(const QString& place)
{
    m_documents.open(place);
    return m_documents.document().place() == place;
}

void ExperimentMenu::rename(const QString& place)
{
    if (!open(place)) {
        return;
    }
    const auto put = [this, place](const QString& title) {
        if (m_documents.document().place() == place) {
            m_documents.document().rename(title);
        }
    };
    askForText(m_window, tr("Rename the experiment"), tr("Title:"), *this, put, m_documents.title());
}

void ExperimentMenu::duplicate(const QString& place)
{
    if (open(place)) {
        m_documents.duplicate->trigger();
    }
}

void ExperimentMenu::remove(const QString& place)
{
    if (!open(place)) {
        return;
    }
    ExperimentDocument& document = m_documents.document();
    const QString title = document.title();
    const experiment::Spec spec = m_form.document();
    const std::optional<FormState> unsaved = document.isSaved() ? std::nullopt : std::optional(m_form.state());
    std::optional<QByteArray> bytes;
    if (QFile file(place); document.isFile() && file.open(QIODevice::ReadOnly)) {
        bytes = file.readAll();
        file.close();
        if (!QFile::moveToTrash(place) && !file.remove()) {
            m_strip.showMessage(Tone::Error, tr("%1 cannot be deleted: %2").arg(place, file.errorString()));
            return;
        }
    }
    document.drop();
    m_documents.open(QString::fromUtf8(experiment::presetNames().front()));
    m_documents.shelf().refresh();
    m_strip.showMessage(Tone::Information, tr("The experiment “%1” has been deleted.").arg(title), {}, {tr("Undo")},
        [this, place, spec, unsaved, bytes](int) {
            if (!bytes) {
                m_documents.openSpec(spec);
                return;
            }
            if (const auto written = exchange::writeFile(place, *bytes); !written) {
                m_strip.showMessage(Tone::Error, errorText(written.error()));
                return;
            }
            m_documents.shelf().refresh();
            if (open(place) && unsaved) {
                m_form.apply(tr("Changes that were not saved"), *unsaved);
            }
        });
    m_strip.hideAfter(UndoMs);
}

} // namespace lockstep::ui
