"""A progress bar by tqdm with the loss behind it, a small language model, gradient accumulation, param groups."""
import os

import torch
import torch.nn as nn
from tqdm import tqdm

torch.manual_seed(1337)
text = "to be, or not to be, that is the question: whether 'tis nobler in the mind to suffer " * 4
chars = sorted(set(text))
data = torch.tensor([chars.index(c) for c in text])
block_size, batch_size, accumulation, max_iters = 16, 8, 2, 10


class CharLM(nn.Module):
    def __init__(self, vocab, width=32):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, width), nn.Embedding(block_size, width)
        self.block = nn.TransformerEncoderLayer(width, 2, 64, dropout=0.0, batch_first=True)
        self.head = nn.Linear(width, vocab, bias=False)
        self.head.weight = self.tok.weight

    def forward(self, idx, targets=None):
        t = idx.shape[1]
        x = self.tok(idx) + self.pos(torch.arange(t))
        x = self.block(x, src_mask=torch.triu(torch.full((t, t), float("-inf")), 1))
        logits = self.head(x)
        loss = None if targets is None else nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return logits, loss


def get_batch():
    ix = torch.randint(len(data) - block_size, (batch_size,))
    return (torch.stack([data[i:i + block_size] for i in ix]),
            torch.stack([data[i + 1:i + 1 + block_size] for i in ix]))


@torch.no_grad()
def estimate_loss():
    model.eval()
    out = torch.tensor([model(*get_batch())[1].item() for _ in range(3)]).mean()
    model.train()
    return out


model = CharLM(len(chars))
decay = [p for p in model.parameters() if p.dim() >= 2]
rest = [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=1e-2)
with tqdm(range(max_iters), desc="train") as bar:
    for it in bar:
        if it % 5 == 0:
            tqdm.write(f"eval {estimate_loss():.4f}")
        lossf = 0.0
        for micro in range(accumulation):
            xb, yb = get_batch()
            logits, loss = model(xb, yb)
            loss = loss / accumulation
            lossf += loss.item()
            loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        bar.set_postfix(loss=lossf, norm=float(norm))
        tqdm.write(f"step {it + 1} | loss {lossf:.9g}")
if "SAVE" in os.environ:
    torch.save(model.state_dict(), os.environ["SAVE"])
