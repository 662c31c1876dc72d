class Momentum(torch.optim.Optimizer):
#if nesterov
    """Nesterov's momentum as PyTorch has it: v = m v + g, w = w - lr (g + m v)."""
#else
    """v = m v + g, w = w - lr v"""
#end

    def __init__(self, weights, lr, momentum=@momentum@):
        super().__init__(weights, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
#if decay
                gradient = weight.grad + @decay@ * weight  # weight decay
#end
                velocity = self.state[weight].setdefault("velocity", torch.zeros_like(weight))
                velocity.mul_(group["momentum"]).add_(@gradient@)
#if nesterov
                weight -= group["lr"] * (@gradient@ + group["momentum"] * velocity)
#else
                weight -= group["lr"] * velocity
#end
