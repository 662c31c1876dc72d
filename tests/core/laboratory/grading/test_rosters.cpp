// Rosters as Moodle and Canvas export them: they come back with marks filled in and nothing else changed.
#include "archive/zip_writer.h"
#include "exchange/bundle/zip_reader.h"
#include "laboratory/grading/grade.h"
#include "laboratory/grading/roster/roster.h"
#include "program/test_class.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::laboratory;
using namespace lockstep::laboratory::grading;
using namespace Qt::StringLiterals;

namespace {

const QByteArray Bom("\xef\xbb\xbf");
const QByteArray MoodleHeader
    = "Identifier,\"Full name\",\"ID number\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be "
      "changed\",\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n";
const std::string Sheet
    = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
      "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>\n"
      "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>1</v></c><c r=\"C1\" "
      "t=\"s\"><v>2</v></c></row>\n"
      "<row r=\"2\" spans=\"1:3\"><c r=\"A2\" t=\"s\"><v>3</v></c><c r=\"B2\" s=\"4\" t=\"inlineStr\"><is><t>李 &amp; "
      "Co</t></is></c><c r=\"C2\" s=\"7\"/></row>\n"
      "<row r=\"3\"><c r=\"A3\" t=\"inlineStr\"><is><t>8</t></is></c><c r=\"D3\"><v>1</v></c></row>\n"
      "</sheetData></worksheet>";

} // namespace

class TestRosters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void moodlesWorksheetChangesInItsGradesAlone()
    {
        const QByteArray rows = Bom + MoodleHeader
            + "Participant 12,\"Lovelace, Ada \"\"A\"\"\",007,ada@x.org,\"Submitted for grading\",,10.00,Yes,\"Sunday, "
              "29 "
              "November 2026, 9:04 PM\",-,\"\"\r\n"
              "Participant 13,李小明,2025001,li@x.org,\"Submitted for grading - 2 days "
              "late\",\"3.00\",10.00,Yes,2026-12-02T10:00,-,=1+1\r\n"
              "Participant 14,Seven,7,s@x.org,\"No submission\",,10.00,Yes,-,-,\r\n";
        Roster roster = *Roster::read(written(rows), {}, {});
        QCOMPARE(roster.students().size(), std::size_t{3});
        QCOMPARE(roster.find("007").size(), std::size_t{1});
        QCOMPARE(roster.find(" ００７ ").front()->name, std::string("Lovelace, Ada \"A\""));
        QVERIFY(roster.find("07").empty());
        roster.setPoints(*roster.find("007").front(), 4.25, 5.0);
        roster.setPoints(*roster.find("2025001").front(), 1.0, 5.0);
        roster.setPoints(*roster.find("2025001").front(), 2.0, 5.0);
        QByteArray expected = rows;
        expected.replace("grading\",,10.00", "grading\",8.5,10.00").replace("\"3.00\"", "\"4\"");
        QCOMPARE(*roster.bytes(), expected);

        const QDateTime deadline = QDateTime::fromString(u"2026-11-30T23:59"_s, Qt::ISODate);
        QCOMPARE(isLate(*roster.find("007").front(), deadline), std::optional(false));
        QCOMPARE(isLate(*roster.find("007").front(), deadline.addDays(-2)), std::optional(true));
        QCOMPARE(isLate(*roster.find("2025001").front(), std::nullopt), std::optional(true));
        QCOMPARE(isLate(*roster.find("7").front(), deadline), std::optional<bool>());
    }

    void canvassGradebookChangesInItsColumnAlone()
    {
        const QByteArray rows = "Student,ID,SIS User ID,SIS Login ID,Section,Essay (41),Sample lab (42),Current Score\n"
                                "    Points Possible,,,,,20,50,(read only)\n"
                                "\"Lovelace, Ada\",1001,007,ada,\"A, B\",18,,90\n"
                                "\"Hopper, Grace\",1002,0008,grace,A\n";
        Roster roster = *Roster::read(written(rows), {}, {"sample", "Sample", "示例"});
        QCOMPARE(roster.find("grace").size(), std::size_t{1});
        roster.setPoints(*roster.find("007").front(), 3.0, 5.0);
        roster.setPoints(*roster.find("0008").front(), 5.0, 5.0);
        QByteArray expected = rows;
        expected.replace("18,,90", "18,30,90").replace("0008,grace,A\n", "0008,grace,A,,50\n");
        QCOMPARE(*roster.bytes(), expected);
        const auto unclear = Roster::read(written(rows), {}, {"lab of another name"});
        QVERIFY(unclear.error().text().find("--points-column") != std::string::npos);
        QVERIFY(Roster::read(written(rows), {{}, "Essay (41)"}, {}).isOk());
    }

    void aDecimalCommaStays()
    {
        const QByteArray rows = "ID number;Grade;Maximum Grade\n007;;10,00\n";
        Roster roster = *Roster::read(written(rows), {}, {});
        roster.setPoints(*roster.find("007").front(), 4.25, 5.0);
        QCOMPARE(*roster.bytes(), QByteArray("ID number;Grade;Maximum Grade\n007;8,5;10,00\n"));
    }

    void aWorkbookChangesInItsCellsAlone()
    {
        const std::vector<archive::ZipInput> parts{{"[Content_Types].xml", "<Types/>"},
            {"xl/sharedStrings.xml",
                "<sst><si><t>Student "
                "number</t></si><si><t>Name</t></si><si><t>Points</t></si><si><r><t>00</t></r><r><t>7</t></r></si></"
                "sst>"},
            {"xl/styles.xml", "<styleSheet/>"}, {"xl/worksheets/sheet1.xml", Sheet}};
        const QString path = m_folder.filePath(u"roster.xlsx"_s);
        QVERIFY(archive::writeZip(path.toStdString(), parts).isOk());
        auto read = Roster::read(path, {}, {});
        QVERIFY2(read.isOk(), read.isOk() ? "" : read.error().text().c_str());
        QCOMPARE(read->find("007").front()->name, std::string("李 & Co"));
        read->setPoints(*read->find("007").front(), 4.5, 5.0);
        read->setPoints(*read->find("8").front(), 2.0, 5.0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(*read->bytes());
        file.close();
        const auto archive = exchange::ZipReader::open(path);
        QCOMPARE(archive->members().size(), parts.size());
        QString expected = QString::fromStdString(Sheet);
        expected.replace(u"<c r=\"C2\" s=\"7\"/>"_s, u"<c r=\"C2\" s=\"7\"><v>4.5</v></c>"_s);
        expected.replace(u"<c r=\"D3\">"_s, u"<c r=\"C3\"><v>2</v></c><c r=\"D3\">"_s);
        for (const archive::ZipInput& part : parts) {
            const QByteArray content = *archive->read(QString::fromStdString(part.name), 1u << 20u);
            QCOMPARE(QString::fromUtf8(content),
                part.name.ends_with("sheet1.xml") ? expected : QString::fromStdString(part.content));
        }
    }

    void whatIsNoneIsRefused()
    {
        QVERIFY(saidOf("a,b\n1,2\n").contains(u"--number-column"_s));
        QVERIFY(saidOf("ID number,x\n1,2\n").contains(u"--points-column"_s));
        QVERIFY(saidOf("ID number,Grade\n\"1,2\n").contains(u"quotation mark"_s));
        QVERIFY(saidOf(QByteArray("I\0D\0", 4)).contains(u"UTF-8"_s));
        QVERIFY(saidOf("PK\x03\x04 no archive").contains(u"not a zip archive"_s));
        QVERIFY(saidOf({}).contains(u"--number-column"_s));
    }

private:
    QString written(const QByteArray& bytes)
    {
        const QString path = m_folder.filePath(u"roster-%1.csv"_s.arg(++m_files));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            qFatal("%s cannot be written", qPrintable(path));
        }
        return path;
    }
    QString saidOf(const QByteArray& bytes)
    {
        const auto roster = Roster::read(written(bytes), {}, {});
        return roster ? QString() : QString::fromStdString(roster.error().text());
    }

    QTemporaryDir m_folder;
    int m_files = 0;
};

LOCKSTEP_TEST(TestRosters)
#include "test_rosters.moc"
