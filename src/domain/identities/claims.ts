// What a sign-in reads from the claims of a provider. The center chose the provider, so every claim may have any type, any
// length and any content: what does not fit counts as missing, and text is cleaned before it is displayed.

import { DomainError } from '../../lib/errors.ts';
import { isEmail, normalizeEmail } from '../identity/normalize.ts';
import type { ProviderSettings } from './settings.ts';

/** The claims of a verified ID token, completed from userinfo with the same subject. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  /** The provider's own session, if it named one. */
  sid: string | null;
  /** When the person last authenticated there, if the provider says so. */
  authTime: Date | null;
  all: Record<string, unknown>;
}

/** The claims as far as a sign-in depends on them. */
export interface SignInFacts {
  issuer: string;
  subject: string;
  sid: string | null;
  authTime: Date | null;
  /** A name to display; null if no claim has one. */
  name: string | null;
  /** The normalized address; null without a valid one. */
  email: string | null;
  /** Whether the provider verified the address; null if it does not say. */
  emailVerified: boolean | null;
  /** What equals the `externalId` of a SCIM user. */
  externalId: string | null;
  /** The groups of the person; null if the provider left them out for size. */
  groups: readonly string[] | null;
}

const MAX_SUBJECT = 255;
const MAX_NAME = 256;
const MAX_EMAIL = 254;
const MAX_EXTERNAL_ID = 256;
const MAX_SID = 255;

/** Characters that hide text or change its direction, and those that a line of text cannot have. */
const UNSHOWN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/** Text of a provider or a directory as one line that is safe to display; null if nothing is left. */
export function displayText(value: unknown, longest: number): string | null {
  if (typeof value !== 'string') return null;
  const line = value
    .slice(0, longest * 4)
    .toWellFormed()
    .replace(UNSHOWN, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  // The cut may fall between the halves of a character.
  return (
    line
      .slice(0, longest)
      .replace(/[\uD800-\uDBFF]$/, '')
      .trim() || null
  );
}

/** A claim by its exact name. */
const claim = (all: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(all, name) ? all[name] : undefined;

export function readClaims(
  { groupsClaim, externalIdClaim }: Pick<ProviderSettings, 'groupsClaim' | 'externalIdClaim'>,
  { issuer, subject, sid, authTime, all }: ProviderClaims,
): SignInFacts {
  if (subject === '' || subject.length > MAX_SUBJECT || !isKept(subject)) {
    throw new DomainError('UNAUTHORIZED', `The subject must be text of 1 to ${MAX_SUBJECT} characters.`);
  }
  const externalId = externalIdClaim === 'sub' ? subject : claim(all, externalIdClaim);
  const verified = claim(all, 'email_verified');
  return {
    issuer,
    subject,
    sid: sid !== null && sid.length <= MAX_SID && isKept(sid) ? sid : null,
    authTime,
    name: nameOf(all),
    email: emailOf(claim(all, 'email')),
    emailVerified: verified === undefined ? null : verified === true,
    externalId: isText(externalId, MAX_EXTERNAL_ID) ? externalId : null,
    groups: groupsOf(all, groupsClaim),
  };
}

/** Whether the database stores the text unchanged. */
const isKept = (text: string) => !text.includes('\0') && text.isWellFormed();

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest && isKept(value);

function nameOf(all: Record<string, unknown>): string | null {
  const text = (name: string) => displayText(claim(all, name), MAX_NAME);
  const parts = [text('given_name'), text('family_name')].filter((part) => part !== null);
  return text('name') ?? displayText(parts.join(' '), MAX_NAME) ?? text('preferred_username');
}

function emailOf(value: unknown): string | null {
  if (!isText(value, MAX_EMAIL) || !isEmail(value)) return null;
  const email = normalizeEmail(value);
  return email.length <= MAX_EMAIL ? email : null;
}

/** A list of groups or a single one. Entra ID leaves long lists out and says so in other claims. */
function groupsOf(all: Record<string, unknown>, groupsClaim: string | null): readonly string[] | null {
  if (groupsClaim === null) return [];
  const groups = claim(all, groupsClaim);
  if (groups === undefined && isLeftOut(all, groupsClaim)) return null;
  if (typeof groups === 'string') return [groups];
  return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [];
}

function isLeftOut(all: Record<string, unknown>, groupsClaim: string): boolean {
  const elsewhere = claim(all, '_claim_names');
  const isElsewhere =
    typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, groupsClaim);
  const hasGroups = claim(all, 'hasgroups');
  return isElsewhere || hasGroups === true || hasGroups === 'true';
}

/** Throws unless every required claim has its value, as text or in a list. */
export function requireClaims(
  { requiredClaims }: Pick<ProviderSettings, 'requiredClaims'>,
  { all }: Pick<ProviderClaims, 'all'>,
): void {
  const unmet = requiredClaims.find(({ claim: name, value }) => !holds(claim(all, name), value));
  if (!unmet) return;
  throw new DomainError('NO_MEMBERSHIP', `The claim "${unmet.claim}" does not have the required value.`);
}

function holds(actual: unknown, value: string): boolean {
  if (Array.isArray(actual)) return actual.some((each) => holdsOne(each, value));
  return holdsOne(actual, value);
}

const holdsOne = (actual: unknown, value: string) =>
  (typeof actual === 'string' || typeof actual === 'boolean' || typeof actual === 'number') &&
  String(actual) === value;

/** The claims that can matter for this sign-in, to keep while the person proves that a profile is theirs. */
export function claimsInUse(
  { groupsClaim, externalIdClaim, requiredClaims }: ProviderSettings,
  { all }: Pick<ProviderClaims, 'all'>,
): Record<string, unknown> {
  const names = [
    'name',
    'given_name',
    'family_name',
    'preferred_username',
    'email',
    'email_verified',
    '_claim_names',
    'hasgroups',
    externalIdClaim,
    ...(groupsClaim === null ? [] : [groupsClaim]),
    ...requiredClaims.map((required) => required.claim),
  ];
  return Object.fromEntries(
    [...new Set(names)].filter((name) => Object.hasOwn(all, name)).map((name) => [name, all[name]]),
  );
}
