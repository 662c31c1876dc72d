#include "ui/models/background_pool.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace lockstep::ui {

QThreadPool& backgroundPool()
{
    static QPointer<QThreadPool> pool; // tests make several applications, one after another
    if (pool == nullptr) {
        pool = new QThreadPool(qApp);
    }
    return *pool;
}

} // namespace lockstep::ui
