// The list of experiments on the left. GUI thread only.
#pragma once

#include <QWidget>

#include <string>

class QLabel;
class QListWidget;

namespace lockstep::ui {

/// A preset's name in the window's language; a preset that the window does not know keeps its own.
[[nodiscard]] QString experimentTitle(const std::string& preset);
[[nodiscard]] QString experimentQuestion(const std::string& preset);

class Gallery : public QWidget {
    Q_OBJECT

public:
    explicit Gallery(QWidget* parent = nullptr);

    void choose(int number);
    [[nodiscard]] int count() const;

Q_SIGNALS:
    void experimentChosen(const QString& preset);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QLabel* m_heading;
    QListWidget* m_list;
};

} // namespace lockstep::ui
