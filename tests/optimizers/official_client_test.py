"""Checks llm_server.py with the official `openai` client: what the tests of the transport are served is what a provider's own client takes.

    official_client_test.py SERVER ENVIRONMENT

ENVIRONMENT is a folder in which a virtual environment with the client is made, and kept. Ends with 77 where that fails, e.g. without a network."""

import json
import os
import subprocess
import sys
import tempfile

if sys.prefix == sys.base_prefix:
    python = f"{sys.argv[2]}/bin/python"
    if subprocess.run([python, "-c", "import openai"], stderr=subprocess.DEVNULL).returncode if os.path.exists(python) else True:
        for command in ([sys.executable, "-m", "venv", sys.argv[2]],
                        [python, "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20", "openai<4"]):
            if subprocess.run(command).returncode:
                print("the official client cannot be installed")
                sys.exit(77)
    os.execv(python, [python, *sys.argv])

import openai

say = "Tile it: x[i] \u2264 y, \"quoted\"\n```cuda\nint a;\n```\n"
good = {"say": say, "model": "tiny-2025-04-16", "usage": {"input": 1000, "cached": 400, "output": 50}}
messages = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "x"}]


def check(what, got, want):
    if got != want:
        sys.exit(f"{what}: got {got!r}, want {want!r}")


with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/script.json", "w") as file:
        json.dump([good, good, {**good, "finish": "length"}, good, good, {**good, "finish": "length"},
                   {"status": 429, "headers": {"Retry-After": "0"}, "body": {"error": {"message": "later"}}}, good,
                   {"status": 401, "body": {"error": {"message": "no"}}}], file)
    server = subprocess.Popen([sys.executable, sys.argv[1], f"{folder}/script.json", f"{folder}/log"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    client = openai.OpenAI(base_url=f"http://127.0.0.1:{server.stdout.readline().strip()}", api_key="key", max_retries=2)

    whole = client.chat.completions.create(model="tiny", messages=messages)
    check("text", whole.choices[0].message.content, say)
    check("usage", (whole.usage.prompt_tokens, whole.usage.prompt_tokens_details.cached_tokens, whole.usage.completion_tokens), (1000, 400, 50))
    chunks = list(client.chat.completions.create(model="tiny", messages=messages, stream=True, stream_options={"include_usage": True}))
    check("streamed text", "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices), say)
    check("streamed usage", chunks[-1].usage.completion_tokens, 50)
    check("limit", client.chat.completions.create(model="tiny", messages=messages).choices[0].finish_reason, "length")

    response = client.responses.create(model="tiny", input=messages)
    check("response", response.output_text, say)
    check("response usage", (response.usage.input_tokens, response.usage.input_tokens_details.cached_tokens), (1000, 400))
    events = list(client.responses.create(model="tiny", input=messages, stream=True))
    check("streamed response", "".join(event.delta for event in events if event.type == "response.output_text.delta"), say)
    check("last event", (events[-1].type, events[-1].response.output_text), ("response.completed", say))
    events = list(client.responses.create(model="tiny", input=messages, stream=True))
    check("cut response", events[-1].response.incomplete_details.reason, "max_output_tokens")

    check("after 429", client.chat.completions.create(model="tiny", messages=messages).choices[0].message.content, say)
    try:
        client.chat.completions.create(model="tiny", messages=messages)
        sys.exit("401 was taken for an answer")
    except openai.AuthenticationError:
        pass
    server.stdin.close()
    server.wait()
print("the official client takes what the server says")
