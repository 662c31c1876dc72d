class @own_class@(torch.optim.Optimizer):
    """w = w - lr g@of_whole@"""

    def __init__(self, weights, lr):
        super().__init__(weights, {"lr": lr})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
#if decay
                gradient = weight.grad + @decay@ * weight  # weight decay
#end
                weight -= group["lr"] * @gradient@
