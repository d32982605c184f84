"""The shapes of the networks, as trained; all take uint8 BGR pictures (n, h, w, 3).

The face reader has the shape of the index reader.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

#: What the finder says of each cell of 4 × 4 pixels.
FINDER_CHANNELS = ("heat", "cos", "sin", "log_size", "dx", "dy", "centre_x", "centre_y", "open")
#: Ranks 2…14, joker, and "not an index".
RANK_CLASSES = 15
NONE = 14
WHITE = 128.0


def conv(inside: int, out: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """Convolution, batch normalisation (folded away at export), ReLU."""
    return nn.Sequential(
        nn.Conv2d(inside, out, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two 3 × 3 convolutions around a short cut (He et al. 2015)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.a = conv(width, width)
        self.b = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        """Same shape as it came."""
        return torch.relu(x + self.b(self.a(x)))


def _evened(crops: Tensor) -> Tensor:
    """Each crop with its own mean and contrast taken out: a faint index looks like a strong one."""
    x = crops.permute(0, 3, 1, 2).float()
    x = x - x.mean((1, 2, 3), keepdim=True)
    return x / (x.square().mean((1, 2, 3), keepdim=True).sqrt() + 6.0)


class FinderNet(nn.Module):
    """A small U-net (Ronneberger 2015) with one heat map (Zhou 2019, "Objects as Points").

    Input sides must be multiples of 16; output (n, 9, h/4, w/4), see ``FINDER_CHANNELS``.
    """

    def __init__(self) -> None:
        super().__init__()
        # Widths in multiples of 16: what a vector unit takes at a time.
        self.s4 = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), conv(32, 32))
        self.s8 = nn.Sequential(conv(32, 48, 2), Residual(48))
        self.s16 = nn.Sequential(conv(48, 80, 2), Residual(80), conv(80, 80))
        self.from16 = conv(80, 48, kernel=1)
        self.up8 = conv(48, 48)
        self.from8 = conv(48, 32, kernel=1)
        self.up4 = conv(32, 32)
        self.head = nn.Conv2d(32, len(FINDER_CHANNELS), 1)
        nn.init.constant_(self.head.bias[:1], -4.0)  # type: ignore[index]

    def forward(self, pictures: Tensor) -> Tensor:
        """Maps of logits and values."""
        x = pictures.permute(0, 3, 1, 2).float()
        s4 = self.s4(x / WHITE)
        s8 = self.s8(s4)
        up = nn.functional.interpolate(self.from16(self.s16(s8)), scale_factor=2.0, mode="nearest")
        up = self.up8(up + s8)
        up = nn.functional.interpolate(self.from8(up), scale_factor=2.0, mode="nearest")
        out: Tensor = self.head(self.up4(up + s4))
        return out


class ReaderNet(nn.Module):
    """Reads upright crops (n, 64, 48, 3): rank logits (15), suit logits (4), pose (4).

    The pose corrects the crop: turn in radians, log scale, right and down in block heights.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            # Four pixels become channels: small clubs and spades differ by a pixel or two, and
            # a convolution at full resolution costs more than all the rest.
            nn.PixelUnshuffle(2),
            conv(12, 16),
            conv(16, 32),
            conv(32, 48, 2),
            Residual(48),
            conv(48, 96, 2),
            Residual(96),
            conv(96, 24, kernel=1),
            nn.Flatten(),
            nn.Linear(24 * 8 * 6, 96, bias=False),
            nn.BatchNorm1d(96),
            nn.ReLU(inplace=True),
        )
        self.drop = nn.Dropout(0.1)
        self.rank = nn.Linear(96, RANK_CLASSES)
        self.suit = nn.Linear(96, 4)
        self.pose = nn.Linear(96, 4)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Rank logits, suit logits, pose, and the embedding (96) that all come from."""
        features = self.body(_evened(crops))
        read = self.drop(features)
        return self.rank(read), self.suit(read), self.pose(features), features
