// How rank and workbench prove to each other that they have the secret.
#include "program/test_class.h"
#include "wire/handshake.h"
#include "wire/messages.h"

#include <QMessageAuthenticationCode>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cctype>

using namespace lockstep;
using namespace lockstep::wire;

namespace {

std::array<std::byte, 32> numbers(std::size_t factor)
{
    std::array<std::byte, 32> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(factor * i + 1);
    }
    return bytes;
}

Secret someSecret()
{
    return numbers(7);
}

Nonces someNonces()
{
    return {numbers(3), numbers(5)};
}

template <std::size_t Size>
QByteArray text(const std::array<std::byte, Size>& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())};
}

template <std::size_t Size>
void flip(std::array<std::byte, Size>& bytes, std::size_t bit)
{
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
}

} // namespace

class TestHandshake : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void secretsSurviveTheirHexForm()
    {
        const Secret secret = someSecret();
        const std::string hex = toHex(secret);
        QCOMPARE(hex.size(), std::size_t{64});
        QCOMPARE(hex.substr(0, 6), std::string("01080f"));
        QVERIFY(*secretFromHex(hex) == secret);
        std::string upper = hex;
        std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
        QVERIFY(*secretFromHex(upper) == secret);
    }

    void otherTextsAreNoSecrets_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray good = QByteArray::fromStdString(toHex(someSecret()));
        QTest::addRow("empty") << QByteArray();
        QTest::addRow("one short") << good.chopped(1);
        QTest::addRow("one long") << good + "0";
        QTest::addRow("no digit") << good.chopped(1) + "g";
        QTest::addRow("space") << " " + good.chopped(1);
    }

    void otherTextsAreNoSecrets()
    {
        QFETCH(QByteArray, text);
        const auto secret = secretFromHex(text.toStdString());
        QVERIFY(!secret);
        QVERIFY(text.size() < 32 || secret.error().message.find(text.toStdString().substr(0, 32)) == std::string::npos);
    }

    void secretsAreEqualIfAllBitsAre()
    {
        QVERIFY(equalInConstantTime(someSecret(), someSecret()));
        for (std::size_t bit = 0; bit < 256; ++bit) {
            Secret other = someSecret();
            flip(other, bit);
            QVERIFY(!equalInConstantTime(other, someSecret()));
        }
    }

    void proofIsTheHmacOfSideAndNonces()
    {
        const Nonces nonces = someNonces();
        const QByteArray both = text(nonces.rank) + text(nonces.workbench);
        for (const auto& [side, name] :
            {std::pair(Side::Rank, "Lockstep rank"), std::pair(Side::Workbench, "Lockstep workbench")}) {
            const auto proof = proofOf(side, someSecret(), nonces);
            QVERIFY(proof.isOk());
            QCOMPARE(text(*proof),
                QMessageAuthenticationCode::hash(
                    QByteArray(name) + both, text(someSecret()), QCryptographicHash::Sha256));
            QVERIFY(isProofOf(side, *proof, someSecret(), nonces));
        }
    }

    void anyOtherBitIsNoProof()
    {
        for (const Side side : {Side::Rank, Side::Workbench}) {
            const Proof right = *proofOf(side, someSecret(), someNonces());
            for (std::size_t bit = 0; bit < 256; ++bit) {
                Proof proof = right;
                Secret secret = someSecret();
                Nonces rank = someNonces();
                Nonces workbench = someNonces();
                flip(proof, bit), flip(secret, bit), flip(rank.rank, bit), flip(workbench.workbench, bit);
                QVERIFY(!isProofOf(side, proof, someSecret(), someNonces()));
                QVERIFY(!isProofOf(side, right, secret, someNonces()));
                QVERIFY(!isProofOf(side, right, someSecret(), rank));
                QVERIFY(!isProofOf(side, right, someSecret(), workbench));
            }
        }
    }

    void oneSidesProofIsNoneOfTheOthers()
    {
        const Nonces nonces = someNonces();
        const Proof rank = *proofOf(Side::Rank, someSecret(), nonces);
        QVERIFY(!isProofOf(Side::Workbench, rank, someSecret(), nonces));
        QVERIFY(!isProofOf(Side::Rank, rank, someSecret(), {nonces.workbench, nonces.rank}));
        // Not even where both nonces are the same bytes, as when one side sends back what it was sent.
        const Nonces same{nonces.rank, nonces.rank};
        QVERIFY(!isProofOf(Side::Rank, *proofOf(Side::Workbench, someSecret(), same), someSecret(), same));
        QVERIFY(!isProofOf(Side::Workbench, *proofOf(Side::Rank, someSecret(), same), someSecret(), same));
    }

    void noncesDiffer()
    {
        const auto first = makeNonce();
        const auto second = makeNonce();
        QVERIFY(first.isOk() && second.isOk());
        QVERIFY(*first != *second);
        QVERIFY(*first != Nonce{});
    }

    void openingAndChallengeSurviveTheirBytes()
    {
        const auto opening = readOpening(toBytes(Opening{ProtocolVersion, numbers(3)}));
        QVERIFY(opening && opening->protocol == ProtocolVersion && opening->nonce == numbers(3));
        const auto challenge = readChallenge(toBytes(Challenge{ProtocolVersion, numbers(5), numbers(9)}));
        QVERIFY(challenge && challenge->protocol == ProtocolVersion);
        QVERIFY(challenge->nonce == numbers(5) && challenge->proof == numbers(9));
        QCOMPARE(text(toBytes(Opening{0x04030201, {}})).first(12), QByteArray("Lockstep\1\2\3\4"));
    }

    void othersAreNotOurs()
    {
        for (std::size_t bit = 0; bit < 64; ++bit) {
            auto opening = toBytes(Opening{ProtocolVersion, numbers(3)});
            auto challenge = toBytes(Challenge{ProtocolVersion, numbers(5), numbers(9)});
            flip(opening, bit), flip(challenge, bit);
            QVERIFY(!readOpening(opening));
            QVERIFY(!readChallenge(challenge));
        }
    }

    void otherVersionsAreTold()
    {
        QCOMPARE(readOpening(toBytes(Opening{7, numbers(3)}))->protocol, 7u);
        QVERIFY(readOpening(toBytes(Opening{7, numbers(3)}))->nonce == Nonce{});
        QCOMPARE(readChallenge(toBytes(Challenge{7, {}, {}}))->protocol, 7u);
        // Version 1 began with other letters, and the secret.
        auto first = toBytes(Opening{0xaabbccdd, numbers(3)});
        const std::string_view magic = "LOCKSTEP";
        std::ranges::transform(magic, first.begin(), [](char c) { return static_cast<std::byte>(c); });
        QCOMPARE(readOpening(first)->protocol, 1u);
    }
};

LOCKSTEP_TEST(TestHandshake)
#include "test_handshake.moc"
