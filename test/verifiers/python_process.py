"""Answers questions to the Python verifier, one line of JSON each, so that a test need not start a process for every document.

    ["signature", spki, signature, message]     hex; null or the fault
    ["note", public key, signature, message]    hex; whether it is an Ed25519 signature of a note
    ["normal", ids]                             the normal form of each
    ["proofs", trust, documents]                base64; `verdict: reason` of each, held against each other
    ["costs", trust, document]                  base64; its line, and how often each costly check ran
"""

import base64
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "verifiers" / "python"))

import countersign_verify as verifier  # noqa: E402


def answer(question):
    kind, *given = question
    if kind == "signature":
        return verifier.key_fault(*map(bytes.fromhex, given))
    if kind == "note":
        return verifier.verify_ed25519(*map(bytes.fromhex, given))
    if kind == "normal":
        return [verifier.normal_id(each) for each in given[0]]
    if kind == "proofs":
        trust, documents = given
        return judged(trust_of(trust), [base64.b64decode(each) for each in documents])
    if kind == "costs":
        trust, document = given
        return costs_of(trust_of(trust), base64.b64decode(document))
    raise ValueError(kind)


def trust_of(trust):
    keys = None
    if trust.get("keys") is not None:
        keys = []
        for entry in trust["keys"]:
            key = verifier.parse_vkey(entry["vkey"], verifier.SERVICE_KEY)
            key.is_unvouched, key.until = entry["isUnvouched"], entry["until"]
            keys.append(key)
    witnesses = [verifier.parse_vkey(line, verifier.WITNESS_KEY) for line in trust["witnesses"]]
    return verifier.Trust(keys, witnesses, trust.get("quorum"), trust.get("people"), trust["now"])


def judged(trust, documents):
    proofs = [(str(i),) + verifier.verify_proof(data, trust) for i, data in enumerate(documents)]
    return ["%s: %s" % (verdict, reason) for _, verdict, reason, _ in verifier.compare_proofs(proofs, [])]


COSTLY = ("verify_rsa", "verify_p256", "verify_ed25519", "nfkc")


def costs_of(trust, document):
    calls = dict.fromkeys(COSTLY, 0)
    originals = {name: getattr(verifier, name) for name in COSTLY}

    def counting(name):
        def counted(*args):
            calls[name] += 1
            return originals[name](*args)

        return counted

    # Normal forms are cached, and a cached one would not count.
    verifier.folded.cache_clear()
    for name in COSTLY:
        setattr(verifier, name, counting(name))
    try:
        (said,) = judged(trust, [document])
    finally:
        for name, original in originals.items():
            setattr(verifier, name, original)
    return {"line": said, "calls": calls}


for line in sys.stdin:
    sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
    sys.stdout.flush()
