"""What both trainings share: prefetching, schedule, averaged weights, checkpoints, progress."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import torch
from torch import Tensor, nn

from models.training.shards import SceneStore


def prefetched(
    make: Callable[[int], Any], start: int, stop: int, ahead: int = 4
) -> Iterator[tuple[int, Any]]:
    """``make(step)`` for each step, made on one thread a few steps ahead."""
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(make, step) for step in range(start, min(start + ahead, stop))]
        for step in range(start, stop):
            batch = waiting.pop(0).result()
            if step + ahead < stop:
                waiting.append(pool.submit(make, step + ahead))
            yield step, batch


def train(
    net: nn.Module,
    batch: Callable[[int], Any],
    loss: Callable[[nn.Module, Any], dict[str, Tensor]],
    steps: int,
    rate: float,
    checkpoint: Path,
    start_from: Path | None = None,
    average: float = 0.998,
) -> nn.Module:
    """The averaged net after ``steps``; goes on from ``checkpoint`` if it is there.

    AdamW with a linear warm-up and a cosine to zero. ``start_from`` gives first weights.
    """
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.02)

    def averaging(old: Tensor, new: Tensor, count: Tensor | int) -> Tensor:
        # A short memory at first, or the mean would drag the untrained weights along.
        keep = min(average, (1 + float(count)) / (20 + float(count)))
        return new + (old - new) * keep if old.is_floating_point() else new

    mean = torch.optim.swa_utils.AveragedModel(net, avg_fn=averaging, use_buffers=True)
    first = 0
    if checkpoint.is_file():
        state = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        first = state["step"]
    elif start_from is not None:
        weights = torch.load(start_from, weights_only=True)["mean"]
        net.load_state_dict(
            {k.removeprefix("module."): v for k, v in weights.items() if k.startswith("module.")}
        )
        mean.load_state_dict(weights)
    net.train()
    shown: dict[str, float] = {}
    saved = time.monotonic()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[losses]}"),
    )
    with Progress(*columns, refresh_per_second=0.2) as progress:
        task = progress.add_task(checkpoint.stem, total=steps, completed=first, losses="")
        for step, data in prefetched(batch, first, steps):
            for group in optimiser.param_groups:
                group["lr"] = (
                    rate * min(1.0, (step + 1) / 200) * 0.5 * (1 + math.cos(math.pi * step / steps))
                )
            parts = loss(net, data)
            total = torch.stack(list(parts.values())).sum()
            optimiser.zero_grad(set_to_none=True)
            total.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 20.0)
            optimiser.step()
            mean.update_parameters(net)
            for name, value in parts.items():
                now = float(value.detach())
                shown[name] = 0.98 * shown.get(name, now) + 0.02 * now
            if step % 50 == 0:
                progress.update(
                    task,
                    completed=step + 1,
                    losses=" ".join(f"{k} {v:.3f}" for k, v in shown.items()),
                )
            if step % 500 == 499 and not progress.console.is_terminal:
                progress.console.print(f"{checkpoint.stem} {step + 1}/{steps}", shown)
            if time.monotonic() - saved > 60 or step + 1 == steps:
                saved = time.monotonic()
                half = checkpoint.with_suffix(".part")
                torch.save(
                    {
                        "net": net.state_dict(),
                        "mean": mean.state_dict(),
                        "optimiser": optimiser.state_dict(),
                        "step": step + 1,
                        "losses": shown,
                    },
                    half,
                )
                half.replace(checkpoint)
    return mean.module.eval()


def train_as_asked(
    description: str,
    net: nn.Module,
    batches: Callable[[SceneStore, SceneStore | None, int], Callable[[int], Any]],
    loss: Callable[[nn.Module, Any], dict[str, Tensor]],
) -> None:
    """Train ``net`` as the command line says; ``batches`` takes scenes, photographs and a seed."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, required=True, help="folder with the shards")
    parser.add_argument(
        "--out", type=Path, required=True, help="checkpoint to write, and to go on from"
    )
    parser.add_argument("--start", type=Path, help="checkpoint whose weights to begin with")
    parser.add_argument("--photos", action="store_true", help="use the labelled photographs too")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    scenes = SceneStore.load(args.data)
    photos = SceneStore.load(args.data, "photos-*.npz") if args.photos else None
    train(
        net.to(memory_format=torch.channels_last),  # type: ignore[call-overload]
        batches(scenes, photos, args.seed),
        loss,
        args.steps,
        args.rate,
        args.out,
        args.start,
    )
