"""What a server does wrong at its first requests: see `faults` of ScriptedServer."""

import email.utils
import os
import time


def status(code, times=1, **headers):
    return [{"kind": "status", "status": code, "headers": {k.replace("_", "-"): v for k, v in headers.items()}}] * times


def soon(wrong_by=0):
    return email.utils.formatdate(time.time() + wrong_by + 1, usegmt=True)


def now(wrong_by):
    return email.utils.formatdate(time.time() + wrong_by, usegmt=True)


# A minute; the daily tests shorten it, and the delays, to a twentieth.
SECONDS = int(os.environ.get("PGHD_MINUTE", "3"))
MINUTE = {"kind": "status", "status": 503, "seconds": SECONDS}
DAY = 86_400

# name, faults of the first posts, exit code of the first run, more options of it
MATRIX = [
    ("a slow answer", [{"sleep": 1.5}], 0, []),
    ("no answer within the budget", [{"kind": "reset-before"}] * 50, 3, ["--retry-for", "0"]),
    ("a reset before anything is stored", [{"kind": "reset-before"}], 0, []),
    ("a reset after all is stored", [{"kind": "reset-after"}] * 2, 0, []),
    ("half an answer, and a reset", [{"kind": "half"}], 0, []),
    ("half an answer that looks whole", [{"kind": "half-whole"}], 0, []),
    ("an answer with an entry too few", [{"kind": "short"}], 0, []),
    ("an empty answer", [{"kind": "empty"}], 0, []),
    ("a page of another kind", [{"kind": "page"}], 0, []),
    ("nothing but empty answers", [{"kind": "empty"}] * 200, 3, ["--retry-for", "0"]),
    ("200 with two entries that were throttled", [{}, {"entries": {0: "429 Too Many", 5: "503 Busy"}}], 0, []),
    ("200 with all entries throttled", [{}, {"entries": dict.fromkeys(range(400), "429")}], 0, []),
    ("408", status(408), 0, []),
    ("409 twice", status(409, 2), 0, []),
    ("413 once", status(413), 0, []),
    ("429 for seconds", status(429, Retry_After="1"), 0, []),
    ("429 until a date", status(429, Retry_After=soon()), 0, []),
    ("429 without a word", status(429, 3), 0, []),
    ("425 for seconds", status(425, Retry_After="1"), 0, []),
    ("200 with an entry that came too early", [{"entries": {3: "425 Too Early"}}], 0, []),
    ("500", status(500), 0, []),
    ("502", status(502), 0, []),
    ("503 for a while", status(503, 9), 0, []),
    ("503 for good", status(503, 1000), 3, ["--retry-for", "0"]),
    ("504", status(504), 0, []),
    ("401 for somebody without a sign-in", status(401), 4, []),
    ("403", status(403), 4, []),
    ("404", status(404), 64, []),
    ("a redirect", [{"kind": "redirect", "to": "http://127.0.0.1:1/other"}], 3, []),
    ("an answer that comes drop by drop", [{"kind": "dribble"}] * 2, 0, []),
    ("an answer with an entry too many", [{"kind": "long"}], 0, []),
    ("an answer of the wrong type", [{"kind": "type", "type": "text/html"}], 0, []),
    ("200 with an OperationOutcome", [{"kind": "outcome"}] * 2, 0, []),
    ("all is stored, but a proxy says 504", [{"kind": "late", "status": 504}] * 3, 0, []),
    ("all is stored, but the server says 500", [{"kind": "late", "status": 500}], 0, []),
    ("all is stored, but the server says 408", [{"kind": "late", "status": 408}], 0, []),
    ("all is stored, and 303 tells where it is", [{"kind": "late", "status": 303}], 3, []),
    ("all is stored, then 401", [{}, {"kind": "reset-after"}, *status(401, 20)], 4, ["--concurrency", "1"]),
    ("all is stored, then a redirect", [{"kind": "reset-after"},
                                        *[{"kind": "redirect", "to": "http://127.0.0.1:1/"}] * 20], 3, []),
    ("401 in mid-run", [{}, {}, *status(401, 20)], 4, ["--concurrency", "1"]),
    ("403 in mid-run", [{}, {}, *status(403, 20)], 4, ["--concurrency", "1"]),
    ("404 in mid-run", [{}, {}, *status(404, 20)], 6, ["--concurrency", "1"]),
    ("408 for good", status(408, 1000), 3, ["--retry-for", "0"]),
    ("413 for good", status(413, 5000), 6, []),
    ("429 for longer than anybody waits", status(429, 1000, Retry_After="3600"), 3, []),
    ("429 until a date of a clock that is fast", status(429, Retry_After=soon(DAY), Date=now(DAY)), 0, []),
    ("429 until a date of a clock that is slow", status(429, Retry_After=soon(-DAY), Date=now(-DAY)), 0, []),
    ("503 for a minute", [MINUTE], 0, ["--retry-delay-milliseconds", str(2000 * SECONDS // 60)]),
    ("503 for a minute that asks for time", [{**MINUTE, "headers": {"Retry-After": "1"}}], 0, []),
    ("503 for longer than is tried", [{**MINUTE, "seconds": 60}], 3, ["--retry-for", "1"]),
]
