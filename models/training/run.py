"""The whole training with one command, from nothing to the ONNX files; goes on where it stopped.

    python -m models.training.run --work FOLDER --shared ../shared

Rendered scenes, a first training on them alone, labels for the photographs of the ``train``
split by the first models, a second training on both, export, calibration, evaluation. Every
step has its seed; a step whose result lies in FOLDER is not done again. It takes a night on
two cores.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from models.training.command import Parser, at_least, folder, told
from models.training.shards import write_shard

#: How long and how fast the face reader learns.
FACES = "--steps", 2600, "--rate", 3e-3, "--seed", 9


def step(module: str, *arguments: object) -> subprocess.Popen[bytes]:
    """Start one training module in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", f"models.training.{module}", *map(str, arguments)]
    )


def both(data: Path, work: Path, name: str, steps: tuple[int, int], *more: object) -> None:
    """Train finder and reader side by side, a core each."""
    running = []
    for module, steps_of_it in zip(("finder", "reader"), steps, strict=True):
        start = [part.replace("NET", module) if isinstance(part, str) else part for part in more]
        running.append(
            step(
                f"fit_{module}",
                "--data",
                data,
                "--out",
                work / f"{module}-{name}.pt",
                "--steps",
                steps_of_it,
                *start,
            )
        )
    if any(process.wait() for process in running):
        raise SystemExit(
            f"training {name} failed: see above; the same command goes on from the last checkpoint"
        )


def main() -> None:
    """Run every step that is not done yet."""
    here = Path(__file__).resolve().parents[2]
    parser = Parser(description="Train all three networks from nothing.")
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for scenes and checkpoints (2 GB)"
    )
    parser.add_argument(
        "--shared", type=folder, default=here.parent / "shared", help="folder with photos/ and art/"
    )
    parser.add_argument("--out", type=Path, default=here / "models", help="where the ONNX files go")
    parser.add_argument(
        "--shards", type=at_least(1), default=48, help="shards of 200 rendered scenes"
    )
    args = parser.parse_args()
    # Here, so that --help and what is missing are told without torch.
    from models.training.calibrate import calibrate
    from models.training.export import export

    work, data, photos = args.work, args.work / "data", args.shared / "photos"
    with ProcessPoolExecutor(2) as pool:
        jobs = [pool.submit(write_shard, data, n, args.shared / "art") for n in range(args.shards)]
        jobs += [pool.submit(write_shard, data, n, args.shared / "art", True) for n in range(1)]
        for done, job in enumerate(jobs, 1):
            job.result()
            print(f"scenes: shard {done} of {len(jobs)}", flush=True)
    both(data, work, "first", (2400, 2600))
    first = {net: [work / f"{net}-first.pt"] for net in ("finder", "reader")}
    export(work / "first", first, data, photos)
    if not (work / "mined").is_file():
        if step("mine", "--data", data, "--models", work / "first").wait():
            raise SystemExit("mining hard negatives failed: see above")
        (work / "mined").touch()
    labelled = not photos.is_dir() or (data / "photos-000.npz").is_file()
    if (
        not labelled
        and step("labels", "--photos", photos, "--models", work / "first", "--out", data).wait()
    ):
        raise SystemExit("labelling the photographs failed: see above")
    more = ["--photos"] if photos.is_dir() else []
    both(
        data,
        work,
        "second",
        (11000, 22000),
        *more,
        "--start",
        f"{work}/NET-first.pt",
        "--seed",
        2,
        "--rate",
        2e-3,
    )
    faces = "--data", data, "--out", work / "face-second.pt", *more, *FACES
    if step("fit_face", *faces).wait():
        raise SystemExit("training the face reader failed: see above; run the same command again")
    second = {net: [work / f"{net}-second.pt"] for net in ("finder", "reader", "face")}
    export(args.out, second, data, photos)
    calibrate(args.out, data, photos)
    step("evaluate", "--photos", photos, "--scenes", data, "--models", args.out).wait()


if __name__ == "__main__":
    raise SystemExit(told(main))
