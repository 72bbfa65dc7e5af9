#!/usr/bin/env python3
"""usage: learner.py SERVER ACTORS ROUNDS

Trains the policy of actors in other languages. Python has only stock tensordict, torch and redis. SERVER is
redis://HOST:PORT or unix:///PATH. There the learner makes two dicts, "demo-weights" and "demo-experience"; in each round
each of ACTORS writes 32 rows into the second one. It ends after ROUNDS rounds, and fails unless the policy has become
better.
"""

import sys
import time
import urllib.parse

try:
    import redis  # noqa: F401, the store needs it
    import torch
    from tensordict import TensorDict
    from tensordict.store import TensorDictStore
except ImportError as missing:
    print(f"learner: {missing}: pip install 'tensordict>=0.15' redis", file=sys.stderr)
    sys.exit(77)

ROWS, STEPS, SECONDS = 32, 20, 60


def place(server):
    """The arguments of a TensorDictStore."""
    url = urllib.parse.urlsplit(server)
    if url.scheme == "unix":
        return {"unix_socket_path": urllib.parse.unquote(url.path)}
    login = {"username": url.username or None, "password": urllib.parse.unquote(url.password or "") or None}
    return {"host": url.hostname, "port": url.port or 6379, **login}


def make(server, name, td):
    """A dict on the server, in place of one that an earlier run has left."""
    try:
        left = TensorDictStore.from_store(td_id=name, **place(server))
    except KeyError:
        pass
    else:
        left.clear_redis()
        left.close()
    return TensorDictStore.from_tensordict(td, td_id=name, **place(server))


def rows_of(experience, step):
    """What all actors have seen with the weights of this step. An actor writes its rows in one transaction."""
    end = time.monotonic() + SECONDS
    while not (experience["step"] == step).all():
        if time.monotonic() > end:
            missing = (experience["step"] != step).sum().item()
            sys.exit(f"learner: {missing} rows have not come in {SECONDS} s")
        time.sleep(0.01)
    return experience.to_tensordict()


def learn(policy, adam, rows):
    """Pulls the policy to the actions that were rewarded best; the loss before and after."""
    share = torch.softmax(rows["reward"], 0)

    def loss():
        return (share * (policy(rows["obs"]) - rows["action"]) ** 2).sum()

    before = loss().item()
    for _ in range(STEPS):
        adam.zero_grad()
        loss().backward()
        adam.step()
    return before, loss().item()


def main(server, actors, rounds):
    policy = torch.nn.Linear(2, 1)
    for parameter in policy.parameters():
        torch.nn.init.zeros_(parameter)
    adam = torch.optim.Adam(policy.parameters(), lr=0.05)
    n = actors * ROWS
    columns = {"obs": torch.zeros(n, 2), "action": torch.zeros(n, 1), "reward": torch.zeros(n, 1)}
    experience = make(server, "demo-experience", TensorDict({**columns, "step": torch.full((n, 1), -1)}, [n]))
    weights = make(server, "demo-weights", TensorDict({"policy": dict(policy.state_dict())}, []))
    print(f"learner    writes weights of step 0, and has room for {n} rows", flush=True)
    weights["step"] = torch.tensor(0)  # last, here and below: it says that the rest is there

    rewards = []
    for number in range(1, rounds + 1):
        rows = rows_of(experience, (number - 1) * STEPS)
        # The actors' own arithmetic: what has arrived belongs together.
        torch.testing.assert_close(rows["reward"], -((rows["obs"].sum(-1, keepdim=True) + rows["action"]) ** 2))
        before, after = learn(policy, adam, rows)
        if not after < before:
            sys.exit(f"learner: the loss went from {before} to {after}")
        for key, value in policy.state_dict().items():
            weights["policy", key] = value
        rewards.append(rows["reward"].mean().item())
        print(f"learner    round {number}: read {n} rows, mean reward {rewards[-1]:.2f}, "
              f"loss {before:.3f} -> {after:.3f}, writes weights of step {number * STEPS}", flush=True)
        weights["step"] = torch.tensor(number * STEPS)
    if rounds > 1 and not rewards[-1] > rewards[0]:
        sys.exit(f"learner: the mean reward went from {rewards[0]} to {rewards[-1]}")
    for td in (weights, experience):
        td.clear_redis()
        td.close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
