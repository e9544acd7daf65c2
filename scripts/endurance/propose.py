"""Proposes the original again and again, as another candidate each time; every fifth faults. Submits the last that passed."""
import json
import re
import sys

CRASH = "__global__ void fault() { *static_cast<volatile int*>(nullptr) = 1; }\n"
# In the device's memory: a loop over a local variable is left out by nvcc, volatile or not.
HANG = "__device__ int go = 1;\n__global__ void fault() { while (*static_cast<volatile int*>(&go)) {} }\n"


def send(**message):
    print(json.dumps(message), flush=True)


def candidate(source, number, hang_every):
    text = f"// version {number}\n{source}"
    if number % 5:
        return text
    fault = HANG if hang_every and number % hang_every == 0 else CRASH
    entry = re.search(r'extern "C" void \w+\([^)]*\) \{\n', text)
    launch = "  fault<<<1, 1>>>();\n"
    return text[: entry.start()] + fault + text[entry.start(): entry.end()] + launch + text[entry.end():]


start = json.loads(sys.stdin.readline())
name = start["reference"]["main"]
source = start["reference"]["sources"][name]
count, hang_every = (int(start["options"][key]) for key in ("count", "hang_every"))
passed = None
for number in range(1, count + 1):
    send(type="evaluate", sources={name: candidate(source, number, hang_every)}, main=name, cases=["smoke"])
    reply = json.loads(sys.stdin.readline())
    if reply["type"] != "evaluation":
        break
    if reply["verdict"] == "passed":
        passed = reply["id"]
send(type="submit", id=passed)
