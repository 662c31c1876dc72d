#include "ui/widgets/code_editor.h"

#include <QFontDatabase>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QTextBlock>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int MarginGap = 6;
constexpr int TabBlanks = 4;

/// The margin at the left; it draws what the editor says.
class LineNumbers final : public QWidget {
public:
    explicit LineNumbers(CodeEditor& editor)
        : QWidget(&editor)
        , m_editor(editor)
    { }

protected:
    void paintEvent(QPaintEvent* event) override { m_editor.paintNumbers(*event); }

private:
    CodeEditor& m_editor;
};

} // namespace

CodeEditor::CodeEditor(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_numbers(new LineNumbers(*this))
{
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setLineWrapMode(NoWrap);
    setTabStopDistance(TabBlanks * fontMetrics().horizontalAdvance(u' '));
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeEditor::fitNumbers);
    connect(this, &QPlainTextEdit::updateRequest, m_numbers, [this](const QRect& area, int movedBy) {
        if (movedBy != 0) {
            m_numbers->scroll(0, movedBy);
        } else {
            m_numbers->update(0, area.y(), m_numbers->width(), area.height());
        }
    });
    fitNumbers();
}

int CodeEditor::numbersWidth() const
{
    const auto digits = QString::number(std::max(10, blockCount())).size();
    return 2 * MarginGap + static_cast<int>(digits) * fontMetrics().horizontalAdvance(u'9');
}

void CodeEditor::fitNumbers()
{
    setViewportMargins(numbersWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    m_numbers->setGeometry(inside.left(), inside.top(), numbersWidth(), inside.height());
}

void CodeEditor::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    fitNumbers();
}

void CodeEditor::paintNumbers(QPaintEvent& event)
{
    QPainter painter(m_numbers);
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > event.rect().bottom()) {
            break;
        }
        painter.drawText(QRectF(0.0, place.top(), m_numbers->width() - MarginGap, fontMetrics().height()),
            Qt::AlignRight, QString::number(block.blockNumber() + 1));
    }
}

void CodeEditor::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = !isReadOnly() && event->modifiers() == Qt::NoModifier;
    if (isPlain && event->key() == Qt::Key_Tab) {
        const int column = textCursor().positionInBlock();
        insertPlainText(QString(TabBlanks - column % TabBlanks, u' '));
    } else if (isPlain && event->key() == Qt::Key_Return) {
        breakLine();
    } else {
        QPlainTextEdit::keyPressEvent(event);
    }
}

void CodeEditor::breakLine()
{
    const QString line = textCursor().block().text().left(textCursor().positionInBlock());
    const auto word = std::ranges::find_if(line, [](QChar c) { return c != u' '; });
    auto blanks = word - line.begin();
    blanks += line.trimmed().endsWith(u':') ? TabBlanks : 0;
    insertPlainText(u'\n' + QString(blanks, u' '));
    ensureCursorVisible();
}

void CodeEditor::markLine(int line)
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (line < 1 || !block.isValid()) {
        setExtraSelections({});
        return;
    }
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(block);
    QColor ground(220, 60, 50);
    ground.setAlphaF(0.18F);
    mark.format.setBackground(ground);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    setExtraSelections({mark});
    setTextCursor(mark.cursor);
    centerCursor();
}

void CodeEditor::replaceText(const QString& text)
{
    const int line = textCursor().blockNumber();
    setPlainText(text);
    fitNumbers(); // also where signals are blocked
    m_numbers->update();
    setTextCursor(QTextCursor(document()->findBlockByNumber(std::min(line, blockCount() - 1))));
}

} // namespace lockstep::ui
