#!/usr/bin/env python3
"""usage: learner.py ACTOR [ROUNDS]

Trains a linear policy with what ACTOR, the program of this folder or one in another language, plays. Python has only stock tensordict: it sees the
actor's batches in a segment, and the actor sees the weights in a memmap directory, in both directions without a copy.
"""

import os
import subprocess
import sys
import tempfile

import torch
from tensordict import TensorDict


def learn(actor, rounds, environment=None):
    layer = torch.nn.Linear(4, 1)
    with torch.no_grad():
        layer.weight.zero_()
        layer.bias.zero_()
    adam = torch.optim.Adam(layer.parameters(), lr=0.05)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        shared = TensorDict(dict(layer.state_dict()), []).memmap(directory)
        command = [*map(str, actor), directory, f"td-actor-{os.getpid()}"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
        with subprocess.Popen(command, **pipes) as process:
            seen = TensorDict.from_consolidated(process.stdout.readline().strip())
            for i in range(rounds):
                reward = seen["reward"]
                loc = torch.nn.functional.linear(seen["obs"], layer.weight, layer.bias)
                log_prob = torch.distributions.Normal(loc, seen["scale"]).log_prob(seen["action"])
                loss = -((reward - reward.mean()) / (reward.std() + 1e-6) * log_prob).mean()
                adam.zero_grad()
                loss.backward()
                adam.step()
                if i % 20 == 0:
                    print(f"round {i}: reward {reward.mean().item():.3f}")
                shared.update_(dict(layer.state_dict()))  # in place: the actor's next batch is played with it
                process.stdin.write("\n")
                process.stdin.flush()
                process.stdout.readline()
            last = seen["reward"].mean().item()
            process.stdin.close()
    print(f"last: reward {last:.3f}")
    return last


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    torch.manual_seed(0)
    sys.exit(learn([sys.argv[1]], int(sys.argv[2]) if len(sys.argv) > 2 else 200) < -0.5)
