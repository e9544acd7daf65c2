"""Plays a provider of language models on the loopback interface, after a script.

    llm_server.py SCRIPT LOG

SCRIPT is a JSON list with one object for each request, taken in order; the last one serves all that follow. An object says either what is
answered, in the protocol that the request's path belongs to:
    {"say": TEXT, "model": NAME, "finish": "stop" | "length", "usage": {"input": N, "cached": N, "output": N} | null}
or the reply itself:
    {"status": N, "headers": {...}, "body": TEXT or JSON}
"{n}" in TEXT is the number of the request. An object with "when", a list of texts, is not taken in order: it answers every request that holds all of them.
Either may be damaged: "cut": N ends the connection after N bytes of the body, "stall": N keeps it open and silent after N bytes, "hang": true
accepts the request and says nothing, "after": S waits S seconds first.
Each request is appended to LOG as one line of JSON, and to LOG.answered once its answer has left. The port stands on standard output. The program ends when standard input does."""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

script = json.load(open(sys.argv[1]))
standing = [step for step in script if "when" in step]
script = [step for step in script if "when" not in step]
log = open(sys.argv[2], "a")
answered = open(sys.argv[2] + ".answered", "a")
lock = threading.Lock()
served = asked = 0
over = threading.Event()


def pieces(text):
    """Cuts a text as a model's tokens would."""
    return [text[i:i + 7] for i in range(0, len(text), 7)] or [""]


def chat_completion(step, request):
    usage, model = step.get("usage"), step.get("model", request.get("model"))
    counted = usage and {"prompt_tokens": usage["input"], "completion_tokens": usage["output"],
                         "total_tokens": usage["input"] + usage["output"],
                         "prompt_tokens_details": {"cached_tokens": usage["cached"]}}
    head = {"id": "chatcmpl-1", "created": 1, "model": model}
    finish = step.get("finish", "stop")
    if not request.get("stream"):
        choice = {"index": 0, "message": {"role": "assistant", "content": step["say"]}, "finish_reason": finish}
        return {**head, "object": "chat.completion", "choices": [choice], "usage": counted}, None
    chunk = {**head, "object": "chat.completion.chunk"}
    events = [{**chunk, "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]}]
    events += [{**chunk, "choices": [{"index": 0, "delta": {"content": part}, "finish_reason": None}]} for part in pieces(step["say"])]
    events.append({**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if counted and request.get("stream_options", {}).get("include_usage"):
        events.append({**chunk, "choices": [], "usage": counted})
    return None, "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


def response(step, request):
    usage, model = step.get("usage"), step.get("model", request.get("model"))
    cut = step.get("finish") == "length"
    part = {"type": "output_text", "text": step["say"], "annotations": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    counted = usage and {"input_tokens": usage["input"], "input_tokens_details": {"cached_tokens": usage["cached"]},
                         "output_tokens": usage["output"], "output_tokens_details": {"reasoning_tokens": 0},
                         "total_tokens": usage["input"] + usage["output"]}
    whole = {"id": "resp_1", "object": "response", "created_at": 1, "model": model, "status": "incomplete" if cut else "completed",
             "error": None, "incomplete_details": {"reason": "max_output_tokens"} if cut else None, "output": [item],
             "usage": counted, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    if not request.get("stream"):
        return whole, None
    begun = {**whole, "status": "in_progress", "output": [], "usage": None, "incomplete_details": None}
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    events = [{"type": "response.created", "response": begun},
              {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress", "content": []}},
              {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}]
    events += [{"type": "response.output_text.delta", **place, "delta": text, "logprobs": []} for text in pieces(step["say"])]
    events += [{"type": "response.output_text.done", **place, "text": step["say"], "logprobs": []},
               {"type": "response.output_item.done", "output_index": 0, "item": item},
               {"type": "response.incomplete" if cut else "response.completed", "response": whole}]
    numbered = [{**event, "sequence_number": number} for number, event in enumerate(events)]
    return None, "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in numbered)


def message(step, request):
    usage, model = step.get("usage"), step.get("model", request.get("model"))
    reason = "max_tokens" if step.get("finish") == "length" else "end_turn"
    given = usage and {"input_tokens": usage["input"] - usage["cached"], "cache_read_input_tokens": usage["cached"],
                       "cache_creation_input_tokens": 0}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "stop_sequence": None}
    if not request.get("stream"):
        return {**head, "content": [{"type": "text", "text": step["say"]}], "stop_reason": reason,
                "usage": usage and {**given, "output_tokens": usage["output"]}}, None
    events = [{"type": "message_start", "message": {**head, "content": [], "stop_reason": None,
                                                    "usage": usage and {**given, "output_tokens": 1}}},
              {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}, {"type": "ping"}]
    events += [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}} for text in pieces(step["say"])]
    events += [{"type": "content_block_stop", "index": 0},
               {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
                "usage": usage and {"output_tokens": usage["output"]}},
               {"type": "message_stop"}]
    return None, "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


protocols = {"/chat/completions": chat_completion, "/responses": response, "/messages": message}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        global served, asked
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        request = json.loads(text)
        with lock:
            said = json.dumps(request, ensure_ascii=False)
            asked += 1
            step = next((step for step in standing if all(text in said for text in step["when"])), None)
            if step is None:
                step = script[min(served, len(script) - 1)]
                served += 1
            if "say" in step:
                step = {**step, "say": step["say"].replace("{n}", str(asked))}
            headers = {name.lower(): value for name, value in self.headers.items()}
            log.write(json.dumps({"path": self.path, "headers": headers, "body": request}) + "\n")
            log.flush()
        if step.get("hang"):
            over.wait()
            return
        over.wait(step.get("after", 0))
        kind, body, status = "application/json", step.get("body", ""), step.get("status", 200)
        if "say" in step:
            protocol = next(function for path, function in protocols.items() if self.path.endswith(path))
            body, stream = protocol(step, request)
            if stream is not None:
                kind, body = "text/event-stream; charset=utf-8", stream
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **step.get("headers", {})}.items():
            self.send_header(name, value)
        self.end_headers()
        for way in ("cut", "stall"):
            if way in step:
                self.wfile.write(data[:step[way]])
                self.wfile.flush()
                self.close_connection = True
                if way == "stall":
                    over.wait()
                return
        self.wfile.write(data)
        self.wfile.flush()
        with lock:
            answered.write(json.dumps({"path": self.path, "body": request}) + "\n")
            answered.flush()


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
over.set()
os._exit(0)
