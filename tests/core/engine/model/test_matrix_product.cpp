// Products by oneDNN: equal to the sums in float64 within rounding, and to themselves wherever the numbers lie.
#include "engine/kernels/matrix_product.h"
#include "engine/model/linear_weights.h"
#include "program/test_class.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <QTest>

#include <array>
#include <filesystem>
#include <iterator>
#include <limits>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

constexpr std::array<ProductShape, 7> Shapes{
    {{32, 32, 16}, {64, 128, 784}, {128, 784, 64}, {33, 37, 41}, {200, 50, 300}, {64, 9216, 128}, {300, 384, 128}}};

/// left [rows, depth] right [depth, columns], each as the transpose of another where that is asked for, in memory that
/// begins `offset` numbers after an aligned address.
class Product {
public:
    Product(const ProductShape& shape, bool isLeftTransposed, bool isRightTransposed, std::int64_t offset = 0)
        : m_shape(shape)
    {
        torch::manual_seed(7);
        left = torch::randn({shape.rows, shape.depth});
        right = torch::randn({shape.depth, shape.columns});
        m_left = moved(isLeftTransposed ? left.t().contiguous() : left, offset);
        m_right = moved(isRightTransposed ? right.t().contiguous() : right, 3 * offset);
        m_sum = moved(torch::ones({shape.rows, shape.columns}), 5 * offset);
        m_leftMatrix = {m_left.data_ptr<float>(), m_left.size(1), isLeftTransposed};
        m_rightMatrix = {m_right.data_ptr<float>(), m_right.size(1), isRightTransposed};
    }

    torch::Tensor computed(float kept)
    {
        m_sum.fill_(kept == 0.0F ? std::numeric_limits<float>::quiet_NaN() : 1.0F);
        addMatrixProduct(m_shape, m_leftMatrix, m_rightMatrix, kept, m_sum.data_ptr<float>());
        return m_sum.clone();
    }

    torch::Tensor left; ///< not transposed
    torch::Tensor right;

private:
    static torch::Tensor moved(const torch::Tensor& from, std::int64_t offset)
    {
        torch::Tensor to = torch::empty(from.numel() + offset).narrow(0, offset, from.numel()).view(from.sizes());
        return to.copy_(from);
    }

    ProductShape m_shape;
    torch::Tensor m_left;
    torch::Tensor m_right;
    torch::Tensor m_sum;
    Matrix m_leftMatrix;
    Matrix m_rightMatrix;
};

int threadsOfThisProcess()
{
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

} // namespace

class TestMatrixProduct : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        torch::set_num_threads(1);
        if (!isForOneDnn(Shapes[1])) {
            QSKIP("there is no oneDNN in this build, or no AVX-512 for it");
        }
    }

    void compilingStartsNoThreads()
    {
        const int before = threadsOfThisProcess();
        compileMatrixProducts();
        QCOMPARE(threadsOfThisProcess(), before);
    }

    void smallProductsAreLeftToLibTorch()
    {
        QVERIFY(!isForOneDnn({31, 128, 784}));
        QVERIFY(!isForOneDnn({64, 10, 128}));
        QVERIFY(!isForOneDnn({64, 128, 15}));
        for (const ProductShape& shape : Shapes) {
            QVERIFY(isForOneDnn(shape));
        }
    }

    void sumsAreRight()
    {
        for (const ProductShape& shape : Shapes) {
            for (const int transposed : {0, 1, 2, 3}) {
                Product product(shape, transposed % 2 == 1, transposed / 2 == 1);
                const torch::Tensor expected = product.left.to(torch::kDouble).mm(product.right.to(torch::kDouble));
                for (const float kept : {0.0F, 1.0F}) {
                    const torch::Tensor found = product.computed(kept).to(torch::kDouble);
                    const double difference = (found - expected - kept).abs().max().item<double>();
                    // Each sum has `depth` roundings of numbers about as large as its square root.
                    QVERIFY2(
                        difference < 1e-6 * static_cast<double>(shape.depth), qPrintable(QString::number(difference)));
                }
            }
        }
    }

    void bitsDependOnNothingElse()
    {
        for (const ProductShape& shape : Shapes) {
            for (const int transposed : {0, 1, 2, 3}) {
                const auto again = [&](std::int64_t offset) {
                    return Product(shape, transposed % 2 == 1, transposed / 2 == 1, offset).computed(1.0F);
                };
                const torch::Tensor expected = again(0);
                for (const std::int64_t offset : {0, 1, 2, 7, 8, 15, 16}) {
                    QVERIFY(torch::equal(again(offset), expected));
                }
                torch::Tensor elsewhere;
                std::thread([&] {
                    torch::set_num_threads(1);
                    elsewhere = again(1);
                }).join();
                QVERIFY(torch::equal(elsewhere, expected));
            }
        }
    }

    void aForkedProcessComputesTheSame()
    {
        const torch::Tensor expected = Product(Shapes[1], false, true).computed(0.0F);
        const pid_t child = fork();
        if (child == 0) {
            _exit(torch::equal(Product(Shapes[1], false, true, 3).computed(0.0F), expected) ? 0 : 1);
        }
        int status = -1;
        QCOMPARE(waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
    }

    /// Output, and the gradients of input, weight and bias, first added to and then overwritten.
    void aLinearLayerIsThatOfATen()
    {
        torch::manual_seed(5);
        const torch::Tensor weight = torch::randn({128, 784}).requires_grad_();
        const torch::Tensor bias = torch::randn({128}).requires_grad_();
        LinearWeights layer(weight, bias);
        const auto wide
            = [](const torch::Tensor& tensor) { return tensor.detach().to(torch::kDouble).requires_grad_(); };
        const torch::Tensor wideWeight = wide(weight);
        const torch::Tensor wideBias = wide(bias);
        const auto isNear = [](const torch::Tensor& found, const torch::Tensor& expected) {
            return torch::allclose(found.to(torch::kDouble), expected, 1e-4, 1e-3);
        };
        for (int use = 0; use < 3; ++use) {
            const torch::Tensor input = torch::randn({64, 784}).requires_grad_();
            const torch::Tensor wideInput = wide(input);
            if (use == 2) {
                layer.clearGradients();
                wideWeight.mutable_grad().zero_();
                wideBias.mutable_grad().zero_();
            }
            const torch::Tensor output = layer.apply(input);
            const torch::Tensor expected = torch::linear(wideInput, wideWeight, wideBias);
            const torch::Tensor gradient = torch::randn({64, 128});
            output.backward(gradient);
            expected.backward(gradient.to(torch::kDouble));
            QVERIFY(isNear(output, expected));
            QVERIFY(isNear(input.grad(), wideInput.grad()));
            QVERIFY(isNear(weight.grad(), wideWeight.grad()));
            QVERIFY(isNear(bias.grad(), wideBias.grad()));
        }
    }
};

LOCKSTEP_TEST(TestMatrixProduct)
#include "test_matrix_product.moc"
