"""Writes the TorchScript files that tests/unit/module/torchscript.c loads: `python make.py` in this folder."""

import torch
from torch import nn


class Net(nn.Module):
    """Two outputs, a tied weight, a frozen bias, buffers, a constant in the code, and a second method."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.decoder = nn.Linear(4, 3, bias=False)
        self.tied = nn.Linear(4, 3, bias=False)
        self.tied.weight = self.decoder.weight
        self.encoder.bias.requires_grad_(False)
        self.register_buffer("offset", torch.tensor([10.0]))
        self.steps = 2

    def forward(self, x, scale: float = 1.0):
        hidden = self.norm(self.encoder(x)).relu()
        return self.decoder(hidden) * scale + self.tied(hidden) + self.offset, (hidden,)

    @torch.jit.export
    def double(self, x):
        return x * self.steps, [x, x + 1], {"minus": -x}

    @torch.jit.export
    def fails(self, x):
        if x.sum() < 1e9:
            raise ValueError("the script says no")
        return x

    @torch.jit.export
    def words(self, x):
        return "no tensor"


if __name__ == "__main__":
    net = Net()
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 5 - 2 + i) / 4)
    net.norm.eval()
    torch.jit.save(torch.jit.script(net), "net.pt")
