// The Markdown text of a laboratory's step: headings, lists, code, tables, formulas, and pictures from the laboratory's
// folder. HTML is shown as it is written, and nothing is loaded from elsewhere. As high as its text. GUI thread only.
#pragma once

#include <QByteArray>
#include <QTextBrowser>

#include <functional>

namespace lockstep::ui {

class LessonView : public QTextBrowser {
    Q_OBJECT

public:
    /// The bytes of a picture by its path in the laboratory; empty: there is none.
    using Pictures = std::function<QByteArray(const QString& path)>;

    explicit LessonView(QWidget* parent = nullptr);

    void setLesson(const QString& markdown, Pictures pictures);
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// The page around it scrolls.
    void wheelEvent(QWheelEvent* event) override;

private:
    void render();
    void fillInFormulas(const std::vector<QString>& formulas);
    void fit();
    /// Opens links to the web in the browser; others go nowhere.
    void follow(const QUrl& link);

    QString m_markdown;
    Pictures m_pictures;
};

} // namespace lockstep::ui
