// Experiments as documents: opened, changed, left, saved, and found again in folders.
#include "experiment/spec.h"
#include "program/test_class.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/form/experiment_shelf.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/variant_edits.h"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

/// As a person writes it: not as the program would.
const QByteArray Handwritten = R"({ "version": 1, "experiment": "own",
  "title": {"en": "Batch sizes", "zh": "批次大小"}, "question": "How large?",
  "base": {"train.steps": 20},
  "variants": [ {"name": "small", "train.batch": 8}, {"name": "large", "train.batch": 64, "enabled": false} ] }
)";

} // namespace

class TestDocuments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_folder = std::make_unique<QTemporaryDir>();
        QCoreApplication::setOrganizationName(QStringLiteral("LockstepTests"));
        QCoreApplication::setApplicationName(QStringLiteral("lockstep"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder->path());
        QSettings().clear();
        m_form = std::make_unique<FormModel>();
        m_document = std::make_unique<ExperimentDocument>(*m_form);
    }
    void cleanup()
    {
        m_document.reset();
        m_form.reset();
    }

    void whatIsSavedAgainHasTheSameBytes()
    {
        const QString path = m_folder->filePath(QStringLiteral("batch.json"));
        write(path, Handwritten);
        QVERIFY(m_document->open(path).isOk());
        QVERIFY(m_document->isSaved() && m_document->isFile());
        QCOMPARE(m_document->title(), QStringLiteral("Batch sizes"));
        QCOMPARE(m_form->runs().size(), std::size_t{1}); // the other one is not enabled
        QVERIFY(m_document->save(path).isOk());
        QCOMPARE(bytesOf(path), Handwritten);
        // Changed and changed back, too.
        m_form->setText("train.steps", QStringLiteral("30"));
        QVERIFY(!m_document->isSaved());
        m_form->setText("train.steps", QStringLiteral("20"));
        QVERIFY(m_document->save(path).isOk());
        QCOMPARE(bytesOf(path), Handwritten);
        // What the program wrote itself stays as it is.
        m_form->setText("train.steps", QStringLiteral("30"));
        QVERIFY(m_document->save(path).isOk());
        QVERIFY(m_document->isSaved());
        const QByteArray written = bytesOf(path);
        QVERIFY(written != Handwritten && written.contains("\"train.steps\": 30"));
        QVERIFY(m_document->open(QStringLiteral("optimizers")).isOk());
        QVERIFY(m_document->open(path).isOk());
        QVERIFY(m_document->save(path).isOk());
        QCOMPARE(bytesOf(path), written);
        QVERIFY(m_document->save(m_folder->filePath(QStringLiteral("other/copy.json"))).isOk());
        QCOMPARE(bytesOf(m_document->place()), written);
    }

    void everyPresetIsSavedAndOpenedAsItIs()
    {
        for (const std::string_view name : experiment::presetNames()) {
            const auto place = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
            QVERIFY(m_document->open(place).isOk());
            const QString path = m_folder->filePath(place + QStringLiteral(".json"));
            QVERIFY(m_document->save(path).isOk());
            const auto read = experiment::parseSpec(bytesOf(path).toStdString());
            QVERIFY2(read.isOk(), qPrintable(place));
            QCOMPARE(experiment::toJson(*read), experiment::toJson(*experiment::preset(name)));
        }
    }

    void whatIsLeftUnsavedComesBack()
    {
        QVERIFY(m_document->open(QStringLiteral("optimizers")).isOk());
        m_form->setText("train.batch", QStringLiteral("17"));
        QVERIFY(m_document->open(QStringLiteral("scaling")).isOk());
        QCOMPARE(m_document->unsaved(), QStringList{QStringLiteral("optimizers")});
        QVERIFY(!m_form->row("train.batch")->isModified());
        QVERIFY(m_document->open(QStringLiteral("optimizers")).isOk());
        QCOMPARE(m_form->row("train.batch")->text, QStringLiteral("17"));
        m_form->undoStack().undo();
        QVERIFY(m_document->isSaved());
        QCOMPARE(m_document->unsaved(), QStringList());
    }

    void aNewOneAndACopyHaveNoPlaceYet()
    {
        m_document->openNew();
        QVERIFY(!m_document->isFile() && !m_document->isSaved());
        QCOMPARE(m_document->title(), QStringLiteral("SGD, MLP"));
        m_form->setAbout({{"Momentum or batch?", {}}, {}, {}, {}});
        QCOMPARE(m_document->title(), QStringLiteral("Momentum or batch?"));
        QCOMPARE(m_document->suggestedFileName(), QStringLiteral("momentum-or-batch.json"));
        const QString first = m_document->place();
        m_document->duplicate();
        QCOMPARE(m_document->title(), QStringLiteral("Momentum or batch? (copy)"));
        QVERIFY(m_document->place() != first);
        QVERIFY(m_document->open(first).isOk());
        QCOMPARE(m_document->title(), QStringLiteral("Momentum or batch?"));
        const QString path = m_folder->filePath(m_document->suggestedFileName());
        QVERIFY(m_document->save(path).isOk());
        QVERIFY(m_document->isSaved() && m_document->isFile());
        QCOMPARE(m_document->unsaved().size(), 1); // the copy
    }

    void whatCannotBeOpenedOrSavedIsRefusedAndNothingIsLost()
    {
        m_document->openNew();
        m_form->setText("train.batch", QStringLiteral("17"));
        const QString bad = m_folder->filePath(QStringLiteral("bad.json"));
        for (const QByteArray& text : {QByteArray(R"({"version":2,"experiment":"own"})"),
                 QByteArray(R"({"version":1,"experiment":"own","basis":{}})"), Handwritten.left(60)}) {
            write(bad, text);
            const auto opened = m_document->open(bad);
            QVERIFY(!opened.isOk());
            QVERIFY(!QString::fromStdString(opened.error().text()).contains(u'\n'));
            QCOMPARE(m_form->row("train.batch")->text, QStringLiteral("17"));
            QCOMPARE(bytesOf(bad), text);
        }
        QVERIFY(m_document->open(bad).error().text().find(bad.toStdString()) != std::string::npos);
        QVERIFY(!m_document->open(m_folder->filePath(QStringLiteral("none.json"))).isOk());
        QVERIFY(!m_document->open(m_folder->path()).isOk());
        m_form->setText("train.batch", QStringLiteral("many"));
        QVERIFY(!m_document->save(m_folder->filePath(QStringLiteral("x.json"))).isOk());
        m_form->setText("train.batch", QStringLiteral("17"));
        QVERIFY(!m_document->save(QStringLiteral("/proc/x/y.json")).isOk());
        QVERIFY(!m_document->isSaved());
    }

    void theSettingsOfARunAreTakenOver()
    {
        QVERIFY(m_document->open(QStringLiteral("optimizers")).isOk());
        m_form->setText("train.batch", QStringLiteral("48"));
        const experiment::RunSpec run = m_form->runs().back();
        m_document->openSpec(specOfRun(run));
        QCOMPARE(m_document->title(), QStringLiteral("Settings of Adam"));
        QCOMPARE(m_form->runs().size(), std::size_t{1});
        QVERIFY(m_form->runs().front().settings == run.settings);
    }

    void foldersAreListed()
    {
        QSettings().setValue(QStringLiteral("experiments/mine"), m_folder->filePath(QStringLiteral("mine")));
        const QDir root(m_folder->path());
        QVERIFY(root.mkpath(QStringLiteral("mine")) && root.mkpath(QStringLiteral("course")));
        write(root.filePath(QStringLiteral("course/one.json")), Handwritten);
        write(root.filePath(QStringLiteral("course/two.json")), "{}");
        write(root.filePath(QStringLiteral("given.json")), Handwritten);
        ExperimentShelf shelf;
        QSignalSpy listed(&shelf, &ExperimentShelf::listed);
        QCOMPARE(shelf.add(root.filePath(QStringLiteral("course"))), QString());
        const QString copy = shelf.add(root.filePath(QStringLiteral("given.json")));
        QCOMPARE(copy, root.filePath(QStringLiteral("mine/given.json")));
        QTRY_COMPARE(shelf.mine().size(), std::size_t{1});
        QCOMPARE(shelf.mine()[0].title, QStringLiteral("Batch sizes"));
        QCOMPARE(shelf.course().size(), std::size_t{2});
        QCOMPARE(shelf.course()[0].question, QStringLiteral("How large?"));
        QVERIFY(shelf.course()[0].error.isEmpty() && !shelf.course()[1].error.isEmpty());
        QCOMPARE(shelf.add(root.filePath(QStringLiteral("given.json"))),
            root.filePath(QStringLiteral("mine/given-2.json"))); // never over another
        QTRY_COMPARE(shelf.mine().size(), std::size_t{2});
        // What appears in a folder is listed by itself.
        write(root.filePath(QStringLiteral("mine/third.json")), Handwritten);
        QTRY_COMPARE(shelf.mine().size(), std::size_t{3});
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FormModel> m_form;
    std::unique_ptr<ExperimentDocument> m_document;
};

LOCKSTEP_TEST_WITH(QGuiApplication, TestDocuments)
#include "test_documents.moc"
