// What a bundle of runs will contain, shown before it is written. GUI thread only.
#pragma once

#include "exchange/bundle/write_bundle.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace lockstep::ui {

class BundleDialog : public QDialog {
    Q_OBJECT

public:
    explicit BundleDialog(QWidget* parent = nullptr);

    /// Asks for the contents; showContents() or showError() follows.
    void prepare();
    void showContents(const exchange::BundleContents& contents);
    void showError(const QString& message);

Q_SIGNALS:
    void draftRequested(lockstep::exchange::Names names);
    void writeRequested(const QString& path);

private:
    void choosePath();

    QLabel* m_state;
    QTableWidget* m_runs;
    QLabel* m_rest;
    QCheckBox* m_names;
    QPushButton* m_save;
};

} // namespace lockstep::ui
