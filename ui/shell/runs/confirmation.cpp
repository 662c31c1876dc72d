#include "ui/shell/runs/confirmation.h"

#include "language/language.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace lockstep::ui {

namespace {

class ConfirmationTexts {
    Q_DECLARE_TR_FUNCTIONS(Confirmation)
};

QString riskLine(const launch::Risk& risk)
{
    const QString value = risk.shown();
    return risk.isChanged
        ? ConfirmationTexts::tr("Starts the program, whose files have changed since you confirmed it: %1").arg(value)
        : !risk.unseen.empty()
        ? ConfirmationTexts::tr("Starts the program: %1. It will not be noticed if the module %2 changes.")
              .arg(value, QString::fromStdString(risk.unseen))
        : risk.parameter == nameOf(&experiment::RankSettings::program)
        ? ConfirmationTexts::tr("Starts the program: %1").arg(value)
        : risk.parameter == nameOf(&experiment::CheckpointSettings::path)
        ? ConfirmationTexts::tr("Writes checkpoints to: %1").arg(value)
        : ConfirmationTexts::tr("Resumes from: %1").arg(value);
}

} // namespace

void askForConfirmation(QWidget* window, RunController& controller, const std::vector<experiment::RunSpec>& runs,
    const std::vector<launch::Risk>& risks)
{
    QStringList lines;
    for (const launch::Risk& risk : risks) {
        lines += riskLine(risk);
    }
    auto* box = new QMessageBox(QMessageBox::Question, ConfirmationTexts::tr("Confirm what this experiment does"),
        ConfirmationTexts::tr("Start only programs that you trust: a program can do everything that you can."),
        QMessageBox::Cancel, window);
    box->setObjectName(QStringLiteral("confirmation"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(lines.join(QStringLiteral("\n\n")));
    const QPushButton* start = box->addButton(ConfirmationTexts::tr("Start"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    QObject::connect(start, &QPushButton::clicked, box, [&controller, runs, risks] {
        launch::Trust trust;
        if (const auto kept = trust.add(risks); !kept) {
            Q_EMIT controller.storeFailed(QString::fromStdString(language::errorLine(kept.error())));
            return;
        }
        controller.start(runs);
    });
    box->open();
}

} // namespace lockstep::ui
