#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Predicts how long Floyd-Warshall takes on many devices. A model with measured rates: it measures nothing.

  scale_model.py                              2, 4, 8, 64 and 512 devices in machines of 8
  scale_model.py --devices 8 --n 65536,131072
  scale_model.py --depth 128 --csv

P = R x C devices hold an n x n matrix of entries of S bytes in R parts of rows and C parts of columns. A step takes
b pivots, and there are n / b steps:

  compute = b n^2 / (P r) (1 + loss) + busy * panels
            The product of a device's part. r = rate / (1 + half_depth / b) relaxations per second is the rate of a
            product of depth b, `loss` what uneven ends of kernels cost, and `busy` the part of a device that sends
            instead of computing. Copies by the copy engines of a single machine take none.
  panels  = S b n ([R > 1] / C + [C > 1] / R) / link
            + S b n ([R > r1] c1 / C + [C > c1] r1 / R) / (nics * nic) + latency for each of the two
            Pivot rows go to all devices of a column of the grid, pivot columns to all of a row. `link` is the
            bandwidth into a device inside a machine. A machine has r1 x c1 of the devices, and receives once what its
            devices share; its NICs receive at the same time.
  chain   = b^2 n (2 / C + [C > 1] / R) / r + close + tile + panels
            What the next step waits for: the pivot rows, and if C > 1 the pivot columns, are relaxed, the pivot tile
            is closed and (C > 1) sent along a row of the grid, the pivot rows are relaxed over the tile, and the
            panels are sent.
            close = close_128 * b / 128 + b^3 / rate, tile = S b^2 / link + latency.
  solve   = (n / b) max(compute, chain) + chain
            The chain of the next step runs beside the product of this one.
  call    = solve + 2 (S n^2 / P) / host
            With the matrix in host memory: each device reads and writes its part once. host is that of one device,
            or its share of the bandwidth of the machine's memory.

Efficiency is n^3 / (P * one * time), where `one` is what one device reaches in whole calls. It is above 1 where
products are deeper than those of that call. `grid` is the fastest R x C with C > 1. A layout is left out if a
device cannot hold its part.

Needs only Python.
"""
import argparse
import csv
import sys

# Name, default, meaning. Measured on H200 unless the meaning says otherwise.
PARAMETERS = (
    ("entry-bytes", 4, "S: bytes of an entry"),
    ("rate", 16.2e12, "relaxations/s of a product of infinite depth"),
    ("half-depth", 6.5, "depth at which a product has half of that rate"),
    ("one", 15.5e12, "relaxations/s of one device in whole calls"),
    ("close-128", 55e-6, "seconds to close 128 pivots"),
    ("loss", 0.02, "loss of a product by uneven ends of kernels (assumed)"),
    ("peer", 390e9, "bytes/s into a device by copies inside one machine"),
    ("nccl", 327e9, "the same by NCCL, in messages of 64 MiB"),
    ("busy", 16 / 132, "part of a device that NCCL takes while it sends (assumed)"),
    ("latency", 11e-6, "seconds of a message"),
    ("nic", 45e9, "bytes/s of a NIC of 400 Gb/s (assumed)"),
    ("nics", 8, "NICs of a machine (assumed)"),
    ("per-machine", 8, "devices of a machine"),
    ("host", 55e9, "bytes/s between host memory and a device, one way"),
    ("host-memory", 144e9, "bytes/s between the memory of a machine and all of its devices"),
    ("memory", 141e9, "bytes of a device; nine tenths are for the matrix"),
)


def divisors(number):
    return [d for d in range(1, number + 1) if number % d == 0]


def predict(rates, n, rows, columns, depth):
    """The times of a grid of rows x columns devices, as a row of the table."""
    devices = rows * columns
    in_machine = min(devices, rates.per_machine)
    # Ranks go along the rows of the grid, and machines are filled in the order of ranks.
    machine_columns = min(columns, in_machine)
    machine_rows = max(1, in_machine // machine_columns)
    is_one_machine = devices <= rates.per_machine
    link = rates.peer if is_one_machine else rates.nccl
    product_rate = rates.rate / (1 + rates.half_depth / depth)

    panel_bytes = rates.entry_bytes * depth * n
    into_device = panel_bytes * ((rows > 1) / columns + (columns > 1) / rows)
    into_machine = panel_bytes * (
        (rows > machine_rows) * machine_columns / columns + (columns > machine_columns) * machine_rows / rows
    )
    panels = into_device / link + into_machine / (rates.nics * rates.nic)
    panels += rates.latency * ((rows > 1) + (columns > 1))
    compute = depth * n**2 / (devices * product_rate) * (1 + rates.loss)
    if not is_one_machine:
        compute += rates.busy * panels
    close = rates.close_128 * depth / 128 + depth**3 / rates.rate
    tile = (rates.entry_bytes * depth**2 / link + rates.latency) if columns > 1 else 0
    strips = depth**2 * n * (2 / columns + (columns > 1) / rows) / product_rate
    chain = strips + close + tile + panels
    solve = n / depth * max(compute, chain) + chain
    part = rates.entry_bytes * n**2 / devices
    call = solve + 2 * part / min(rates.host, rates.host_memory / in_machine)
    ideal = n**3 / (devices * rates.one)
    return {
        "devices": devices,
        "grid": f"{rows} x {columns}",
        "n": n,
        "GB": part / 1e9,
        "compute_ms": compute * 1e3,
        "chain_ms": chain * 1e3,
        "panels_ms": panels * 1e3,
        "solve_s": solve,
        "solve_efficiency": ideal / solve,
        "call_s": call,
        "call_efficiency": ideal / call,
    }


def table(rates, numbers_of_devices, sizes, depth):
    for devices in numbers_of_devices:
        for n in sizes:
            if rates.entry_bytes * n**2 / devices > 0.9 * rates.memory:
                continue
            yield predict(rates, n, devices, 1, depth)
            grids = [predict(rates, n, devices // c, c, depth) for c in divisors(devices) if c > 1]
            if grids:
                yield min(grids, key=lambda row: row["solve_s"])


def numbers(text):
    return [int(number) for number in text.replace("_", "").split(",")]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--devices", type=numbers, default=[2, 4, 8, 64, 512], metavar="P,...")
    options.add_argument("--n", type=numbers, default=[65536, 131072, 262144, 1048576], metavar="N,...")
    options.add_argument("--depth", type=int, default=512, metavar="B", help="pivots of a step (default: 512)")
    options.add_argument("--csv", action="store_true", help="print comma-separated values, unrounded")
    for name, default, meaning in PARAMETERS:
        options.add_argument(f"--{name}", type=type(default), default=default, metavar="X",
                             help=f"{meaning} (default: {default:.4g})")
    given = options.parse_args()
    lines = list(table(given, given.devices, given.n, given.depth))
    if not lines:
        print("no matrix fits into the memory of the devices", file=sys.stderr)
        return 1
    if given.csv:
        writer = csv.DictWriter(sys.stdout, fieldnames=list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
        return 0
    print("devices     grid         n  GB each  compute ms  chain ms  panels ms  solve s  eff.   call s  eff.")
    for line in lines:
        print(
            "{devices:>7} {grid:>8} {n:>9,} {GB:>8.2f} {compute_ms:>11.2f} {chain_ms:>9.2f} {panels_ms:>10.2f} "
            "{solve_s:>8.2f} {solve_efficiency:>5.0%} {call_s:>8.2f} {call_efficiency:>5.0%}".format(**line)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
