// What the works of the window's store hide. They are read in another thread: there may be hundreds. GUI thread only.
#pragma once

#include "laboratory/hidden_settings.h"

#include <QObject>
#include <QString>

#include <map>

namespace lockstep::ui {

class RunController;

class HiddenWorks : public QObject {
    Q_OBJECT

public:
    /// The controller, which shows runs, outlives it.
    explicit HiddenWorks(RunController& controller)
        : m_controller(controller)
    { }

    /// Begins to read all works; until they are read faults of every run are hidden.
    void read();
    /// Of the open work as it is now. `folder`: empty of a hand-in, which is alone in its store.
    void setWork(const QString& folder, laboratory::HiddenSettings hidden);

private:
    void show();

    RunController& m_controller;
    std::map<QString, laboratory::HiddenSettings> m_hidden; ///< by the work's folder
    bool m_isRead = true;
};

} // namespace lockstep::ui
