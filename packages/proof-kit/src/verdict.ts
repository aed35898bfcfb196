/**
 * The words in which every judgement about a proof is given.
 * - `proven`: content whole, in the log, signed by a trusted key, and by a quorum of witnesses if one is asked for.
 * - `consistent`: it agrees with itself; the reader named no trusted key.
 * - `partial`: nothing is wrong, but something is withheld, erased or missing.
 * - `refuted`: something in it is wrong.
 * - `unreadable`: it is no proof at all.
 */
export type Verdict = 'proven' | 'consistent' | 'partial' | 'refuted' | 'unreadable';
