#include "ui/shell/hidden_works.h"

#include "laboratory/work.h"
#include "ui/models/background_pool.h"
#include "ui/shell/runs/run_controller.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <utility>
#include <vector>

namespace lockstep::ui {

void HiddenWorks::read()
{
    const std::vector<QString> folders = laboratory::workFoldersIn(m_controller.store().folder());
    if (folders.empty()) {
        return;
    }
    m_isRead = false;
    show();
    QPointer<HiddenWorks> self(this);
    backgroundPool().start([self, folders] {
        std::map<QString, laboratory::HiddenSettings> read;
        for (const QString& folder : folders) {
            read.emplace(folder, laboratory::HiddenSettings::ofWork(folder));
        }
        QMetaObject::invokeMethod(
            qApp,
            [self, read = std::move(read)]() mutable {
                if (self != nullptr) {
                    self->m_hidden.merge(read); // what is known of the open work is newer
                    self->m_isRead = true;
                    self->show();
                }
            },
            Qt::QueuedConnection);
    });
}

void HiddenWorks::setWork(const QString& folder, laboratory::HiddenSettings hidden)
{
    laboratory::HiddenSettings& known = m_hidden[folder];
    if (!(known == hidden)) {
        known = std::move(hidden);
        show();
    }
}

void HiddenWorks::show()
{
    laboratory::HiddenSettings all = m_isRead ? laboratory::HiddenSettings() : laboratory::HiddenSettings::untilRead();
    for (const auto& [folder, hidden] : m_hidden) {
        all.add(hidden);
    }
    m_controller.setHidden(std::move(all));
}

} // namespace lockstep::ui
