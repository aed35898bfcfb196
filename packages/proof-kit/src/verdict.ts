/**
 * The possible verdicts on a proof.
 * - `proven`: complete, in the log, signed by a trusted key, and cosigned by the quorum of witnesses if one is required.
 * - `consistent`: no contradiction, but no trusted key signed it.
 * - `partial`: nothing is wrong, but something is withheld, erased or missing.
 * - `refuted`: something in it is wrong.
 * - `unreadable`: it is not a proof.
 */
export type Verdict = 'proven' | 'consistent' | 'partial' | 'refuted' | 'unreadable';
