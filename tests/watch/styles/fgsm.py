"""Adversarial training: the gradient of the input by one backward, the update by a second on the changed input."""
import os

import torch
import torch.nn.functional as F

torch.manual_seed(5)
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
epsilon = 0.1


def fgsm_attack(image, epsilon, data_grad):
    return image + epsilon * data_grad.sign()


for step in range(1, 13):
    data, target = torch.rand(10, 1, 4, 4), torch.randint(0, 3, (10,))
    data.requires_grad = True
    loss = F.cross_entropy(model(data), target)
    model.zero_grad()
    loss.backward()
    perturbed = fgsm_attack(data, epsilon, data.grad.data).detach()

    optimizer.zero_grad()
    adv_loss = F.cross_entropy(model(perturbed), target)
    adv_loss.backward()
    optimizer.step()
    print(f"{step:3d} clean {loss.item():.4f} adversarial {adv_loss.item():.9g}")
if "SAVE" in os.environ:
    torch.save(model.state_dict(), os.environ["SAVE"])
