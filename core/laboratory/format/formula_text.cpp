#include "laboratory/format/formula_text.h"

#include <QHash>

#include <algorithm>
#include <utility>

namespace lockstep::laboratory {

namespace {

constexpr int DeepestGroup = 20; ///< of a formula that only nests

const QHash<QString, QString>& signsOfLatex()
{
    static const QHash<QString, QString> Signs{{QStringLiteral("alpha"), QStringLiteral("α")},
        {QStringLiteral("beta"), QStringLiteral("β")}, {QStringLiteral("gamma"), QStringLiteral("γ")},
        {QStringLiteral("delta"), QStringLiteral("δ")}, {QStringLiteral("Delta"), QStringLiteral("Δ")},
        {QStringLiteral("epsilon"), QStringLiteral("ε")}, {QStringLiteral("varepsilon"), QStringLiteral("ε")},
        {QStringLiteral("eta"), QStringLiteral("η")}, {QStringLiteral("theta"), QStringLiteral("θ")},
        {QStringLiteral("lambda"), QStringLiteral("λ")}, {QStringLiteral("mu"), QStringLiteral("μ")},
        {QStringLiteral("nabla"), QStringLiteral("∇")}, {QStringLiteral("partial"), QStringLiteral("∂")},
        {QStringLiteral("pi"), QStringLiteral("π")}, {QStringLiteral("rho"), QStringLiteral("ρ")},
        {QStringLiteral("sigma"), QStringLiteral("σ")}, {QStringLiteral("Sigma"), QStringLiteral("Σ")},
        {QStringLiteral("tau"), QStringLiteral("τ")}, {QStringLiteral("phi"), QStringLiteral("φ")},
        {QStringLiteral("omega"), QStringLiteral("ω")}, {QStringLiteral("ell"), QStringLiteral("ℓ")},
        {QStringLiteral("sum"), QStringLiteral("∑")}, {QStringLiteral("prod"), QStringLiteral("∏")},
        {QStringLiteral("cdot"), QStringLiteral(" · ")}, {QStringLiteral("times"), QStringLiteral(" × ")},
        {QStringLiteral("pm"), QStringLiteral(" ± ")}, {QStringLiteral("le"), QStringLiteral(" ≤ ")},
        {QStringLiteral("leq"), QStringLiteral(" ≤ ")}, {QStringLiteral("ge"), QStringLiteral(" ≥ ")},
        {QStringLiteral("geq"), QStringLiteral(" ≥ ")}, {QStringLiteral("ne"), QStringLiteral(" ≠ ")},
        {QStringLiteral("neq"), QStringLiteral(" ≠ ")}, {QStringLiteral("approx"), QStringLiteral(" ≈ ")},
        {QStringLiteral("propto"), QStringLiteral(" ∝ ")}, {QStringLiteral("in"), QStringLiteral(" ∈ ")},
        {QStringLiteral("to"), QStringLiteral(" → ")}, {QStringLiteral("rightarrow"), QStringLiteral(" → ")},
        {QStringLiteral("leftarrow"), QStringLiteral(" ← ")}, {QStringLiteral("gets"), QStringLiteral(" ← ")},
        {QStringLiteral("infty"), QStringLiteral("∞")}, {QStringLiteral("ldots"), QStringLiteral("…")},
        {QStringLiteral("dots"), QStringLiteral("…")}, {QStringLiteral("cdots"), QStringLiteral("⋯")},
        {QStringLiteral("quad"), QStringLiteral("  ")}, {QStringLiteral("lVert"), QStringLiteral("‖")},
        {QStringLiteral("rVert"), QStringLiteral("‖")}, {QStringLiteral("lfloor"), QStringLiteral("⌊")},
        {QStringLiteral("rfloor"), QStringLiteral("⌋")}, {QStringLiteral("lceil"), QStringLiteral("⌈")},
        {QStringLiteral("rceil"), QStringLiteral("⌉")}, {QStringLiteral("left"), QString()},
        {QStringLiteral("right"), QString()}, {QStringLiteral("displaystyle"), QString()}};
    return Signs;
}

/// Combining characters behind a letter.
QString accentOfLatex(const QString& command)
{
    return command == QStringLiteral("bar")  ? QStringLiteral("\u0304")
        : command == QStringLiteral("hat")   ? QStringLiteral("\u0302")
        : command == QStringLiteral("tilde") ? QStringLiteral("\u0303")
                                             : QString();
}

class FormulaTextReader {
public:
    explicit FormulaTextReader(QString latex)
        : m_latex(std::move(latex))
    { }

    std::vector<FormulaPiece> read()
    {
        while (m_at < m_latex.size()) {
            readOne(FormulaPlace::Line, 0);
        }
        return std::move(m_pieces);
    }

private:
    void put(const QString& text, FormulaPlace place, bool isItalic)
    {
        if (text.isEmpty()) {
            return;
        }
        if (!m_pieces.empty() && m_pieces.back().place == place && m_pieces.back().isItalic == isItalic) {
            m_pieces.back().text += text;
        } else {
            m_pieces.push_back({text, place, isItalic});
        }
    }

    /// With blanks around it, unless it is the sign of what follows. Blanks of the source mean nothing, as in LaTeX.
    void putOperator(QChar sign, FormulaPlace place)
    {
        const bool isBetween = place == FormulaPlace::Line && !m_pieces.empty() && !m_pieces.back().text.endsWith(u' ')
            && !m_pieces.back().text.endsWith(u'(');
        put(isBetween ? QStringLiteral(" %1 ").arg(sign) : QString(sign), place, false);
    }

    /// A command, a group in braces, or a character.
    void readOne(FormulaPlace place, int depth)
    {
        const QChar c = m_latex[m_at++];
        if (c == u'\\') {
            readCommand(place, depth);
        } else if (c == u'{') {
            readGroup(place, depth);
        } else if ((c == u'^' || c == u'_') && m_at < m_latex.size() && depth < DeepestGroup) {
            readOne(c == u'^' ? FormulaPlace::Raised : FormulaPlace::Lowered, depth + 1);
        } else if (c == u'-' || c == u'+' || c == u'=' || c == u'<' || c == u'>') {
            putOperator(c == u'-' ? QChar(u'−') : c, place);
        } else if (c != u'}' && c != u' ') {
            put(c, place, c.isLetter());
        }
    }

    /// The brace is read already.
    void readGroup(FormulaPlace place, int depth)
    {
        while (m_at < m_latex.size() && m_latex[m_at] != u'}') {
            if (depth >= DeepestGroup) {
                put(m_latex[m_at++], place, false);
            } else {
                readOne(place, depth + 1);
            }
        }
        ++m_at;
    }

    void readCommand(FormulaPlace place, int depth)
    {
        QString name;
        while (m_at < m_latex.size() && m_latex[m_at].isLetter()) {
            name += m_latex[m_at++];
        }
        if (name.isEmpty()) {
            if (m_at < m_latex.size()) {
                const QChar c = m_latex[m_at++];
                put(c == u',' || c == u';' || c == u':' || c == u'!' ? QStringLiteral(" ") : QString(c), place, false);
            }
        } else if (name == QStringLiteral("frac")) {
            readPart(place, depth);
            put(QStringLiteral(" / "), place, false);
            readPart(place, depth);
        } else if (name == QStringLiteral("sqrt")) {
            put(QStringLiteral("√"), place, false);
            readPart(place, depth);
        } else if (const QString accent = accentOfLatex(name); !accent.isEmpty()) {
            put(argument() + accent, place, true);
        } else if (const auto sign = signsOfLatex().constFind(name); sign != signsOfLatex().constEnd()) {
            put(*sign, place, false);
        } else if (name == QStringLiteral("text") || name.startsWith(QStringLiteral("math"))
            || name == QStringLiteral("operatorname")) {
            put(argument(), place, false);
        } else {
            put(name, place, false);
        }
    }

    /// A fraction's part, in parentheses where it has a sign.
    void readPart(FormulaPlace place, int depth)
    {
        const QString part = argument();
        const bool isSum = std::ranges::any_of(part, [](QChar c) { return c == u'+' || c == u'-' || c == u'/'; })
            || part.contains(QStringLiteral("\\cdot"));
        put(isSum ? QStringLiteral("(") : QString(), place, false);
        if (depth < DeepestGroup) {
            FormulaTextReader inner(part);
            for (const FormulaPiece& piece : inner.read()) {
                put(piece.text, piece.place == FormulaPlace::Line ? place : piece.place, piece.isItalic);
            }
        }
        put(isSum ? QStringLiteral(")") : QString(), place, false);
    }

    /// What is in the next braces, unread; without them the next character.
    QString argument()
    {
        while (m_at < m_latex.size() && m_latex[m_at] == u' ') {
            ++m_at;
        }
        if (m_at >= m_latex.size() || m_latex[m_at] != u'{') {
            return m_at < m_latex.size() ? QString(m_latex[m_at++]) : QString();
        }
        QString text;
        int open = 0;
        for (; m_at < m_latex.size(); ++m_at) {
            open += m_latex[m_at] == u'{' ? 1 : m_latex[m_at] == u'}' ? -1 : 0;
            if (open == 0) {
                ++m_at;
                break;
            }
            text += m_latex[m_at];
        }
        return text.mid(1);
    }

    QString m_latex;
    qsizetype m_at = 0;
    std::vector<FormulaPiece> m_pieces;
};

/// Where code that begins at `at` ends: behind as many backticks as it begins with, or behind
/// those where none follow.
qsizetype endOfCode(const QString& text, qsizetype at)
{
    qsizetype ticks = at;
    while (ticks < text.size() && text[ticks] == u'`') {
        ++ticks;
    }
    const QString fence = text.mid(at, ticks - at);
    const qsizetype end = text.indexOf(fence, ticks);
    return end < 0 ? ticks : end + fence.size();
}

} // namespace

std::vector<FormulaPiece> formulaPieces(const QString& latex)
{
    return FormulaTextReader(latex.left(1000)).read();
}

QString formulaLine(const QString& latex)
{
    QString line;
    for (const FormulaPiece& piece : formulaPieces(latex)) {
        line += piece.place == FormulaPlace::Raised ? QStringLiteral("^") + piece.text
            : piece.place == FormulaPlace::Lowered  ? QStringLiteral("_") + piece.text
                                                    : piece.text;
    }
    return line;
}

TextWithFormulas takeFormulas(const QString& markdown)
{
    TextWithFormulas taken;
    for (qsizetype at = 0; at < markdown.size();) {
        const QChar c = markdown[at];
        if (c == u'`') {
            const qsizetype end = endOfCode(markdown, at);
            taken.text += markdown.mid(at, end - at);
            at = end;
            continue;
        }
        if (c == u'\\' && at + 1 < markdown.size() && markdown[at + 1] == u'$') {
            taken.text += u'$';
            at += 2;
            continue;
        }
        const bool isDouble = c == u'$' && at + 1 < markdown.size() && markdown[at + 1] == u'$';
        const qsizetype begin = at + (isDouble ? 2 : 1);
        const qsizetype end = c == u'$' ? markdown.indexOf(u'$', begin) : -1;
        const bool isFormula = end > begin && taken.formulas.size() < FormulaMarks
            && !markdown.mid(begin, end - begin).contains(QStringLiteral("\n\n"));
        if (isFormula) {
            taken.text += QChar(static_cast<char16_t>(FormulaMark + taken.formulas.size()));
            taken.formulas.push_back(markdown.mid(begin, end - begin).simplified());
            at = end + (isDouble && end + 1 < markdown.size() && markdown[end + 1] == u'$' ? 2 : 1);
            continue;
        }
        // A single mark would be read as a formula.
        taken.text += c.unicode() >= FormulaMark && c.unicode() < FormulaMark + FormulaMarks ? QChar(0xFFFD) : c;
        ++at;
    }
    return taken;
}

} // namespace lockstep::laboratory
