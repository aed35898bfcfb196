/** The public API of the proof kit: pure functions that run unchanged in Node and in browsers. */
export { isSamePerson, normalId } from './approver-id.ts';
export { type PlainAuthor, type SealedAuthor, sealAuthor } from './author.ts';
export { fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from './bytes.ts';
export { canonicalJson, type JsonValue } from './canonical.ts';
export {
  type Checkpoint,
  chainOrigin,
  formatCheckpoint,
  keyNameFor,
  logOrigin,
  NO_CENTER,
  numberedLogOrigin,
  type OriginParts,
  parseCheckpoint,
  parseOrigin,
  type SignedCheckpoint,
  serviceName,
  signCheckpoint,
} from './checkpoint.ts';
export { type Claims, compareProofs } from './compare-proofs.ts';
export { type Cosignature, cosign, verifyCosignature } from './cosignature.ts';
export * from './decision.ts';
export { ed25519Spki, keyKind, p256Spki, rsaSpki } from './der.ts';
export * from './disclose.ts';
export {
  type Disclosure,
  disclosureDigest,
  makeDisclosure,
  parseDisclosure,
  type SealTools,
  saltFrom,
} from './disclosure.ts';
export { Frontier } from './frontier.ts';
export * from './guards.ts';
export { jsonldContext } from './jsonld-context.ts';
export {
  type HistoricKey,
  KeyHistoryError,
  type KeyStatement,
  keysSigningAt,
  readKeyHistory,
  signKeyStatement,
} from './key-history.ts';
export {
  type ChainLoss,
  closedOrigin,
  closingDigest,
  declaresLost,
  formatClosing,
  type LogClosing,
  type PublishedClosing,
  parseClosing,
  type ReadClosing,
} from './log-closing.ts';
export {
  growTree,
  leafHash,
  type NodeLookup,
  nodeHash,
  resolvePlan,
  rootFromInclusion,
  type TreeNode,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts';
export {
  consistencyPlan,
  growthInputs,
  inclusionPlan,
  type NodeId,
  newNodes,
  type ProofPlan,
  planNodes,
  rootPlan,
} from './merkle-plan.ts';
export {
  type NoteSignature,
  noteSignature,
  parseSignatureLines,
  type Sign,
  type SignedNote,
  signersOf,
  signNote,
  verifyNote,
} from './note.ts';
export { sealOutcome } from './outcome.ts';
export * from './proof-document.ts';
export { DECISION_DOMAIN } from './proof-form.ts';
export { publicKeyFault } from './public-key.ts';
export {
  countSeats,
  type Quorum,
  type QuorumDemands,
  quorumOf,
  quorumText,
  type Seat,
  type SeatState,
} from './quorum.ts';
export {
  type ChainRecord,
  GENESIS_PREVIOUS_HASH,
  HASH_PREFIX,
  isRecordHash,
  isRecordTimestamp,
  recordHash,
} from './record.ts';
export * from './sealed-content.ts';
export * from './sealed-decision.ts';
export { type Digest, sha256 } from './sha256.ts';
export * from './shown.ts';
export { JsonFault, parseStrictJson } from './strict-json.ts';
export {
  type FullTile,
  joinEntries,
  LogEdge,
  nodesIn,
  parseTilePath,
  readNodesFromTiles,
  splitEntries,
  splitTile,
  TILE_WIDTH,
  type TileId,
  tilePath,
  tilesOf,
  tileWidth,
} from './tiles.ts';
export type { PublishedKey, Trust, TrustedKey, TrustedServiceKey } from './trust.ts';
export type { Verdict } from './verdict.ts';
export { verifyProof } from './verify-proof.ts';
export type { ProofVerdict, Step, StepName } from './verify-steps.ts';
export {
  formatVerifierKey,
  formatWitnessKey,
  type NoteKey,
  noteKeyId,
  parseVerifierKey,
  parseWitnessKey,
  witnessKeyId,
} from './vkey.ts';
export { relyingParty, webAuthnFault } from './webauthn.ts';
