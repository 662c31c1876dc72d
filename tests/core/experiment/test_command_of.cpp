// "Copy as command": the line that starts the same runs as a spec.
#include "experiment/command_of.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "experiment/vary.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

using namespace lockstep;
using namespace lockstep::experiment;

namespace {

Spec changed(const char* name, const std::vector<Override>& overrides, const std::vector<std::string>& only,
    const std::vector<std::string>& texts)
{
    std::vector<VariedParameter> varied;
    for (const std::string& text : texts) {
        varied.push_back(*parseVaried(text));
    }
    return *vary(*customise(*preset(name), overrides, only), varied);
}

} // namespace

class TestCommandOf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void whatOptionsSayIsOneLine_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QByteArray>("spec");
        const auto add = [](const char* name, const char* command, const Spec& spec) {
            QTest::addRow("%s", name) << QString::fromUtf8(command) << QByteArray::fromStdString(toJson(spec));
        };
        add("preset", "lockstep run optimizers", *preset("optimizers"));
        add("own", "lockstep run own --set train.batch=32", changed("own", {{"train.batch", "32"}}, {}, {}));
        add("only", "lockstep run optimizers --only GD,Adam --set repeats=1",
            changed("optimizers", {{"repeats", "1"}}, {"GD", "Adam"}, {}));
        add("grid",
            "lockstep run own --set optimizer.name=momentum --vary optimizer.momentum=0.5,0.9 --vary train.batch=16,32",
            changed("own", {{"optimizer.name", "momentum"}}, {}, {"optimizer.momentum=0.5,0.9", "train.batch=16,32"}));
        add("grid of the second first",
            "lockstep run own --set optimizer.name=momentum --vary train.batch=16,32 --vary optimizer.momentum=0.5,0.9",
            changed("own", {{"optimizer.name", "momentum"}}, {}, {"train.batch=16,32", "optimizer.momentum=0.5,0.9"}));
        add("every variant", "lockstep run optimizers --vary train.batch=16,32",
            changed("optimizers", {}, {}, {"train.batch=16,32"}));
        add("some variants", "lockstep run optimizers --only SGD,Adam --vary train.batch=16,32",
            changed("optimizers", {}, {"SGD", "Adam"}, {"train.batch=16,32"}));
        add("lists", "lockstep run own --set strategy.name=data --vary 'straggler.ranks=0;0,1'",
            changed("own", {{"strategy.name", "data"}}, {}, {"straggler.ranks=0;0,1"}));
        add("quotes", "lockstep run own --set dataset.name=idx --set 'dataset.path=/a b'\\''c'",
            changed("own", {{"dataset.name", "idx"}, {"dataset.path", "/a b'c"}}, {}, {}));
    }

    void whatOptionsSayIsOneLine()
    {
        QFETCH(QString, command);
        QFETCH(QByteArray, spec);
        const auto read = parseSpec(spec.toStdString());
        QVERIFY(read.isOk());
        QCOMPARE(QString::fromStdString(commandOf(*read)), command);
    }

    void anythingElseIsADocument()
    {
        Spec spec = *preset("optimizers");
        spec.variants[1].values["optimizer.lr"] = 0.2;
        const QString command = QString::fromStdString(commandOf(spec));
        QVERIFY(command.startsWith(QStringLiteral("lockstep run /dev/stdin <<'END'\n{")));
        QVERIFY(command.endsWith(QStringLiteral("}\nEND")));
        const QString json = command.mid(command.indexOf(u'\n') + 1).chopped(4);
        const auto again = parseSpec(json.toStdString());
        QVERIFY(again.isOk());
        QCOMPARE(toJson(*again), toJson(spec));
    }
};

LOCKSTEP_TEST(TestCommandOf)
#include "test_command_of.moc"
