import os

import torch

torch.manual_seed(0)
generator = torch.nn.Linear(4, 2)
critic = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-2)
generator_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-2)
bce = torch.nn.BCEWithLogitsLoss()
for step in range(8):
    real, fake = torch.randn(16, 2) + 2, generator(torch.randn(16, 4))
    critic_optimizer.zero_grad()
    real_loss = bce(critic(real), torch.ones(16, 1))
    real_loss.backward()
    fake_loss = bce(critic(fake.detach()), torch.zeros(16, 1))
    fake_loss.backward()
    critic_optimizer.step()
    generator_optimizer.zero_grad()
    generator_loss = bce(critic(fake), torch.ones(16, 1))
    generator_loss.backward()
    generator_optimizer.step()
    print(f"STEP {step + 1} LOSS {real_loss.item() + fake_loss.item():.9g}")
if "SAVE" in os.environ:
    torch.save([generator.state_dict(), critic.state_dict()], os.environ["SAVE"])
