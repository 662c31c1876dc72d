import os

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
set_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
dataset = torch.utils.data.TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)))
loader = torch.utils.data.DataLoader(dataset, batch_size=8, shuffle=True)
schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)
step, parts = 0, []
for epoch in range(2):
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            accelerator.backward(loss)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        parts.append(loss.item())
        if accelerator.sync_gradients:
            step += 1
            print(f"RANK {accelerator.process_index} STEP {step} LOSS {sum(parts) / len(parts):.9g}\n", end="",
                  flush=True)
            accelerator.log({"train/loss": sum(parts) / len(parts)}, step=step)
            parts = []
if "SAVE" in os.environ:
    torch.save(accelerator.unwrap_model(model).state_dict(), f"{os.environ['SAVE']}.{accelerator.process_index}")
accelerator.end_training()
