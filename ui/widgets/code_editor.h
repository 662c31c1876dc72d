// A plain-text editor for Python: numbers beside the lines, four blanks for a tab, a new line as far in as the one
// before.
#pragma once

#include <QPlainTextEdit>

namespace lockstep::ui {

class CodeEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit CodeEditor(QWidget* parent = nullptr);

    /// Marks this line, from 1, and scrolls to it; 0: none. The mark moves with its text.
    void markLine(int line);
    /// Another text, with the cursor on the line where it was.
    void replaceText(const QString& text);
    /// Width of the numbers, for the margin that shows them.
    [[nodiscard]] int numbersWidth() const;
    void paintNumbers(QPaintEvent& event);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void breakLine();
    void fitNumbers();

    QWidget* m_numbers;
};

} // namespace lockstep::ui
