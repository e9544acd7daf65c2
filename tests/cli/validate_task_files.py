"""Usage: validate_task_files.py SCHEMA FILE...: a line per fault, "FILE: PLACE: reason"; exit code 1 where there is any."""
import json
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """Reads plain words as YAML 1.2 does, and so do editors: `1e-6` is a number and `off` a text."""


Loader.yaml_implicit_resolvers = {}
for kind, pattern, first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+0123456789."),
):
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + kind, re.compile("^(?:" + pattern + ")$"), list(first))

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
faults = 0
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        task = yaml.load(file, Loader)
    for fault in validator.iter_errors(task):
        print(path + ": " + "/".join(map(str, fault.absolute_path)) + ": " + fault.message)
        faults += 1
sys.exit(1 if faults else 0)
