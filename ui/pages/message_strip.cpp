#include "ui/pages/message_strip.h"

#include "ui/models/shown_text.h"
#include "ui/theme/glyphs.h"
#include "ui/widgets/plain_label.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QEvent>
#include <QFontDatabase>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace lockstep::ui {

MessageStrip::MessageStrip(QWidget* parent)
    : Translated(parent)
    , m_text(plainLabel(this))
    , m_details(plainLabel(this))
    , m_actions(new QHBoxLayout)
    , m_close(new QToolButton(this))
    , m_timer(new QTimer(this))
{
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setWordWrap(true);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_close->setIcon(glyphIcon(Glyph::Close));
    m_close->setAutoRaise(true);
    m_actions->setSpacing(6);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(14, 7, 8, 7);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    grid->addWidget(m_text, 0, 0);
    grid->addLayout(m_actions, 0, 1, Qt::AlignTop);
    grid->addWidget(m_close, 0, 2, Qt::AlignTop);
    grid->addWidget(m_details, 1, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    grid->setRowStretch(1, 1);
    m_timer->setSingleShot(true);
    const auto dismiss = [this] {
        hide();
        Q_EMIT dismissed();
    };
    connect(m_close, &QToolButton::clicked, this, dismiss);
    connect(m_timer, &QTimer::timeout, this, dismiss);
    retranslate();
    hide();
}

void MessageStrip::showMessage(Tone tone, const QString& text, const QStringList& details, const QStringList& actions,
    const std::function<void(int)>& answer)
{
    m_tone = tone;
    m_timer->stop();
    m_text->setText(shownText(text));
    m_details->setText(shownText(details.join(u'\n')));
    m_details->setVisible(!details.isEmpty());
    while (QLayoutItem* item = m_actions->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (int i = 0; i < actions.size(); ++i) {
        auto* button = new QPushButton(menuText(actions[i]), this);
        button->setAutoDefault(true);
        describe(*button, actions[i], text);
        connect(button, &QPushButton::clicked, this, [this, i, answer] {
            hide();
            answer(i);
        });
        m_actions->addWidget(button);
    }
    setFocusProxy(m_actions->count() > 0 ? m_actions->itemAt(0)->widget() : nullptr);
    setAccessibleName(m_text->text());
    show();
    place();
    update();
}

void MessageStrip::hideAfter(int milliseconds)
{
    m_timer->start(milliseconds);
}

QString MessageStrip::text() const
{
    return m_text->text();
}

void MessageStrip::floatOver(QWidget& page)
{
    m_page = &page;
    setParent(&page);
    hide();
    page.installEventFilter(this);
}

namespace {

bool isControl(const QWidget& widget)
{
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr
        || qobject_cast<const QComboBox*>(&widget) != nullptr || qobject_cast<const QLineEdit*>(&widget) != nullptr
        || qobject_cast<const QSlider*>(&widget) != nullptr;
}

} // namespace

/// Upwards from the lower end, until no control is below it. A page full of controls gets it at its lower end.
void MessageStrip::place()
{
    if (m_page == nullptr || !isVisible()) {
        return;
    }
    constexpr int Margin = 8;
    const int width = m_page->width() - 2 * Margin;
    const int height = layout()->heightForWidth(width); // the hint would be that of a narrow strip
    const QRect lowest(Margin, m_page->height() - height - Margin, width, height);
    QRect free = lowest;
    for (bool isMoved = true; isMoved;) {
        isMoved = false;
        for (const QWidget* widget : m_page->findChildren<QWidget*>()) {
            if (!widget->isVisible() || isAncestorOf(widget) || !isControl(*widget)) {
                continue;
            }
            const QRect taken(widget->mapTo(m_page, QPoint()), widget->size());
            if (taken.intersects(free)) {
                free.moveBottom(taken.top() - 2);
                isMoved = true;
            }
        }
    }
    setGeometry(free.top() < 0 ? lowest : free);
    raise();
}

void MessageStrip::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    place();
}

/// Escape is a shortcut of the window, too.
bool MessageStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QFrame::event(event);
}

void MessageStrip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        m_close->click();
        return;
    }
    QFrame::keyPressEvent(event);
}

bool MessageStrip::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest || event->type() == QEvent::ChildAdded
        || event->type() == QEvent::Show) {
        // Once the page has laid out what it shows.
        QMetaObject::invokeMethod(
            this, [this] { place(); }, Qt::QueuedConnection);
    }
    return QFrame::eventFilter(watched, event);
}

void MessageStrip::retranslate()
{
    describe(*m_close, tr("Dismiss"), tr("Closes this message."));
    setAccessibleDescription(tr("A message about this page."));
}

void MessageStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window)); // what lies below must not shine through
    painter.fillRect(rect(), toneGround(m_tone, palette()));
    painter.fillRect(QRect(0, 0, 4, height()), toneColor(m_tone, palette()));
}

} // namespace lockstep::ui
