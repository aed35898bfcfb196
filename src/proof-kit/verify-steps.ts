/** The single checks of an export document, each independent of the others, each answering in plain words. */
import { equalBytes, fromBase64, fromHex } from './bytes.ts';
import { isOriginOfDomain, parseCheckpoint } from './checkpoint.ts';
import { type ExportDocument, isDecisionEvidence } from './document.ts';
import { leafHash, rootFromInclusion } from './merkle.ts';
import { type SignatureVerdict, type SignedNote, verifyNote } from './note.ts';
import { HASH_PREFIX, recordHash } from './record.ts';
import { contradictions, readSealedContent } from './sealed-content.ts';
import { type NoteKey, noteKeyId } from './vkey.ts';

export interface Outcome {
  verdict: 'pass' | 'fail' | 'absent';
  explanation: string;
}

/** A key the reader trusts, wherever it came from. Without a name it may sign for every chain. */
export interface TrustedKey {
  /** The 32 bytes of the Ed25519 key in base64. */
  publicKey: string;
  name?: string;
}

const pass = (explanation: string): Outcome => ({ verdict: 'pass', explanation });
const fail = (explanation: string): Outcome => ({ verdict: 'fail', explanation });
const absent = (explanation: string): Outcome => ({ verdict: 'absent', explanation });

export function checkHash({ record, evidence, verification }: ExportDocument): Outcome {
  if (evidence.chain.hash !== verification.chainHash) {
    return fail('The document gives two different fingerprints for the same record.');
  }
  if (record.content === null) {
    return absent(
      'The full content is withheld in this copy, so its fingerprint cannot be computed here. The full export, held by the organization, can be checked completely.',
    );
  }
  if (HASH_PREFIX + recordHash({ ...record, content: record.content }) !== evidence.chain.hash) {
    return fail('The content does not give the recorded fingerprint: it was changed after it was recorded.');
  }
  return pass(
    'The fingerprint (SHA-256) computed here from the content, the time and the preceding fingerprint is exactly the recorded one. Changing a single letter would give another.',
  );
}

export function checkLink({ record, evidence, verification }: ExportDocument): Outcome {
  const { chain } = evidence;
  if (chain.index !== verification.chainIndex || chain.domain !== verification.chainDomain) {
    return fail('The document gives two different places in the chain for the same record.');
  }
  const previous = record.previousHash === '' ? null : HASH_PREFIX + record.previousHash;
  if (chain.previousHash !== previous || verification.previousHash !== previous) {
    return fail('The document names different predecessors for the same record.');
  }
  if ((previous === null) !== (chain.index === 0)) {
    return fail('Only the very first record of a chain has no predecessor, and every other record has one.');
  }
  if (previous === null) return pass('This is the first record of its chain, so there is none before it.');
  return pass(
    `This is record number ${chain.index + 1} of its chain. The fingerprint of the record before it is part of this record's own fingerprint, so neither can be exchanged without the other.`,
  );
}

function endsInId(verifyUrl: string, id: string): boolean {
  return new URL(verifyUrl).pathname.endsWith(`/verify/${encodeURIComponent(id)}`);
}

export function checkContent({ record, evidence, verification }: ExportDocument): Outcome {
  const wrongAddress = fail('The verification address in the document belongs to another record.');
  if (!isDecisionEvidence(evidence)) {
    if (evidence.content !== record.content) return fail('The readable text differs from the recorded text.');
    if (evidence.createdAt !== undefined && evidence.createdAt !== record.timestamp) {
      return fail('The readable time differs from the recorded time.');
    }
    if (!endsInId(verification.verifyUrl, evidence.id)) return wrongAddress;
    if (record.content === null)
      return absent('The content is withheld in this copy: there is no text to compare.');
    return pass(
      'The text you read is the recorded text. The evidence level and notes attached later are not part of the fingerprint.',
    );
  }
  if (evidence.sealedAt !== undefined && evidence.sealedAt !== record.timestamp) {
    return fail('The readable time of sealing differs from the recorded time.');
  }
  if (record.content === null) {
    return absent(
      'The recorded content is withheld in this copy, so what you read about the decision cannot be compared with it here.',
    );
  }
  const sealed = readSealedContent(record.content);
  if (typeof sealed === 'string') return fail(sealed);
  const wrong = contradictions(evidence, sealed);
  if (wrong.length > 0) return fail(`What you read differs from what was sealed: ${wrong.join(', ')}.`);
  if (!endsInId(verification.verifyUrl, String(sealed.event['id']))) return wrongAddress;
  return pass('The decision and its approval, as you read them, are word for word what was sealed.');
}

export function checkInclusion({ evidence, inclusion }: ExportDocument): Outcome {
  if (inclusion === undefined) {
    return absent(
      'No signed summary of the chain covers this record yet, or the document leaves it out. Without it the document agrees with itself, but nothing in it shows that the service really keeps this record.',
    );
  }
  const checkpoint = readCheckpoint(inclusion.checkpoint);
  if (checkpoint === null) return fail('The signed summary of the chain cannot be read.');
  if (!isOriginOfDomain(checkpoint.origin, evidence.chain.domain)) {
    return fail(`The signed summary is about another chain (${checkpoint.origin}).`);
  }
  if (inclusion.leafIndex !== evidence.chain.index || inclusion.treeSize !== checkpoint.size) {
    return fail('The proof of membership speaks of another place in the chain, or of another length of it.');
  }
  const leaf = leafHash(fromHex(evidence.chain.hash.slice(HASH_PREFIX.length)));
  const root = rootFromInclusion(
    leaf,
    inclusion.leafIndex,
    inclusion.treeSize,
    inclusion.hashes.map(fromHex),
  );
  if (root === null || !equalBytes(root, checkpoint.root)) {
    return fail('This record is not among those that the signed summary of the chain covers.');
  }
  return pass(
    `The record is one of the ${checkpoint.size} that the summary of the chain ${checkpoint.origin} covers. Removing or changing any of them would give another summary.`,
  );
}

function readCheckpoint(text: string) {
  try {
    return parseCheckpoint(text);
  } catch {
    return null;
  }
}

const CANNOT_CHECK_SIGNATURES =
  'This browser cannot check Ed25519 signatures. Use a current browser, and open the page over https.';

/** The first verdict that settles the matter for a trusted key, tried under its own name or any name that signed. */
async function verifyTrusted(note: SignedNote, trusted: TrustedKey): Promise<SignatureVerdict> {
  const names =
    trusted.name === undefined ? new Set(note.signatures.map((line) => line.name)) : [trusted.name];
  for (const name of names) {
    const verdict = await verifyNote(note, { name, publicKey: fromBase64(trusted.publicKey) });
    if (verdict !== 'unsigned') return verdict;
  }
  return 'unsigned';
}

export interface SignatureOutcome extends Outcome {
  /** Whether a key that the reader brought along, not just the document's own, made the signature. */
  byTrustedKey: boolean;
}

async function checkOwnKey(note: SignedNote, publicKey: ExportDocument['publicKey']): Promise<Outcome> {
  if (publicKey === undefined) return absent('The document does not say which key signed the summary.');
  const key: NoteKey = { name: publicKey.name, publicKey: fromBase64(publicKey.publicKey) };
  if (noteKeyId(key) !== publicKey.keyId)
    return fail('The key in the document does not belong to its own key id.');
  const verdict = await verifyNote(note, key);
  if (verdict === 'unsupported') return absent(CANNOT_CHECK_SIGNATURES);
  if (verdict === 'unsigned') return fail('The key in the document is not the one that signed the summary.');
  if (verdict === 'invalid')
    return fail('The signature of the summary is wrong: the summary was changed or forged.');
  return pass(
    `The summary is signed with the key ${publicKey.keyId} of ${publicKey.name}, which this document brings along itself. To be sure whose key that is, compare it with the one the service publishes.`,
  );
}

async function checkTrustedKeys(note: SignedNote, trustedKeys: readonly TrustedKey[]): Promise<Outcome> {
  const verdicts = await Promise.all(trustedKeys.map((trusted) => verifyTrusted(note, trusted)));
  if (verdicts.includes('unsupported')) return absent(CANNOT_CHECK_SIGNATURES);
  if (verdicts.includes('invalid')) {
    return fail('The signature of the summary is wrong: the summary was changed or forged.');
  }
  if (!verdicts.includes('valid')) return fail('The summary is not signed with any key you trust.');
  return pass('The summary of the chain carries a valid signature of a key you trust.');
}

export async function checkSignature(
  { inclusion, publicKey }: ExportDocument,
  trustedKeys: readonly TrustedKey[] | undefined,
): Promise<SignatureOutcome> {
  const ownWord = (outcome: Outcome): SignatureOutcome => ({ ...outcome, byTrustedKey: false });
  if (inclusion === undefined)
    return ownWord(absent('There is no summary whose signature could be checked.'));
  const checkpoint = readCheckpoint(inclusion.checkpoint);
  if (checkpoint === null) return ownWord(fail('The signed summary of the chain cannot be read.'));
  const own = await checkOwnKey(checkpoint.note, publicKey);
  if (own.verdict === 'fail' || trustedKeys === undefined) return ownWord(own);
  const trusted = await checkTrustedKeys(checkpoint.note, trustedKeys);
  return { ...trusted, byTrustedKey: trusted.verdict === 'pass' };
}
