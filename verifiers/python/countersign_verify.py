#!/usr/bin/env python3
"""Checks decision proofs of Countersign. One file, Python 3.9 or later, nothing but the standard library.

    python3 countersign_verify.py FILE... [--key VKEY...] [--keys-from URL] [--witness VKEY...] [--quorum N] [--people FILE]
        [--state FILE]

Written after docs/proof-format.md, apart from the service's own verifier, so that nobody has to believe either of them.
It prints one line a file, `FILE: verdict: reason`, and exits with 0 (all proven), 1 (something refuted), 2 (usage, network,
something unreadable) or 3 (something consistent or partial).
"""

import base64
import bisect
import datetime
import functools
import hashlib
import json
import math
import os
import re
import sys
import unicodedata
import urllib.parse
import urllib.request

USAGE = """Checks decision proofs, without any network unless keys are asked for by address.

  countersign_verify.py FILE... [options]

  --key VKEY         a key of the service that you trust; may be repeated
  --keys-from URL    trust the keys that a service publishes
  --witness VKEY     a witness that you trust; may be repeated
  --quorum N         how many of the witnesses must have cosigned; else all of them
  --people FILE      {"<id>": ["sha256:..."]}: the only passkeys you accept for these people
  --state FILE       remembers what was proven, and compares the next proofs with it
  --json             machine-readable output
  --help

Prints FILE: verdict: reason. Exit code 0: all proven. 1: something is refuted. 2: usage, network, or something unreadable. 3: something
is consistent or partial.
"""


class Refutation(Exception):
    """Something in a proof that is wrong, told in a clause."""


class UsageError(Exception):
    pass


# --- Bytes -----------------------------------------------------------------------------------------------------------


def sha256(data):
    return hashlib.sha256(data).digest()


def from_base64(text):
    """Standard alphabet with padding; whatever would not be written the same way again is refused."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (ValueError, UnicodeEncodeError):
        raise ValueError("not base64")
    if base64.b64encode(data).decode("ascii") != text:
        raise ValueError("not canonical base64")
    return data


def to_base64url(data):
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def from_base64url(text):
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("not base64url")
    padded = text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4)
    return from_base64(padded)


def utf16(text):
    """The order of texts in RFC 8785, and of everything that is sorted in this format: by UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


def is_well_formed(text):
    return re.search("[\ud800-\udfff]", text) is None


# Code points that are not seen: in names they tell nobody apart, and in output they must not hide anything.
INVISIBLE = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
HIDDEN = re.compile("[%s\ud800-\udfff]" % INVISIBLE)


def printable(text):
    """A document must not be able to write lines of its own into the output, or to hide a part of what it says."""
    return HIDDEN.sub(lambda found: re.sub("....", r"\\u\g<0>", utf16(found.group()).hex()), text)


def quoted(words):
    """Words of a caller as a JSON string, cut to 80 code points."""
    return printable(json.dumps(words if len(words) <= 80 else words[:79] + "\u2026", ensure_ascii=False))


# --- JSON that everybody reads alike -----------------------------------------------------------------------------------

DEEPEST = 64
ESCAPE = r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})'
PLAIN = r'[^"\\\x00-\x1f]*'
# A text without escapes, a mark or word, a number, a text with escapes.
TOKEN = re.compile(
    r'[ \t\n\r]*(?:"(%s)"|([]{}[,:]|true|false|null)|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|"(%s(?:%s%s)*)")'
    % (PLAIN, PLAIN, ESCAPE, PLAIN)
)
TEXT, MARK, NUMBER, ESCAPED = 1, 2, 3, 4
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
WORDS = {"true": True, "false": False, "null": None}


class NotJson(Exception):
    pass


class JsonReader:
    """Reads JSON and notes the first ambiguity: a repeated member, half a surrogate pair, a number beyond a double."""

    def __init__(self, text):
        self.text = text
        self.at = 0
        self.ambiguity = None

    def document(self):
        value = self.value(0)
        if self.text[self.at :].strip(" \t\n\r"):
            raise NotJson("it is not JSON")
        return value

    def ambiguous(self, words):
        if self.ambiguity is None:
            self.ambiguity = words

    def token(self):
        found = TOKEN.match(self.text, self.at)
        if found is None:
            raise NotJson("it is not JSON")
        self.at = found.end()
        kind = found.lastindex
        return kind, found.group(kind)

    def ends_at_once(self, end):
        """Whether the list or object is empty; what else follows is left to read."""
        found = TOKEN.match(self.text, self.at)
        if found is None or found.group(MARK) != end:
            return False
        self.at = found.end()
        return True

    def value(self, depth):
        if depth > DEEPEST:
            raise NotJson("it is nested too deeply")
        kind, written = self.token()
        if kind == TEXT:
            return written
        if kind == NUMBER:
            return self.number(written)
        if kind == ESCAPED:
            return self.unescaped(written)
        if written == "{":
            return self.object(depth)
        if written == "[":
            return self.list(depth)
        if written in WORDS:
            return WORDS[written]
        raise NotJson("it is not JSON")

    def number(self, written):
        value = float(written)
        if not is_carried(written, value):
            self.ambiguous("the number %s does not fit into a double" % written[:40])
        return value

    def unescaped(self, written):
        def char(found):
            letter = found.group()[1]
            return chr(int(found.group()[2:], 16)) if letter == "u" else ESCAPES.get(letter, letter)

        text = re.sub(ESCAPE, char, written).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if not is_well_formed(text):
            self.ambiguous("a text holds half a surrogate pair")
        return text

    def list(self, depth):
        items = []
        if self.ends_at_once("]"):
            return items
        while True:
            items.append(self.value(depth + 1))
            end = self.token()
            if end == (MARK, "]"):
                return items
            if end != (MARK, ","):
                raise NotJson("it is not JSON")

    def object(self, depth):
        members = {}
        if self.ends_at_once("}"):
            return members
        while True:
            kind, written = self.token()
            if kind not in (TEXT, ESCAPED):
                raise NotJson("it is not JSON")
            name = written if kind == TEXT else self.unescaped(written)
            if self.token() != (MARK, ":"):
                raise NotJson("it is not JSON")
            value = self.value(depth + 1)
            if name in members:
                self.ambiguous("the member %s is there twice" % name[:100])
            members[name] = value
            end = self.token()
            if end == (MARK, "}"):
                return members
            if end != (MARK, ","):
                raise NotJson("it is not JSON")


def is_carried(written, value):
    if abs(value) <= 2**53 - 1:
        return True
    if math.isinf(value):
        return False
    return not re.fullmatch(r"-?[0-9]+", written) or int(written) == int(value) or number_text(value) == written


def read_json(text):
    reader = JsonReader(text)
    return reader.document(), reader.ambiguity


def parse_strict(text):
    value, ambiguity = read_json(text)
    if ambiguity is not None:
        raise ValueError(ambiguity)
    return value


def number_text(value):
    """The shortest decimal that is this double, written as ECMAScript writes it (RFC 8785, section 3.2.2.3)."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(float(value))).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The value is 0.digits times ten to the power of `point`.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = ("+" if point > 0 else "-") + str(abs(point - 1))
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + "e" + power


def canonical(value):
    """RFC 8785."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    members = (canonical(name) + ":" + canonical(value[name]) for name in sorted(value, key=utf16))
    return "{" + ",".join(members) + "}"


# --- Ids: Unicode 15.1, whatever version this Python has --------------------------------------------------------------------

# Lengths of alternating runs of assigned and unassigned code points, from U+0000.
ASSIGNED_RUNS = """
888 2 6 4 7 1 1 1 20 1 397 1 38 2 50 2 3 1 55 8 27 4 6 11 270 1 60 2 101 14 59 2 49 2 15 1 28 2 1 1 11 5 31 1 2
6 236 1 8 2 2 2 22 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 25 2 3 1 6 4 2 2 22 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1
7 4 1 1 7 17 10 3 1 9 1 3 1 22 1 7 1 2 1 5 2 10 1 3 1 3 2 1 15 4 2 12 7 7 1 3 1 8 2 2 2 22 1 7 1 2 1 5 2 9 2 2 2
3 7 3 4 2 1 5 2 18 10 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 12 4 5 3 3 1 4 2 1 6 1 14 21 5 13 1 3 1 23 1 16 2 9 1
3 1 4 7 2 1 3 2 1 2 4 2 10 7 22 1 3 1 23 1 10 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 10 1 3 12 13 1 3 1 51 1 3 1 6 4 16 2
26 1 3 1 18 3 24 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 10 2 3 12 58 4 29 37 2 1 1 1 5 1 24 1 1 1 23 2 5 1 1 1 7 1 10 2 4
32 72 1 36 4 39 1 36 1 15 1 13 37 198 1 1 5 1 2 377 1 4 2 7 1 1 1 4 2 41 1 4 2 33 1 4 2 7 1 1 1 4 2 15 1 57 1 4
2 67 2 32 3 26 6 86 2 6 2 669 3 89 7 22 9 24 9 20 12 13 1 3 1 2 12 94 2 10 6 10 6 26 6 89 7 43 5 70 10 31 1 12 4
12 4 1 3 42 2 5 11 44 4 26 6 11 3 62 2 65 1 29 2 11 6 10 6 14 2 31 49 77 3 47 1 116 8 60 3 15 3 60 7 43 2 11 8
43 5 534 2 6 2 38 2 6 2 8 1 1 1 1 1 1 1 31 2 53 1 15 1 14 2 6 1 19 2 3 1 9 1 101 1 12 2 27 1 13 3 33 15 33 15
140 4 663 25 11 21 1812 2 32 1 349 5 45 1 1 5 1 2 56 7 2 14 24 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 126 34 26 1 89
12 214 26 80 1 86 2 103 5 43 1 94 1 84 11 48 1 29293 3 55 9 348 20 184 8 203 5 2 1 1 1 5 24 59 3 10 6 56 8 70 8
12 6 116 11 30 3 78 1 11 4 33 1 55 9 14 2 10 2 103 24 28 10 6 2 6 2 6 9 7 1 7 1 60 4 126 2 10 6 11172 12 23 4 49
4 8814 2 106 38 7 12 5 5 26 1 5 1 1 1 2 1 2 1 125 16 445 2 54 7 1 32 42 6 51 1 19 1 4 4 5 1 135 2 1 1 190 3 6 2
6 2 6 2 3 3 7 1 7 10 5 2 12 1 26 1 19 1 2 1 15 2 14 34 123 5 3 4 45 3 88 1 13 3 1 47 46 130 29 3 49 15 28 4 36 9
30 5 43 5 30 1 37 4 14 42 158 2 10 6 36 4 36 4 40 8 52 11 12 1 15 1 7 1 2 1 11 1 15 1 7 1 2 67 311 9 22 10 8 24
6 1 42 1 9 69 6 2 1 1 44 1 2 3 1 2 23 1 72 8 9 48 19 1 2 5 33 3 27 5 1 64 56 4 20 2 50 1 2 5 8 1 3 1 29 2 3 4 10
7 9 7 64 32 39 4 12 9 54 3 29 2 27 5 26 7 4 12 7 80 73 55 51 13 51 7 46 8 10 294 31 1 42 1 3 2 2 75 43 8 42 22
26 38 28 20 23 9 78 4 36 9 68 10 1 2 25 7 10 6 53 1 18 8 39 9 96 1 20 11 18 1 47 62 7 1 1 1 4 1 15 1 11 6 59 5
10 6 4 1 8 2 2 2 22 1 7 1 2 1 5 1 10 2 2 2 3 2 1 6 1 5 7 2 7 3 5 139 92 1 5 30 72 8 10 166 54 2 38 34 69 11 10 6
13 19 58 6 10 54 27 2 15 4 23 185 60 100 83 12 8 2 1 2 8 1 2 1 30 1 2 2 12 9 10 70 8 2 46 2 11 27 72 8 83 13 73
7 10 246 9 1 45 1 14 10 29 3 32 2 22 1 14 73 7 1 2 1 44 3 1 1 2 1 9 8 10 6 6 1 2 1 37 1 2 1 6 7 10 310 25 7 17 1
41 3 28 86 1 15 50 13 923 102 111 1 5 11 196 2636 99 13 1110 4010 583 8633 569 7 31 1 10 4 81 1 10 6 30 2 6 10
70 10 10 1 7 1 21 5 19 688 91 101 75 4 57 7 17 64 5 11 2 14 6136 8 1238 42 9 8935 4 1 7 1 2 1 291 15 1 29 3 2 1
14 4 8 396 2308 107 5 13 3 9 7 10 2 8 4700 46 2 23 9 116 60 246 10 39 2 194 21 70 122 20 12 20 12 87 9 25 135 85
1 71 1 2 2 1 2 2 2 4 1 12 1 1 1 7 1 65 1 4 2 8 1 7 1 28 1 4 1 5 1 1 3 7 1 340 2 292 2 702 15 5 1 15 1104 31 6 6
213 7 1 17 2 7 1 2 1 5 5 62 33 1 112 45 3 14 2 10 4 2 320 31 17 58 5 1 464 42 742 7 1 4 1 2 1 15 1 197 2 16 41
76 4 10 4 2 785 68 76 61 194 4 1 27 1 2 1 1 2 1 1 10 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1
1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 10 1 17 5 3 1 5 1 17 52 2 270 44 4 100 12 15 2 15 1 15 1 37 10 174 56 29 13 44 4 9
7 2 14 6 154 984 4 17 3 13 3 119 4 95 6 12 4 1 15 12 4 56 8 10 6 40 8 30 2 2 78 340 12 14 2 13 3 9 7 46 1 7 8 14
4 9 7 9 7 147 1 55 37 10 1030 42720 32 4154 6 222 2 5762 14 7473 15 622 2466 542 1506 4939 5 4192 711761 1 30 96
128 240 65040 65534 2 65534 2
"""
# NFKC of letters added after Unicode 13.0: the first one, and what it and those after it become.
NEWER_LETTERS = {
    0xA7F2: "43 46 51",
    0x10781: "2d0 2d1 e6 299 253",
    0x10787: (
        "2a3 ab66 2a5 2a4 256 257 1d91 258 25e 2a9 264 262 260 29b 127 29c 267 284 2aa 2ab 26c 1df04 a78e 26e "
        "1df05 28e 1df06 f8 276 277 71 27a 1df08 27d 27e 280 2a8 2a6 ab67 2a7 288 2c71"
    ),
    0x107B2: "28f 2a1 2a2 298 1c0 1c1 1c2 1df0a 1df1e",
    0x1E030: (
        "430 431 432 433 434 435 436 437 438 43a 43b 43c 43e 43f 440 441 442 443 444 445 446 447 448 44b 44d "
        "44e a689 4d9 456 458 4e9 4af 4cf 430 431 432 433 434 435 436 437 438 43a 43b 43e 43f 441 443 444 445 "
        "446 447 448 44a 44b 491 456 455 45f 4ab a651 4b1"
    ),
}
# Combining marks added after Unicode 13.0, by an older mark of the same combining class that composes with nothing.
NEWER_MARKS = {
    0x1037: "c3c",
    0x094D: "1715 11070 11f41-11f42",
    0x302A: "1dfa",
    0x0316: "899-89b 8cf-8d2 1ac3-1ac4 1aca 10efd-10eff 10f83 10f85 1e4ee",
    0x0363: "898 89c-89f 8ca-8ce 1ac1-1ac2 1ac5-1ac9 1acb-1ace 10f82 10f84 1e08f 1e2ae 1e4ef",
    0x0315: "1e4ec-1e4ed",
}


def assigned_starts():
    """Where each run begins: runs with an even number are assigned."""
    starts, at = [], 0
    for length in map(int, ASSIGNED_RUNS.split()):
        starts.append(at)
        at += length
    return starts


def newer_marks():
    marks = {}
    for stand_in, ranges in NEWER_MARKS.items():
        for each in ranges.split():
            first, _, last = each.partition("-")
            marks.update((chr(code), chr(stand_in)) for code in range(int(first, 16), int(last or first, 16) + 1))
    return marks


RUN_STARTS = assigned_starts()
DECOMPOSED = {
    first + i: chr(int(code, 16)) for first, codes in NEWER_LETTERS.items() for i, code in enumerate(codes.split())
}
STAND_INS = newer_marks()
# Capitals added in Unicode 14.0, and how far their small letters lie behind them.
SMALL_LETTERS = {0x2C2F: 0x2C5F, **{code: code + 1 for code in (0xA7C0, 0xA7D0, 0xA7D6, 0xA7D8)}}
SMALL_LETTERS.update((code, code + 0x27) for code in range(0x10570, 0x10596) if code not in (0x1057B, 0x1058B, 0x10593))
UNSEEN = re.compile("[%s]" % INVISIBLE)
SPACES = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def is_assigned(char):
    return bisect.bisect_right(RUN_STARTS, ord(char)) % 2 == 1


def is_id(value):
    return isinstance(value, str) and is_id_text(value)


@functools.lru_cache(maxsize=4096)
def is_id_text(value):
    return 1 <= len(value) <= 256 and len(value.encode("utf-8", "surrogatepass")) <= 256 and all(map(is_assigned, value))


def nfkc(text):
    """NFKC. Marks that an older Unicode version does not know are sorted in the place of one that it knows."""
    text = text.translate(DECOMPOSED)
    waiting = {mark: iter([char for char in text if STAND_INS.get(char, char) == mark]) for mark in set(STAND_INS.values())}
    normal = unicodedata.normalize("NFKC", "".join(STAND_INS.get(char, char) for char in text))
    return "".join(next(waiting[char]) if char in waiting else char for char in normal)


@functools.lru_cache(maxsize=4096)
def folded(text):
    """One spelling for all spellings of a name: NFKC, nothing invisible, without case."""
    visible = UNSEEN.sub("", nfkc(text)).translate(SMALL_LETTERS)
    # Lower case first: the capital sharp s has no other upper case, the small one becomes SS.
    return nfkc(visible.lower().upper().lower().replace("\u03c2", "\u03c3"))


def normal_id(name):
    return folded(name).strip(SPACES)


# --- Forms: what a value must look like, told by its first fault ---------------------------------------------------------


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def form(is_good, words):
    return lambda value, path: None if is_good(value) else "%s is %s" % (path, words)


def text_that(is_good, words):
    return form(lambda value: isinstance(value, str) and is_good(value), words)


def like(pattern, words):
    return text_that(lambda value: re.fullmatch(pattern, value) is not None, words)


def one_of(*allowed):
    return text_that(lambda value: value in allowed, "not " + " or ".join(allowed))


def is_time(text):
    found = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{3}Z", text)
    if found is None:
        return False
    year, month, day, hour, minute, second = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (
        year >= 1970 and 1 <= month <= 12 and 1 <= day <= days[month - 1] and hour <= 23 and minute <= 59 and second <= 59
    )


def milliseconds(moment):
    """Since 1970."""
    at = datetime.datetime.strptime(moment, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    return (at - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)


def time_text(milliseconds_given):
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=milliseconds_given)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (milliseconds_given % 1000)


def is_base64url(text):
    try:
        from_base64url(text)
        return True
    except ValueError:
        return False


def is_ed25519_key(text):
    try:
        return len(from_base64(text)) == 32
    except ValueError:
        return False


def is_whole(value, least=0):
    return is_number(value) and float(value).is_integer() and least <= value <= 2**53 - 1


text = form(lambda value: isinstance(value, str), "not text")
any_object = form(lambda value: isinstance(value, dict), "not an object")
boolean = form(lambda value: isinstance(value, bool), "not true or false")
index = form(is_whole, "not a whole number from 0")
seat_count = form(lambda value: is_whole(value, 1) and value <= 10, "not a whole number from 1 to 10")
positive = form(lambda value: is_whole(value, 1), "not a whole number from 1")
amount = form(lambda value: is_number(value) and value >= 0, "not a number from 0")
fraction = form(lambda value: is_number(value) and 0 <= value <= 1, "not a number from 0 to 1")
time = text_that(is_time, "not a time such as 2026-01-31T12:00:00.000Z")
identifier = form(is_id, "not an id of at most 256 bytes")
SERVICE = r"[A-Za-z0-9._~:\[\]-]{1,255}"
service_form = like(SERVICE, "not the host of a service")
bare_hash = like("[0-9a-f]{64}", "not 64 hex digits")
prefixed_hash = like("sha256:[0-9a-f]{64}", "not sha256: and 64 hex digits")
previous_hash_form = like("(?:[0-9a-f]{64})?", "not 64 hex digits or empty")
base64url = text_that(is_base64url, "not base64url")
digest_form = like("[A-Za-z0-9_-]{43}", "not a digest")


def nullable(inner):
    return lambda value, path: None if value is None else inner(value, path)


def list_of(inner, most, least=0):
    def check(value, path):
        if not isinstance(value, list):
            return "%s is not a list" % path
        if len(value) < least:
            return "%s has fewer entries than %d" % (path, least)
        if len(value) > most:
            return "%s has more entries than %d" % (path, most)
        for i, item in enumerate(value):
            found = inner(item, "%s[%d]" % (path, i))
            if found is not None:
                return found
        return None

    return check


def under(path, name):
    return name if path == "" else path + "." + name


def object_of(members):
    """These members and no other; a name that ends in a question mark may be left out."""
    known = [(name.rstrip("?"), name.endswith("?"), inner) for name, inner in members.items()]
    names = {name for name, _, _ in known}

    def check(value, path):
        if not isinstance(value, dict):
            return "%s is not an object" % path
        unknown = sorted((name for name in value if name not in names), key=utf16)
        if unknown:
            return "%s is unknown" % under(path, unknown[0])
        for name, is_optional, inner in known:
            here = under(path, name)
            if name not in value:
                if is_optional:
                    continue
                return "%s is missing" % here
            found = inner(value[name], here)
            if found is not None:
                return found
        return None

    return check


# --- Disclosures (RFC 9901) ----------------------------------------------------------------------------------------------


def disclosure_digest(disclosure):
    return to_base64url(sha256(disclosure.encode("utf-8")))


def strict_text(data):
    """UTF-8 without a byte-order mark."""
    decoded = data.decode("utf-8")
    if decoded.startswith("\ufeff"):
        raise ValueError("a byte-order mark")
    return decoded


def parse_disclosure(disclosure):
    parts = parse_strict(strict_text(from_base64url(disclosure)))
    if not isinstance(parts, list) or len(parts) != 3:
        raise ValueError("a disclosure is a list of three")
    salt, name, value = parts
    if not isinstance(salt, str) or not isinstance(name, str) or name in ("_sd", "..."):
        raise ValueError("salt and name are text")
    return name, value


class Disclosures:
    """Finds disclosures by their digests; each must be used exactly once."""

    def __init__(self, disclosed, path="disclosures"):
        self.by_digest = {}
        self.seen = set()
        for i, disclosure in enumerate(disclosed):
            place = "%s[%d]" % (path, i)
            try:
                name, value = parse_disclosure(disclosure)
            except (ValueError, NotJson):
                raise Refutation("%s is no disclosure" % place)
            digest = disclosure_digest(disclosure)
            if digest in self.by_digest:
                raise Refutation("%s is there twice" % place)
            self.by_digest[digest] = (name, value, disclosure, place)

    def take(self, digest):
        if digest in self.seen:
            raise Refutation("a digest stands in the sealed content twice")
        self.seen.add(digest)
        return self.by_digest.get(digest)

    def require_all_used(self):
        for digest, (_, _, _, place) in self.by_digest.items():
            if digest not in self.seen:
                raise Refutation("%s belongs to nothing that was sealed" % place)


class Withheld:
    """Digests of one object that nothing discloses: `count` of them, which stand for some of these paths."""

    def __init__(self, count, certain, possible):
        self.count, self.certain, self.possible = count, certain, possible

    def paths(self):
        return self.certain + self.possible


def withheld_of(count, members, prefix, shown):
    rest = [member for member in members if member[0] not in shown]
    certain = [prefix + name for name, _, is_always in rest if is_always]
    possible = [prefix + name for name, _, is_always in rest if not is_always]
    if len(certain) > count:
        raise Refutation("%s was not sealed" % certain[0])
    if count > len(certain) + len(possible):
        first = members[0][0] if members else "kind"
        raise Refutation("more was sealed than the format knows, beside %s%s" % (prefix, first))
    if count == len(certain) + len(possible):
        return Withheld(count, certain + possible, [])
    return Withheld(count, certain, [] if count == len(certain) else possible)


def open_object(sealed, members, prefix, disclosures):
    """The disclosed members of one object, the texts that disclose them, and what is withheld."""
    shown, texts, count = {}, {}, 0
    forms = {name: inner for name, inner, _ in members}
    for digest in sealed.get("_sd", []):
        given = disclosures.take(digest)
        if given is None:
            count += 1
            continue
        name, value, disclosure, place = given
        if name not in forms:
            raise Refutation("%s discloses %s%s, which is unknown" % (place, prefix, name))
        if name in shown:
            raise Refutation("%s%s is disclosed twice" % (prefix, name))
        found = forms[name](value, prefix + name)
        if found is not None:
            raise Refutation("%s: %s" % (place, found))
        shown[name] = value
        texts[name] = disclosure
    return shown, texts, withheld_of(count, members, prefix, shown)


def withheld_names(withheld):
    names = []
    for each in withheld:
        open_count = each.count - len(each.certain)
        more = ["%d of %s" % (open_count, " and ".join(each.possible))] if open_count > 0 else []
        names += [name for name in each.certain + more if name not in names]
    return names


def without_erased(withheld, erased):
    gone = {entry["path"] for entry in erased}
    left = []
    for each in withheld:
        count = each.count - len([path for path in each.paths() if path in gone])
        certain = [path for path in each.certain if path not in gone]
        possible = [path for path in each.possible if path not in gone]
        if count - len(certain) == len(possible):
            certain, possible = certain + possible, []
        left.append(Withheld(count, certain, possible))
    return left


def read_canonical(content, what):
    try:
        value, ambiguity = read_json(content)
    except NotJson:
        raise Refutation("%s is not JSON" % what)
    if ambiguity is not None:
        raise Refutation("%s: %s" % (what, ambiguity))
    if canonical(value) != content:
        raise Refutation("%s is not canonical JSON" % what)
    return value


# --- The sealed content of a decision ------------------------------------------------------------------------------------

GUARDS = (
    "policy_existence", "evidence_level", "human_review", "risk_threshold", "dual_approval", "approver_authentication", "quorum",
)
EVENT_TYPES = (
    "agent_execution", "workflow_step", "human_approval", "ai_recommendation", "automated_action", "policy_decision",
    "escalation", "custom",
)
KINDS = ("api_key", "session", "passkey", "system", "mandate")


def digests(value, path):
    found = list_of(digest_form, 100, 1)(value, path)
    if found is None and any(one >= other for one, other in zip(value, value[1:])):
        return "%s is not sorted" % path
    return found


def with_digests(members):
    return object_of({**members, "_sd?": digests})


def short_base64url(value, path):
    is_long = isinstance(value, str) and len(value) > 4096
    return "%s is longer than 4096 characters" % path if is_long else base64url(value, path)


signature_form = object_of({
    "type": one_of("webauthn"),
    "credentialId": short_base64url,
    "publicKey": short_base64url,
    "authenticatorData": short_base64url,
    "clientDataJSON": short_base64url,
    "signature": short_base64url,
})
# Of an OpenID Connect provider.
identity_form = object_of({"issuer": text, "subject": text})
seat_form = object_of({"index": index, "group?": identifier})
sealed_event_form = with_digests({
    "id": identifier,
    "type": one_of(*EVENT_TYPES),
    "actor": with_digests({"type": one_of("human", "ai_agent", "system", "service")}),
    "action": with_digests({"type": text}),
    "aiContext?": with_digests({}),
    "occurredAt": time,
})


def sealed_approval_form(result):
    return with_digests({
        "id": identifier,
        "approver": with_digests({"type": one_of("human", "system")}),
        "result": one_of(result),
        "approvedAt": time,
        "by": with_digests({"kind": one_of(*KINDS), "via?": one_of("oidc")}),
        "seat?": seat_form,
        "alsoSeats?": list_of(seat_form, 3, 1),
        "delegation?": object_of({"id": identifier}),
        "escalation?": object_of({"group": identifier}),
    })


# The author of an entry of the journal; its id is sealed.
author_form = object_of({"kind": one_of(*KINDS), "_sd?": list_of(digest_form, 1, 1)})
guard_form = object_of({
    "guard": one_of(*GUARDS), "verdict": one_of("pass"), "detail": text, "policy?": identifier, "version?": index,
})


def sorted_by(name, inner):
    """A list without repetitions, in ascending order of a member."""

    def check(value, path):
        found = inner(value, path)
        if found is not None:
            return found
        keys = [utf16(each[name]) for each in value]
        return "%s is not sorted" % path if any(one >= other for one, other in zip(keys, keys[1:])) else None

    return check


considered_form = sorted_by("id", list_of(object_of({"id": identifier, "version": index}), 200, 1))
journals_form = sorted_by("origin", list_of(object_of({"origin": text, "size": index}), 3, 2))
decision_form = object_of({
    "kind": one_of("decision"),
    "service": service_form,
    "center": object_of({"id": index, "domain": text}),
    "event": sealed_event_form,
    "approvals": list_of(sealed_approval_form("approved"), 100, 1),
    "policy": object_of({
        "id": identifier,
        "version": index,
        "guards": list_of(guard_form, len(GUARDS), len(GUARDS)),
        "considered?": considered_form,
        "journals?": journals_form,
    }),
    "mandate?": object_of({
        "id": like("[A-Za-z0-9_-]{1,256}", "not the id of a mandate"),
        "eventId": identifier,
        "use": positive,
        "spent?": amount,
        "previous?": previous_hash_form,
    }),
    "_sd_alg": one_of("sha-256"),
})
rejection_form = object_of({
    "kind": one_of("rejected"),
    "eventId": identifier,
    "eventDigest": bare_hash,
    "event": sealed_event_form,
    "approval": sealed_approval_form("rejected"),
    "by": author_form,
    "_sd_alg?": one_of("sha-256"),
})

# (name, form, whether it is always there)
EVENT_MEMBERS = [("decisionId", identifier, True), ("tags", list_of(text, 1000), False), ("riskScore", fraction, False)]
PARTY_MEMBERS = [("id", identifier, True), ("name", text, False)]
ACTION_MEMBERS = [("description", text, False), ("input", any_object, False), ("output", any_object, False)]
AI_MEMBERS = [
    ("model", text, False), ("provider", text, False), ("confidence", fraction, False), ("reasoning", text, False),
]


def by_members(kind, has_provider):
    return ([] if kind == "system" else [("id", identifier, True)]) + (
        [("identity", identity_form, True)] if has_provider else []
    )


def approval_members(is_delegated, is_signed):
    return (
        [("reason", text, False)]
        + ([("signature", signature_form, True)] if is_signed else [])
        + ([("onBehalfOf", identifier, True)] if is_delegated else [])
    )


def path_names(prefix, members):
    return [prefix + name for name, _, _ in members]


DISCLOSABLE_PATHS = (
    path_names("", EVENT_MEMBERS)
    + path_names("actor.", PARTY_MEMBERS)
    + path_names("action.", ACTION_MEMBERS)
    + path_names("aiContext.", AI_MEMBERS)
    + path_names("approvals.approver.", PARTY_MEMBERS)
    + path_names("approvals.", approval_members(True, True))
    + path_names("approvals.by.", by_members("passkey", True))
)


class Sealed:
    """What a decision or a rejection says, as far as it is disclosed."""

    def __init__(self, content, disclosed, is_rejection):
        value = read_canonical(content, "the sealed content")
        found = (rejection_form if is_rejection else decision_form)(value, "")
        if found is not None:
            what = "rejection" if is_rejection else "decision"
            raise Refutation("the sealed content is no %s: %s" % (what, found.strip()))
        if is_rejection:
            if value["eventId"] != value["event"]["id"] or value["eventDigest"] != event_digest(value["event"]):
                raise Refutation("the rejection is of another event")
        self.content = value
        self.is_rejection = is_rejection
        self.sealed_approvals = [value["approval"]] if is_rejection else value["approvals"]
        self.mandate = value.get("mandate")
        self.policy = value.get("policy")
        self.withheld = []
        self.disclosures = Disclosures(disclosed)
        self.open_event(value["event"])
        self.open_approvals()
        self.disclosures.require_all_used()

    def opened(self, part, members, prefix):
        shown, texts, withheld = open_object(part, members, prefix, self.disclosures)
        if withheld.count > 0:
            self.withheld.append(withheld)
        return shown, texts

    def open_event(self, sealed):
        of_event, _ = self.opened(sealed, EVENT_MEMBERS, "")
        of_actor, _ = self.opened(sealed["actor"], PARTY_MEMBERS, "actor.")
        of_action, texts = self.opened(sealed["action"], ACTION_MEMBERS, "action.")
        self.input_disclosure = texts.get("input")
        self.action_withheld = [
            digest for digest in sealed["action"].get("_sd", []) if digest not in self.disclosures.by_digest
        ]
        self.event = {
            "id": sealed["id"],
            "type": sealed["type"],
            "actor": {"type": sealed["actor"]["type"], **of_actor},
            "action": {"type": sealed["action"]["type"], **of_action},
            "occurredAt": sealed["occurredAt"],
            **of_event,
        }
        if "aiContext" in sealed:
            self.event["aiContext"], _ = self.opened(sealed["aiContext"], AI_MEMBERS, "aiContext.")

    def open_approvals(self):
        self.approvals, self.signature_disclosures = [], []
        for approval in self.sealed_approvals:
            kind = approval["by"]["kind"]
            own, texts = self.opened(approval, approval_members("delegation" in approval, kind == "passkey"), "approvals.")
            of_approver, _ = self.opened(approval["approver"], PARTY_MEMBERS, "approvals.approver.")
            of_by, _ = self.opened(approval["by"], by_members(kind, "via" in approval["by"]), "approvals.by.")
            self.approvals.append({
                **{name: value for name, value in approval.items() if name != "_sd"},
                "approver": {"type": approval["approver"]["type"], **of_approver},
                "by": {**{name: value for name, value in approval["by"].items() if name != "_sd"}, **of_by},
                **own,
            })
            self.signature_disclosures.append(texts.get("signature"))

    def name_of_approval(self, i):
        return "approval" if self.is_rejection else "approvals[%d]" % i

    def may_withhold(self, path):
        return any(path in each.paths() for each in self.withheld)

    def surely_withholds(self, path):
        return any(path in each.certain for each in self.withheld)


def event_digest(sealed_event):
    return hashlib.sha256(canonical(sealed_event).encode("utf-8")).hexdigest()


# --- What a proof shows of a decision, made anew -------------------------------------------------------------------------


def agent_type(kind):
    return "prov:Person" if kind == "human" else "prov:SoftwareAgent"


def known(members):
    return {name: value for name, value in members.items() if value is not None}


def show_parties(sealed, verify_url, credentials):
    def at(fragment):
        return "%s#%s" % (verify_url, fragment)

    event = sealed.event
    actor = {"@id": at("actor"), "@type": agent_type(event["actor"]["type"]), **event["actor"]}
    approvers = [
        {"@id": at("approver-%d" % (i + 1)), "@type": agent_type(each["approver"]["type"]), **each["approver"]}
        for i, each in enumerate(sealed.approvals)
    ]
    approvals = [
        known({
            "@id": at("approval-%d" % (i + 1)),
            "@type": "prov:Activity",
            **each,
            "approver": approvers[i],
            "credential": credentials[i],
        })
        for i, each in enumerate(sealed.approvals)
    ]
    return {"@id": at("event"), "@type": "prov:Activity", **event, "actor": actor}, approvers, approvals


def show_rejection(sealed, verify_url, timestamp, credentials):
    event, _, approvals = show_parties(sealed, verify_url, credentials)
    return known({
        "@id": verify_url,
        "@type": "prov:Entity",
        "decisionId": sealed.event.get("decisionId"),
        "status": "rejected",
        "evidenceLevel": "DOCUMENTED",
        "event": event,
        "approval": approvals[0],
        "rejectedAt": timestamp,
        "createdAt": sealed.event["occurredAt"],
    })


def show_decision(sealed, verify_url, chain_index, timestamp, credentials):
    event, approvals, policy, content = sealed.event, sealed.approvals, sealed.policy, sealed.content
    ai = event.get("aiContext", {})
    shown_event, approvers, shown = show_parties(sealed, verify_url, credentials)
    reasons = [each["reason"] for each in approvals if "reason" in each]
    return known({
        "@id": verify_url,
        "@type": "prov:Entity",
        "decisionId": event.get("decisionId"),
        "status": "sealed",
        "evidenceLevel": "AUDIT_READY",
        "event": shown_event,
        "approval": shown[-1],
        "approvals": shown,
        "policy": policy,
        "mandate": sealed.mandate,
        "responsibility": {
            "@id": shown_event["@id"],
            "who": {"actor": shown_event["actor"], "approvers": approvers},
            "what": known({
                "eventId": event["id"],
                "decisionId": event.get("decisionId"),
                "type": event["action"]["type"],
                "description": event["action"].get("description"),
            }),
            "when": {
                "@type": "prov:Start",
                "occurredAt": event["occurredAt"],
                "approvedAt": [each["approvedAt"] for each in approvals],
                "sealedAt": timestamp,
            },
            "where": {
                "@type": "prov:Location",
                "service": content["service"],
                "centerId": content["center"]["id"],
                "centerDomain": content["center"]["domain"],
                "chainIndex": chain_index,
            },
            "why": known({
                "reasoning": ai.get("reasoning"),
                "reasons": reasons or None,
                "policyId": policy["id"],
                "policyVersion": policy["version"],
            }),
            "how": known({
                "@type": "prov:Association",
                "agent": shown_event["actor"]["@id"],
                "method": event["type"],
                "model": ai.get("model"),
                "provider": ai.get("provider"),
                "approvedBy": [each["by"]["kind"] for each in approvals],
            }),
        },
        "sealedAt": timestamp,
        "createdAt": event["occurredAt"],
    })


def is_same(one, other):
    if is_number(one) and is_number(other):
        return one == other
    return type(one) is type(other) and one == other


def first_difference(shown, sealed, path):
    if isinstance(shown, dict) and isinstance(sealed, dict):
        for name in sorted({**shown, **sealed}, key=utf16):
            here = "%s.%s" % (path, name)
            if name not in sealed:
                return "%s is shown, but was not sealed so" % here
            if name not in shown:
                return "%s was sealed and is not shown" % here
            found = first_difference(shown[name], sealed[name], here)
            if found is not None:
                return found
        return None
    if isinstance(shown, list) and isinstance(sealed, list):
        for i in range(max(len(shown), len(sealed))):
            here = "%s[%d]" % (path, i)
            if i >= len(sealed):
                return "%s is shown, but was not sealed so" % here
            if i >= len(shown):
                return "%s was sealed and is not shown" % here
            found = first_difference(shown[i], sealed[i], here)
            if found is not None:
                return found
        return None
    return None if is_same(shown, sealed) else "%s is not what was sealed" % path


def require_same(shown, sealed, path):
    found = first_difference(shown, sealed, path)
    if found is not None:
        raise Refutation(found)


# --- The rules of a decision ---------------------------------------------------------------------------------------------


def check_times(sealed, recorded_at):
    before = sealed.event["occurredAt"]
    for i, approval in enumerate(sealed.approvals):
        if approval["approvedAt"] < before:
            what = "the decision was recorded" if i == 0 else "approvals[%d]" % (i - 1)
            raise Refutation("%s was given before %s" % (sealed.name_of_approval(i), what))
        before = approval["approvedAt"]
    if recorded_at < before:
        was = "the rejection was recorded before it was given" if sealed.is_rejection else None
        raise Refutation(was or "the decision was sealed before it was approved")


def check_approver(approval, name):
    approver, by = approval["approver"], approval["by"]
    is_person = by["kind"] in ("session", "passkey")
    if is_person and approver["type"] != "human":
        raise Refutation("%s was given by a person and does not say so" % name)
    if by["kind"] == "system" and approver["type"] != "system":
        raise Refutation("%s was given by the system and does not say so" % name)
    if is_person and "id" in by and "id" in approver and by["id"] != approver["id"]:
        raise Refutation("%s was given by somebody in another's name" % name)
    if "via" in by and not is_person:
        raise Refutation("%s was given without a session and names a provider" % name)


def check_mandate(sealed, sealed_at):
    is_mandated = any(each["by"]["kind"] == "mandate" for each in sealed.approvals)
    if is_mandated and sealed.mandate is None:
        raise Refutation("the mandate is not named")
    if sealed.mandate is None:
        return
    if not is_mandated:
        raise Refutation("the mandate did not approve")
    if len(sealed.approvals) > 1:
        raise Refutation("a mandate approved together with others")
    approver, by = sealed.approvals[0]["approver"], sealed.approvals[0]["by"]
    if approver["type"] != "system":
        raise Refutation("approvals[0] was given by a mandate and does not say so")
    if any(each["id"] != sealed.mandate["id"] for each in (approver, by) if "id" in each):
        raise Refutation("approvals[0] was given by another mandate")
    if (sealed.mandate.get("previous") == "") != (sealed.mandate["use"] == 1) and "previous" in sealed.mandate:
        raise Refutation("the first use of a mandate, and no other, has no predecessor")
    if milliseconds(sealed_at) - milliseconds(sealed.approvals[0]["approvedAt"]) > 300000:
        raise Refutation("the use of a mandate was sealed more than 300 seconds after its approval")


def check_journals(sealed):
    """The seal names exactly the chains that decide. Decisions sealed before format 4 name none."""
    journals = sealed.policy.get("journals")
    if journals is None:
        return
    service, center = sealed.content["service"], sealed.content["center"]["id"]
    deciding = ["%s/chains/%d/journal" % (service, center), "%s/chains/0/journal" % service]
    if any(approval["by"]["kind"] == "passkey" for approval in sealed.approvals):
        deciding.append("%s/chains/0/audit" % service)
    named = [each["origin"] for each in journals]
    for origin in deciding:
        if origin not in named:
            raise Refutation("policy.journals does not name %s" % origin)
    for origin in named:
        if origin not in deciding:
            raise Refutation("policy.journals names %s, which does not decide" % origin)


def check_four_eyes(approvals):
    seen = ({}, {}, {}, {})
    words = (
        "are the same", "were given by the same person", "were signed by one passkey", "were given with one identity",
    )
    for j, approval in enumerate(approvals):
        person, signature = approval["approver"].get("id"), approval.get("signature")
        identity = approval["by"].get("identity")
        marks = (
            approval["id"],
            None if person is None else normal_id(person),
            None if signature is None else signature["publicKey"],
            None if identity is None else (identity["issuer"], identity["subject"]),
        )
        found = [
            (each.setdefault(mark, j), order) for order, (each, mark) in enumerate(zip(seen, marks)) if mark is not None
        ]
        first, order = min(found)
        if first < j:
            raise Refutation("approvals[%d] and approvals[%d] %s" % (first, j, words[order]))


LEVELS = ("DRAFT", "DOCUMENTED", "AUDIT_READY")
AUTHENTICATIONS = ("ASSERTED", "SESSION", "SIGNED")
STRENGTH = {"api_key": 0, "system": 0, "mandate": 0, "session": 1, "passkey": 2}
NOT_REQUIRED = "not required"
COVERED = "a policy covers this action"
NO_AI = "not a decision of an AI"
REVIEW = "review of an AI decision by a human"
GRANT = "grant of a mandate by a human: given"
NO_SCORE = "no risk score given"
UNRATED = "risk not rated: approval by a human"
TWO_APPROVERS = "approval by two different approvers: given"
MANDATED = ": under a mandate"
GROUP = "grp_[A-Za-z0-9_]{1,60}"
SEAT = r"(?:[1-9]|10) of (?:any human|%s) \((?:%s)\)" % (GROUP, "|".join(AUTHENTICATIONS))
QUORUM = re.compile(r"(%s(?:, %s)*)(, in order)?(?:, escalating to (%s) after ([1-9][0-9]{0,9}) seconds)?" % (SEAT, SEAT, GROUP))


class Quorum:
    """Seats that must be filled: (group or None, count, authentication); whether in order; (group, seconds) or None."""

    def __init__(self, seats, ordered, escalation):
        self.seats, self.ordered, self.escalation = seats, ordered, escalation

    def words(self):
        parts = ["%d of %s (%s)" % (count, group or "any human", how) for group, count, how in self.seats]
        parts += ["in order"] if self.ordered else []
        parts += ["escalating to %s after %d seconds" % self.escalation] if self.escalation else []
        return ", ".join(parts)


def need_words(quorums):
    return "; and ".join(each.words() for each in quorums)


def parse_quorums(need):
    """The quorums in the words of the guard; None for other words."""
    quorums = []
    for part in need.split("; and "):
        found = QUORUM.fullmatch(part)
        if found is None:
            return None
        seats = []
        for seat in found.group(1).split(", "):
            count, group, how = re.fullmatch(r"([0-9]+) of (.+) \((.+)\)", seat).groups()
            seats.append((None if group == "any human" else group, int(count), how))
        escalation = (found.group(3), int(found.group(4))) if found.group(3) else None
        quorums.append(Quorum(seats, found.group(2) is not None, escalation))
    return quorums


def parse_sentence(guard, detail):
    """What the sentence of a guard says, in parts; None for a sentence that no guard says."""
    if detail == NOT_REQUIRED:
        return None if guard == "policy_existence" else ()
    if guard == "policy_existence":
        return () if detail == COVERED else None
    if guard == "evidence_level":
        found = re.fullmatch("level (%s), at least (%s) required" % ("|".join(LEVELS), "|".join(LEVELS)), detail)
        return found and found.groups()
    if guard == "human_review":
        return (detail,) if detail in (NO_AI, REVIEW + ": given", REVIEW + MANDATED, GRANT) else None
    if guard == "risk_threshold":
        if detail in (NO_SCORE, UNRATED + ": given", UNRATED + MANDATED):
            return (detail, None)
        found = re.fullmatch(r"risk (?:at most (\S+)|over (\S+): approval by a human: (?:given|under a mandate))", detail)
        threshold = found and threshold_of(found.group(1) or found.group(2))
        return None if threshold is None else (detail, threshold)
    if guard == "dual_approval":
        return () if detail == TWO_APPROVERS else None
    if guard == "approver_authentication":
        found = re.fullmatch("approvers at least (%s)()" % "|".join(AUTHENTICATIONS), detail)
        found = found or re.fullmatch("approvers at least (SIGNED), passkeys at least ([1-9][0-9]{0,2}) hours old", detail)
        hours = int(found.group(2) or 0) if found else 721
        return (found.group(1), hours) if hours <= 720 else None
    need, colon, end = detail.rpartition(": ")
    quorums = parse_quorums(need) if colon and end in ("filled", "under a mandate") else None
    return quorums and (quorums, end)


def threshold_of(written):
    """A number from 0 to 1 as canonical JSON writes it, else None."""
    try:
        value = float(written)
    except ValueError:
        return None
    return value if 0 <= value <= 1 and number_text(value) == written else None


def grants_mandate(event):
    return event["type"] == "policy_decision" and event["action"]["type"] == "mandate.grant"


def is_ai_decision(event):
    return (
        event["actor"]["type"] == "ai_agent"
        or "aiContext" in event
        or event["type"] in ("ai_recommendation", "agent_execution")
    )


def seats_of(approval):
    return ([approval["seat"]] if "seat" in approval else []) + approval.get("alsoSeats", [])


def people_of(approval):
    return {normal_id(each) for each in (approval["approver"].get("id"), approval.get("onBehalfOf")) if each is not None}


def is_filled(quorum, first, sealed, young):
    """Whether approvals fill the seats of this quorum, numbered from `first`; passkeys in `young` count as a session."""
    counts, people = [0] * len(quorum.seats), set()
    for i, approval in enumerate(sealed.approvals):
        kind = "session" if i in young else approval["by"]["kind"]
        named = [each for each in seats_of(approval) if first <= each["index"] < first + len(quorum.seats)]
        if len(named) != 1 or approval["approver"]["type"] != "human":
            continue
        at = int(named[0]["index"]) - first
        group, _, how = quorum.seats[at]
        if named[0].get("group") != group or STRENGTH[kind] < AUTHENTICATIONS.index(how):
            continue
        if "escalation" in approval and not has_escalated(quorum, approval, sealed.event["occurredAt"]):
            continue
        if quorum.ordered and any(counts[i] < quorum.seats[i][1] for i in range(at)):
            continue
        if not people_of(approval) & people:
            people |= people_of(approval)
            counts[at] += 1
    return all(counts[i] >= count for i, (_, count, _) in enumerate(quorum.seats))


def has_escalated(quorum, approval, occurred_at):
    if quorum.escalation is None or quorum.escalation[0] != approval["escalation"]["group"]:
        return False
    return milliseconds(approval["approvedAt"]) >= milliseconds(occurred_at) + quorum.escalation[1] * 1000


def are_filled(quorums, sealed, young=frozenset()):
    first = 0
    for quorum in quorums:
        if not is_filled(quorum, first, sealed, young):
            return False
        first += len(quorum.seats)
    return True


class Guards:
    """The guards of a decision: what they say, and whether the decision meets it."""

    def __init__(self, sealed):
        self.sealed = sealed
        guards = sealed.policy["guards"]
        for i, guard in enumerate(guards):
            if guard["guard"] != GUARDS[i]:
                raise Refutation("policy.guards[%d] is not %s" % (i, GUARDS[i]))
        self.said = {guard["guard"]: guard["detail"] for guard in guards}
        self.parts = {name: parse_sentence(name, detail) for name, detail in self.said.items()}
        if any(parts is None for parts in self.parts.values()):
            raise Refutation("a guard of the policy says something that no guard says")
        self.is_ai = is_ai_decision(sealed.event)
        self.is_grant = grants_mandate(sealed.event)
        self.has_human = any(each["approver"]["type"] == "human" for each in sealed.approvals)
        # Before format 4, a machine counted as an approver, and an API key could name the person who granted a mandate.
        self.is_old = "journals" not in sealed.policy
        kinds = [each["by"]["kind"] for each in sealed.approvals if each["approver"]["type"] == "human"]
        self.has_signed_in_human = any(self.is_old or kind in ("session", "passkey") for kind in kinds)
        self.score = sealed.event.get("riskScore")
        self.may_be_rated = self.score is None and sealed.may_withhold("riskScore")

    def is_asked(self, guard):
        return self.said[guard] != NOT_REQUIRED

    def check(self):
        # Of a score that is not known the guard only says whether it asked for a human, which is checked last.
        for guard in sorted(GUARDS, key=lambda each: each == "risk_threshold" and self.may_be_rated):
            if not getattr(self, guard)():
                raise Refutation("the guard %s does not hold" % guard)

    def is_approved(self, words):
        """With a mandate the sentence names it; without, a human approved."""
        if words.endswith(MANDATED):
            return self.sealed.mandate is not None
        return self.has_human and self.sealed.mandate is None

    def policy_existence(self):
        return True

    def evidence_level(self):
        if not self.is_asked("evidence_level"):
            return True
        level, least = self.parts["evidence_level"]
        return LEVELS.index(level) >= LEVELS.index(least)

    def human_review(self):
        said = self.said["human_review"]
        if self.is_grant or said == GRANT:
            return self.is_grant and said == GRANT and self.has_signed_in_human
        if not self.is_asked("human_review"):
            return True
        return not self.is_ai if said == NO_AI else self.is_ai and self.is_approved(said)

    def risk_threshold(self):
        if not self.is_asked("risk_threshold"):
            return True
        said, threshold = self.parts["risk_threshold"]
        asks_human = ": approval by a human: " in said
        if asks_human and not self.is_approved(said):
            return False
        if self.may_be_rated:
            return True
        if threshold is None:
            return self.score is None
        return self.score is not None and (self.score > threshold) == asks_human

    def dual_approval(self):
        if not self.is_asked("dual_approval"):
            return True
        approvers = [each["approver"] for each in self.sealed.approvals]
        ids = [each.get("id") for each in approvers if each["type"] == "human" or self.is_old]
        return len({normal_id(each) for each in ids if each is not None}) + ids.count(None) >= 2

    def approver_authentication(self):
        if not self.is_asked("approver_authentication"):
            return True
        needed = AUTHENTICATIONS.index(self.parts["approver_authentication"][0])
        return all(STRENGTH[each["by"]["kind"]] >= needed for each in self.sealed.approvals)

    def quorum(self):
        if not self.is_asked("quorum"):
            return True
        quorums, end = self.parts["quorum"]
        if end == "under a mandate":
            return self.sealed.mandate is not None
        return self.sealed.mandate is None and are_filled(quorums, self.sealed)

    def check_own_approval(self):
        """Nobody approves an own decision."""
        event = self.sealed.event
        is_barred = (
            event["actor"]["type"] == "ai_agent"
            or self.is_grant
            or self.is_asked("dual_approval")
            or self.is_asked("quorum")
            or (self.is_asked("human_review") and self.is_ai)
        )
        actor = event["actor"].get("id")
        if not is_barred or actor is None:
            return
        for i, each in enumerate(self.sealed.approvals):
            if normal_id(actor) in people_of(each):
                raise Refutation("approvals[%d] was given by the actor of the decision itself" % i)


def check_signatures(sealed, service):
    digest = event_digest(sealed.content["event"])
    for i, approval in enumerate(sealed.approvals):
        if "signature" not in approval:
            continue
        whole = sealed.sealed_approvals[i]
        signed = {name: value for name, value in whole.items() if name not in ("approvedAt", "_sd")}
        own = disclosure_digest(sealed.signature_disclosures[i])
        rest = [each for each in whole.get("_sd", []) if each != own]
        if rest:
            signed["_sd"] = rest
        challenge = sha256(canonical({"approval": signed, "eventDigest": digest}).encode("utf-8"))
        found = webauthn_fault(approval["signature"], challenge, service)
        if found is not None:
            raise Refutation("the signature of %s does not hold: %s" % (sealed.name_of_approval(i), found))


# --- The policies considered ---------------------------------------------------------------------------------------------------

SCOPES = ("GLOBAL", "COUNTRY", "REGION", "CENTER")
policy_guards_form = object_of({
    "minimumEvidenceLevel?": nullable(one_of(*LEVELS)),
    "humanReviewForAi?": nullable(boolean),
    "riskThreshold?": nullable(fraction),
    "riskRequired?": nullable(boolean),
    "dualApproval?": nullable(boolean),
    "approverAuthentication?": nullable(one_of(*AUTHENTICATIONS)),
    "passkeyAgeHours?": nullable(index),
    "quorum?": nullable(list_of(
        object_of({
            "group?": nullable(identifier), "count": seat_count, "authentication?": nullable(one_of(*AUTHENTICATIONS)),
        }),
        5,
        1,
    )),
    "quorumOrdered?": nullable(boolean),
    "escalateAfterSeconds?": nullable(index),
    "escalateToGroup?": nullable(identifier),
    "enforced?": nullable(list_of(one_of(*GUARDS), len(GUARDS))),
})
policy_form = object_of({
    "kind": one_of("policy"),
    "policyId": identifier,
    "version": index,
    "scope": one_of(*SCOPES),
    "country?": text,
    "region?": text,
    "name": text,
    "actionPattern": text,
    "guards": policy_guards_form,
    "active": boolean,
    "by?": author_form,
    "_sd_alg?": one_of("sha-256"),
})
# The demands of a policy, with the guard that each belongs to and how strict a value is.
DEMANDS = {
    "minimumEvidenceLevel": ("evidence_level", LEVELS.index),
    "humanReviewForAi": ("human_review", int),
    "riskThreshold": ("risk_threshold", lambda threshold: -threshold),
    "riskRequired": ("risk_threshold", int),
    "dualApproval": ("dual_approval", int),
    "approverAuthentication": ("approver_authentication", AUTHENTICATIONS.index),
    "passkeyAgeHours": ("approver_authentication", float),
}


def matches_action(pattern, action_type):
    if pattern == "*":
        return True
    asked, own = folded(pattern), folded(action_type)
    return own.startswith(asked[:-1]) if asked.endswith(".*") else asked == own


def pattern_rank(pattern):
    if pattern == "*":
        return 0
    return len(utf16(pattern)) if pattern.endswith(".*") else math.inf


def rank_policies(policies):
    """The most specific first."""
    return sorted(
        policies,
        key=lambda each: (SCOPES.index(each["scope"]), pattern_rank(each["actionPattern"]), utf16(each["policyId"])),
        reverse=True,
    )


class EffectivePolicy:
    """What the policies ask for together, and which of them asks it."""

    def __init__(self, policies):
        self.ranked = rank_policies(policies)
        self.asked = {name: self.decided(name) for name in DEMANDS}
        self.quorums, self.quorum_policy = self.decided_quorums()

    def setting(self, demand):
        """The policies that set a demand, by scope, the narrowest first."""
        words = [policy for policy in self.ranked if policy["guards"].get(demand) is not None]
        return [[each for each in words if each["scope"] == scope] for scope in reversed(SCOPES)]

    def decided(self, demand):
        """The policy whose word counts: that of the narrowest scope, unless a wider one enforces more."""
        guard, strictness = DEMANDS[demand]
        own, *wider = [scope for scope in self.setting(demand) if scope] or [[]]
        if not own:
            return None

        def strict(policy):
            return strictness(policy["guards"][demand])

        strictest = own[0]
        for scope in wider:
            enforcing = [i for i, policy in enumerate(scope) if guard in (policy["guards"].get("enforced") or [])]
            if enforcing:
                floor = min(reversed(scope[: enforcing[0] + 1]), key=strict)
                strictest = floor if strict(floor) > strict(strictest) else strictest
        return strictest

    def value(self, demand):
        return self.asked[demand] and self.asked[demand]["guards"][demand]

    def decided_quorums(self):
        own, *wider = [scope for scope in self.setting("quorum") if scope] or [[]]
        if not own:
            return [], None
        deciding = [own[0]]
        for scope in wider:
            deciding += [policy for policy in scope if "quorum" in (policy["guards"].get("enforced") or [])][:1]
        return [quorum_of(policy["guards"]) for policy in deciding], own[0]

    def named_by(self, guard):
        """The policy that a guard names."""
        if guard == "policy_existence":
            return self.ranked[0] if self.ranked else None
        if guard == "quorum":
            return self.quorum_policy
        named = (self.asked[demand] for demand, (of, _) in DEMANDS.items() if of == guard)
        return next((policy for policy in named if policy is not None), None)

    def age_hours(self):
        return self.value("passkeyAgeHours") or 0

    def sentences(self, guard, guards):
        """The sentences that a guard may say: several only where the score is not known."""
        end = MANDATED if guards.sealed.mandate is not None else ": given"
        if guard == "policy_existence":
            return [COVERED]
        if guard == "evidence_level":
            least, parts = self.value("minimumEvidenceLevel"), guards.parts["evidence_level"]
            return [NOT_REQUIRED if least is None else "level %s, at least %s required" % (parts[0] if parts else "", least)]
        if guard == "human_review":
            if guards.is_grant:
                return [GRANT]
            return [NOT_REQUIRED if not self.value("humanReviewForAi") else REVIEW + end if guards.is_ai else NO_AI]
        if guard == "risk_threshold":
            return self.risk_sentences(guards, end)
        if guard == "dual_approval":
            return [TWO_APPROVERS if self.value("dualApproval") else NOT_REQUIRED]
        if guard == "approver_authentication":
            how = self.value("approverAuthentication")
            old = ", passkeys at least %d hours old" % self.age_hours() if how == "SIGNED" and self.age_hours() else ""
            return [NOT_REQUIRED if how is None else "approvers at least %s%s" % (how, old)]
        filled = MANDATED if guards.sealed.mandate is not None else ": filled"
        return [need_words(self.quorums) + filled if self.quorums else NOT_REQUIRED]

    def risk_sentences(self, guards, end):
        threshold = self.value("riskThreshold")
        if threshold is None:
            return [NOT_REQUIRED]
        unrated = UNRATED + end if self.value("riskRequired") and threshold < 1 else NO_SCORE
        below = "risk at most %s" % number_text(threshold)
        above = "risk over %s: approval by a human%s" % (number_text(threshold), end)
        if guards.may_be_rated:
            return [unrated, below] + ([above] if threshold < 1 else [])
        if guards.score is None:
            return [unrated]
        return [below if guards.score <= threshold else above]

    def is_met(self, guard, guards, ages):
        """Whether the passkeys that signed were old enough for the seats they fill."""
        if guard != "quorum" or guards.sealed.mandate is not None:
            return True
        young = {i for i, age in ages if age < self.age_hours() * 3600000}
        return are_filled(self.quorums, guards.sealed, young)

    def check(self, guards, ages):
        for sealed in guards.sealed.policy["guards"]:
            named = self.named_by(sealed["guard"])
            place = (named["policyId"], named["version"]) if named else (None, None)
            is_named = (sealed.get("policy"), sealed.get("version")) == place
            is_said = sealed["detail"] in self.sentences(sealed["guard"], guards)
            if not is_named or not is_said or not self.is_met(sealed["guard"], guards, ages):
                raise Refutation("the guard %s does not hold" % sealed["guard"])


def quorum_of(guards):
    seats = []
    for seat in guards["quorum"]:
        group, how = seat.get("group"), seat.get("authentication")
        least = "ASSERTED" if group is None else "SESSION"
        seats.append((group, int(seat["count"]), how if how not in (None, "ASSERTED") else least))
    after, to_group = guards.get("escalateAfterSeconds"), guards.get("escalateToGroup")
    escalation = (to_group, int(after)) if after is not None and to_group is not None else None
    return Quorum(seats, bool(guards.get("quorumOrdered")), escalation)


# --- Signatures: Ed25519, ECDSA on P-256, RSA ------------------------------------------------------------------------------


def signed_digits(scalar, width):
    """The scalar as digits of powers of two, lowest first: each zero or odd, and below 2 ** (width - 1) in size."""
    digits = []
    while scalar > 0:
        digit = 0
        if scalar & 1:
            digit = scalar & ((1 << width) - 1)
            if digit >> (width - 1):
                digit -= 1 << width
            scalar -= digit
        digits.append(digit)
        scalar >>= 1
    return digits


class Curve:
    """Sums of multiples of points, by doubling once for all of them."""

    NARROW, WIDE = 5, 8

    def __init__(self, add, double, negate, identity, base):
        self.add, self.double, self.negate, self.identity = add, double, negate, identity
        self.of_base = self.odd_multiples(base, self.WIDE)

    def odd_multiples(self, point, width):
        twice, multiples = self.double(point), [point]
        for _ in range((1 << (width - 2)) - 1):
            multiples.append(self.add(multiples[-1], twice))
        return multiples

    def sum(self, of_base, scalar, point):
        """`of_base` times the base point plus `scalar` times the point."""
        terms = [
            (signed_digits(of_base, self.WIDE), self.of_base),
            (signed_digits(scalar, self.NARROW), self.odd_multiples(point, self.NARROW)),
        ]
        result = self.identity
        for i in reversed(range(max(len(digits) for digits, _ in terms))):
            result = self.double(result)
            for digits, multiples in terms:
                digit = digits[i] if i < len(digits) else 0
                if digit > 0:
                    result = self.add(result, multiples[digit >> 1])
                elif digit < 0:
                    result = self.add(result, self.negate(multiples[-digit >> 1]))
        return result


ED_P = 2**255 - 19
ED_L = 2**252 + 27742317777372353535851937790883648493
ED_D = -121665 * pow(121666, ED_P - 2, ED_P) % ED_P
ED_2D = 2 * ED_D % ED_P
ED_I = pow(2, (ED_P - 1) // 4, ED_P)


# Points in extended coordinates (RFC 8032, section 5.1.4).
def ed_add(p, q):
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % ED_P
    b = (y1 + x1) * (y2 + x2) % ED_P
    c = t1 * ED_2D * t2 % ED_P
    d = 2 * z1 * z2 % ED_P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % ED_P, g * h % ED_P, f * g % ED_P, e * h % ED_P


def ed_double(p):
    x, y, z, _ = p
    a, b = x * x % ED_P, y * y % ED_P
    h, g = a + b, a - b
    e = h - (x + y) * (x + y)
    f = 2 * z * z + g
    return e * f % ED_P, g * h % ED_P, f * g % ED_P, e * h % ED_P


def ed_negate(p):
    x, y, z, t = p
    return -x, y, z, -t


def ed_decode(data):
    """The point of a canonical encoding, else None."""
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= 2**255 - 1
    if y >= ED_P:
        return None
    u, v = y * y - 1, ED_D * y * y + 1
    x = u * v**3 * pow(u * v**7, (ED_P - 5) // 8, ED_P) % ED_P
    if (v * x * x - u) % ED_P != 0:
        x = x * ED_I % ED_P
    if (v * x * x - u) % ED_P != 0 or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = ED_P - x
    return x, y, 1, x * y % ED_P


def ed_encode(point):
    x, y, z, _ = point
    inverse = pow(z, ED_P - 2, ED_P)
    x, y = x * inverse % ED_P, y * inverse % ED_P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


def is_small_order(point):
    x, y, z, _ = ed_double(ed_double(ed_double(point)))
    return x % ED_P == 0 and (y - z) % ED_P == 0


ED_BASE = ed_decode((4 * pow(5, ED_P - 2, ED_P) % ED_P).to_bytes(32, "little"))
ED25519 = Curve(ed_add, ed_double, ed_negate, (0, 1, 1, 0), ED_BASE)


# The same heads and checkpoints stand in many documents: each signature is worked out once.
@functools.lru_cache(maxsize=65536)
def verify_ed25519(public_key, signature, message):
    """RFC 8032, section 5.1.7, without the cofactor; canonical encodings only, no points of small order."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    point = ed_decode(public_key)
    s = int.from_bytes(signature[32:], "little")
    if point is None or s >= ED_L or is_small_order(point):
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ED_L
    expected = ED25519.sum(s, h, ed_negate(point))
    return ed_encode(expected) == signature[:32] and not is_small_order(expected)


EC_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
EC_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
EC_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
EC_G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    1,
)
EC_IDENTITY = (1, 1, 0)


# Points in Jacobian coordinates: (x / z ** 2, y / z ** 3), z being 0 at infinity.
def ec_double(p):
    x, y, z = p
    if z == 0 or y == 0:
        return EC_IDENTITY
    square = z * z % EC_P
    gamma = y * y % EC_P
    beta = x * gamma % EC_P
    alpha = 3 * (x - square) * (x + square) % EC_P
    x3 = (alpha * alpha - 8 * beta) % EC_P
    return x3, (alpha * (4 * beta - x3) - 8 * gamma * gamma) % EC_P, 2 * y * z % EC_P


def ec_add(p, q):
    x1, y1, z1 = p
    x2, y2, z2 = q
    if z1 == 0:
        return q
    if z2 == 0:
        return p
    s1, s2 = z1 * z1 % EC_P, z2 * z2 % EC_P
    u1, h = x1 * s2 % EC_P, (x2 * s1 - x1 * s2) % EC_P
    v1, r = y1 * s2 * z2 % EC_P, (y2 * s1 * z1 - y1 * s2 * z2) % EC_P
    if h == 0:
        return ec_double(p) if r == 0 else EC_IDENTITY
    h2 = h * h % EC_P
    h3, v = h * h2 % EC_P, u1 * h2 % EC_P
    x3 = (r * r - h3 - 2 * v) % EC_P
    return x3, (r * (v - x3) - v1 * h3) % EC_P, h * z1 * z2 % EC_P


def ec_negate(p):
    x, y, z = p
    return x, -y % EC_P, z


P256 = Curve(ec_add, ec_double, ec_negate, EC_IDENTITY, EC_G)


@functools.lru_cache(maxsize=65536)
def verify_p256(x, y, r, s, message):
    """FIPS 186-5, section 6.4.2, with SHA-256."""
    if not (0 < r < EC_N and 0 < s < EC_N):
        return False
    w = pow(s, -1, EC_N)
    digest = int.from_bytes(sha256(message), "big")
    px, _, pz = P256.sum(digest * w % EC_N, r * w % EC_N, (x, y, 1))
    return pz != 0 and px * pow(pz, -2, EC_P) % EC_P % EC_N == r


def der_part(data, tag):
    """The body of a tagged value at the beginning, its length in the shortest form, and what follows it."""
    if len(data) < 2 or data[0] != tag:
        raise ValueError("not DER")
    length, start = data[1], 2
    if length >= 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(data[2 : 2 + count], "big"), 2 + count
        if not 1 <= count <= 3 or length < max(0x80, 1 << (8 * (count - 1))):
            raise ValueError("not DER")
    if len(data) < start + length:
        raise ValueError("not DER")
    return data[start : start + length], data[start + length :]


def der_integer(data):
    """A positive INTEGER in its shortest form, and what follows it."""
    body, rest = der_part(data, 0x02)
    if not body or body[0] >= 0x80 or (len(body) > 1 and body[0] == 0 and body[1] < 0x80):
        raise ValueError("not DER")
    return int.from_bytes(body, "big"), rest


def der_pair(data):
    """SEQUENCE of two INTEGERs, and nothing after it."""
    body, rest = der_part(data, 0x30)
    one, more = der_integer(body)
    other, last = der_integer(more)
    if rest or last:
        raise ValueError("not DER")
    return one, other


P256_PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
ED25519_PREFIX = bytes.fromhex("302a300506032b6570032100")
RSA_ALGORITHM = bytes.fromhex("300d06092a864886f70d0101010500")
SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")
RSA_LONGEST = 1100


def p256_point(spki):
    if len(spki) != len(P256_PREFIX) + 64 or not spki.startswith(P256_PREFIX):
        return None
    x, y = int.from_bytes(spki[-64:-32], "big"), int.from_bytes(spki[-32:], "big")
    is_on_curve = x < EC_P and y < EC_P and (y * y - x * x * x + 3 * x - EC_B) % EC_P == 0
    return (x, y) if is_on_curve else None


def ed25519_key(spki):
    if len(spki) != len(ED25519_PREFIX) + 32 or not spki.startswith(ED25519_PREFIX):
        return None
    point = ed_decode(spki[-32:])
    return None if point is None or is_small_order(point) else spki[-32:]


def rsa_modulus(spki):
    """The modulus of an RSA key with 2048 to 8192 bits and the exponent 65537; None for any other."""
    if len(spki) > RSA_LONGEST:
        return None
    try:
        body, rest = der_part(spki, 0x30)
        bits, more = der_part(body[len(RSA_ALGORITHM) :], 0x03)
        modulus, exponent = der_pair(bits[1:])
    except ValueError:
        return None
    is_plain = not rest and not more and body.startswith(RSA_ALGORITHM) and bits[:1] == b"\x00"
    is_strong = exponent == 65537 and 2048 <= modulus.bit_length() <= 8192 and modulus & 1
    return modulus if is_plain and is_strong else None


def primes_below(limit):
    sieve = bytearray(b"\x01") * limit
    for candidate in range(2, limit):
        if sieve[candidate]:
            yield candidate
            sieve[candidate * candidate :: candidate] = bytes(len(range(candidate * candidate, limit, candidate)))


@functools.lru_cache(maxsize=1)
def product_of_small_primes():
    return math.prod(primes_below(65536))


def passes_miller_rabin(modulus, base):
    last = modulus - 1
    halvings = (last & -last).bit_length() - 1
    power = pow(base, last >> halvings, modulus)
    if power in (1, last):
        return True
    for _ in range(halvings - 1):
        power = power * power % modulus
        if power == last:
            return True
    return False


@functools.lru_cache(maxsize=1000)
def is_sound_modulus(modulus):
    """Whether an RSA modulus is composite without a factor below 65,536: from the factors, anyone can compute the private key."""
    if math.gcd(modulus, product_of_small_primes()) > 1:
        return False
    # The first base exposes nearly every composite number. There are 40 primes below 174.
    return not all(passes_miller_rabin(modulus, base) for base in primes_below(174))


def verify_rsa(modulus, signature, message):
    """RFC 8017, section 8.2.2, with SHA-256."""
    size = (modulus.bit_length() + 7) // 8
    value = int.from_bytes(signature, "big")
    if len(signature) != size or value >= modulus:
        return False
    tail = b"\x00" + SHA256_INFO + sha256(message)
    padded = b"\x00\x01" + b"\xff" * (size - 2 - len(tail)) + tail
    return pow(value, 65537, modulus).to_bytes(size, "big") == padded


def key_fault(spki, signature, message):
    point, ed_key, modulus = p256_point(spki), ed25519_key(spki), rsa_modulus(spki)
    if point is not None:
        try:
            good = verify_p256(*point, *der_pair(signature), message)
        except ValueError:
            good = False
    elif ed_key is not None:
        good = verify_ed25519(ed_key, signature, message)
    elif modulus is not None and is_sound_modulus(modulus):
        good = verify_rsa(modulus, signature, message)
    else:
        return "its key is of an unknown kind"
    return None if good else "the signature is not that of its key over it"


def webauthn_fault(signature, challenge, service):
    """Why a passkey's signature (WebAuthn, section 7.2) does not hold; None when it does."""
    public_key = from_base64url(signature["publicKey"])
    data = from_base64url(signature["authenticatorData"])
    client_data = from_base64url(signature["clientDataJSON"])
    try:
        said = parse_strict(strict_text(client_data))
    except (ValueError, NotJson):
        return "what the browser signed is not JSON"
    said = said if isinstance(said, dict) else {}
    if said.get("type") != "webauthn.get":
        return "it was not made to sign"
    if said.get("challenge") != to_base64url(challenge):
        return "it was made for something else"
    if said.get("origin") not in ("https://" + service, "http://" + service):
        return "it was made on the pages of another service"
    if len(data) < 37:
        return "what the authenticator signed is too short"
    if data[:32] != sha256(re.sub(r":[0-9]+\Z", "", service).encode("utf-8")):
        return "it was made for another service"
    if not data[32] & 0x01:
        return "nobody was present when it was made"
    if not data[32] & 0x04:
        return "the person was not verified when it was made"
    return key_fault(public_key, from_base64url(signature["signature"]), data + sha256(client_data))


# --- Checkpoints: C2SP signed notes, cosignatures, trees ---------------------------------------------------------------------

KEY_NAME = r"[!-*,-~]{1,255}"
SERVICE_KEY, WITNESS_KEY = 0x01, 0x04


class Key:
    """A public key and the name under which it signs."""

    def __init__(self, name, public_key, kind, is_unvouched=False, until=None):
        self.name, self.public_key, self.kind = name, public_key, kind
        self.is_unvouched, self.until = is_unvouched, until
        self.id = sha256(name.encode("utf-8") + b"\n" + bytes([kind]) + public_key)[:4].hex()

    def label(self):
        return "%s+%s" % (self.name, self.id)


def parse_vkey(line, kind):
    found = re.fullmatch(r"(%s)\+([0-9a-f]{8})\+([!-~]+)" % KEY_NAME, line)
    if found is None:
        raise ValueError("a verifier key reads name+id+base64")
    material = from_base64(found.group(3))
    if len(material) != 33 or material[0] != kind:
        raise ValueError("not a verifier key of this kind")
    key = Key(found.group(1), material[1:], kind)
    if key.id != found.group(2):
        raise ValueError("the id of the verifier key does not belong to it")
    return key


class Note:
    """A signed note. Throws ValueError for anything else; signatures are not checked here."""

    def __init__(self, note):
        self.note = note
        if len(note.encode("utf-8", "surrogatepass")) > 65536 or not is_well_formed(note):
            raise ValueError("not a note")
        border = note.rfind("\n\n")
        if re.search("[\x00-\x09\x0b-\x1f]", note) or border < 0 or not note.endswith("\n"):
            raise ValueError("not a note")
        self.text = note[: border + 1]
        lines = note[border + 2 : -1].split("\n")
        if len(lines) > 32:
            raise ValueError("too many signatures")
        self.signatures = {}
        for line in lines:
            found = re.fullmatch("\u2014 (%s) ([^ ]*)" % KEY_NAME, line)
            data = from_base64(found.group(2)) if found else b""
            if len(data) <= 4:
                raise ValueError("not a signature line")
            self.signatures.setdefault((found.group(1), data[:4].hex()), data[4:])
        self.lines = self.text[:-1].split("\n")
        self.service = None

    def signature_of(self, key):
        return self.signatures.get((key.name, key.id))

    def verify(self, key):
        """True or False for a signature of this key, None where there is none."""
        data = self.signature_of(key)
        if data is None:
            return None
        message = self.text.encode("utf-8")
        if key.kind == WITNESS_KEY:
            at = self.cosigned_at(key)
            if at is None:
                return False
            message, data = b"cosignature/v1\ntime %d\n" % at + message, data[8:]
        return verify_ed25519(key.public_key, data, message)

    def cosigned_at(self, witness):
        """The seconds since 1970 in a cosignature; None where it is none."""
        data = self.signature_of(witness)
        at = int.from_bytes(data[:8], "big")
        return at if len(data) == 72 and 0 < at <= 2**53 - 1 else None


def read_tree(size, root):
    if not re.fullmatch("0|[1-9][0-9]{0,15}", size) or int(size) > 2**53 - 1:
        raise ValueError("no size")
    data = from_base64(root)
    if len(data) != 32:
        raise ValueError("no root")
    return int(size), data


class Checkpoint(Note):
    def __init__(self, note):
        super().__init__(note)
        if len(self.lines) < 3 or self.lines[0] == "" or "" in self.lines[3:]:
            raise ValueError("no checkpoint")
        self.origin = self.lines[0]
        self.size, self.root = read_tree(self.lines[1], self.lines[2])
        self.chain = self.log = None


class Closing(Note):
    """The note that closes a log."""

    def __init__(self, note):
        super().__init__(note)
        heading, log, size, root, following, self.at, self.statement_digest = self.lines
        self.service = heading[: -len("/log/closings")]
        if heading != self.service + "/log/closings" or parse_origin(self.service + "/log") is None:
            raise ValueError("another note")
        number = "[1-9][0-9]{0,3}"
        if not re.fullmatch(number, log) or not re.fullmatch(number, following) or int(following) != int(log) + 1:
            raise ValueError("no number")
        if not is_time(self.at) or not re.fullmatch("[A-Za-z0-9+/]{43}=", self.statement_digest):
            raise ValueError("no time or digest")
        self.log, self.next = int(log), int(following)
        self.size, self.root = read_tree(size, root)
        self.origin = log_origin(self.service, self.log)

    def states(self, statement):
        digest = sha256(canonical(statement).encode("utf-8"))
        return base64.b64encode(digest).decode() == self.statement_digest


def log_origin(service, log):
    return service + "/log" + ("/%d" % log if log > 1 else "")


def log_of(head):
    """The number of the log of a head; None for a head of no log."""
    parts = parse_origin(head["checkpoint"].split("\n")[0])
    return parts[2] if parts is not None else None


def read_checkpoint(note, what):
    try:
        checkpoint = Checkpoint(note)
    except ValueError:
        raise Refutation("%s is no signed checkpoint" % what)
    parts = parse_origin(checkpoint.origin)
    if parts is None:
        raise Refutation("%s is of an unknown origin" % what)
    checkpoint.service, checkpoint.chain, checkpoint.log = parts
    return checkpoint


def parse_origin(origin):
    """The service, center and domain of a chain, and the number of a head log; each None for the other."""
    found = re.fullmatch("(%s)/chains/(0|[1-9][0-9]{0,9})/([a-z]{1,32})" % SERVICE, origin)
    if found:
        return found.group(1), (int(found.group(2)), found.group(3)), None
    found = re.fullmatch("(%s)/log(?:/([2-9]|[1-9][0-9]{1,3}))?" % SERVICE, origin)
    return (found.group(1), None, int(found.group(2) or 1)) if found else None


def root_of(leaf, leaf_index, size, proof):
    """RFC 9162, section 2.1.3.2."""
    if leaf_index >= size:
        return None
    position, last = leaf_index, size - 1
    root = sha256(b"\x00" + leaf)
    for sibling in proof:
        if last == 0:
            return None
        if position & 1 or position == last:
            root = sha256(b"\x01" + sibling + root)
            while not position & 1 and position != 0:
                position, last = position >> 1, last >> 1
        else:
            root = sha256(b"\x01" + root + sibling)
        position, last = position >> 1, last >> 1
    return root if last == 0 else None


def check_included(leaf, proof, checkpoint, what):
    if proof["treeSize"] != checkpoint.size:
        raise Refutation("%s.treeSize is not the size in its checkpoint" % what)
    hashes = [bytes.fromhex(each) for each in proof["hashes"]]
    if root_of(leaf, int(proof["leafIndex"]), int(proof["treeSize"]), hashes) != checkpoint.root:
        raise Refutation("%s does not lead to the root in its checkpoint" % what)


class Trust:
    """Whom the reader trusts: service keys (None for no say), witnesses and how many must have cosigned, pinned passkeys."""

    def __init__(self, keys=None, witnesses=(), quorum=None, people=None, now=None):
        self.keys, self.witnesses, self.people = keys, witnesses, people
        self.named = len({witness.public_key for witness in witnesses})
        self.quorum = self.named if quorum is None else quorum
        self.now = now or time_text(int(datetime.datetime.now(datetime.timezone.utc).timestamp() * 1000))

    def time_of_quorum(self, times):
        """The q-th earliest time, q being the quorum and at least 1; the last one if there are fewer."""
        return sorted(times)[min(max(self.quorum, 1), len(times)) - 1] if times else None


def trusted_signers(checkpoint, what, own, trust, must_be_own):
    """The trusted keys that signed a checkpoint, and whether the key that the document names did."""
    good = checkpoint.verify(own)
    if good is None and must_be_own:
        raise Refutation("%s is not signed by publicKey" % what)
    if good is False:
        raise Refutation("the signature of %s is wrong" % what)
    signers = []
    for key in trust.keys or ():
        if key.name != checkpoint.service:
            continue
        is_signed = checkpoint.verify(key)
        if is_signed is False:
            raise Refutation("the signature of %s is wrong" % what)
        if is_signed:
            signers.append(key)
    if trust.keys is not None and not signers:
        raise Refutation("%s is not signed by a trusted key" % what)
    return signers, good is True


def cosignatures(checkpoint, trust):
    """(seconds, witness) of each trusted witness that cosigned, in the order named."""
    found = []
    for witness in trust.witnesses:
        good = checkpoint.verify(witness)
        if good is False:
            raise Refutation("the cosignature of %s is wrong" % witness.name)
        if good and not any(known_one.public_key == witness.public_key for _, known_one in found):
            found.append((checkpoint.cosigned_at(witness), witness))
    return found


# --- The document ----------------------------------------------------------------------------------------------------------


def chain_form(*domains):
    return object_of({
        "hash": prefixed_hash, "previousHash": nullable(prefixed_hash), "index": index, "domain": one_of(*domains),
    })


decision_evidence = object_of({
    "@id": text,
    "@type": one_of("prov:Entity"),
    "id": identifier,
    "decisionId?": identifier,
    "status": one_of("sealed"),
    "evidenceLevel": one_of("AUDIT_READY"),
    "event": any_object,
    "approval": any_object,
    "approvals": list_of(any_object, 100, 1),
    "policy": any_object,
    "mandate?": any_object,
    "responsibility": any_object,
    "chain": chain_form("platform", "proof"),
    "sealedAt": time,
    "createdAt": time,
})
rejection_evidence = object_of({
    "@id": text,
    "@type": one_of("prov:Entity"),
    "id": identifier,
    "decisionId?": identifier,
    "status": one_of("rejected"),
    "evidenceLevel": one_of("DOCUMENTED"),
    "event": any_object,
    "approval": any_object,
    "chain": chain_form("journal"),
    "rejectedAt": time,
    "createdAt": time,
})
platform_evidence = object_of({
    "@id": text,
    "@type": one_of("prov:Entity"),
    "id": identifier,
    "decisionId": identifier,
    "status": one_of("pending", "sealed"),
    "evidenceLevel": one_of(*LEVELS),
    "content": nullable(text),
    "erasedAt?": time,
    "chain": chain_form("platform", "proof"),
    "createdAt": time,
    "sealedAt": nullable(time),
})
verification_form = object_of({
    "hashAlgorithm": one_of("SHA-256"),
    "chainDomain": text,
    "chainIndex": index,
    "chainHash": prefixed_hash,
    "previousHash": nullable(prefixed_hash),
    "verifyUrl": text,
})
IN_TREE = {"leafIndex": index, "treeSize": index, "hashes": list_of(bare_hash, 53), "checkpoint": text}
inclusion_form = object_of(IN_TREE)
chain_loss_form = object_of({"origin": text, "signed": index, "present": index})
closing_form = object_of({
    "note": text, "statement": object_of({"reason": text, "chains": list_of(chain_loss_form, 10000)}),
})
own_head_form = object_of({**IN_TREE, "closings?": list_of(closing_form, 100, 1)})
public_key_form = object_of({
    "keyId": like("[0-9a-f]{8}", "not 8 hex digits"),
    "name": like(KEY_NAME, "not the name of a key"),
    "publicKey": text_that(is_ed25519_key, "not an Ed25519 key of 32 bytes in base64"),
})
record_form = object_of({"content": text, "previousHash": previous_hash_form, "timestamp": time})
by_form = object_of({"kind": one_of(*KINDS), "id?": identifier})
LOGGED = {"inclusion?": inclusion_form, "head?": inclusion_form}
attached_form = object_of({"record": record_form, "disclosures": list_of(text, 10), **LOGGED})
policy_record_form = object_of({"record": record_form, **LOGGED})
group_record_form = object_of({"record": record_form, "disclosures": list_of(text, 500), **LOGGED})
erased_form = list_of(
    object_of({"path": text, "at": time, "reason": nullable(text), "by?": by_form, "confirmedBy?": by_form, "journal?": attached_form}), 100, 1,
)
STATUSES = ("executed", "failed", "unknown")
outcome_form = object_of({
    "status": one_of(*STATUSES),
    "output?": any_object,
    "recordedAt": time,
    "journalIndex": index,
    "by?": by_form,
    "record": record_form,
    "disclosures": list_of(text, 10),
    **LOGGED,
})
FORMAT = "countersign/4"
FRAME = {"@context": text, "@type": one_of("DecisionProof"), "version": one_of("2.0"), "format": one_of(FORMAT)}
SIGNED = {"inclusion?": inclusion_form, "head?": own_head_form, "publicKey?": public_key_form}
decision_document = object_of({
    **FRAME,
    "exportedAt": time,
    "evidence": decision_evidence,
    "verification": verification_form,
    "record": record_form,
    "disclosures": list_of(text, 10000),
    "credentials?": list_of(attached_form, 200),
    "policies?": list_of(policy_record_form, 200),
    "groups?": list_of(group_record_form, 200),
    "delegations?": list_of(attached_form, 200),
    "erased?": erased_form,
    **SIGNED,
    "outcome?": outcome_form,
    "mandateProof?": any_object,
})
rejection_document = object_of({
    **FRAME,
    "kind": one_of("rejection"),
    "exportedAt": time,
    "evidence": rejection_evidence,
    "verification": verification_form,
    "record": record_form,
    "disclosures": list_of(text, 10000),
    "credentials?": list_of(attached_form, 200),
    "erased?": erased_form,
    **SIGNED,
})
platform_document = object_of({
    **FRAME,
    "exportedAt": time,
    "evidence": platform_evidence,
    "verification": verification_form,
    "record": object_of({"content": nullable(text), "previousHash": previous_hash_form, "timestamp": time}),
    "erased?": erased_form,
    **SIGNED,
})


def attached_parts(document):
    """Every attached record with its place."""
    parts = [("credentials[%d]" % i, each) for i, each in enumerate(document.get("credentials", []))]
    for name in ("policies", "groups", "delegations"):
        parts += [("%s[%d]" % (name, i), each) for i, each in enumerate(document.get(name, []))]
    parts += [
        ("erased[%d].journal" % i, each["journal"]) for i, each in enumerate(document.get("erased", [])) if "journal" in each
    ]
    return parts + ([("outcome", document["outcome"])] if "outcome" in document else [])


def proof_fault(document):
    evidence = document["evidence"]
    chain = evidence.get("chain")
    is_decision = "event" in evidence or (isinstance(chain, dict) and chain.get("domain") == "proof")
    shape = rejection_document if "kind" in document else decision_document if is_decision else platform_document
    found = shape(document, "")
    if found is not None:
        return found
    if shape is decision_document and evidence["chain"]["domain"] != "proof":
        return "a decision is shown that does not lie on a chain of decisions"
    has_inclusion = "inclusion" in document
    for name in ("head", "publicKey"):
        if name in document and not has_inclusion:
            return "%s is there without inclusion" % name
    if has_inclusion and "publicKey" not in document:
        return "publicKey is missing"
    parts = attached_parts(document)
    for place, part in parts:
        if "inclusion" in part and not has_inclusion:
            return "%s.inclusion is there without inclusion" % place
        if "head" in part and "inclusion" not in part:
            return "%s.head is there without inclusion" % place
    logged = [part[name]["checkpoint"] for _, part in [("", document), *parts] for name in ("inclusion", "head") if name in part]
    return "it has more than 64 different checkpoints" if len(set(logged)) > 64 else None


def record_hash(record):
    return hashlib.sha256((record["content"] + record["previousHash"] + record["timestamp"]).encode("utf-8")).hexdigest()


def service_in(url, end):
    """The service in an address that ends so; None for any other."""
    if not url.endswith(end):
        return None
    found = re.fullmatch(r"https?://(%s)(?:/[!-\"$-.0->@-~]+)*" % SERVICE, url[: -len(end)])
    return found and found.group(1)


def verify_end(record_id):
    return "/verify/" + urllib.parse.quote(record_id, safe="!'()*-._~")


credential_form = object_of({"chain": text, "index": index, "hash": prefixed_hash})
outcome_content_form = object_of({
    "kind": one_of("outcome"),
    "eventId": identifier,
    "status": one_of(*STATUSES),
    "arguments?": digest_form,
    "by?": author_form,
    "_sd?": list_of(digest_form, 1, 1),
    "_sd_alg?": one_of("sha-256"),
})
one_digest = object_of({"_sd": list_of(digest_form, 1, 1)})
passkey_form = object_of({
    "kind": one_of("passkey"),
    "change": one_of("registered", "removed"),
    "fingerprint": prefixed_hash,
    "by": one_digest,
    "entry": one_digest,
    "_sd_alg": one_of("sha-256"),
})


erasure_form = object_of({
    "kind": one_of("erased"),
    "eventId?": identifier,
    "dpuId?": identifier,
    "fields": list_of(text, 100),
    "reason": nullable(text),
    "by?": author_form,
    "confirmedBy?": author_form,
    "_sd_alg?": one_of("sha-256"),
})


def read_content(part, place, what, shape):
    """The content of an attached record."""
    path = place + ".record.content"
    content = read_canonical(part["record"]["content"], path)
    found = shape(content, "")
    if found is not None:
        raise Refutation("%s is no %s: %s" % (path, what, found.strip()))
    return content


AUTHOR_MEMBERS = [("id", identifier, False)]


def opened_author(author, disclosures, prefix):
    """The author of an entry of the journal, with its disclosed id; None where there is none."""
    person, _, _ = open_object(author or {}, AUTHOR_MEMBERS, prefix, disclosures)
    return author and {"kind": author["kind"], **person}


def erasers_of(entry):
    """Who erased, and who confirmed it; None where the entry does not say."""
    names = [entry[name].get("id", entry[name]["kind"]) for name in ("by", "confirmedBy") if name in entry]
    return ", confirmed by ".join(names) if "by" in entry else None


PERSONAL = (("passkey", "passkey"), ("session", "session"), ("api_key", "API key"))
IMPERSONAL = (("api_key", "a machine"), ("system", "the service"), ("mandate", "a mandate"))


def kinds_of_approvals(approvals):
    """Each kind once: `2 people (passkey, API key), a machine`. No two of the approvals are by one person."""
    people = [each["by"]["kind"] for each in approvals if each["approver"]["type"] == "human"]
    others = [each["by"]["kind"] for each in approvals if each["approver"]["type"] != "human"]
    words = [name for kind, name in IMPERSONAL if kind in others]
    if not people:
        return ", ".join(words)
    count = "1 person" if len(people) == 1 else "%d people" % len(people)
    return ", ".join(["%s (%s)" % (count, ", ".join(name for kind, name in PERSONAL if kind in people)), *words])


def sorted_digests(value, path):
    found = list_of(digest_form, 500)(value, path)
    if found is not None:
        return found
    return "%s is not sorted" % path if any(one >= other for one, other in zip(value, value[1:])) else None


group_form = object_of({
    "kind": one_of("group"), "id": identifier, "name": text, "members": sorted_digests, "deleted?": boolean,
})
delegation_form = object_of({
    "kind": one_of("delegation"), "id": identifier, "from": digest_form, "to": digest_form,
    "starts": time, "until": time, "ended?": time,
})


def named_groups(approval):
    """The groups that the seats of an approval name, with that of its escalation."""
    named = [approval.get("seat", {})] + approval.get("alsoSeats", []) + [approval.get("escalation", {})]
    return [each["group"] for each in named if "group" in each]


def check_delegation(delegation, approval, n):
    def differs(one, other):
        return one is not None and other is not None and one != other

    at, what = approval["approvedAt"], "approvals[%d] " % n
    if differs(delegation["from"], approval.get("onBehalfOf")) or differs(delegation["to"], approval["approver"].get("id")):
        raise Refutation(what + "names a delegation of other people")
    if at < delegation["starts"]:
        raise Refutation(what + "was given before its delegation began")
    if at >= delegation["until"] or ("ended" in delegation and at >= delegation["ended"]):
        raise Refutation(what + "was given after its delegation had ended")


def age_words(age):
    hours = age // 3600000
    if hours >= 48:
        return "%d days" % (hours // 24)
    return "1 hour" if hours == 1 else "%d hours" % hours


def is_terms(given):
    """Whether this is what a mandate can be granted with; other members mean nothing."""
    if not isinstance(given, dict):
        return False
    terms = {name: value for name, value in given.items() if name in TERMS}
    return terms_form(terms, "") is None


TERMS = ("mandateId", "agent", "actionPattern", "validUntil", "validFrom", "maxUses", "budget", "condition")


def at_least(members):
    """These members, whatever others there are."""
    inner = object_of(members)
    names = {name.rstrip("?") for name in members}

    def check(value, path):
        if not isinstance(value, dict):
            return "%s is not an object" % path
        return inner({name: each for name, each in value.items() if name in names}, path)

    return check


terms_form = at_least({
    "mandateId?": nullable(identifier),
    "agent": at_least({"id": identifier}),
    "actionPattern": text,
    "validUntil": time,
    "validFrom?": nullable(time),
    "maxUses?": nullable(index),
    "budget?": nullable(at_least({"member": text, "limit": form(is_number, "not a number")})),
    "condition?": nullable(text),
})


def member_at(value, path):
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


class Examination:
    """One check after the other; the first that fails throws a Refutation."""

    def __init__(self, document, trust):
        self.document, self.trust = document, trust
        self.evidence, self.record = document["evidence"], document["record"]
        self.erased = document.get("erased", [])
        self.withheld, self.missing, self.uncheckable = [], [], []
        self.signers, self.checkpoints, self.records = [], [], []
        self.sealed = self.service = self.center = self.origin = self.key = self.existed_by = self.guards = None
        self.own_signers, self.closings = None, []
        self.registered, self.ages, self.witnesses, self.clocks_off = {}, [], 0, []
        self.mandate_proof = self.terms = None

    def run(self):
        self.hash()
        self.link()
        if "event" in self.evidence:
            self.shown_decision()
            self.rules()
        else:
            self.shown_record()
        self.inclusion()
        if self.sealed is not None:
            self.credentials()
        if self.guards is not None:
            self.policies()
            self.groups()
        self.erasures()
        if "outcome" in self.document:
            self.outcome()
        if self.guards is not None:
            self.mandate()
        self.one_history()

    def hash(self):
        chain_hash = self.evidence["chain"]["hash"]
        if chain_hash != self.document["verification"]["chainHash"]:
            raise Refutation("evidence.chain and verification name two hashes")
        if any(entry["path"] == "content" for entry in self.erased):
            return
        if self.record["content"] is None:
            self.withheld.append("content")
        elif "sha256:" + record_hash(self.record) != chain_hash:
            raise Refutation("the content does not give the hash of the record")

    def link(self):
        chain, verification = self.evidence["chain"], self.document["verification"]
        if chain["index"] != verification["chainIndex"] or chain["domain"] != verification["chainDomain"]:
            raise Refutation("evidence.chain and verification name two places")
        previous = "sha256:" + self.record["previousHash"] if self.record["previousHash"] else None
        if chain["previousHash"] != previous or verification["previousHash"] != previous:
            raise Refutation("evidence.chain, verification and record name different predecessors")
        if (previous is None) != (chain["index"] == 0):
            raise Refutation("the first record of a chain, and no other, has no predecessor")

    # Section 6: what is shown.

    def check_addresses(self, record_id, service):
        self.service = service_in(self.document["verification"]["verifyUrl"], verify_end(record_id))
        if self.service is None or (service is not None and self.service != service):
            raise Refutation("verification.verifyUrl is not the address of this record")
        if service_in(self.document["@context"], "/decision-proof/v2") != self.service:
            raise Refutation("@context is not the address of the schema of %s" % self.service)

    def shown_credentials(self):
        found = []
        shown = [self.evidence["approval"]] if self.sealed.is_rejection else self.evidence["approvals"]
        for i, approval in enumerate(self.sealed.approvals):
            credential = shown[i].get("credential", found) if i < len(shown) else found
            if credential is found:
                found.append(None)
                continue
            path = "evidence.%s.credential" % self.sealed.name_of_approval(i)
            fault = credential_form(credential, path)
            if fault is not None:
                raise Refutation(fault)
            if approval["by"]["kind"] != "passkey" or credential["chain"] != self.service + "/chains/0/audit":
                raise Refutation("%s is not the place of a passkey on the audit chain of %s" % (path, self.service))
            found.append(credential)
        return found

    def shown_decision(self):
        is_rejection = "kind" in self.document
        self.sealed = sealed = Sealed(self.record["content"], self.document["disclosures"], is_rejection)
        self.check_addresses(sealed.event["id"], sealed.content.get("service"))
        url, credentials = self.document["verification"]["verifyUrl"], self.shown_credentials()
        if is_rejection:
            made = show_rejection(sealed, url, self.record["timestamp"], credentials)
        else:
            self.center = int(sealed.content["center"]["id"])
            self.origin = "%s/chains/%d/proof" % (self.service, self.center)
            made = show_decision(sealed, url, self.evidence["chain"]["index"], self.record["timestamp"], credentials)
        require_same({name: each for name, each in self.evidence.items() if name not in ("id", "chain")}, made, "evidence")
        self.erased_paths()
        self.withheld += withheld_names(without_erased(sealed.withheld, self.erased))

    def erased_paths(self):
        hidden = {path for each in self.sealed.withheld for path in each.paths()}
        of_outcome = {"outcome.output", "outcome.by.id"} if "outcome" in self.document else set()
        seen = set()
        for i, entry in enumerate(self.erased):
            path = entry["path"]
            if path not in of_outcome and path not in DISCLOSABLE_PATHS:
                raise Refutation("erased[%d].path is unknown" % i)
            if path in seen:
                raise Refutation("erased[%d].path is there twice" % i)
            if path not in hidden | of_outcome:
                raise Refutation("erased[%d].path is not withheld" % i)
            seen.add(path)
        for each in self.sealed.withheld:
            if len([path for path in each.paths() if path in seen]) > each.count:
                raise Refutation("more is said to be erased than was sealed")

    def shown_record(self):
        evidence = self.evidence
        is_sealed = evidence["evidenceLevel"] == "AUDIT_READY"
        made = {
            "@id": self.document["verification"]["verifyUrl"],
            "decisionId": evidence["id"],
            "content": self.record["content"],
            "createdAt": self.record["timestamp"],
            "status": "sealed" if is_sealed else "pending",
            "sealedAt": self.record["timestamp"] if is_sealed else None,
        }
        require_same({name: evidence[name] for name in made}, made, "evidence")
        self.check_addresses(evidence["id"], None)
        if any(entry["path"] != "content" for entry in self.erased):
            raise Refutation("erased[0].path is unknown")
        if len(self.erased) > 1:
            raise Refutation("erased[1].path is there twice")
        if (self.erased[0]["at"] if self.erased else None) != evidence.get("erasedAt"):
            raise Refutation("evidence.erasedAt and erased do not fit")
        if self.erased and evidence["content"] != "":
            raise Refutation("erased[0].path is not withheld")

    # Section 7: whether it could be sealed.

    def rules(self):
        sealed = self.sealed
        check_times(sealed, self.record["timestamp"])
        for i, approval in enumerate(sealed.approvals):
            check_approver(approval, sealed.name_of_approval(i))
        if sealed.is_rejection and sealed.approvals[0]["by"]["kind"] == "mandate":
            raise Refutation("the mandate is not named")
        if not sealed.is_rejection:
            check_four_eyes(sealed.approvals)
            check_mandate(sealed, self.record["timestamp"])
            check_journals(sealed)
            self.guards = Guards(sealed)
            self.guards.check()
            self.guards.check_own_approval()
        check_signatures(sealed, self.service)

    # Section 10: the log.

    def saw(self, checkpoint):
        self.checkpoints.append(checkpoint)

    def signature(self, checkpoint, what, must_be_own=False):
        signers, is_own = trusted_signers(checkpoint, what, self.key, self.trust, must_be_own)
        self.saw(checkpoint)
        if self.trust.keys is None and not is_own:
            self.missing.append("key of " + what)
        return signers

    def choose_signer(self, signers, seen_at):
        """The key that counts of those that signed, and what its word is worth; `seen_at` in milliseconds."""
        if not signers:
            self.signers.append((self.key.label(), "unnamed"))
            return

        def is_retired(key):
            if key.until is None or key.until >= self.trust.now:
                return False
            return seen_at is None or seen_at > milliseconds(key.until)

        vouched = [key for key in signers if not key.is_unvouched]
        good = [key for key in vouched if not is_retired(key)]
        if good:
            self.signers.append((good[0].label(), "trusted"))
        elif vouched:
            self.signers.append((vouched[0].label(), "retired"))
        else:
            self.signers.append((signers[0].label(), "unvouched"))

    def inclusion(self):
        inclusion = self.document.get("inclusion")
        if inclusion is None:
            self.missing.append("inclusion")
            if self.trust.quorum > 0:
                self.missing.append("head")
            return
        checkpoint = read_checkpoint(inclusion["checkpoint"], "inclusion.checkpoint")
        chain = self.evidence["chain"]
        if checkpoint.chain is None or checkpoint.chain[1] != chain["domain"] or checkpoint.chain[0] == 0:
            raise Refutation("inclusion.checkpoint is about another chain: %s" % checkpoint.origin)
        if self.origin is not None and checkpoint.origin != self.origin:
            raise Refutation("the decision was not sealed for the chain %s" % checkpoint.origin)
        if checkpoint.service != self.service:
            raise Refutation("verification.verifyUrl is not the address of this record")
        self.center, self.origin = checkpoint.chain[0], checkpoint.origin
        if inclusion["leafIndex"] != chain["index"]:
            raise Refutation("inclusion.leafIndex is not the place of the record")
        hash_of_record = chain["hash"][len("sha256:") :]
        check_included(bytes.fromhex(hash_of_record), inclusion, checkpoint, "inclusion")
        self.key = self.public_key(checkpoint.service)
        signers = self.signature(checkpoint, "inclusion.checkpoint", True)
        times = self.head(self.document, "", checkpoint, self.record["timestamp"], "it was sealed", signers)
        self.follows_closings()
        self.witnesses, self.existed_by = len(times), self.trust.time_of_quorum(times)

    def follows_closings(self):
        """The statements that closed the logs before that of the document's own head."""
        head = self.document.get("head")
        if head is None or (log_of(head) == 1 and "closings" not in head):
            return
        if "closings" not in head:
            self.missing.append("head.closings")
            return
        number = log_of(head)
        for i, given in enumerate(head["closings"]):
            what = "head.closings[%d]" % i
            try:
                closing = Closing(given["note"])
            except ValueError:
                closing = None
            if closing is None or closing.service != self.service:
                raise Refutation("%s.note is no closing of a log of %s" % (what, self.service))
            if closing.log != i + 1 or closing.next > number:
                raise Refutation("%s closes %s" % (what, closing.origin))
            if not closing.states(given["statement"]):
                raise Refutation("%s.statement is not the one that was signed" % what)
            signers = self.signature(closing, what + ".note")
            # A key that was retired later counts. The head commits the service to this statement.
            if signers:
                self.choose_signer(signers, milliseconds(closing.at))
            closing.chains = [
                {"origin": each["origin"], "signed": int(each["signed"]), "present": int(each["present"])}
                for each in given["statement"]["chains"]
            ]
            self.closings.append(closing)
        if len(self.closings) != number - 1:
            raise Refutation("head.closings does not lead to %s" % log_origin(self.service, number))

    def public_key(self, service):
        given = self.document["publicKey"]
        key = Key(given["name"], from_base64(given["publicKey"]), SERVICE_KEY)
        if key.id != given["keyId"]:
            raise Refutation("publicKey.keyId is not the id of its key")
        if key.name != service:
            raise Refutation("publicKey is not a key of %s" % service)
        return key

    def head(self, part, prefix, chain, timestamp, was_recorded, signers):
        """Checks the head under a chain's checkpoint, and says who signed both; the times of the witnesses that count."""
        head = part.get("head")
        if head is None:
            if self.trust.quorum > 0 and (prefix == "" or "head" in self.document):
                self.missing.append(prefix + "head")
            self.choose_signer(signers, None)
            return []
        what = prefix + "head"
        checkpoint = read_checkpoint(head["checkpoint"], what + ".checkpoint")
        if checkpoint.chain is not None or checkpoint.service != chain.service:
            raise Refutation("%s.checkpoint is not of the log of %s" % (what, chain.service))
        check_included(chain.note.encode("utf-8"), head, checkpoint, what)
        of_head = self.signature(checkpoint, what + ".checkpoint")
        cosigned = cosignatures(checkpoint, self.trust)
        quorum_at = self.trust.time_of_quorum([at for at, _ in cosigned])
        earliest = milliseconds(timestamp) - 300000
        if quorum_at is not None and quorum_at * 1000 < earliest:
            raise Refutation("%s after a witness saw it" % was_recorded)
        off = [witness.name for at, witness in cosigned if at * 1000 < earliest]
        self.clocks_off += [name for name in dict.fromkeys(off) if name not in self.clocks_off]
        times = [at for at, _ in cosigned if at * 1000 >= earliest]
        if len(times) < self.trust.quorum:
            self.missing.append("%squorum (%d of %d witnesses)" % (prefix, len(times), self.trust.quorum))
        seen_at = None if quorum_at is None else quorum_at * 1000
        self.choose_signer(signers, seen_at)
        self.choose_signer(of_head, seen_at)
        return times

    def attached(self, place, part, origin):
        """Checks the inclusion of an attached record. Without a known center its origin is that of any but the platform's."""
        inclusion, record, what = part.get("inclusion"), part["record"], place + ".inclusion"
        if inclusion is None:
            if "inclusion" in self.document:
                self.missing.append(what)
            if "head" in self.document and self.trust.quorum > 0:
                self.missing.append(place + ".head")
            return
        checkpoint = read_checkpoint(inclusion["checkpoint"], what + ".checkpoint")
        if checkpoint.origin != origin:
            raise Refutation("%s.checkpoint is about another chain: %s" % (what, checkpoint.origin))
        if (record["previousHash"] == "") != (inclusion["leafIndex"] == 0):
            raise Refutation("the first record of a chain, and no other, has no predecessor")
        check_included(bytes.fromhex(record_hash(record)), inclusion, checkpoint, what)
        signers = self.signature(checkpoint, what + ".checkpoint")
        previous = "sha256:" + record["previousHash"] if record["previousHash"] else None
        log = log_of(part["head"]) if "head" in part else None
        self.records.append((origin, int(inclusion["leafIndex"]), "sha256:" + record_hash(record), previous, log))
        self.head(part, place + ".", checkpoint, record["timestamp"], "%s was recorded" % place, signers)

    def covered(self, place, part, origin):
        """A record that decided lies below the size at which its chain was read."""
        sizes = {each["origin"]: each["size"] for each in (self.sealed.policy or {}).get("journals", [])}
        if "inclusion" in part and part["inclusion"]["leafIndex"] >= sizes.get(origin, math.inf):
            raise Refutation("%s is newer than policy.journals" % place)

    def journal(self):
        return "%s/chains/%s/journal" % (self.service, self.center)

    # Section 12: the approver's key.

    def credentials(self):
        used = {}
        for i, approval in enumerate(self.sealed.approvals):
            if "signature" in approval:
                spki = from_base64url(approval["signature"]["publicKey"])
                used.setdefault("sha256:" + sha256(spki).hex(), []).append((i, approval))
        given = self.document.get("credentials", [])
        by_fingerprint, missing = {}, set()
        for n, part in enumerate(given):
            place = "credentials[%d]" % n
            content = read_content(part, place, "passkey", passkey_form)
            disclosures = Disclosures(part["disclosures"], place + ".disclosures")
            person, _, withheld = open_object(content["by"], [("id", identifier, True)], "credentials.by.", disclosures)
            open_object(content["entry"], [("facts", text, True)], "credentials.entry.", disclosures)
            disclosures.require_all_used()
            self.attached(place, part, self.service + "/chains/0/audit")
            self.covered(place, part, self.service + "/chains/0/audit")
            if withheld.count and "credentials.by.id" not in self.withheld:
                self.withheld.append("credentials.by.id")
            change = (part["record"]["timestamp"], n, content["change"], person.get("id"))
            by_fingerprint.setdefault(content["fingerprint"], []).append(change)
        for i, approval in enumerate(self.sealed.approvals):
            if "signature" in approval:
                spki = from_base64url(approval["signature"]["publicKey"])
                fingerprint = "sha256:" + sha256(spki).hex()
                changes = sorted(by_fingerprint.get(fingerprint, []), key=lambda change: change[:2])
                missing.add(self.registration(i, approval, fingerprint, changes))
        self.missing += [each for each in missing if each is not None]
        for n, part in enumerate(given):
            if json.loads(part["record"]["content"])["fingerprint"] not in used:
                raise Refutation("credentials[%d] is of a passkey that signed nothing here" % n)
        least = (self.guards.parts["approver_authentication"] or (None, 0))[1] if self.guards else 0
        if any(age < least * 3600000 for _, age in self.ages):
            raise Refutation("the guard approver_authentication does not hold")

    def registration(self, i, approval, fingerprint, changes):
        """`changes` of this passkey in the order of their times."""
        passkey = "the passkey of " + self.sealed.name_of_approval(i)
        person, at = approval["by"].get("id"), approval["approvedAt"]
        pinned = (self.trust.people or {}).get(person)
        if pinned is not None and fingerprint not in pinned:
            raise Refutation("%s is not one of those pinned for %s" % (passkey, person))
        if not any(change == "registered" for _, _, change, _ in changes):
            return "registration of a passkey"
        before = [each for each in changes if each[0] < at]
        if not any(change == "registered" for _, _, change, _ in before):
            raise Refutation("%s was registered after the approval" % passkey)
        registered_at, _, change, owner = before[-1]
        if change == "removed":
            raise Refutation("%s was removed before the approval" % passkey)
        if owner is not None and person is not None and owner != person:
            raise Refutation("%s is registered for somebody else" % passkey)
        self.ages.append((i, milliseconds(at) - milliseconds(registered_at)))
        return None

    # Section 13: the policies considered.

    def policies(self):
        contents = []
        for n, part in enumerate(self.document.get("policies", [])):
            place = "policies[%d]" % n
            content = read_content(part, place, "policy", policy_form)
            chain = self.center if content["scope"] == "CENTER" else 0
            self.attached(place, part, "%s/chains/%d/journal" % (self.service, chain))
            self.covered(place, part, "%s/chains/%d/journal" % (self.service, chain))
            contents.append(content)
        sealed, seen = self.sealed, set()
        for n, content in enumerate(contents):
            if self.document["policies"][n]["record"]["timestamp"] > self.record["timestamp"]:
                raise Refutation("policies[%d] was recorded after the seal" % n)
            version = (content["policyId"], content["version"])
            if version in seen:
                raise Refutation("policies[%d] is there twice" % n)
            seen.add(version)
            if not content["active"] or not matches_action(content["actionPattern"], sealed.event["action"]["type"]):
                raise Refutation("policies[%d] does not cover the action" % n)
        # Before format 4, only the service knew which policies covered the action.
        if "journals" not in sealed.policy:
            self.missing.append("policy.journals")
        if "considered" not in sealed.policy:
            self.missing.append("policy.considered")
            return
        considered = {(each["id"], each["version"]) for each in sealed.policy["considered"]}
        for n, content in enumerate(contents):
            if (content["policyId"], content["version"]) not in considered:
                raise Refutation("policies[%d] was not considered" % n)
        if considered != seen:
            self.missing.append("policy")
            return
        effective = EffectivePolicy(contents)
        first = effective.named_by("policy_existence")
        if first is None or (first["policyId"], first["version"]) != (sealed.policy["id"], sealed.policy["version"]):
            raise Refutation("the policy is not the one that decides")
        effective.check(self.guards, self.ages)

    # Section 13a: groups and delegations.

    def seat_records(self, name, what, shape, named, read):
        """The attached records of one list by the id in them, read from content and disclosures."""
        found, journal = {}, self.journal()
        for n, part in enumerate(self.document.get(name, [])):
            place = "%s[%d]" % (name, n)
            content = read_content(part, place, what, shape)
            disclosures = Disclosures(part["disclosures"], place + ".disclosures")

            def person_of(digest, role):
                given = disclosures.take(digest)
                if given is None:
                    return None
                if given[0] != role:
                    raise Refutation("%s discloses %s.%s, which is unknown" % (given[3], name, given[0]))
                fault = identifier(given[1], "%s.%s" % (name, role))
                if fault is not None:
                    raise Refutation("%s: %s" % (given[3], fault))
                return given[1]

            known = read(content, person_of)
            disclosures.require_all_used()
            self.attached(place, part, journal)
            self.covered(place, part, journal)
            if part["record"]["timestamp"] > self.record["timestamp"]:
                raise Refutation("%s was recorded after the seal" % place)
            if content["id"] in found:
                raise Refutation("%s is there twice" % place)
            if content["id"] not in named:
                raise Refutation("%s is named by no approval" % place)
            found[content["id"]] = known
        return found

    def groups(self):
        def read_group(content, person_of):
            people = [person_of(digest, "member") for digest in content["members"]]
            if content.get("deleted"):
                people = []
            shown = [person for person in people if person is not None]
            return shown, len(shown) < len(people)

        def read_delegation(content, person_of):
            return dict(content, **{"from": person_of(content["from"], "from"), "to": person_of(content["to"], "to")})

        approvals = self.sealed.approvals
        named = [named_groups(approval) for approval in approvals]
        delegated = {approval["delegation"]["id"] for approval in approvals if "delegation" in approval}
        groups = self.seat_records("groups", "group", group_form, {each for list_ in named for each in list_}, read_group)
        delegations = self.seat_records("delegations", "delegation", delegation_form, delegated, read_delegation)
        missing, withheld = set(), set()
        for n, approval in enumerate(approvals):
            if any(group not in groups for group in named[n]):
                missing.add("group")
            person = approval["approver"].get("id")
            if "delegation" in approval:
                person = approval.get("onBehalfOf")
                delegation = delegations.get(approval["delegation"]["id"])
                if delegation is None:
                    missing.add("delegation")
                else:
                    check_delegation(delegation, approval, n)
                    withheld |= {"delegations." + role for role in ("from", "to") if delegation[role] is None}
            deciding = [approval["escalation"]["group"]] if "escalation" in approval else named[n]
            for members, has_more in (groups[group] for group in deciding if group in groups):
                if person is not None and person in members:
                    continue
                if has_more:
                    withheld.add("groups.members")
                elif person is not None or not members:
                    raise Refutation("approvals[%d] was not given by or for a member of the group" % n)
        self.missing += [each for each in ("group", "delegation") if each in missing]
        self.withheld += sorted(withheld)

    # Section 14: erasures.

    def erasures(self):
        subject = {"dpuId": self.evidence["id"]} if self.sealed is None else {"eventId": self.sealed.event["id"]}
        for n, entry in enumerate(self.erased):
            place, part = "erased[%d].journal" % n, entry.get("journal")
            if part is None:
                self.missing.append(place)
                continue
            content = read_content(part, place, "erasure", erasure_form)
            disclosures = Disclosures(part["disclosures"], place + ".disclosures")
            by = opened_author(content.get("by"), disclosures, "erased.by.")
            confirmed_by = opened_author(content.get("confirmedBy"), disclosures, "erased.confirmedBy.")
            disclosures.require_all_used()
            named = {name: content[name] for name in ("eventId", "dpuId") if name in content}
            if named != subject or entry["path"] not in content["fields"]:
                raise Refutation("%s is about something else" % place)
            made = known({"at": part["record"]["timestamp"], "by": by, "confirmedBy": confirmed_by})
            shown = {name: entry[name] for name in ("at", "by", "confirmedBy", "reason") if name in entry}
            require_same(shown, {**made, "reason": content["reason"]}, "erased[%d]" % n)
            self.attached(place, part, self.journal())

    # Section 15: the outcome.

    def outcome(self):
        outcome, sealed = self.document["outcome"], self.sealed
        record = outcome["record"]
        content = read_content(outcome, "outcome", "outcome", outcome_content_form)
        disclosures = Disclosures(outcome["disclosures"], "outcome.disclosures")
        output, _, of_output = open_object(content, [("output", any_object, False)], "outcome.", disclosures)
        person, _, of_person = open_object(content.get("by", {}), AUTHOR_MEMBERS, "outcome.by.", disclosures)
        disclosures.require_all_used()
        by = {"kind": content["by"]["kind"], **person} if "by" in content else None
        hidden = of_output.certain + of_person.certain
        made = known({"status": content["status"], "recordedAt": record["timestamp"], "by": by, **output})
        require_same({name: outcome[name] for name in ("status", "recordedAt", "by", "output") if name in outcome}, made, "outcome")
        if content["eventId"] != sealed.event["id"]:
            raise Refutation("outcome is that of another decision")
        if not self.are_own_arguments(content.get("arguments")):
            raise Refutation("outcome is that of other arguments than were approved")
        if record["timestamp"] < self.record["timestamp"]:
            raise Refutation("outcome was recorded before the decision was sealed")
        if "inclusion" in outcome and outcome["inclusion"]["leafIndex"] != outcome["journalIndex"]:
            raise Refutation("outcome.inclusion.leafIndex is not the place of the record")
        if (record["previousHash"] == "") != (outcome["journalIndex"] == 0):
            raise Refutation("the first record of a chain, and no other, has no predecessor")
        self.attached("outcome", outcome, self.journal())
        erased = [entry["path"] for entry in self.erased]
        for i, path in enumerate(erased):
            if path in ("outcome.output", "outcome.by.id") and path not in hidden:
                raise Refutation("erased[%d].path is not withheld" % i)
        self.withheld += [path for path in hidden if path not in erased]

    def are_own_arguments(self, digest):
        sealed = self.sealed
        if sealed.input_disclosure is not None:
            return digest == disclosure_digest(sealed.input_disclosure)
        if digest is None:
            return not sealed.surely_withholds("action.input")
        return sealed.may_withhold("action.input") and digest in sealed.action_withheld

    # Section 16: the mandate.

    def mandate(self):
        given, mandate = self.document.get("mandateProof"), self.sealed.mandate
        if mandate is not None and "previous" not in mandate:
            self.missing.append("mandate.previous")
        if given is None:
            if mandate is not None:
                self.missing.append("mandateProof")
            return
        if mandate is None:
            raise Refutation("mandateProof is there without a mandate")
        if "mandateProof" in given:
            raise Refutation("mandateProof: mandateProof is unknown")
        verdict, reason, granted = examine(given, self.trust, None)
        if verdict in ("refuted", "unreadable"):
            raise Refutation("mandateProof: %s" % reason)
        self.mandate_proof = granted
        self.own_signers = len(self.signers)
        self.signers += granted.signers
        self.granted(granted, mandate)
        if verdict == "partial":
            self.missing.append("mandateProof (%s)" % granted.lacks())

    def granted(self, granted, mandate):
        sealed, approval = granted.sealed, self.sealed.approvals[0]
        if sealed is None or sealed.is_rejection:
            raise Refutation("mandateProof is of another decision")
        center = sealed.content["center"]["id"]
        if granted.service != self.service or center != self.sealed.content["center"]["id"]:
            raise Refutation("mandateProof is of another service or center")
        if sealed.event["id"] != mandate["eventId"]:
            raise Refutation("mandateProof is of another decision")
        if sealed.event["type"] != "policy_decision" or sealed.event["action"]["type"] != "mandate.grant":
            raise Refutation("mandateProof grants no mandate")
        if granted.record["timestamp"] > approval["approvedAt"]:
            raise Refutation("the mandate was granted later")
        terms = sealed.event["action"].get("input")
        if terms is None:
            return
        if not is_terms(terms):
            raise Refutation("mandateProof grants no mandate")
        self.terms = terms
        if terms.get("mandateId") is None:
            self.missing.append("mandateProof.mandateId")
        elif terms["mandateId"] != mandate["id"]:
            raise Refutation("mandateProof grants another mandate")
        for name in TERMS_IN_ORDER:
            if not self.is_within(name, terms, mandate, approval["approvedAt"]):
                raise Refutation("the mandate does not cover it: %s" % name)
        if terms.get("condition") is not None:
            self.uncheckable.append("the condition")

    def is_within(self, name, terms, mandate, at):
        event, value = self.sealed.event, terms.get(name)
        if name == "agent":
            actor = event["actor"].get("id")
            return actor is None or normal_id(actor) == normal_id(value["id"])
        if name == "actionPattern":
            return matches_action(value, event["action"]["type"])
        if name == "budget":
            return self.is_within_budget(value, mandate)
        if value is None:
            return True
        if name == "validUntil":
            return value >= self.record["timestamp"]
        return value <= at if name == "validFrom" else value >= mandate["use"]

    def is_within_budget(self, budget, mandate):
        spent = mandate.get("spent")
        if (budget is None) != (spent is None):
            return False
        given = self.sealed.event["action"].get("input")
        if budget is None or spent > budget["limit"] or given is None:
            return budget is None or spent <= budget["limit"]
        cost = member_at(given, budget["member"])
        return is_number(cost) and 0 <= cost <= spent and (cost == spent or mandate["use"] > 1)

    def deducted(self):
        """What a use within the terms deducts from the budget; None if the terms or the input are withheld."""
        budget, given = (self.terms or {}).get("budget"), self.sealed.event["action"].get("input")
        return None if budget is None or given is None else member_at(given, budget["member"])

    def mandate_note(self):
        mandate, most = self.sealed.mandate, (self.terms or {}).get("maxUses")
        if mandate is None:
            return []
        words = "" if most is None else " of %d" % most
        return ["under mandate %s, use %d%s" % (mandate["id"], mandate["use"], words)]

    # Section 17: the line.

    def one_history(self):
        claims = self.claims()
        found = another_tree(claims["checkpoints"], claims["checkpoints"])
        found = found or another_record(claims["records"], claims["records"])
        found = found or another_closing(claims["closings"], claims["closings"])
        found = found or declared_lost(claims["records"], claims["closings"])
        if found is not None:
            raise Refutation("it contradicts itself: %s" % found)

    def lacks(self):
        parts = [
            ("withheld: ", self.withheld),
            ("erased: ", [entry["path"] for entry in self.erased]),
            ("missing: ", self.missing),
            ("cannot check ", self.uncheckable),
        ]
        lacks = "; ".join(words + ", ".join(names) for words, names in parts if names)
        if lacks:
            erasers = ["erased by %s" % each for each in dict.fromkeys(map(erasers_of, self.erased)) if each is not None]
            lacks = "; ".join([lacks, *erasers, *self.off()])
        return lacks

    def off(self):
        return ["clock of %s is off" % name for name in self.clocks_off]

    def conclude(self):
        verdict, reason = self.verdict()
        parts = [reason]
        if self.sealed is not None and not self.sealed.is_rejection:
            parts.append("outcome: %s" % self.document.get("outcome", {"status": "none shown"})["status"])
        if self.sealed is not None and verdict == "proven":
            parts += self.words_of_callers()
        return verdict, "; ".join(parts)

    def verdict(self):
        lacks = self.lacks()
        if lacks:
            return "partial", lacks
        standing = {kind: label for label, kind in reversed(self.signers)}
        if "unvouched" in standing:
            return "consistent", "it agrees with itself; nobody but its service vouches for %s" % standing["unvouched"]
        if "retired" in standing:
            return "consistent", "signed by a retired key"
        if "unnamed" in standing:
            return "consistent", "it agrees with itself; no trusted key was named"
        return "proven", self.proven()

    def proven(self):
        signed, at = "signed by %s" % self.signers[0][0], self.record["timestamp"]
        parts = []
        if self.existed_by is not None:
            seen = (time_text(self.existed_by * 1000), self.witnesses, self.trust.named)
            parts.append("existed by %s (%d of %d witnesses)" % seen)
        parts += self.off() + self.after_loss()
        parts += ["passkey of %s was %s old" % (self.sealed.name_of_approval(i), age_words(age)) for i, age in self.ages]
        if self.sealed is None:
            return "; ".join([signed, *parts, "evidenceLevel is only a label"])
        kinds = kinds_of_approvals(self.sealed.approvals)
        if self.sealed.is_rejection:
            return "; ".join(["rejected by %s at %s" % (kinds, at), *parts, signed])
        keys = [each["by"].get("id") for each in self.sealed.approvals if each["by"]["kind"] == "api_key"]
        counts = [keys.count(key) for key in dict.fromkeys(keys) if key is not None]
        parts += ["%d approvals asserted by one API key" % count for count in counts if count > 1]
        parts += self.mandate_note()
        return "; ".join(["sealed at %s" % at, "approved by %s" % kinds, *parts, signed])

    def after_loss(self):
        if not self.closings:
            return []
        return ["in log %d, after a declared loss at %s" % (self.closings[-1].next, self.closings[-1].at)]

    def words_of_callers(self):
        """Who callers say approved, and why the service rejected: quoted, so that no name can pass for a part of the verdict."""
        approvals = self.sealed.approvals
        approvers = [each["approver"] for each in approvals if each["by"]["kind"] not in ("system", "mandate")]
        names = [quoted(each.get("name", each.get("id"))) for each in approvers if "name" in each or "id" in each]
        words = ["named %s" % ", ".join(names)] if names else []
        if self.sealed.is_rejection and approvals[0]["by"]["kind"] == "system" and "reason" in approvals[0]:
            words.append("reason %s" % quoted(approvals[0]["reason"]))
        return words

    def claims(self):
        """What another proof could contradict."""
        own_signers = self.signers[: self.own_signers]
        is_trusted = bool(own_signers) and all(kind == "trusted" for _, kind in own_signers)
        chain = self.evidence["chain"]
        log = log_of(self.document["head"]) if "head" in self.document else None
        own = (self.origin, int(chain["index"]), chain["hash"], chain["previousHash"], log)
        granted = self.mandate_proof.claims() if self.mandate_proof is not None else None
        of_grant = granted["records"] if granted and granted["record"] else []
        claims = {
            "record": own if self.origin is not None else None,
            "records": ([own] if self.origin is not None else []) + self.records + of_grant,
            "checkpoints": [
                {"origin": each.origin, "size": each.size, "root": each.root.hex(), "note": each.note}
                for each in self.checkpoints
            ]
            + (granted["checkpoints"] if granted else []),
            "closings": [closing_claim(each) for each in self.closings] + (granted["closings"] if granted else []),
            "results": granted["results"][:1] if granted else [],
            "hashes": granted["hashes"][:1] if granted else [],
            "outcomes": granted["outcomes"][:1] if granted else [],
            "uses": [],
            "trusted": is_trusted,
        }
        if self.sealed is not None:
            decision = (self.service, self.sealed.event["id"])
            claims["results"].insert(0, (decision, self.sealed.is_rejection))
            claims["hashes"].insert(0, (decision, chain["hash"]))
            if "outcome" in self.document:
                claims["outcomes"].insert(0, (decision, record_hash(self.document["outcome"]["record"])))
            mandate = self.sealed.mandate
            if mandate is not None:
                use = {"service": self.service, "eventId": self.sealed.event["id"], "mandateId": mandate["id"]}
                use.update(grant=mandate["eventId"], use=int(mandate["use"]), hash=chain["hash"])
                spent, deducted = whole_if_possible(mandate.get("spent")), whole_if_possible(self.deducted())
                use.update(previous=mandate.get("previous"), spent=spent, deducted=deducted)
                claims["uses"].append(use)
        return claims


def whole_if_possible(value):
    """The same number, which JSON then has without a fraction."""
    return int(value) if value is not None and abs(value) < 1e21 and value == int(value) else value


TERMS_IN_ORDER = ("agent", "actionPattern", "validFrom", "validUntil", "maxUses", "budget")


def examine(document, trust, ambiguity):
    """Verdict, reason, and the examination of what is neither refuted nor unreadable."""
    if not isinstance(document, dict) or not is_same(document.get("@type"), "DecisionProof"):
        return "unreadable", "it is no decision proof", None
    if "format" not in document:
        return "unreadable", "written in an older format", None
    if not isinstance(document["format"], str):
        return "unreadable", "it is no decision proof", None
    if document["format"] != FORMAT:
        return "unreadable", "written in format %s" % document["format"][:40], None
    if not is_same(document.get("version"), "2.0"):
        return "unreadable", "it is of another version of the format", None
    for name in ("evidence", "verification", "record"):
        if not isinstance(document.get(name), dict):
            return "unreadable", "it has no %s" % name, None
    reason = ambiguity or proof_fault(document)
    if reason is not None:
        return "refuted", reason, None
    examination = Examination(document, trust)
    try:
        examination.run()
    except Refutation as error:
        return "refuted", str(error), None
    verdict, reason = examination.conclude()
    return verdict, reason, examination


LARGEST = 4194304


def verify_proof(data, trust):
    """Verdict, reason, and the claims of what is neither refuted nor unreadable; from the bytes of a document."""
    if len(data) > LARGEST:
        return "unreadable", "it is larger than 4 MiB", None
    if data.startswith(b"\xef\xbb\xbf"):
        return "unreadable", "it begins with a byte-order mark", None
    try:
        document, ambiguity = read_json(data.decode("utf-8"))
    except UnicodeDecodeError:
        return "unreadable", "it is not UTF-8 text", None
    except NotJson as error:
        return "unreadable", str(error), None
    verdict, reason, examination = examine(document, trust, ambiguity)
    return verdict, reason, examination and examination.claims()


# --- Several proofs, held against each other and against what is remembered ---------------------------------------------------


def place_tables(records):
    """Records by their place, and by the place of the record before them."""
    at, after = {}, {}
    for origin, position, hash_of_record, previous, _ in records:
        at.setdefault((origin, position), hash_of_record)
        after.setdefault((origin, position - 1), previous)
    return at, after


def another_record(records, others):
    """The first of the records that does not go with others."""
    at, after = place_tables(others)
    for origin, position, hash_of_record, previous, _ in records:
        here, before = (origin, position), (origin, position - 1)
        if {at.get(here, hash_of_record), after.get(here, hash_of_record)} != {hash_of_record}:
            return "another record at place %d of %s" % (position, origin)
        if at.get(before, previous) != previous:
            return "another record at place %d of %s" % (position - 1, origin)
    return None


def another_tree(checkpoints, others):
    roots = {}
    for each in others:
        roots.setdefault((each["origin"], each["size"]), each["root"])
    for each in checkpoints:
        if roots.get((each["origin"], each["size"]), each["root"]) != each["root"]:
            return "another tree of %s at size %d" % (each["origin"], each["size"])
    return None


def closing_claim(closing):
    return {
        "service": closing.service,
        "log": closing.log,
        "digest": sha256(closing.text.encode("utf-8")).hex(),
        "at": closing.at,
        "chains": closing.chains,
    }


def another_closing(closings, others):
    digests = {(each["service"], each["log"]): each["digest"] for each in others}
    for each in closings:
        if digests.get((each["service"], each["log"]), each["digest"]) != each["digest"]:
            return "another statement that closes %s" % log_origin(each["service"], each["log"])
    return None


def declared_lost(records, closings):
    """A record that was signed in a log, and declared lost when that log or a later one was closed."""
    for origin, position, _, _, log in records:
        for closing in closings if log is not None else ():
            for chain in closing["chains"] if log <= closing["log"] else ():
                if chain["origin"] == origin and chain["present"] <= position < chain["signed"]:
                    return "record %d of %s was declared lost at %s" % (position, origin, closing["at"])
    return None


def another_fact(facts, others, words):
    """Facts are (key, value): two of one key must be the same."""
    known_facts = dict(reversed(others))
    for key, value in facts:
        if known_facts.get(key, value) != value:
            return words % key[1:]
    return None


def another_use(uses, others):
    """Why two decisions cannot both be uses of one mandate."""
    for one in uses:
        for other in others:
            if one["service"] == other["service"] and one["eventId"] != other["eventId"]:
                found = use_contradiction(one, other)
                if found is not None:
                    return found
    return None


def use_contradiction(one, other):
    by = "mandateId" if None in (one["grant"], other["grant"]) else "grant"
    if one[by] != other[by]:
        return None
    if one["use"] == other["use"]:
        return "another use %d of the mandate %s" % (one["use"], one["mandateId"])
    earlier, later = sorted((one, other), key=lambda each: each["use"])
    words = "uses %d and %d of the mandate %s" % (earlier["use"], later["use"], one["mandateId"])
    if not are_linked(earlier, later):
        return words + " are not linked"
    return None if add_up(earlier, later) else words + " do not add up"


def are_linked(earlier, later):
    """A use names the one just before it, and no other does."""
    if later["previous"] is None:
        return True
    if later["previous"] == earlier["previous"]:
        return False
    is_named = earlier["hash"] == "sha256:" + later["previous"]
    return earlier["hash"] is None or is_named == (later["use"] == earlier["use"] + 1)


def add_up(earlier, later):
    """In the arithmetic of the service: doubles, added in the order of uses."""
    if earlier["spent"] is None or later["spent"] is None:
        return True
    deducted = later["deducted"]
    least = float(earlier["spent"]) + float(0 if deducted is None else deducted)
    if later["use"] == earlier["use"] + 1 and deducted is not None:
        return float(later["spent"]) == least
    return float(later["spent"]) >= least


def contradiction(one, other):
    return (
        another_record(one["records"], other["records"])
        or another_tree(one["checkpoints"], other["checkpoints"])
        or another_fact(one["results"], other["results"], "the decision %s was both sealed and rejected")
        or another_fact(one["hashes"], other["hashes"], "another record of the decision %s")
        or another_fact(one["outcomes"], other["outcomes"], "another outcome of the decision %s")
        or another_use(one["uses"], other["uses"])
        or another_closing(one["closings"], other["closings"])
        or declared_lost(one["records"], other["closings"])
    )


def compare_proofs(proofs, remembered):
    compared = []
    for i, (name, verdict, reason, claims) in enumerate(proofs):
        if claims is not None:
            others = [(each[0], each[3]) for j, each in enumerate(proofs) if j != i and each[3] is not None]
            for other_name, other in remembered + others:
                if claims["trusted"] and not other["trusted"]:
                    continue
                found = contradiction(claims, other)
                if found is not None:
                    verdict, reason = "refuted", "it contradicts %s: %s" % (other_name, found)
                    break
        compared.append((name, verdict, reason, claims))
    return compared


STATE_NAME = "the state"


def read_state(path):
    if not os.path.exists(path):
        return {"version": 1, "records": [], "checkpoints": [], "decisions": [], "closings": [], "contradictions": []}
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        if state["version"] != 1:
            raise ValueError("another version")
        for record in state["records"]:
            record["origin"], record["index"], record["hash"], record["previousHash"], record["trusted"]
            record.setdefault("log", None)
        for seen in state["checkpoints"]:
            seen["origin"], seen["size"], seen["root"], seen["note"], seen["trusted"]
        for seen in state.setdefault("closings", []):
            seen["service"], seen["log"], seen["digest"], seen["at"], seen["chains"], seen["trusted"]
        # Files of earlier versions have no decisions, or know less of them.
        for seen in state.setdefault("decisions", []):
            tuple(seen[name] for name in ("service", "eventId", "rejected", "outcome", "mandateId", "use", "trusted"))
            for name in ("hash", "grant", "previous", "spent", "deducted"):
                seen.setdefault(name, None)
        state["contradictions"]
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError("--state %s: not a state of this command" % path)
    return state


RECORD_MEMBERS = ("origin", "index", "hash", "previousHash", "log")


def remembered_in(state):
    nothing = {name: [] for name in ("records", "checkpoints", "closings", "results", "hashes", "outcomes", "uses")}
    records = [
        (STATE_NAME, {**nothing, "records": [tuple(record[name] for name in RECORD_MEMBERS)], "trusted": record["trusted"]})
        for record in state["records"]
    ]
    checkpoints = [
        (STATE_NAME, {**nothing, "checkpoints": [seen], "trusted": seen["trusted"]}) for seen in state["checkpoints"]
    ]
    closings = [(STATE_NAME, {**nothing, "closings": [seen], "trusted": seen["trusted"]}) for seen in state["closings"]]
    return records + checkpoints + closings + [(STATE_NAME, {**nothing, **decision_claims(seen)}) for seen in state["decisions"]]


USE_MEMBERS = ("mandateId", "grant", "use", "previous", "spent", "deducted")
DECISION_MEMBERS = ("service", "eventId", "rejected", "hash", "outcome") + USE_MEMBERS + ("trusted",)


def decision_claims(seen):
    decision = (seen["service"], seen["eventId"])
    has_use = seen["mandateId"] is not None and seen["use"] is not None
    return {
        "results": [(decision, seen["rejected"])],
        "hashes": [] if seen["hash"] is None else [(decision, seen["hash"])],
        "outcomes": [] if seen["outcome"] is None else [(decision, seen["outcome"])],
        "uses": [seen] if has_use else [],
        "trusted": seen["trusted"],
    }


def remember_decisions(decisions, claims, trusted):
    for decision, rejected in claims["results"]:
        before = decisions.get(decision)
        # A mandate is granted by another decision, whose result follows the own one.
        is_own = (decision, rejected) == claims["results"][0]
        use = claims["uses"][0] if claims["uses"] and is_own else dict.fromkeys(USE_MEMBERS)
        own = (*decision, rejected, dict(claims["hashes"])[decision], dict(claims["outcomes"]).get(decision))
        seen = dict(zip(DECISION_MEMBERS, (*own, *(use[name] for name in USE_MEMBERS), trusted)))
        if before is not None and before["trusted"] == trusted:
            decisions[decision] = {name: seen[name] if before[name] is None else before[name] for name in before}
        elif before is None or trusted:
            decisions[decision] = seen


def remember(state, proofs):
    records = {(each["origin"], each["index"]): each for each in state["records"]}
    checkpoints = {(each["origin"], each["size"]): each for each in state["checkpoints"]}
    decisions = {(each["service"], each["eventId"]): each for each in state["decisions"]}

    closings = {(each["service"], each["log"]): each for each in state["closings"]}

    def keep(kept, key, entry):
        if key not in kept or (entry["trusted"] and not kept[key]["trusted"]):
            kept[key] = entry

    for name, verdict, reason, claims in proofs:
        if claims is None:
            continue
        if verdict == "refuted":
            notes = [seen["note"] for seen in claims["checkpoints"]]
            state["contradictions"].append({"file": name, "reason": reason, "checkpoints": notes})
            continue
        trusted = claims["trusted"]
        remember_decisions(decisions, claims, trusted)
        for record in claims["records"]:
            keep(records, record[:2], {**dict(zip(RECORD_MEMBERS, record)), "trusted": trusted})
        for seen in claims["checkpoints"]:
            keep(checkpoints, (seen["origin"], seen["size"]), {**seen, "trusted": trusted})
        for closing in claims["closings"]:
            keep(closings, (closing["service"], closing["log"]), {**closing, "trusted": trusted})
    state["records"], state["checkpoints"] = list(records.values()), list(checkpoints.values())
    state["decisions"], state["closings"] = list(decisions.values()), list(closings.values())


def write_state(path, state):
    temporary = "%s.%d.tmp" % (path, os.getpid())
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(json.dumps(state, indent=2, ensure_ascii=False) + "\n")
    os.replace(temporary, path)


# --- The command ----------------------------------------------------------------------------------------------------------------

VALUED = ("--key", "--keys-from", "--witness", "--quorum", "--people", "--state")


def looks_like_vkey(text_given):
    return re.fullmatch(r"[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*", text_given) is not None


def read_options(args):
    options = {"files": [], "json": False, **{name: [] for name in VALUED}}
    queue = list(args)
    only_files = False
    while queue:
        given = queue.pop(0)
        if only_files or not given.startswith("-") or given == "-":
            options["files"].append(given)
            continue
        if given == "--":
            only_files = True
            continue
        name, equals, value = given.partition("=")
        if given in ("--help", "-h"):
            return None
        if name == "--json" and not equals:
            options["json"] = True
            continue
        if name not in VALUED:
            raise UsageError("Unknown option '%s'." % name)
        if not equals:
            if not queue:
                raise UsageError("%s needs a value." % name)
            value = queue.pop(0)
        options[name].append(value)
        # Several keys may follow one flag.
        while name in ("--key", "--witness") and queue and looks_like_vkey(queue[0]):
            options[name].append(queue.pop(0))
    if not options["files"]:
        raise UsageError("Name a proof.")
    return options


history_line_form = object_of({
    "at": time, "event": one_of("added", "retired"), "signature": text, "signedBy": nullable(text), "vkey": text,
})


def read_key_history(lines):
    """Follows the signed history of a service's keys from its first line; the oldest key first."""
    keys = []
    for number, written in enumerate(lines):
        try:
            follow_history(keys, parse_strict(written), written)
        except (ValueError, NotJson) as error:
            raise ValueError("line %d of the key history: %s" % (number + 1, error))
    return keys


def follow_history(keys, line, written):
    found = history_line_form(line, "")
    if found is not None or canonical(line) != written:
        raise ValueError(found or "it is not canonical JSON")
    own = parse_vkey(line["vkey"], SERVICE_KEY)
    known_key = next((key for key in keys if key.id == own.id), None)
    if line["signedBy"] is None:
        if line["event"] != "added":
            raise ValueError("only a replacement may lack a signer")
        signer, own.is_unvouched = own, True
    elif not keys and line["signedBy"] == own.id:
        signer = own
    else:
        signer = next((key for key in keys if key.id == line["signedBy"]), None)
        if signer is None or signer.until is not None:
            raise ValueError("it is signed by %s, which is not known before it or retired" % line["signedBy"])
        own.is_unvouched = signer.is_unvouched
    signed = {name: value for name, value in line.items() if name != "signature"}
    if not verify_ed25519(signer.public_key, from_base64(line["signature"]), canonical(signed).encode("utf-8")):
        raise ValueError("its signature is wrong")
    if line["event"] == "retired":
        # A key that signs for a while yet can be ended sooner, never kept longer.
        if known_key is None or (known_key.until is not None and known_key.until <= line["at"]):
            raise ValueError("it retires a key that was never added or is retired already")
        known_key.until = line["at"]
        return
    if known_key is not None:
        raise ValueError("it adds a key that is there already")
    if line["signedBy"] is None:
        for key in keys:
            key.until = min(key.until or line["at"], line["at"])
    keys.append(own)


def published_keys(address):
    """The keys of the signed history that a service publishes, the newest first."""
    url = urllib.parse.urlsplit(address)
    if url.scheme not in ("http", "https") or not url.netloc:
        raise UsageError("--keys-from %s: not an address" % address)
    if "/.well-known/" not in url.path:
        address = address.rstrip("/") + "/.well-known/countersign-keys.json"
    with urllib.request.urlopen(address, timeout=10) as answer:
        published = json.loads(answer.read().decode("utf-8"))
    keys = read_key_history(published["history"])
    until = {(key.label(), key.public_key): key.until for key in keys}
    for entry in published["keys"]:
        listed = parse_vkey(entry["vkey"], SERVICE_KEY)
        mark = (listed.label(), listed.public_key)
        if mark not in until or until[mark] != entry.get("until"):
            raise ValueError("%s: the key %s is not listed as its signed history has it" % (address, entry["vkey"]))
    return keys[::-1]


def read_people(path):
    try:
        with open(path, encoding="utf-8") as file:
            people = json.load(file)
    except OSError as error:
        raise UsageError("--people %s: cannot be read (%s)" % (path, error.strerror))
    except ValueError:
        people = None
    is_good = isinstance(people, dict) and all(
        isinstance(prints, list) and all(prefixed_hash(each, "") is None for each in prints) for prints in people.values()
    )
    if not is_good:
        raise UsageError('--people %s: must be {"<id>": ["sha256:<64 hex digits>", ...]}' % path)
    return people


def read_vkeys(lines, kind, flag):
    keys = []
    for line in lines:
        try:
            keys.append(parse_vkey(line, kind))
        except ValueError:
            raise UsageError("%s %s: not a verifier key" % (flag, line))
    return keys


def trust_of(options):
    keys = None
    if options["--key"] or options["--keys-from"]:
        keys = read_vkeys(options["--key"], SERVICE_KEY, "--key")
        for address in options["--keys-from"]:
            keys += published_keys(address)
    witnesses = read_vkeys(options["--witness"], WITNESS_KEY, "--witness")
    quorum = None
    if options["--quorum"]:
        written = options["--quorum"][-1]
        if not re.fullmatch("[0-9]{1,4}", written):
            raise UsageError("--quorum %s: not a number" % written)
        quorum = int(written)
        if quorum > len({key.public_key for key in witnesses}):
            raise UsageError("--quorum %d: more than the witnesses named" % quorum)
    people = read_people(options["--people"][-1]) if options["--people"] else None
    return Trust(keys, witnesses, quorum, people)


def verify_file(name, trust):
    try:
        with open(name, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        return name, "unreadable", "there is no such file", None
    return (name,) + verify_proof(data, trust)


CODES = {"proven": 0, "refuted": 1, "unreadable": 2, "consistent": 3, "partial": 3}


def main(args):
    options = read_options(args)
    if options is None:
        sys.stdout.write(USAGE)
        return 0
    trust = trust_of(options)
    state_path = options["--state"][-1] if options["--state"] else None
    state = read_state(state_path) if state_path else None
    proofs = [verify_file(name, trust) for name in options["files"]]
    proofs = compare_proofs(proofs, remembered_in(state) if state else [])
    if state is not None:
        remember(state, proofs)
        write_state(state_path, state)
    printed = [(printable(name), verdict, printable(reason)) for name, verdict, reason, _ in proofs]
    if options["json"]:
        listed = [{"file": name, "verdict": verdict, "reason": reason} for name, verdict, reason in printed]
        sys.stdout.write(json.dumps(listed, indent=2, ensure_ascii=False) + "\n")
    else:
        for line in printed:
            sys.stdout.write("%s: %s: %s\n" % line)
    codes = {CODES[verdict] for _, verdict, _ in printed}
    return next(code for code in (1, 2, 3, 0) if code in codes)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stderr.reconfigure(encoding="utf-8")
    sys.setrecursionlimit(10000)
    try:
        sys.exit(main(sys.argv[1:]))
    except UsageError as error:
        sys.stderr.write("%s\n\n%s" % (error, USAGE))
        sys.exit(2)
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.stderr.write("%s\n" % error)
        sys.exit(2)
