#include "ui/pages/laboratory/students_dialog.h"

#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QStringList>

namespace lockstep::ui {

namespace {

constexpr int LongestStudent = 100; ///< characters of a name or a number: 400 bytes at most, as Work allows
const QString StudentsKey = QStringLiteral("laboratory/students");

/// Who worked on the last laboratory: a name and a number each.
std::vector<laboratory::Student> usualStudents()
{
    std::vector<laboratory::Student> students;
    const QStringList kept = QSettings().value(StudentsKey).toStringList();
    for (qsizetype i = 0; i + 1 < kept.size() && students.size() < laboratory::MostStudents; i += 2) {
        students.push_back({kept[i].toStdString(), kept[i + 1].toStdString()});
    }
    return students;
}

void keepAsUsual(const std::vector<laboratory::Student>& students)
{
    QStringList kept;
    for (const laboratory::Student& each : students) {
        kept << QString::fromStdString(each.name) << QString::fromStdString(each.number);
    }
    QSettings().setValue(StudentsKey, kept);
}

} // namespace

StudentsDialog::StudentsDialog(const std::vector<laboratory::Student>& known, QWidget* parent)
    : QDialog(parent)
{
    const std::vector<laboratory::Student> students = known.empty() ? usualStudents() : known;
    setObjectName(QStringLiteral("students_dialog"));
    setWindowTitle(tr("Names and numbers"));
    auto* grid = new QGridLayout(this);
    QLabel* note = plainLabel(
        tr("One to four students. The first one's number makes the seed of experiments that ask for it."), this);
    note->setWordWrap(true);
    grid->addWidget(note, 0, 0, 1, 3);
    grid->addWidget(plainLabel(tr("Name"), this), 1, 1);
    grid->addWidget(plainLabel(tr("Student number"), this), 1, 2);
    for (std::size_t i = 0; i < laboratory::MostStudents; ++i) {
        const int row = static_cast<int>(i) + 2;
        auto* name = new QLineEdit(this);
        auto* number = new QLineEdit(this);
        name->setObjectName(QStringLiteral("name%1").arg(i + 1));
        number->setObjectName(QStringLiteral("number%1").arg(i + 1));
        for (QLineEdit* field : {name, number}) {
            field->setMaxLength(LongestStudent);
        }
        describe(*name, tr("Name %1").arg(i + 1), tr("In any script."));
        describe(*number, tr("Student number %1").arg(i + 1), tr("As text: leading zeros stay."));
        if (i < students.size()) {
            name->setText(QString::fromStdString(students[i].name));
            number->setText(QString::fromStdString(students[i].number));
        }
        grid->addWidget(plainLabel(QString::number(i + 1), this), row, 0);
        grid->addWidget(name, row, 1);
        grid->addWidget(number, row, 2);
        m_rows.emplace_back(name, number);
    }
    grid->setColumnStretch(1, 3);
    grid->setColumnStretch(2, 2);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        keepAsUsual(this->students());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    grid->addWidget(buttons, static_cast<int>(laboratory::MostStudents) + 2, 0, 1, 3);
    resize(460, sizeHint().height());
}

std::vector<laboratory::Student> StudentsDialog::students() const
{
    std::vector<laboratory::Student> students;
    for (const auto& [name, number] : m_rows) {
        laboratory::Student student{name->text().trimmed().toStdString(), number->text().trimmed().toStdString()};
        if (!student.name.empty() || !student.number.empty()) {
            students.push_back(std::move(student));
        }
    }
    return students;
}

} // namespace lockstep::ui
