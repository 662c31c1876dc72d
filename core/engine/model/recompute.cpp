#include "engine/model/recompute.h"

#include <torch/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <torch/types.h>
#include <torch/utils.h>
#include <torch/version.h>

#include <memory>
#include <utility>

namespace lockstep::engine {

namespace {

using torch::autograd::variable_list;
using Pass = std::function<torch::Tensor(const torch::Tensor&)>;

/// The pass as one node of autograd's graph, with an edge to its input and to each parameter. Its backward runs
/// autograd over a new graph and passes the gradients on instead of adding them to the parameters: a parameter that
/// another node also uses gets one sum, as without recomputation.
class Recomputation final : public torch::autograd::Node {
public:
    Recomputation(torch::Tensor input, std::vector<torch::Tensor> parameters, Pass pass)
        : m_input(std::move(input))
        , m_parameters(std::move(parameters))
        , m_pass(std::move(pass))
    {
        const auto edgeTo = [](const torch::Tensor& tensor) {
            return tensor.requires_grad() ? torch::autograd::impl::gradient_edge(tensor) : torch::autograd::Edge();
        };
        add_next_edge(edgeTo(m_input));
        for (const torch::Tensor& parameter : m_parameters) {
            add_next_edge(edgeTo(parameter));
        }
        m_needsInput = m_input.requires_grad();
        m_input = m_input.detach();
    }

    variable_list apply(variable_list&& gradients) override
    {
        variable_list sources;
        torch::Tensor output;
        {
            const torch::AutoGradMode recorded(true);
            const torch::Tensor input = m_needsInput ? m_input.detach().requires_grad_(true) : m_input;
            output = m_pass(input);
            if (m_needsInput) {
                sources.push_back(input);
            }
        }
        m_input.reset();
        sources.insert(sources.end(), m_parameters.begin(), m_parameters.end());
        // A layer may write a parameter's gradient itself and give none to autograd.
        variable_list found = torch::autograd::grad({std::move(output)}, sources, {std::move(gradients[0])},
            /*retain_graph=*/false, /*create_graph=*/false, /*allow_unused=*/true);
        if (!m_needsInput) {
            found.insert(found.begin(), torch::Tensor());
        }
        return found;
    }

    void release_variables() override { m_input.reset(); }

private:
    torch::Tensor m_input;
    std::vector<torch::Tensor> m_parameters;
    Pass m_pass;
    bool m_needsInput = false;
};

template <typename... Parts>
auto makeNode(Parts&&... parts)
{
    // Since torch 2.13 a node counts its holders itself.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 13)
    return c10::make_intrusive<Recomputation>(std::forward<Parts>(parts)...);
#else
    return std::shared_ptr<torch::autograd::Node>(
        new Recomputation(std::forward<Parts>(parts)...), torch::autograd::deleteNode);
#endif
}

} // namespace

torch::Tensor recomputed(const torch::Tensor& input, std::vector<torch::Tensor> parameters, Pass pass)
{
    if (!torch::GradMode::is_enabled()) {
        return pass(input);
    }
    torch::Tensor output;
    {
        const torch::NoGradGuard nothingKept;
        output = pass(input).variable_data();
    }
    torch::autograd::create_gradient_edge(output, makeNode(input, std::move(parameters), std::move(pass)));
    return output;
}

} // namespace lockstep::engine
