#include "ui/pages/laboratory/lesson_view.h"

#include "laboratory/format/formula_text.h"
#include "ui/theme/theme.h"

#include <QDesktopServices>
#include <QImage>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QUrl>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {

using laboratory::FormulaMark;
using laboratory::FormulaPiece;
using laboratory::FormulaPlace;

namespace {

constexpr int LargestPicture = 4096; ///< pixels of its longer side
constexpr double PictureShare = 0.94; ///< of the width of the text

QTextCharFormat formatOf(const FormulaPiece& piece)
{
    QTextCharFormat format;
    format.setFontItalic(piece.isItalic);
    format.setVerticalAlignment(piece.place == FormulaPlace::Raised ? QTextCharFormat::AlignSuperScript
            : piece.place == FormulaPlace::Lowered                  ? QTextCharFormat::AlignSubScript
                                                                    : QTextCharFormat::AlignNormal);
    return format;
}

/// A formula in the text's `code` is not broken at its blanks; a longer one may be.
QString withUnbrokenCode(const QString& markdown)
{
    constexpr qsizetype LongestUnbroken = 30;
    static const QRegularExpression Code(QStringLiteral("(?<!`)`([^`\\n]+)`(?!`)"));
    QString text = markdown;
    for (auto codes = Code.globalMatch(markdown); codes.hasNext();) {
        const auto code = codes.next();
        if (code.capturedLength(1) <= LongestUnbroken) {
            text.replace(
                code.capturedStart(1), code.capturedLength(1), code.captured(1).replace(u' ', QChar(QChar::Nbsp)));
        }
    }
    return text;
}

/// Headings stand below the step's title, which is 1.25 times as large as the text.
void makeHeadingsSmall(QTextDocument& document)
{
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0) {
            QTextCharFormat format;
            format.setProperty(QTextFormat::FontSizeAdjustment, 0);
            format.setFontWeight(QFont::Bold);
            QTextCursor heading(block);
            heading.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
            heading.mergeCharFormat(format);
        }
    }
}

} // namespace

LessonView::LessonView(QWidget* parent)
    : QTextBrowser(parent)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(2);
    connect(this, &QTextBrowser::anchorClicked, this, &LessonView::follow);
}

void LessonView::setLesson(const QString& markdown, Pictures pictures)
{
    m_pictures = std::move(pictures);
    if (std::exchange(m_markdown, markdown) != markdown || document()->isEmpty()) {
        render();
    }
}

void LessonView::render()
{
    const laboratory::TextWithFormulas taken = laboratory::takeFormulas(m_markdown);
    document()->clear();
    QTextDocument::MarkdownFeatures features = QTextDocument::MarkdownDialectGitHub;
    features.setFlag(QTextDocument::MarkdownNoHTML);
    document()->setMarkdown(withUnbrokenCode(taken.text), features);
    makeHeadingsSmall(*document());
    fillInFormulas(taken.formulas);
    fit();
}

void LessonView::fillInFormulas(const std::vector<QString>& formulas)
{
    for (std::size_t i = 0; i < formulas.size(); ++i) {
        QTextCursor at = document()->find(QString(QChar(static_cast<char16_t>(FormulaMark + i))));
        if (at.isNull()) {
            continue;
        }
        const QTextCharFormat around = at.charFormat();
        at.removeSelectedText();
        for (const FormulaPiece& piece : laboratory::formulaPieces(formulas[i])) {
            QTextCharFormat format = around;
            format.merge(formatOf(piece));
            at.insertText(piece.text, format);
        }
    }
}

/// Pictures of the laboratory alone, and no larger than the text is wide.
QVariant LessonView::loadResource(int type, const QUrl& name)
{
    if (type != QTextDocument::ImageResource || !name.isRelative() || m_pictures == nullptr) {
        return {};
    }
    const QImage image = QImage::fromData(m_pictures(name.path()));
    if (image.isNull() || std::max(image.width(), image.height()) > LargestPicture) {
        return {};
    }
    const int room = static_cast<int>(PictureShare * std::max(120, viewport()->width()));
    return image.width() > room ? image.scaledToWidth(room, Qt::SmoothTransformation) : image;
}

int LessonView::heightForWidth(int width) const
{
    QTextDocument* text = document();
    const double before = text->textWidth();
    text->setTextWidth(width);
    const int height = static_cast<int>(std::ceil(text->size().height()));
    text->setTextWidth(before);
    return height;
}

QSize LessonView::sizeHint() const
{
    return {240, heightForWidth(std::max(200, viewport()->width()))};
}

void LessonView::fit()
{
    setFixedHeight(std::max(1, heightForWidth(std::max(200, viewport()->width()))));
}

void LessonView::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) {
        if (m_markdown.contains(QStringLiteral("!["))) {
            render(); // pictures follow the width
        } else {
            fit();
        }
    }
}

void LessonView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        render();
    }
}

void LessonView::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

void LessonView::follow(const QUrl& link)
{
    if (link.scheme() == QStringLiteral("https") || link.scheme() == QStringLiteral("http")) {
        QDesktopServices::openUrl(link);
    }
}

} // namespace lockstep::ui
