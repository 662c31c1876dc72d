#include "arch/source_shape.h"

#include <QRegularExpression>
#include <QStringList>

namespace lockstep::test {

namespace {

using namespace Qt::StringLiterals;

/// Comments, texts, the preprocessor's lines and calls of its macros become spaces; lines stay lines.
QString withoutTexts(QString code)
{
    static const QRegularExpression Silent(
        u"//[^\\n]*|/\\*.*?\\*/"
        u"|R\"(\\w*)\\(.*?\\)\\1\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\\\.|[^'\\\\\\n])+'"
        "|^[ \\t]*#(?:[^\\n\\\\]|\\\\.|\\\\\\n)*|^[A-Z][A-Z0-9_]+\\([^\\n]*\\)$"_s,
        QRegularExpression::DotMatchesEverythingOption | QRegularExpression::MultilineOption);
    for (auto match = Silent.globalMatch(code); match.hasNext();) {
        const auto found = match.next();
        for (auto i = found.capturedStart(); i < found.capturedEnd(); ++i) {
            if (code[i] != u'\n') {
                code[i] = u' ';
            }
        }
    }
    return code;
}

/// `a<b(c)>` as `a`: what is in angle brackets may look like parameters.
QString withoutTemplateArguments(QString head)
{
    static const QRegularExpression Innermost(u"<[^<>;{}]*>"_s);
    head.replace(u"->"_s, u"  "_s).replace(u"operator<<"_s, u"operatorL"_s).replace(u"operator<=>"_s, u"operatorC"_s);
    for (QString before; before != head;) {
        before = head;
        head.replace(Innermost, u" "_s);
    }
    return head;
}

class Scanner {
public:
    Scanner(QString code, QString file, SourceShape& shape)
        : m_code(std::move(code))
        , m_file(std::move(file))
        , m_shape(shape)
    { }

    void scan()
    {
        for (; m_at < m_code.size(); ++m_at) {
            const QChar c = m_code[m_at];
            if (c == u'\n') {
                ++m_line;
            }
            if (c == u'{') {
                open();
            } else if (c == u'}') {
                close();
            } else if (c == u';') {
                countDeclaration();
                m_head.clear();
            } else {
                if (m_head.trimmed().isEmpty() && !c.isSpace()) {
                    m_head.clear();
                    m_headLine = m_line;
                }
                m_head += c;
            }
        }
    }

private:
    enum class Kind { Namespace, Class, Other };
    struct Scope {
        Kind kind;
        QString name;
        int line;
    };

    void open()
    {
        static const QRegularExpression Namespace(u"^\\s*(?:inline\\s+)?namespace\\b\\s*([\\w:]*)\\s*$"_s);
        static const QRegularExpression Class(
            u"\\b(?:class|struct|union)\\s+(?:\\[\\[\\w+\\]\\]\\s*)?(?:alignas\\([^)]*\\)\\s*)?"
            u"([\\w:]+)\\s*(?:final)?\\s*(?::[^()]*)?$"_s);
        const QString head = withoutTemplateArguments(m_head);
        if (const auto match = Namespace.match(head); match.hasMatch()) {
            const QString name = match.captured(1);
            m_scopes.append({Kind::Namespace, name.isEmpty() ? u"{"_s + m_file + u'}' : name, m_line});
        } else if (const auto described = Class.match(head); described.hasMatch() && !head.contains(u"enum "_s)) {
            m_scopes.append({Kind::Class, described.captured(1), m_line});
            m_shape.classes[path()].definitions += m_file + u':' + QString::number(m_headLine);
        } else if (isInitialiser(head) || head.count(u'(') > head.count(u')')) {
            m_head += u"()"_s; // as the others of a constructor's list, or a parameter's default
            skip();
            return;
        } else if (head.contains(u'(') && !isValue(head)) {
            addFunction(head);
        } else {
            skip();
            m_head.clear();
            return;
        }
        m_head.clear();
    }

    /// The brace after a member's name in a constructor's list.
    static bool isInitialiser(const QString& head)
    {
        static const QRegularExpression List(
            u"\\)\\s*(?:noexcept\\s*)?:[^:].*[,:]\\s*\\w+\\s*$|\\)\\s*:\\s*\\w+\\s*$"_s,
            QRegularExpression::DotMatchesEverythingOption);
        return List.match(head).hasMatch();
    }

    static bool isValue(const QString& head)
    {
        static const QRegularExpression Assigned(u"[^=!<>]=[^=]"_s);
        const qsizetype parameters = head.indexOf(u'(');
        const auto match = Assigned.match(head);
        return match.hasMatch() && match.capturedStart() < parameters && !head.contains(u"operator"_s);
    }

    void addFunction(const QString& head)
    {
        static const QRegularExpression Name(u"((?:[\\w~]+\\s*::\\s*)*(?:operator[^(]*|~?\\w+))\\s*\\("_s);
        const auto match = Name.match(head);
        const QString name = match.captured(1).simplified().remove(u' ');
        const int nameLine = m_headLine + static_cast<int>(head.left(match.capturedStart(1)).count(u'\n'));
        const int begin = m_headLine;
        skip();
        const bool isInClass = !m_scopes.isEmpty() && m_scopes.last().kind == Kind::Class;
        const QString owner = isInClass ? path() : ownerOf(name.section(u"::"_s, 0, -2));
        m_shape.functions.append(
            {isInClass ? m_scopes.last().name + u"::"_s + name : name, nameLine, m_line - nameLine + 1});
        if (isInClass) {
            ++m_shape.classes[owner].functions;
        } else if (!owner.isEmpty()) {
            m_shape.classes[owner].lines += m_line - begin + 1;
        }
    }

    QString ownerOf(const QString& qualified) const
    {
        if (qualified.isEmpty()) {
            return {};
        }
        const QString inside = path().isEmpty() ? qualified : path() + u"::"_s + qualified;
        if (m_shape.classes.contains(inside)) {
            return inside;
        }
        const QString hidden = path() + u"::{"_s + m_file + u"}::"_s + qualified;
        return m_shape.classes.contains(hidden) ? hidden : QString();
    }

    void countDeclaration()
    {
        static const QRegularExpression NoFunction(
            u"\\b(?:friend|using|typedef|static_assert|return)\\b|=\\s*(?:default|delete)\\s*$"_s);
        const bool isInClass = !m_scopes.isEmpty() && m_scopes.last().kind == Kind::Class;
        if (!isInClass) {
            return;
        }
        static const QRegularExpression Macro(
            u"\\bQ_\\w+(?:\\([^)]*\\))?|\\b(?:public|private|protected)(?: Q_SLOTS)?:"_s);
        const QString head = withoutTemplateArguments(m_head).remove(Macro);
        const QString before = head.left(head.indexOf(u'('));
        if (head.contains(u'(') && !NoFunction.match(head).hasMatch() && !before.contains(u'=')) {
            ++m_shape.classes[path()].functions;
        }
    }

    /// To the brace that closes the current one.
    void skip()
    {
        int depth = 0;
        for (; m_at < m_code.size(); ++m_at) {
            const QChar c = m_code[m_at];
            m_line += c == u'\n' ? 1 : 0;
            depth += c == u'{' ? 1 : c == u'}' ? -1 : 0;
            if (depth == 0) {
                return;
            }
        }
    }

    void close()
    {
        if (m_scopes.isEmpty()) {
            return;
        }
        if (m_scopes.last().kind == Kind::Class) {
            m_shape.classes[path()].lines += m_line - m_scopes.last().line + 1;
        }
        m_scopes.removeLast();
        m_head.clear();
    }

    QString path() const
    {
        QStringList names;
        for (const Scope& scope : m_scopes) {
            names.append(scope.name);
        }
        return names.join(u"::"_s);
    }

    QString m_code;
    QString m_file;
    SourceShape& m_shape;
    QList<Scope> m_scopes;
    QString m_head; ///< what was read since the last brace or semicolon
    int m_headLine = 1;
    int m_line = 1;
    qsizetype m_at = 0;
};

} // namespace

void addShape(const QString& text, const QString& file, SourceShape& shape)
{
    // A macro on a line without a semicolon, such as LOCKSTEP_CHOICE(...), is not the head of what follows.
    static const QRegularExpression Macro(u"^[A-Z][A-Z0-9_]+\\(.*\\)$"_s, QRegularExpression::MultilineOption);
    Scanner(withoutTexts(text).remove(Macro), file, shape).scan();
}

} // namespace lockstep::test
