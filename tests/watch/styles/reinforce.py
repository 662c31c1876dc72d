"""REINFORCE: an episode of a small game, then one loss from its sum; the update follows with a click-like command."""
import functools
import os
import sys

import torch
from torch.distributions import Categorical


def option(name, default):
    def wrap(function):
        @functools.wraps(function)
        def inner(**given):
            for flag, value in zip(sys.argv[1:], sys.argv[2:]):
                if flag == "--" + name:
                    given[name] = type(default)(value)
            given.setdefault(name, default)
            return function(**given)
        return inner
    return wrap


class Policy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1, self.action, self.value = torch.nn.Linear(2, 16), torch.nn.Linear(16, 2), torch.nn.Linear(16, 1)

    def forward(self, x):
        x = torch.relu(self.affine1(x))
        return torch.softmax(self.action(x), dim=-1), self.value(x)


def episode(policy, length):
    place, saved, rewards = torch.zeros(2), [], []
    for _ in range(length):
        probabilities, value = policy(place)
        chosen = Categorical(probabilities)
        action = chosen.sample()
        saved.append((chosen.log_prob(action), value))
        place = place + (2.0 * action.float() - 1.0) * torch.tensor([0.1, -0.1])
        rewards.append(place[0].item())
    return saved, rewards


@option("episodes", 8)
@option("gamma", 0.95)
@option("lr", 0.02)
def main(episodes, gamma, lr):
    torch.manual_seed(543)
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=lr)
    for i_episode in range(1, episodes + 1):
        saved, rewards = episode(policy, 10 + i_episode)
        total, returns = 0.0, []
        for reward in reversed(rewards):
            total = reward + gamma * total
            returns.insert(0, total)
        returns = torch.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + 1e-8)
        policy_losses = [-log_prob * (r - v.item()) for (log_prob, v), r in zip(saved, returns)]
        value_losses = [torch.nn.functional.smooth_l1_loss(v, r.view(1)) for (_, v), r in zip(saved, returns)]
        optimizer.zero_grad()
        loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
        loss.backward()
        optimizer.step()
        print(f"Episode {i_episode}\tLast reward: {sum(rewards):.2f}\tLoss: {loss.item():.9g}")
    if "SAVE" in os.environ:
        torch.save(policy.state_dict(), os.environ["SAVE"])


if __name__ == "__main__":
    main()
