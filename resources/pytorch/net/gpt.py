def attend(queries, keys, values):
    """softmax(Q K' / sqrt(d)) V in each head, where no byte sees a later one."""
    if hasattr(nn.functional, "scaled_dot_product_attention"):  # since PyTorch 2
        return nn.functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(WIDTH // HEADS)
    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -math.inf).softmax(-1) @ values


class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Parameter(torch.empty(256, WIDTH))
        self.position = nn.Parameter(torch.empty(CONTEXT, WIDTH))

    def forward(self, x):
        return nn.functional.embedding(x, self.token) + self.position


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(WIDTH)
        self.attention = nn.Linear(WIDTH, 3 * WIDTH)
        self.projection = nn.Linear(WIDTH, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH)
        self.widen = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        parts = self.attention(self.norm1(x)).unflatten(-1, (3, HEADS, WIDTH // HEADS))
        attended = attend(*parts.permute(2, 0, 3, 1, 4))  # queries, keys, values: [windows, heads, bytes, d]
        x = x + self.projection(attended.transpose(1, 2).flatten(2))
        return x + self.narrow(nn.functional.gelu(self.widen(self.norm2(x)), approximate="tanh"))


def cross_entropy(scores, labels, reduction="mean"):
    """Over all bytes of all windows."""
    return nn.functional.cross_entropy(scores.flatten(0, 1), labels.flatten(), reduction=reduction)


