"""How far to trust the figures, as a page: write_trust.py COMMAND > trust.md.

Every number in it comes from `spineleaf validate`, run here; the page names the commands.
"""

import json
import subprocess
import sys

BANDS = {
    "lt_1MiB": "below 1 MiB",
    "1_64MiB": "1 to 64 MiB",
    "ge_64MiB": "64 MiB and more",
    "all": "all sizes",
}
BASELINES = {
    "line_rate": "line rate",
    "alpha_beta": "alpha + S/beta, fitted on each set",
    "nccl_cost_model": "NCCL's own cost model",
}
CASES = {
    "sharp": ["Aggregation in switches (SHARP)"],
    "infiniband": ["InfiniBand: credits, lanes, routing", "--quick", "--seeds", "1"],
    "roce": ["RoCE: PFC, deadlocks, ECN, congestion control", "--quick", "--seeds", "1"],
}


def validate(command: str, *words: str):
    """What the command prints as JSON; it exits with 1 where a row does not hold."""
    line = [command, "validate", *words, "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"{' '.join(line)}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def table(heading: list[str], rows: list[list[str]]) -> None:
    lines = [heading, ["---"] * len(heading), *rows]
    print("".join("| " + " | ".join(line) + " |\n" for line in lines))


def error(band: dict) -> str:
    if not band.get("n"):
        return "-"
    return f"{band['median_abs_pct']:.1f} / {band['p90_abs_pct']:.1f} %"


def measured(command: str) -> None:
    found = validate(command, "nccl")
    summary = found["summary"]
    print("## Against measured clusters\n\n```text\nspineleaf validate nccl\n```\n")
    print(
        f"Times of collectives in {summary['sets']} published sets of measurements that were not"
        " fitted, predicted by the model of the nodes (no congestion). The error of the time,"
        " median / 90th percentile:\n"
    )
    rows = [["all of them", *(error(summary[band]) for band in BANDS)]]
    for key, name in BASELINES.items():
        rows.append([f"instead: {name}", *(error(found["baselines"][key][band]) for band in BANDS)])
    table(["", *BANDS.values()], rows)
    sets = [of for of in found["by_set"] if not of["fitted"]]
    print("Set by set:\n")
    by_set(of for of in sets if of["split"] == "validate")
    print("Counted in none of the rows above (`validation/data/nccl/README.md` says why):\n")
    by_set((of for of in sets if of["split"] != "validate"), "split")


def by_set(sets, *more: str) -> None:
    rows = [
        [f"`{of['set']}`", *(error(of.get(b, {})) for b in BANDS), *map(of.get, more)]
        for of in sets
    ]
    table(["set", *BANDS.values(), *more], rows)


def modelled(command: str, verb: str, title: str, *words: str) -> None:
    rows = validate(command, verb, *words)
    line = " ".join(["spineleaf", "validate", verb, *words])
    judged = [row for row in rows if row["pass"] is not None]
    held = [row for row in judged if row["pass"]]
    print(f"## {title}\n\n```text\n{line}\n```\n")
    print(f"{len(held)} of {len(judged)} rows hold against closed forms and independent models.\n")
    groups: dict[str, list[dict]] = {}
    for row in judged:
        groups.setdefault(row["id"].split(".")[0], []).append(row)
    lines = []
    for name, members in groups.items():
        good = sum(row["pass"] for row in members)
        tolerances = list(dict.fromkeys(row["tolerance"] for row in members if row["tolerance"]))
        shown = "; ".join(map(str, tolerances[:3])) + ("; ..." if len(tolerances) > 3 else "")
        lines.append([f"`{name}`", f"{good} of {len(members)}", shown.replace("|", "\\|")])
    table(["group", "rows that hold", "within"], lines)
    for row in judged:
        if not row["pass"]:
            print(f"- `{row['id']}` does not hold: {row['got']}, expected {row['expected']}")
    print()


def main() -> None:
    command = sys.argv[1]
    print("# How far to trust it\n")
    print(
        "Written by `scripts/book.sh` from what the commands below print; they show every row."
        " A figure is as good as what it was compared with: collectives on idle fabrics with"
        " measurements, flow control and congestion with models only. Nobody has given a set of"
        " measurements of a congested fabric, so absolute times under congestion are not proved;"
        " differences between two runs of the same load stand on firmer ground.\n"
    )
    measured(command)
    for verb, (title, *words) in CASES.items():
        modelled(command, verb, title, *words)
    print(
        "How these errors came down, and which changes were made with which errors in view, is told"
        " in [validation-log.md](validation-log.md)."
    )


if __name__ == "__main__":
    main()
