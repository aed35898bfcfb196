#!/usr/bin/env python3
"""Checks decision proofs of Countersign. One file, Python 3.8 or later, nothing but the standard library.

    python3 countersign_verify.py FILE... [--key VKEY...] [--keys-from URL] [--witness VKEY...] [--quorum N] [--state FILE]

Written after docs/proof-format.md, apart from the service's own verifier, so that nobody has to believe either of them.
It prints one line a file, `FILE: verdict: reason`, and exits with 0 (all proven), 1 (something refuted), 2 (usage, network,
something unreadable) or 3 (something consistent or partial).
"""

import base64
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
    return not any(0xD800 <= ord(char) <= 0xDFFF for char in text)


HIDDEN = [
    (0x0, 0x1F), (0x7F, 0x9F), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069), (0xD800, 0xDFFF), (0xFEFF, 0xFEFF),
]


def printable(text):
    """A document must not be able to write lines of its own into the output."""

    def shown(char):
        code = ord(char)
        return "\\u%04x" % code if any(first <= code <= last for first, last in HIDDEN) else char

    return "".join(map(shown, text))


# --- JSON that everybody reads alike -----------------------------------------------------------------------------------

DEEPEST = 200
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
PLAIN_TEXT = re.compile('[^"\\\\\x00-\x1f]*')
SPACE = re.compile(r"[ \t\n\r]*")
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


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
        self.match(SPACE)
        if self.at < len(self.text):
            raise NotJson("it is not JSON")
        return value

    def ambiguous(self, words):
        if self.ambiguity is None:
            self.ambiguity = words

    def match(self, pattern):
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def take(self, char):
        if not self.text.startswith(char, self.at):
            return False
        self.at += 1
        return True

    def value(self, depth):
        if depth > DEEPEST:
            raise NotJson("it is nested too deeply")
        self.match(SPACE)
        start = self.text[self.at : self.at + 1]
        if start == "{":
            return self.object(depth)
        if start == "[":
            return self.list(depth)
        if start == '"':
            return self.string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self.number()

    def number(self):
        written = self.match(NUMBER)
        if written is None:
            raise NotJson("it is not JSON")
        value = float(written)
        if not is_carried(written, value):
            self.ambiguous("the number %s does not fit into a double" % written[:40])
        return value

    def string(self):
        if not self.take('"'):
            raise NotJson("it is not JSON")
        parts = []
        while True:
            parts.append(self.match(PLAIN_TEXT))
            if self.take('"'):
                break
            if not self.take("\\"):
                raise NotJson("it is not JSON")
            parts.append(self.escaped())
        text = "".join(parts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if not is_well_formed(text):
            self.ambiguous("a text holds half a surrogate pair")
        return text

    def escaped(self):
        letter = self.text[self.at : self.at + 1]
        self.at += 1
        if letter in ESCAPES and letter:
            return ESCAPES[letter]
        digits = self.text[self.at : self.at + 4]
        if letter != "u" or not re.fullmatch("[0-9a-fA-F]{4}", digits):
            raise NotJson("it is not JSON")
        self.at += 4
        return chr(int(digits, 16))

    def list(self, depth):
        self.at += 1
        items = []
        self.match(SPACE)
        if self.take("]"):
            return items
        while True:
            items.append(self.value(depth + 1))
            self.match(SPACE)
            if self.take("]"):
                return items
            if not self.take(","):
                raise NotJson("it is not JSON")

    def object(self, depth):
        self.at += 1
        members = {}
        self.match(SPACE)
        if self.take("}"):
            return members
        while True:
            self.match(SPACE)
            name = self.string()
            self.match(SPACE)
            if not self.take(":"):
                raise NotJson("it is not JSON")
            value = self.value(depth + 1)
            if name in members:
                self.ambiguous("the member %s is there twice" % name[:100])
            members[name] = value
            self.match(SPACE)
            if self.take("}"):
                return members
            if not self.take(","):
                raise NotJson("it is not JSON")


def is_carried(written, value):
    if math.isinf(value):
        return False
    if not re.fullmatch(r"-?[0-9]+", written) or abs(value) <= 2**53 - 1:
        return True
    return int(written) == int(value) or number_text(value) == written


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
    return 1 <= month <= 12 and 1 <= day <= days[month - 1] and hour <= 23 and minute <= 59 and second <= 59


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


def is_whole(value):
    return is_number(value) and float(value).is_integer() and 0 <= value <= 2**53 - 1


text = form(lambda value: isinstance(value, str), "not text")
any_object = form(lambda value: isinstance(value, dict), "not an object")
index = form(is_whole, "not a whole number from 0")
fraction = form(lambda value: is_number(value) and 0 <= value <= 1, "not a number from 0 to 1")
time = text_that(is_time, "not a time such as 2026-01-31T12:00:00.000Z")
bare_hash = like("[0-9a-f]{64}", "not 64 hex digits")
prefixed_hash = like("sha256:[0-9a-f]{64}", "not sha256: and 64 hex digits")
previous_hash_form = like("(?:[0-9a-f]{64})?", "not 64 hex digits or empty")
base64url = text_that(is_base64url, "not base64url")
digest_form = like("[A-Za-z0-9_-]{43}", "not a digest")
# What JavaScript takes for white space.
WHITE = "\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


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


def parse_disclosure(disclosure):
    parts = parse_strict(from_base64url(disclosure).decode("utf-8"))
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
        self.used = set()
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
        self.used.add(digest)
        return self.by_digest.get(digest)

    def require_all_used(self):
        for digest, (_, _, _, place) in self.by_digest.items():
            if digest not in self.used:
                raise Refutation("%s belongs to nothing that was sealed" % place)


# --- The sealed content of a decision ------------------------------------------------------------------------------------

GUARDS = (
    "policy_existence", "evidence_level", "human_review", "risk_threshold", "dual_approval", "approver_authentication",
)
EVENT_TYPES = (
    "agent_execution", "workflow_step", "human_approval", "ai_recommendation", "automated_action", "policy_decision",
    "escalation", "custom",
)


def digests(value, path):
    found = list_of(digest_form, 100, 1)(value, path)
    if found is not None:
        return found
    if any(one >= other for one, other in zip(value, value[1:])):
        return "%s is not sorted" % path
    return None


def with_digests(members):
    return object_of({**members, "_sd?": digests})


signature_form = object_of({
    "type": one_of("webauthn"),
    "credentialId": base64url,
    "publicKey": base64url,
    "authenticatorData": base64url,
    "clientDataJSON": base64url,
    "signature": base64url,
})

guard_form = object_of({
    "guard": one_of(*GUARDS), "verdict": one_of("pass"), "detail": text, "policy?": text, "version?": index,
})

decision_form = object_of({
    "kind": one_of("decision"),
    "service": text,
    "center": object_of({"id": index, "domain": text}),
    "event": with_digests({
        "id": text,
        "type": one_of(*EVENT_TYPES),
        "actor": with_digests({"type": one_of("human", "ai_agent", "system", "service")}),
        "action": with_digests({"type": text}),
        "aiContext?": with_digests({}),
        "occurredAt": time,
    }),
    "approvals": list_of(
        with_digests({
            "id": text,
            "approver": with_digests({"type": one_of("human", "system")}),
            "result": one_of("approved"),
            "approvedAt": time,
            "by": with_digests({"kind": one_of("api_key", "session", "passkey", "system")}),
        }),
        100,
        1,
    ),
    "policy": object_of({"id": text, "version": index, "guards": list_of(guard_form, len(GUARDS), len(GUARDS))}),
    "_sd_alg": one_of("sha-256"),
})

# (name, form, whether it is always there)
EVENT_MEMBERS = [("decisionId", text, True), ("tags", list_of(text, 1000), False), ("riskScore", fraction, False)]
PARTY_MEMBERS = [("id", text, True), ("name", text, False)]
ACTION_MEMBERS = [("description", text, False), ("input", any_object, False), ("output", any_object, False)]
AI_MEMBERS = [
    ("model", text, False), ("provider", text, False), ("confidence", fraction, False), ("reasoning", text, False),
]


def by_members(kind):
    return [] if kind == "system" else [("id", text, True)]


def approval_members(kind):
    reason = ("reason", text, False)
    return [reason, ("signature", signature_form, True)] if kind == "passkey" else [reason]


def path_names(prefix, members):
    return [prefix + name for name, _, _ in members]


DISCLOSABLE_PATHS = (
    path_names("", EVENT_MEMBERS)
    + path_names("actor.", PARTY_MEMBERS)
    + path_names("action.", ACTION_MEMBERS)
    + path_names("aiContext.", AI_MEMBERS)
    + path_names("approvals.approver.", PARTY_MEMBERS)
    + path_names("approvals.", approval_members("passkey"))
    + path_names("approvals.by.", by_members("passkey"))
)


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


class Decision:
    """What a decision says, as far as it is disclosed."""

    def __init__(self, content, disclosed):
        value = read_canonical(content, "the sealed content")
        found = decision_form(value, "")
        if found is not None:
            raise Refutation("the sealed content is no decision: %s" % found.strip())
        self.content = value
        disclosures = Disclosures(disclosed)
        sealed = value["event"]
        hidden = []

        def opened(part, members, prefix):
            shown, texts, withheld = open_object(part, members, prefix, disclosures)
            if withheld.count > 0:
                hidden.append(withheld)
            return shown, texts

        of_event, _ = opened(sealed, EVENT_MEMBERS, "")
        of_actor, _ = opened(sealed["actor"], PARTY_MEMBERS, "actor.")
        of_action, action_texts = opened(sealed["action"], ACTION_MEMBERS, "action.")
        self.event = {
            "id": sealed["id"],
            "type": sealed["type"],
            "actor": {"type": sealed["actor"]["type"], **of_actor},
            "action": {"type": sealed["action"]["type"], **of_action},
            "occurredAt": sealed["occurredAt"],
            **of_event,
        }
        if "aiContext" in sealed:
            self.event["aiContext"], _ = opened(sealed["aiContext"], AI_MEMBERS, "aiContext.")
        self.approvals = []
        self.signature_disclosures = []
        for approval in value["approvals"]:
            kind = approval["by"]["kind"]
            own, own_texts = opened(approval, approval_members(kind), "approvals.")
            of_approver, _ = opened(approval["approver"], PARTY_MEMBERS, "approvals.approver.")
            of_by, _ = opened(approval["by"], by_members(kind), "approvals.by.")
            self.approvals.append({
                "id": approval["id"],
                "approver": {"type": approval["approver"]["type"], **of_approver},
                "result": approval["result"],
                "approvedAt": approval["approvedAt"],
                "by": {"kind": kind, **of_by},
                **own,
            })
            self.signature_disclosures.append(own_texts.get("signature"))
        disclosures.require_all_used()
        self.input_disclosure = action_texts.get("input")
        self.policy = value["policy"]
        self.withheld = hidden


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


# --- What a proof shows of a decision, made anew -------------------------------------------------------------------------


def agent_type(kind):
    return "prov:Person" if kind == "human" else "prov:SoftwareAgent"


def known(members):
    return {name: value for name, value in members.items() if value is not None}


def show_decision(decision, verify_url, chain_index, timestamp, credentials):
    event, approvals, policy, content = decision.event, decision.approvals, decision.policy, decision.content
    ai = event.get("aiContext", {})

    def at(fragment):
        return "%s#%s" % (verify_url, fragment)

    actor = {"@id": at("actor"), "@type": agent_type(event["actor"]["type"]), **event["actor"]}
    approvers = [
        {"@id": at("approver-%d" % (i + 1)), "@type": agent_type(each["approver"]["type"]), **each["approver"]}
        for i, each in enumerate(approvals)
    ]
    shown = [
        known({
            "@id": at("approval-%d" % (i + 1)),
            "@type": "prov:Activity",
            **each,
            "approver": approvers[i],
            "credential": credentials[i],
        })
        for i, each in enumerate(approvals)
    ]
    reasons = [each["reason"] for each in approvals if "reason" in each]
    evidence = {
        "@id": verify_url,
        "@type": "prov:Entity",
        "status": "sealed",
        "evidenceLevel": "AUDIT_READY",
        "event": {"@id": at("event"), "@type": "prov:Activity", **event, "actor": actor},
        "approval": shown[-1],
        "approvals": shown,
        "policy": policy,
        "responsibility": {
            "@id": at("event"),
            "who": {"actor": actor, "approvers": approvers},
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
                "agent": actor["@id"],
                "method": event["type"],
                "model": ai.get("model"),
                "provider": ai.get("provider"),
                "approvedBy": [each["by"]["kind"] for each in approvals],
            }),
        },
        "sealedAt": timestamp,
        "createdAt": event["occurredAt"],
    }
    if "decisionId" in event:
        evidence["decisionId"] = event["decisionId"]
    return evidence


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


# --- The rules of a decision ---------------------------------------------------------------------------------------------

INVISIBLE = [
    (0x0, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
]


def normal_id(name):
    """One spelling for all spellings of an id: NFKC, nothing invisible, case folded, trimmed."""
    visible = "".join(
        char
        for char in unicodedata.normalize("NFKC", name)
        if not any(first <= ord(char) <= last for first, last in INVISIBLE)
    )
    return unicodedata.normalize("NFKC", visible.upper().lower()).strip()


def check_times(decision, sealed_at):
    before = decision.event["occurredAt"]
    for i, approval in enumerate(decision.approvals):
        if approval["approvedAt"] < before:
            what = "the decision was recorded" if i == 0 else "approvals[%d]" % (i - 1)
            raise Refutation("approvals[%d] was given before %s" % (i, what))
        before = approval["approvedAt"]
    if sealed_at < before:
        raise Refutation("the decision was sealed before it was approved")


def check_approver(approval, i):
    approver, by = approval["approver"], approval["by"]
    is_person = by["kind"] in ("session", "passkey")
    if is_person and approver["type"] != "human":
        raise Refutation("approvals[%d] was given by a person and does not say so" % i)
    if by["kind"] == "system" and approver["type"] != "system":
        raise Refutation("approvals[%d] was given by the system and does not say so" % i)
    if is_person and "id" in by and "id" in approver and by["id"] != approver["id"]:
        raise Refutation("approvals[%d] was given by somebody in another's name" % i)


def check_four_eyes(approvals):
    for j, later in enumerate(approvals):
        for i, earlier in enumerate(approvals[:j]):
            if later["id"] == earlier["id"]:
                raise Refutation("approvals[%d] and approvals[%d] are the same" % (i, j))
            one, other = earlier["approver"].get("id"), later["approver"].get("id")
            if one is not None and other is not None and normal_id(one) == normal_id(other):
                raise Refutation("approvals[%d] and approvals[%d] were given by the same person" % (i, j))


LEVELS = ("DRAFT", "DOCUMENTED", "AUDIT_READY")
AUTHENTICATIONS = ("ASSERTED", "SESSION", "SIGNED")
STRENGTH = {"api_key": 0, "system": 0, "session": 1, "passkey": 2}
REVIEW = "review of an AI decision by a human: given"
NO_AI = "not a decision of an AI"
UNRATED = "risk not rated: approval by a human: given"


def threshold_of(detail):
    """The threshold in the words of the guard, and whether they ask for a human; None for other words."""
    found = re.fullmatch(r"risk (?:at most (\S+)|over (\S+): approval by a human: given)", detail)
    if found is None:
        return None
    written = found.group(1) or found.group(2)
    try:
        value = float(written)
    except ValueError:
        return None
    if not 0 <= value <= 1 or number_text(value) != written:
        return None
    return value, found.group(2) is not None


def is_known_detail(guard, detail):
    if guard == "policy_existence":
        return detail == "a policy covers this action" or detail == "not required"
    if detail == "not required":
        return True
    if guard == "evidence_level":
        return re.fullmatch("level (?:%s), at least (?:%s) required" % ("|".join(LEVELS), "|".join(LEVELS)), detail) is not None
    if guard == "human_review":
        return detail in (NO_AI, REVIEW)
    if guard == "risk_threshold":
        return detail in ("no risk score given", UNRATED) or threshold_of(detail) is not None
    if guard == "dual_approval":
        return detail == "approval by two different approvers: given"
    return re.fullmatch("approvers at least (?:%s)" % "|".join(AUTHENTICATIONS), detail) is not None


def check_guards(decision):
    """Each guard says what it asked for; whether the decision gave it is judged again."""
    event, approvals = decision.event, decision.approvals
    guards = decision.policy["guards"]
    for i, guard in enumerate(guards):
        if guard["guard"] != GUARDS[i]:
            raise Refutation("policy.guards[%d] is not %s" % (i, GUARDS[i]))
    if not all(is_known_detail(guard["guard"], guard["detail"]) for guard in guards):
        raise Refutation("a guard of the policy says something that no guard says")
    detail = {guard["guard"]: guard["detail"] for guard in guards}
    is_ai = (
        event["actor"]["type"] == "ai_agent"
        or "aiContext" in event
        or event["type"] in ("ai_recommendation", "agent_execution")
    )
    has_human = any(each["approver"]["type"] == "human" for each in approvals)
    ids = [each["approver"].get("id") for each in approvals]
    approvers = len({normal_id(each) for each in ids if each is not None}) + ids.count(None)
    may_be_rated = any("riskScore" in each.paths() for each in decision.withheld)
    score = event.get("riskScore")

    def holds(guard):
        said = detail[guard]
        if guard == "policy_existence":
            return said != "not required"
        if said == "not required":
            return True
        if guard == "evidence_level":
            _, level, _, _, least, _ = said.replace(",", "").split(" ")
            return LEVELS.index(level) >= LEVELS.index(least)
        if guard == "human_review":
            return has_human if is_ai and said == REVIEW else not is_ai and said == NO_AI
        if guard == "risk_threshold":
            if score is None and may_be_rated:
                return True
            if said == "no risk score given":
                return score is None
            if said == UNRATED:
                return score is None and has_human
            threshold, asks_human = threshold_of(said)
            if score is None:
                return False
            return score > threshold and has_human if asks_human else score <= threshold
        if guard == "dual_approval":
            return approvers >= 2
        needed = AUTHENTICATIONS.index(said.split(" ")[-1])
        return all(STRENGTH[each["by"]["kind"]] >= needed for each in approvals)

    for guard in GUARDS:
        if not holds(guard):
            raise Refutation("the guard %s does not hold" % guard)
    said = detail["risk_threshold"]
    if score is None and may_be_rated and said.endswith(": approval by a human: given") and not has_human:
        raise Refutation("the guard risk_threshold does not hold")
    is_barred = (
        event["actor"]["type"] == "ai_agent"
        or detail["dual_approval"] != "not required"
        or (detail["human_review"] != "not required" and is_ai)
    )
    actor = event["actor"].get("id")
    if is_barred and actor is not None:
        for i, each in enumerate(ids):
            if each is not None and normal_id(each) == normal_id(actor):
                raise Refutation("approvals[%d] was given by the actor of the decision itself" % i)


def check_signatures(decision):
    content = decision.content
    event_digest = hashlib.sha256(canonical(content["event"]).encode("utf-8")).hexdigest()
    for i, approval in enumerate(decision.approvals):
        if "signature" not in approval:
            continue
        sealed = {name: value for name, value in content["approvals"][i].items() if name not in ("approvedAt", "_sd")}
        own = disclosure_digest(decision.signature_disclosures[i])
        rest = [digest for digest in content["approvals"][i].get("_sd", []) if digest != own]
        if rest:
            sealed["_sd"] = rest
        challenge = sha256(canonical({"approval": sealed, "eventDigest": event_digest}).encode("utf-8"))
        found = webauthn_fault(approval["signature"], challenge, content["service"])
        if found is not None:
            raise Refutation("the signature of approvals[%d] does not hold: %s" % (i, found))


def check_decision(decision, sealed_at):
    check_times(decision, sealed_at)
    for i, approval in enumerate(decision.approvals):
        check_approver(approval, i)
    check_four_eyes(decision.approvals)
    check_guards(decision)
    check_signatures(decision)


# --- Signatures: Ed25519, ECDSA on P-256, RSA ------------------------------------------------------------------------------

ED_P = 2**255 - 19
ED_L = 2**252 + 27742317777372353535851937790883648493
ED_D = -121665 * pow(121666, ED_P - 2, ED_P) % ED_P
ED_I = pow(2, (ED_P - 1) // 4, ED_P)


def ed_add(p, q):
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % ED_P
    b = (y1 + x1) * (y2 + x2) % ED_P
    c = 2 * t1 * t2 * ED_D % ED_P
    d = 2 * z1 * z2 % ED_P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % ED_P, g * h % ED_P, f * g % ED_P, e * h % ED_P


def ed_multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = ed_add(result, point)
        point = ed_add(point, point)
        scalar >>= 1
    return result


def ed_decode(data):
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= 2**255 - 1
    square = (y * y - 1) * pow(ED_D * y * y + 1, ED_P - 2, ED_P) % ED_P
    x = pow(square, (ED_P + 3) // 8, ED_P)
    if (x * x - square) % ED_P != 0:
        x = x * ED_I % ED_P
    if (x * x - square) % ED_P != 0:
        return None
    if x & 1 != sign:
        x = -x % ED_P
    return x, y % ED_P, 1, x * y % ED_P


def ed_encode(point):
    x, y, z, _ = point
    inverse = pow(z, ED_P - 2, ED_P)
    x, y = x * inverse % ED_P, y * inverse % ED_P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


ED_BASE = ed_decode((4 * pow(5, ED_P - 2, ED_P) % ED_P).to_bytes(32, "little"))


# The same heads and checkpoints stand in many documents: each signature is worked out once.
@functools.lru_cache(maxsize=65536)
def verify_ed25519(public_key, signature, message):
    """RFC 8032, section 5.1.7."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    point = ed_decode(public_key)
    s = int.from_bytes(signature[32:], "little")
    if point is None or s >= ED_L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ED_L
    x, y, z, t = point
    difference = ed_add(ed_multiply(s, ED_BASE), ed_multiply(h, (-x % ED_P, y, z, -t % ED_P)))
    return ed_encode(difference) == signature[:32]


EC_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
EC_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
EC_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
EC_G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def ec_add(p, q):
    if p is None:
        return q
    if q is None:
        return p
    (x1, y1), (x2, y2) = p, q
    if x1 == x2:
        if (y1 + y2) % EC_P == 0:
            return None
        slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, EC_P) % EC_P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, EC_P) % EC_P
    x = (slope * slope - x1 - x2) % EC_P
    return x, (slope * (x1 - x) - y1) % EC_P


def ec_multiply(scalar, point):
    result = None
    while scalar > 0:
        if scalar & 1:
            result = ec_add(result, point)
        point = ec_add(point, point)
        scalar >>= 1
    return result


@functools.lru_cache(maxsize=65536)
def verify_p256(x, y, r, s, message):
    """FIPS 186-5, section 6.4.2, with SHA-256."""
    if x >= EC_P or y >= EC_P or (y * y - x * x * x + 3 * x - EC_B) % EC_P != 0:
        return False
    if not (0 < r < EC_N and 0 < s < EC_N):
        return False
    w = pow(s, -1, EC_N)
    z = int.from_bytes(sha256(message), "big")
    point = ec_add(ec_multiply(z * w % EC_N, EC_G), ec_multiply(r * w % EC_N, (x, y)))
    return point is not None and point[0] % EC_N == r


def der_integer(data, at):
    """A positive INTEGER in its shortest form, and where it ends; None for anything else."""
    if data[at : at + 1] != b"\x02" or at + 2 > len(data):
        return None
    length = data[at + 1]
    end = at + 2 + length
    value = data[at + 2 : end]
    if length == 0 or end > len(data) or value[0] >= 0x80:
        return None
    if value[0] == 0 and length > 1:
        if value[1] < 0x80:
            return None
        value = value[1:]
    if len(value) > 32:
        return None
    return int.from_bytes(value, "big"), end


def ecdsa_pair(der):
    if len(der) < 2 or der[0] != 0x30 or der[1] != len(der) - 2:
        return None
    r = der_integer(der, 2)
    s = r and der_integer(der, r[1])
    return (r[0], s[0]) if s and s[1] == len(der) else None


P256_PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
ED25519_PREFIX = bytes.fromhex("302a300506032b6570032100")
RSA_ALGORITHM = bytes.fromhex("300d06092a864886f70d0101010500")
SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


def der_part(data, tag):
    """The body of a tagged value at the beginning, and what follows it."""
    if len(data) < 2 or data[0] != tag:
        raise ValueError("not DER")
    length, start = data[1], 2
    if length >= 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(data[2 : 2 + count], "big"), 2 + count
    if len(data) < start + length:
        raise ValueError("not DER")
    return data[start : start + length], data[start + length :]


def verify_rsa(spki, signature, message):
    """RFC 8017, section 8.2.2, with SHA-256."""
    try:
        body, rest = der_part(spki, 0x30)
        bits, more = der_part(body[len(RSA_ALGORITHM) :], 0x03)
        key, last = der_part(bits[1:], 0x30)
        modulus_bytes, after = der_part(key, 0x02)
        exponent_bytes, end = der_part(after, 0x02)
    except ValueError:
        return False
    if rest or more or last or end or bits[:1] != b"\x00":
        return False
    modulus, exponent = int.from_bytes(modulus_bytes, "big"), int.from_bytes(exponent_bytes, "big")
    size = (modulus.bit_length() + 7) // 8
    value = int.from_bytes(signature, "big")
    if len(signature) != size or value >= modulus:
        return False
    tail = b"\x00" + SHA256_INFO + sha256(message)
    padded = b"\x00\x01" + b"\xff" * (size - 2 - len(tail)) + tail
    return pow(value, exponent, modulus).to_bytes(size, "big") == padded


def key_fault(spki, signature, message):
    wrong = "the signature is not that of its key over it"
    if len(spki) == len(P256_PREFIX) + 65 and spki.startswith(P256_PREFIX):
        pair = ecdsa_pair(signature)
        point = spki[len(P256_PREFIX) :]
        x, y = int.from_bytes(point[1:33], "big"), int.from_bytes(point[33:], "big")
        good = pair is not None and point[0] == 4 and verify_p256(x, y, pair[0], pair[1], message)
    elif len(spki) == len(ED25519_PREFIX) + 32 and spki.startswith(ED25519_PREFIX):
        good = verify_ed25519(spki[len(ED25519_PREFIX) :], signature, message)
    elif spki[:2] == b"\x30\x82" and spki[4:].startswith(RSA_ALGORITHM):
        good = verify_rsa(spki, signature, message)
    else:
        return "its key is of an unknown kind"
    return None if good else wrong


def webauthn_fault(signature, challenge, service):
    """Why a passkey's signature (WebAuthn, section 7.2) does not hold; None when it does."""
    public_key = from_base64url(signature["publicKey"])
    data = from_base64url(signature["authenticatorData"])
    client_data = from_base64url(signature["clientDataJSON"])
    try:
        said = parse_strict(client_data.decode("utf-8"))
    except (ValueError, NotJson):
        return "what the browser signed is not JSON"
    said = said if isinstance(said, dict) else {}
    if said.get("type") != "webauthn.get":
        return "it was not made to sign"
    if said.get("challenge") != to_base64url(challenge):
        return "it was made for something else"
    origin = said.get("origin")
    found = re.fullmatch("https?://([^/?#@%s]+)" % WHITE, origin) if isinstance(origin, str) else None
    if found is None or found.group(1) != service:
        return "it was made on the pages of another service"
    if len(data) < 37:
        return "what the authenticator signed is too short"
    if data[:32] != sha256(re.sub(r":[0-9]+$", "", service).encode("utf-8")):
        return "it was made for another service"
    if not data[32] & 0x01:
        return "nobody was present when it was made"
    if not data[32] & 0x04:
        return "the person was not verified when it was made"
    return key_fault(public_key, from_base64url(signature["signature"]), data + sha256(client_data))


# --- Checkpoints: C2SP signed notes, cosignatures, trees ---------------------------------------------------------------------

KEY_NAME = "[^+%s]+" % WHITE
SERVICE_KEY, WITNESS_KEY = 0x01, 0x04


class Key:
    """A public key and the name under which it signs."""

    def __init__(self, name, public_key, kind, is_unvouched=False):
        self.name, self.public_key, self.kind, self.is_unvouched = name, public_key, kind, is_unvouched
        self.id = sha256(name.encode("utf-8") + b"\n" + bytes([kind]) + public_key)[:4].hex()

    def label(self):
        return "%s+%s" % (self.name, self.id)


def parse_vkey(line, kind):
    found = re.fullmatch(r"(%s)\+([0-9a-f]{8})\+([^%s]+)" % (KEY_NAME, WHITE), line)
    if found is None:
        raise ValueError("a verifier key reads name+id+base64")
    material = from_base64(found.group(3))
    if len(material) != 33 or material[0] != kind:
        raise ValueError("not a verifier key of this kind")
    key = Key(found.group(1), material[1:], kind)
    if key.id != found.group(2):
        raise ValueError("the id of the verifier key does not belong to it")
    return key


class Checkpoint:
    """A signed checkpoint. Throws ValueError for anything else; signatures are not checked here."""

    def __init__(self, note):
        self.note = note
        if len(note) > 200000 or not is_well_formed(note) or re.search("[\x00-\x09\x0b-\x1f]", note):
            raise ValueError("not a note")
        border = note.rfind("\n\n")
        if border < 0 or not note.endswith("\n"):
            raise ValueError("no signatures")
        self.text = note[: border + 1]
        lines = note[border + 2 : -1].split("\n")
        if len(lines) > 32:
            raise ValueError("too many signatures")
        self.signatures = []
        for line in lines:
            found = re.fullmatch("\u2014 (%s) ([^ ]*)" % KEY_NAME, line)
            data = from_base64(found.group(2)) if found else b""
            if len(data) <= 4:
                raise ValueError("not a signature line")
            self.signatures.append((found.group(1), data[:4].hex(), data[4:]))
        parts = self.text[:-1].split("\n")
        if len(parts) < 3 or parts[0] == "" or "" in parts[3:]:
            raise ValueError("no checkpoint")
        self.origin, size, root = parts[:3]
        if not re.fullmatch("0|[1-9][0-9]{0,15}", size) or int(size) > 2**53 - 1:
            raise ValueError("no size")
        self.size, self.root = int(size), from_base64(root)
        if len(self.root) != 32:
            raise ValueError("no root")
        self.service = self.chain = None

    def verify(self, key):
        """True or False for a signature of this key, None where there is none."""
        own = [data for name, key_id, data in self.signatures if name == key.name and key_id == key.id]
        if not own:
            return None
        return all(self.is_signature(key, data) for data in own)

    def is_signature(self, key, data):
        message = self.text.encode("utf-8")
        if key.kind == WITNESS_KEY:
            at = int.from_bytes(data[:8], "big")
            if len(data) != 72 or not 0 < at <= 2**53 - 1:
                return False
            message, data = b"cosignature/v1\ntime %d\n" % at + message, data[8:]
        return verify_ed25519(key.public_key, data, message)


def read_checkpoint(note, what):
    try:
        checkpoint = Checkpoint(note)
    except ValueError:
        raise Refutation("%s is no signed checkpoint" % what)
    parts = parse_origin(checkpoint.origin)
    if parts is None:
        raise Refutation("%s is of an unknown origin" % what)
    checkpoint.service, checkpoint.chain = parts
    return checkpoint


def parse_origin(origin):
    """The service, and center and domain of a chain; no chain for a head log."""
    service = "([^+/%s]+)" % WHITE
    found = re.fullmatch(service + "/chains/(0|[1-9][0-9]{0,9})/([a-z]{1,32})", origin)
    if found:
        return found.group(1), (int(found.group(2)), found.group(3))
    found = re.fullmatch(service + "/log", origin)
    return (found.group(1), None) if found else None


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
    def __init__(self, keys, witnesses, quorum):
        self.keys, self.witnesses = keys, witnesses
        self.quorum = len(witnesses) if quorum is None else quorum


def signer_of(checkpoint, what, public_key, trust, may_be_later=False):
    """The label of the key that signed, and `trusted`, `unvouched` or `unnamed`.

    The chain's own checkpoint bears the signature of the key that the document names; what was signed later may bear that of a
    later key only.
    """
    own = Key(public_key["name"], from_base64(public_key["publicKey"]), SERVICE_KEY)
    if own.id != public_key["keyId"]:
        raise Refutation("publicKey.keyId is not the id of its key")
    if own.name != checkpoint.service:
        raise Refutation("publicKey is not a key of %s" % checkpoint.service)
    good = checkpoint.verify(own)
    if good is None and not may_be_later:
        raise Refutation("%s is not signed by publicKey" % what)
    if good is False:
        raise Refutation("the signature of %s is wrong" % what)
    if trust.keys is None:
        return own.label(), "unnamed"
    signer = None
    for key in trust.keys:
        if key.name != checkpoint.service:
            continue
        good = checkpoint.verify(key)
        if good is False:
            raise Refutation("the signature of %s is wrong" % what)
        if good and (signer is None or signer.is_unvouched):
            signer = key
    if signer is None:
        raise Refutation("%s is not signed by a trusted key" % what)
    return signer.label(), "unvouched" if signer.is_unvouched else "trusted"


def count_witnesses(checkpoint, trust):
    valid = set()
    for witness in trust.witnesses:
        good = checkpoint.verify(witness)
        if good is False:
            raise Refutation("the cosignature of %s is wrong" % witness.name)
        if good:
            valid.add((witness.name, witness.public_key))
    return len(valid)


# --- The document ----------------------------------------------------------------------------------------------------------

chain_form = object_of({
    "hash": prefixed_hash, "previousHash": nullable(prefixed_hash), "index": index, "domain": one_of("platform", "proof"),
})
decision_evidence = object_of({
    "@id": text,
    "@type": one_of("prov:Entity"),
    "id": text,
    "decisionId?": text,
    "status": one_of("sealed"),
    "evidenceLevel": one_of("AUDIT_READY"),
    "event": any_object,
    "approval": any_object,
    "approvals": list_of(any_object, 100, 1),
    "policy": any_object,
    "responsibility": any_object,
    "chain": chain_form,
    "sealedAt": time,
    "createdAt": time,
})
platform_evidence = object_of({
    "@id": text,
    "@type": one_of("prov:Entity"),
    "id": text,
    "decisionId": text,
    "status": one_of("pending", "sealed"),
    "evidenceLevel": one_of(*LEVELS),
    "content": nullable(text),
    "erasedAt?": time,
    "chain": chain_form,
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
inclusion_form = object_of({
    "leafIndex": index, "treeSize": index, "hashes": list_of(bare_hash, 53), "checkpoint": text,
})
public_key_form = object_of({
    "keyId": like("[0-9a-f]{8}", "not 8 hex digits"),
    "name": like(KEY_NAME, "not the name of a key"),
    "publicKey": text_that(is_ed25519_key, "not an Ed25519 key of 32 bytes in base64"),
})
erased_form = list_of(object_of({"path": text, "at": time, "reason": nullable(text)}), 1000, 1)
outcome_form = object_of({
    "status": one_of("executed", "failed"),
    "output?": any_object,
    "recordedAt": time,
    "journalIndex": index,
    "record": object_of({"content": text, "previousHash": previous_hash_form, "timestamp": time}),
    "disclosures": list_of(text, 1),
    "inclusion?": inclusion_form,
})
FRAME = {
    "@context": like("[^%s]+/decision-proof/v2" % WHITE, "not an address ending in /decision-proof/v2"),
    "@type": one_of("DecisionProof"),
    "version": one_of("2.0"),
    "exportedAt": time,
}
SIGNATURES = {"inclusion?": inclusion_form, "head?": inclusion_form, "publicKey?": public_key_form}
decision_document = object_of({
    **FRAME,
    "evidence": decision_evidence,
    "verification": verification_form,
    "record": object_of({"content": text, "previousHash": previous_hash_form, "timestamp": time}),
    "disclosures": list_of(text, 10000),
    "erased?": erased_form,
    **SIGNATURES,
    "outcome?": outcome_form,
})
platform_document = object_of({
    **FRAME,
    "evidence": platform_evidence,
    "verification": verification_form,
    "record": object_of({"content": nullable(text), "previousHash": previous_hash_form, "timestamp": time}),
    "erased?": erased_form,
    **SIGNATURES,
})


def proof_fault(document):
    evidence = document["evidence"]
    chain = evidence.get("chain")
    is_decision = "event" in evidence or (isinstance(chain, dict) and chain.get("domain") == "proof")
    found = (decision_document if is_decision else platform_document)(document, "")
    if found is not None:
        return found
    if is_decision and evidence["chain"]["domain"] != "proof":
        return "a decision is shown that does not lie on a chain of decisions"
    if "inclusion" not in document:
        for name in ("head", "publicKey"):
            if name in document:
                return "%s is there without inclusion" % name
    elif "publicKey" not in document:
        return "publicKey is missing"
    return None


def record_hash(record):
    return hashlib.sha256((record["content"] + record["previousHash"] + record["timestamp"]).encode("utf-8")).hexdigest()


def check_verify_url(document, service, record_id):
    wrong = Refutation("verification.verifyUrl is not the address of this record")
    url = document["verification"]["verifyUrl"]
    end = "/verify/" + urllib.parse.quote(record_id, safe="!'()*-._~")
    if not url.endswith(end):
        raise wrong
    found = re.fullmatch("https?://([^/?#%s]+)(?:/[^/?#%s]+)*" % (WHITE, WHITE), url[: -len(end)])
    if found is None or (service is not None and found.group(1) != service):
        raise wrong


credential_form = object_of({"chain": text, "index": index, "hash": prefixed_hash})
outcome_content_form = object_of({
    "kind": one_of("outcome"),
    "eventId": text,
    "status": one_of("executed", "failed"),
    "arguments?": digest_form,
    "_sd?": list_of(digest_form, 1, 1),
    "_sd_alg?": one_of("sha-256"),
})


class Examination:
    """One check after the other; the first that fails throws a Refutation."""

    def __init__(self, document, trust):
        self.document, self.trust = document, trust
        self.evidence, self.record = document["evidence"], document["record"]
        self.erased = document.get("erased", [])
        self.is_erased = any(entry["path"] == "content" for entry in self.erased)
        self.withheld, self.missing, self.signers, self.checkpoints = [], [], [], []
        self.decision = self.origin = self.chain = None
        self.witnesses = 0

    def run(self):
        self.hash()
        self.link()
        if "event" in self.evidence:
            self.shown_decision()
            check_decision(self.decision, self.record["timestamp"])
        else:
            self.shown_record()
        self.inclusion()
        self.signature()
        self.head()
        if "outcome" in self.document:
            self.outcome()

    def hash(self):
        chain_hash = self.evidence["chain"]["hash"]
        if chain_hash != self.document["verification"]["chainHash"]:
            raise Refutation("evidence.chain and verification name two hashes")
        if self.is_erased:
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

    def credentials(self):
        found = []
        content = self.decision.content
        for i, approval in enumerate(content["approvals"]):
            shown = self.evidence["approvals"][i] if i < len(self.evidence["approvals"]) else {}
            if "credential" not in shown:
                found.append(None)
                continue
            path = "evidence.approvals[%d].credential" % i
            fault = credential_form(shown["credential"], path)
            if fault is not None:
                raise Refutation(fault)
            service, chain = parse_origin(shown["credential"]["chain"]) or (None, None)
            is_audit = chain is not None and chain[1] == "audit"
            if approval["by"]["kind"] != "passkey" or service != content["service"] or not is_audit:
                raise Refutation(
                    "%s is not the place of a passkey on an audit chain of %s" % (path, content["service"])
                )
            found.append(shown["credential"])
        return found

    def shown_decision(self):
        self.decision = Decision(self.record["content"], self.document["disclosures"])
        content = self.decision.content
        check_verify_url(self.document, content["service"], self.decision.event["id"])
        url = self.document["verification"]["verifyUrl"]
        index_shown = self.evidence["chain"]["index"]
        sealed = show_decision(self.decision, url, index_shown, self.record["timestamp"], self.credentials())
        shown = {name: value for name, value in self.evidence.items() if name not in ("id", "chain")}
        found = first_difference(shown, sealed, "evidence")
        if found is not None:
            raise Refutation(found)
        self.erased_paths()
        self.origin = "%s/chains/%d/proof" % (content["service"], content["center"]["id"])
        self.withheld += withheld_names(without_erased(self.decision.withheld, self.erased))

    def erased_paths(self):
        hidden = {path for each in self.decision.withheld for path in each.paths()}
        if "outcome" in self.document:
            hidden.add("outcome.output")
        seen = set()
        for i, entry in enumerate(self.erased):
            path = entry["path"]
            if path != "outcome.output" and path not in DISCLOSABLE_PATHS:
                raise Refutation("erased[%d].path is unknown" % i)
            if path in seen:
                raise Refutation("erased[%d].path is there twice" % i)
            if path not in hidden:
                raise Refutation("erased[%d].path is not withheld" % i)
            seen.add(path)
        for each in self.decision.withheld:
            if len([path for path in each.paths() if path in seen]) > each.count:
                raise Refutation("more is said to be erased than was sealed")

    def shown_record(self):
        evidence = self.evidence
        sealed = {
            "@id": self.document["verification"]["verifyUrl"],
            "decisionId": evidence["id"],
            "content": self.record["content"],
            "createdAt": self.record["timestamp"],
            "status": "sealed" if evidence["evidenceLevel"] == "AUDIT_READY" else "pending",
            "sealedAt": self.record["timestamp"] if evidence["evidenceLevel"] == "AUDIT_READY" else None,
        }
        found = first_difference({name: evidence[name] for name in sealed}, sealed, "evidence")
        if found is not None:
            raise Refutation(found)
        check_verify_url(self.document, None, evidence["id"])
        if any(entry["path"] != "content" for entry in self.erased):
            raise Refutation("erased[0].path is unknown")
        if len(self.erased) > 1:
            raise Refutation("erased[1].path is there twice")
        if (self.erased[0]["at"] if self.erased else None) != evidence.get("erasedAt"):
            raise Refutation("evidence.erasedAt and erased do not fit")
        if self.erased and evidence["content"] != "":
            raise Refutation("erased[0].path is not withheld")

    def inclusion(self):
        inclusion = self.document.get("inclusion")
        if inclusion is None:
            self.missing.append("inclusion")
            return
        checkpoint = read_checkpoint(inclusion["checkpoint"], "inclusion.checkpoint")
        chain = self.evidence["chain"]
        if checkpoint.chain is None or checkpoint.chain[1] != chain["domain"] or checkpoint.chain[0] == 0:
            raise Refutation("inclusion.checkpoint is about another chain: %s" % checkpoint.origin)
        if self.origin is not None and self.origin != checkpoint.origin:
            raise Refutation("the decision was not sealed for the chain %s" % checkpoint.origin)
        if self.origin is None:
            check_verify_url(self.document, checkpoint.service, self.evidence["id"])
        if inclusion["leafIndex"] != chain["index"]:
            raise Refutation("inclusion.leafIndex is not the place of the record")
        check_included(bytes.fromhex(chain["hash"][len("sha256:") :]), inclusion, checkpoint, "inclusion")
        self.chain = checkpoint
        self.origin = checkpoint.origin

    def signature(self):
        if self.chain is None:
            return
        self.signers.append(signer_of(self.chain, "inclusion.checkpoint", self.document["publicKey"], self.trust))
        self.checkpoints.append(self.chain)

    def head(self):
        head = self.document.get("head")
        if head is None:
            if self.trust.quorum > 0:
                self.missing.append("head")
            return
        checkpoint = read_checkpoint(head["checkpoint"], "head.checkpoint")
        if checkpoint.chain is not None or checkpoint.service != self.chain.service:
            raise Refutation("head.checkpoint is not of the log of %s" % self.chain.service)
        check_included(self.chain.note.encode("utf-8"), head, checkpoint, "head")
        self.signers.append(signer_of(checkpoint, "head.checkpoint", self.document["publicKey"], self.trust, True))
        self.checkpoints.append(checkpoint)
        self.witnesses = count_witnesses(checkpoint, self.trust)
        if self.witnesses < self.trust.quorum:
            self.missing.append("quorum (%d of %d witnesses)" % (self.witnesses, self.trust.quorum))

    def outcome(self):
        outcome, decision = self.document["outcome"], self.decision
        record = outcome["record"]
        content = read_canonical(record["content"], "outcome.record.content")
        found = outcome_content_form(content, "")
        if found is not None:
            raise Refutation("outcome.record.content is no outcome: %s" % found.strip())
        disclosures = Disclosures(outcome["disclosures"], "outcome.disclosures")
        given = disclosures.take(content["_sd"][0]) if "_sd" in content else None
        disclosures.require_all_used()
        if given is not None and given[0] != "output":
            raise Refutation("%s discloses %s, which is unknown" % (given[3], given[0]))
        if given is not None and not isinstance(given[1], dict):
            raise Refutation("%s: output is not an object" % given[3])
        sealed = {"status": content["status"], "recordedAt": record["timestamp"]}
        if given is not None:
            sealed["output"] = given[1]
        shown = {name: outcome[name] for name in ("status", "recordedAt", "output") if name in outcome}
        found = first_difference(shown, sealed, "outcome")
        if found is not None:
            raise Refutation(found)
        if content["eventId"] != decision.event["id"]:
            raise Refutation("outcome is that of another decision")
        arguments = content.get("arguments")
        if decision.input_disclosure is not None:
            is_own = arguments == disclosure_digest(decision.input_disclosure)
        else:
            is_own = arguments is None or arguments in decision.content["event"]["action"].get("_sd", [])
        if not is_own:
            raise Refutation("outcome is that of other arguments than were approved")
        if (record["previousHash"] == "") != (outcome["journalIndex"] == 0):
            raise Refutation("the first record of a chain, and no other, has no predecessor")
        checkpoint = None
        if "inclusion" in outcome:
            inclusion = outcome["inclusion"]
            checkpoint = read_checkpoint(inclusion["checkpoint"], "outcome.inclusion.checkpoint")
            expected = "%s/chains/%d/journal" % (decision.content["service"], decision.content["center"]["id"])
            if checkpoint.origin != expected:
                raise Refutation("outcome.inclusion.checkpoint is about another chain: %s" % checkpoint.origin)
            if inclusion["leafIndex"] != outcome["journalIndex"]:
                raise Refutation("outcome.inclusion.leafIndex is not the place of the record")
            check_included(bytes.fromhex(record_hash(record)), inclusion, checkpoint, "outcome.inclusion")
        is_withheld = "_sd" in content and given is None
        gone = [i for i, entry in enumerate(self.erased) if entry["path"] == "outcome.output"]
        if gone and not is_withheld:
            raise Refutation("erased[%d].path is not withheld" % gone[0])
        if is_withheld and not gone:
            self.withheld.append("outcome.output")
        if checkpoint is None:
            self.missing.append("outcome.inclusion")
            return
        if "publicKey" not in self.document:
            raise Refutation("publicKey is missing")
        what = "outcome.inclusion.checkpoint"
        self.signers.append(signer_of(checkpoint, what, self.document["publicKey"], self.trust, True))
        self.checkpoints.append(checkpoint)

    def conclude(self):
        lacks = []
        if self.withheld:
            lacks.append("withheld: " + ", ".join(self.withheld))
        if self.erased:
            lacks.append("erased: " + ", ".join(entry["path"] for entry in self.erased))
        if self.missing:
            lacks.append("missing: " + ", ".join(self.missing))
        if lacks:
            return "partial", "; ".join(lacks)
        doubtful = [signer for signer in self.signers if signer[1] != "trusted"]
        if doubtful and doubtful[0][1] == "unvouched":
            return "consistent", "it agrees with itself; nobody but its service vouches for %s" % doubtful[0][0]
        if doubtful:
            return "consistent", "it agrees with itself; no trusted key was named"
        cosigned = ""
        if self.trust.quorum > 0:
            cosigned = ", cosigned by %d of %d witnesses" % (self.witnesses, len(self.trust.witnesses))
        label = "" if self.decision is not None else "; evidenceLevel is only a label"
        return "proven", "signed by %s%s%s" % (self.signers[0][0], cosigned, label)

    def claims(self):
        chain = self.evidence["chain"]
        is_trusted = bool(self.signers) and all(trusted == "trusted" for _, trusted in self.signers)
        record = {
            "origin": self.origin,
            "index": int(chain["index"]),
            "hash": chain["hash"],
            "previousHash": chain["previousHash"],
        }
        seen = [
            {"origin": each.origin, "size": each.size, "root": each.root.hex(), "note": each.note}
            for each in self.checkpoints
        ]
        return {"record": record, "checkpoints": seen, "trusted": is_trusted}


def verify_proof(proof, trust):
    """Verdict, reason, and the claims of what is neither refuted nor unreadable."""
    try:
        document, ambiguity = read_json(proof)
    except NotJson as error:
        return "unreadable", str(error), None
    if not isinstance(document, dict) or not is_same(document.get("@type"), "DecisionProof"):
        return "unreadable", "it is no decision proof", None
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
    return verdict, reason, examination.claims()


# --- Several proofs, held against each other and against what is remembered ---------------------------------------------------


def contradiction(one, other):
    a, b = one["record"], other["record"]
    if a is not None and b is not None and a["origin"] is not None and a["origin"] == b["origin"]:
        if a["index"] == b["index"] and a["hash"] != b["hash"]:
            return "another record at place %d of %s" % (a["index"], a["origin"])
        earlier, later = (a, b) if a["index"] < b["index"] else (b, a)
        if later["index"] == earlier["index"] + 1 and later["previousHash"] != earlier["hash"]:
            return "another record at place %d of %s" % (earlier["index"], a["origin"])
    for seen in one["checkpoints"]:
        for known_one in other["checkpoints"]:
            same = seen["origin"] == known_one["origin"] and seen["size"] == known_one["size"]
            if same and seen["root"] != known_one["root"]:
                return "another tree of %s at size %d" % (seen["origin"], seen["size"])
    return None


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
        return {"version": 1, "records": [], "checkpoints": [], "contradictions": []}
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        if state["version"] != 1:
            raise ValueError("another version")
        for record in state["records"]:
            record["origin"], record["index"], record["hash"], record["previousHash"], record["trusted"]
        for seen in state["checkpoints"]:
            seen["origin"], seen["size"], seen["root"], seen["note"], seen["trusted"]
        state["contradictions"]
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError("--state %s: not a state of this command" % path)
    return state


def remembered_in(state):
    records = [
        (STATE_NAME, {"record": record, "checkpoints": [], "trusted": record["trusted"]}) for record in state["records"]
    ]
    checkpoints = [
        (STATE_NAME, {"record": None, "checkpoints": [seen], "trusted": seen["trusted"]}) for seen in state["checkpoints"]
    ]
    return records + checkpoints


def remember(state, proofs):
    records = {(each["origin"], each["index"]): each for each in state["records"]}
    checkpoints = {(each["origin"], each["size"]): each for each in state["checkpoints"]}

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
        record, trusted = claims["record"], claims["trusted"]
        if record["origin"] is not None:
            keep(records, (record["origin"], record["index"]), {**record, "trusted": trusted})
        for seen in claims["checkpoints"]:
            keep(checkpoints, (seen["origin"], seen["size"]), {**seen, "trusted": trusted})
    state["records"], state["checkpoints"] = list(records.values()), list(checkpoints.values())


def write_state(path, state):
    temporary = "%s.%d.tmp" % (path, os.getpid())
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(json.dumps(state, indent=2, ensure_ascii=False) + "\n")
    os.replace(temporary, path)


# --- The command ----------------------------------------------------------------------------------------------------------------

VALUED = ("--key", "--keys-from", "--witness", "--quorum", "--state")


def looks_like_vkey(text_given):
    return re.fullmatch(r"[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*", text_given) is not None


def read_options(args):
    options = {"files": [], "--key": [], "--keys-from": [], "--witness": [], "--quorum": [], "--state": [], "json": False}
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


def published_keys(address):
    url = urllib.parse.urlsplit(address)
    if url.scheme not in ("http", "https") or not url.netloc:
        raise UsageError("--keys-from %s: not an address" % address)
    if "/.well-known/" not in url.path:
        address = address.rstrip("/") + "/.well-known/countersign-keys.json"
    with urllib.request.urlopen(address, timeout=10) as answer:
        published = json.loads(answer.read().decode("utf-8"))
    keys = []
    for entry in published["keys"]:
        key = parse_vkey(entry["vkey"], SERVICE_KEY)
        key.is_unvouched = not is_vouched(entry, published["keys"])
        keys.append(key)
    return keys


def is_vouched(entry, entries, seen=()):
    """A key that signed for itself because the one before it was lost, and whatever it signed for, has nobody behind it."""
    signer_id = entry.get("signedBy", entry.get("keyId"))
    if signer_id is None:
        return "signedBy" not in entry
    if signer_id == entry.get("keyId") or signer_id in seen:
        return True
    signers = [each for each in entries if each.get("keyId") == signer_id]
    return not signers or is_vouched(signers[0], entries, seen + (signer_id,))


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
        if quorum > len({(key.name, key.public_key) for key in witnesses}):
            raise UsageError("--quorum %d: more than the witnesses named" % quorum)
    return Trust(keys, witnesses, quorum)


def verify_file(name, trust):
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError:
        return name, "unreadable", "there is no such file", None
    try:
        proof = data.decode("utf-8")
    except UnicodeDecodeError:
        return name, "unreadable", "it is not UTF-8 text", None
    return (name,) + verify_proof(proof, trust)


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
