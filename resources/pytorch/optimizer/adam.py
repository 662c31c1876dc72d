class Adam@w@(torch.optim.Optimizer):
#if adamw
    """Loshchilov and Hutter (2019), algorithm 2: Adam with decoupled weight decay."""
#else
    """Kingma and Ba (2015), algorithm 1."""
#end

    def __init__(self, weights, lr, beta1=@beta1@, beta2=@beta2@, epsilon=@epsilon@):
        super().__init__(weights, {"lr": lr, "beta1": beta1, "beta2": beta2, "epsilon": epsilon})
        self.t = 0

    @torch.no_grad()
    def step(self):
        self.t += 1
        for group in self.param_groups:
            beta1, beta2 = group["beta1"], group["beta2"]
            for weight in group["params"]:
#if adamw
                weight *= 1 - group["lr"] * @decay@  # weight decay
#else
#if decay
                gradient = weight.grad + @decay@ * weight  # weight decay
#end
#end
                m = self.state[weight].setdefault("m", torch.zeros_like(weight))
                v = self.state[weight].setdefault("v", torch.zeros_like(weight))
                m.mul_(beta1).add_((1 - beta1) * @gradient@)
                v.mul_(beta2).add_((1 - beta2) * @gradient@ ** 2)
                m_hat = m / (1 - beta1 ** self.t)
                v_hat = v / (1 - beta2 ** self.t)
                weight -= group["lr"] * m_hat / (v_hat.sqrt() + group["epsilon"])
