"""Every section, kind and key of a scenario as a page: write_reference.py COMMAND > reference.md.

What it says is what `spineleaf explain` says, which walks the declarations of the parameters.
"""

import json
import re
import subprocess
import sys


def explain(command: str, *words: str) -> str:
    line = [command, "explain", *words]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout.rstrip()


def main() -> None:
    command = sys.argv[1]
    schema = subprocess.run([command, "schema"], capture_output=True, text=True, check=True).stdout
    sections = json.loads(schema)["properties"]
    print("# Scenario reference\n")
    print("Written from the declarations of the parameters; `spineleaf explain KEY` tells the same.")
    # A line of the list is a section, or a section and a kind: "  topology fat_tree   Fat tree ...".
    listed = re.findall(r"^  (\w+)(?: (\w+))?  +(.*)$", explain(command), re.M)
    for name, kind, meaning in listed:
        if name not in sections:
            continue
        print(f"\n## {name} {kind}".rstrip() + f"\n\n{meaning}")
        if kind:
            print(f"\n```text\n{explain(command, kind)}\n```")
            continue
        for key in sections[name].get("properties", {}):
            print(f"\n### {name}.{key}\n\n```text\n{explain(command, f'{name}.{key}')}\n```")


if __name__ == "__main__":
    main()
