#include "ui/pages/laboratory/code_pane.h"

#include "laboratory/code/run_trial.h"
#include "ui/models/laboratory/laboratory_model.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/code_editor.h"
#include "ui/widgets/plain_label.h"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>

namespace lockstep::ui {

CodePane::CodePane(QWidget* parent)
    : Translated(parent)
    , m_name(plainLabel(this))
    , m_editor(new CodeEditor(this))
{
    m_editor->setObjectName(QStringLiteral("code"));
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 4, {m_name, {m_editor, 1}});
    connect(m_editor, &QPlainTextEdit::textChanged, this, [this] {
        if (m_model != nullptr && !m_step.empty() && !m_editor->isReadOnly()) {
            m_model->codeCheck().type(m_model->current(), m_editor->toPlainText().toUtf8());
        }
    });
    const auto changed = [this] {
        if (m_model != nullptr && !m_step.empty()) {
            showFile(m_model->current());
        }
    };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, changed);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, changed);
    retranslate();
}

void CodePane::setModel(LaboratoryModel* model)
{
    m_model = model;
    m_step.clear();
    m_hasMark = false;
    if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty()) {
        m_watcher.removePaths(watched);
    }
}

void CodePane::showFile(const laboratory::Step& step)
{
    const bool isReadOnly = m_model->work().isReadOnly();
    const QString path = laboratory::codeFileOf(m_model->work(), step);
    QFile file(path);
    const bool isThere = !isReadOnly && file.open(QIODevice::ReadOnly);
    const QByteArray* handedIn = m_model->work().handedInCode(step.id);
    const QByteArray text = isThere ? file.readAll()
        : handedIn != nullptr       ? *handedIn
                                    : QByteArray::fromStdString(step.as<laboratory::CodeStep>()->templateText);
    if (isThere) { // an editor that writes a new file in its place is seen by the folder
        m_watcher.addPaths({path, QFileInfo(path).absolutePath()});
    }
    m_name->setText(shownName(QString::fromStdString(step.as<laboratory::CodeStep>()->templateFile)));
    const bool isOther = m_step != step.id;
    if (!isOther && m_model->codeCheck().hasTyped()) {
        return; // what is typed here is newer
    }
    // As it is, because it is saved again; what is no UTF-8 is left to another editor.
    const QString code = QString::fromUtf8(text);
    const bool isText = code.toUtf8() == text;
    const QSignalBlocker blocker(m_editor);
    m_editor->setReadOnly(isReadOnly || !isText);
    const QString shown = isReadOnly || !isText ? shownText(text.toStdString()) : code;
    if (isOther || shown != m_editor->toPlainText()) {
        m_editor->replaceText(shown);
    }
    m_step = step.id;
}

void CodePane::markFault(const laboratory::Step& step)
{
    const laboratory::CodeVerdict* verdict = m_model->codeCheck().verdictOf(step.id);
    const bool isRunning = m_model->codeCheck().isRunning();
    const int line = verdict == nullptr || isRunning || verdict->isRight() ? 0 : verdict->line;
    if ((line > 0) != m_hasMark) { // once: the mark moves with its text
        const QSignalBlocker blocker(m_editor);
        m_editor->markLine(line);
        m_hasMark = line > 0;
    }
}

void CodePane::showWork()
{
    if (m_model == nullptr) {
        return;
    }
    const laboratory::Step& step = m_model->current();
    if (m_step != step.id) {
        m_hasMark = false;
        m_editor->markLine(0);
    }
    showFile(step);
    markFault(step);
}

void CodePane::retranslate()
{
    describe(*m_editor, tr("Code"), tr("Your code. It is saved as you type; Check runs it."));
    m_editor->setToolTip({});
}

} // namespace lockstep::ui
