#!/usr/bin/env python3
"""Prints a run's device times beside those of baselines/paper/device_times_h200.csv, as Markdown:   scripts/device_times.py RUN

References: `busy`, the union of device activity of a call, over the published original's (docs/measuring.md, "Fidelity of the references").
Largest sizes: `busy` of the best vendor library and of each candidate over what a PyTorch user gets for the same operation.
"""
import csv
import json
import pathlib
import sys

HOME = pathlib.Path(__file__).resolve().parent.parent


def busy_times(run):
    """{(task, precision, index in the paper's sizes): {origin: us}} of what passed and was timed."""
    times = {}
    for line in open(run / "evaluations.jsonl", encoding="utf-8"):
        record = json.loads(line)
        busy = ((record.get("timing") or {}).get("clocks") or {}).get("busy")
        if record.get("set") == "paper" and busy:
            key = record["task"], record["precision"], int(record["case"].rsplit("/", 1)[1])
            times.setdefault(key, {})[record["origin"]] = busy["median"]
    return times


def main():
    if len(sys.argv) != 2 or not (pathlib.Path(sys.argv[1]) / "evaluations.jsonl").is_file():
        print("device_times.py: give the directory of one run", file=sys.stderr)
        sys.exit(2)
    times = busy_times(pathlib.Path(sys.argv[1]))
    lines = (HOME / "baselines/paper/device_times_h200.csv").read_text(encoding="utf-8").splitlines()
    known = list(csv.DictReader(line for line in lines if not line.startswith("#")))

    within, outside = 0, []
    for row in known:
        own = times.get((row["task"], row["precision"], int(row["case"])), {}).get("reference")
        if own is None or not row["origin_us"]:
            continue
        ratio = own / float(row["origin_us"])
        if 0.7 <= ratio <= 1.3:
            within += 1
        else:
            outside.append((row, own, ratio))
    print(f"# References beside the originals\n\n{within} of {within + len(outside)} cases lie within 30 %; the others:\n")
    print("| case | size | reference us | original us | ratio |\n|---|---|---:|---:|---:|")
    for row, own, ratio in outside:
        print(f"| {row['task']}/{row['precision']}/{row['case']} | {row['size']} | {own:.2f} | {float(row['origin_us']):.2f} | {ratio:.2f} |")

    print("\n# Libraries and candidates beside PyTorch, at the largest size\n\nA ratio below 1 is faster than PyTorch.\n")
    print("| problem | size | PyTorch us | who | us | ratio |\n|---|---|---:|---|---:|---:|")
    for row in known:
        if not row["library_us"]:
            continue
        of_case = times.get((row["task"], row["precision"], int(row["case"])), {})
        shown = [(origin, us) for origin, us in of_case.items() if not origin.startswith(("baseline:", "reference", "selftest:"))]
        libraries = [(us, origin) for origin, us in of_case.items() if origin.startswith("baseline:")]
        if libraries:
            shown.insert(0, min(libraries)[::-1])
        for origin, us in shown:
            library = float(row["library_us"])
            print(f"| {row['task']}/{row['precision']} | {row['size']} | {library:.2f} | {origin} | {us:.2f} | {us / library:.2f} |")


if __name__ == "__main__":
    main()
