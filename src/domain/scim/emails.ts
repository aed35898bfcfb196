import { isEmail, normalizeEmail } from '../identity/normalize.ts';
import { invalidValue, ScimError } from './errors.ts';
import type { Comparison } from './expression.ts';
import { booleanOf } from './filter.ts';
import { type Change, isObject, memberOf } from './patch.ts';
import { optionalText } from './text-values.ts';

/** An address as the directory sent it. */
export interface ScimEmail {
  value: string;
  type?: string;
  display?: string;
  primary?: boolean;
}

const MOST_EMAILS = 20;
const LONGEST_EMAIL = 254;
const PARTS = new Set(['value', 'type', 'display', 'primary']);

/** The address that identifies the user: the primary one, else the one for work, else the first. */
export function primaryAddress(emails: readonly ScimEmail[]): string | null {
  const chosen =
    emails.find(({ primary }) => primary) ??
    emails.find(({ type }) => type?.toLowerCase() === 'work') ??
    emails[0];
  return chosen ? normalizeEmail(chosen.value) : null;
}

/** The addresses after a change of `emails`, of some of them or of a part of some. */
export function changedEmails(emails: readonly ScimEmail[], change: Change): ScimEmail[] {
  const changed = applied(emails, change);
  if (changed.length > MOST_EMAILS)
    throw invalidValue('emails', `must not contain more than ${MOST_EMAILS} addresses`);
  return changed;
}

function applied(emails: readonly ScimEmail[], change: Change): ScimEmail[] {
  const { op, target, value, named } = change;
  const { sub } = target.attribute;
  if (sub !== null && !PARTS.has(sub)) return [...emails];
  const isChosen = chooser(emails, target.where, sub, named);
  if (op === 'remove') {
    // Entra ID sends the addresses to remove as the value.
    if (target.where === null && sub === null && value !== undefined && value !== null) {
      const listed = new Set(emailsOf(value).map((email) => normalizeEmail(email.value)));
      return emails.filter((email) => !listed.has(normalizeEmail(email.value)));
    }
    if (sub === null || sub === 'value') return emails.filter((email) => !isChosen(email));
    return emails.map((email) => (isChosen(email) ? withoutPart(email, sub) : email));
  }
  if (target.where === null && sub === null) {
    const sent = emailsOf(value);
    return withOnePrimary(op === 'replace' ? sent : merged(emails, sent), sent);
  }
  const part = sub === null ? value : { [sub]: value };
  if (!emails.some(isChosen)) {
    // Directories replace an address that the user does not have yet.
    const added = emailOf({ ...partsOf(target.where), ...(isObject(part) ? part : { value: part }) }, named);
    return withOnePrimary([...emails, added], [added]);
  }
  const touched: ScimEmail[] = [];
  const result = emails.map((email) => {
    if (!isChosen(email)) return email;
    if (!isObject(part)) throw invalidValue(named, 'must be an object');
    const next = emailOf({ ...email, ...partsIn(part) }, named);
    touched.push(next);
    return next;
  });
  return withOnePrimary(result, touched);
}

/** Which addresses a path chooses. `emails.value` without brackets is the primary address. */
function chooser(
  emails: readonly ScimEmail[],
  where: readonly Comparison[] | null,
  sub: string | null,
  named: string,
): (email: ScimEmail) => boolean {
  if (where === null) {
    if (sub === null) return () => true;
    const primary = primaryAddress(emails);
    return ({ value }) => normalizeEmail(value) === primary;
  }
  for (const { attribute } of where) {
    if (attribute.schema !== null || attribute.sub !== null || !PARTS.has(attribute.name))
      throw new ScimError(400, `${named}: compares a part that an address does not have`, 'invalidPath');
  }
  return (email) => where.every(({ attribute, value }) => isEqual(email, attribute.name, value));
}

function isEqual(email: ScimEmail, part: string, value: unknown): boolean {
  switch (part) {
    case 'primary':
      return (email.primary ?? false) === booleanOf(value);
    case 'value':
      return typeof value === 'string' && normalizeEmail(email.value) === normalizeEmail(value);
    default: {
      const own = part === 'type' ? email.type : email.display;
      return typeof value === 'string' && own?.toLowerCase() === value.toLowerCase();
    }
  }
}

const partsOf = (where: readonly Comparison[] | null) =>
  Object.fromEntries((where ?? []).map(({ attribute, value }) => [attribute.name, value]));

/** The parts of an address under their own names: those of a directory have any case. */
function partsIn(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(sent).map(([key, value]) => [key.toLowerCase(), value] as const);
  return Object.fromEntries(entries.filter(([key]) => PARTS.has(key)));
}

function emailsOf(value: unknown): ScimEmail[] {
  if (value === null || value === undefined) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MOST_EMAILS)
    throw invalidValue('emails', `must not contain more than ${MOST_EMAILS} addresses`);
  return list.map((each, at) => emailOf(each, `emails[${at}]`));
}

function emailOf(sent: unknown, named: string): ScimEmail {
  if (!isObject(sent)) throw invalidValue(named, 'must be an object with a value');
  const value = optionalText(`${named}.value`, memberOf(sent, 'value'), LONGEST_EMAIL);
  if (value === null || !isEmail(value))
    throw invalidValue(`${named}.value`, 'must be a valid email address');
  const type = optionalText(`${named}.type`, memberOf(sent, 'type'), 64);
  const display = optionalText(`${named}.display`, memberOf(sent, 'display'), 256);
  const given = memberOf(sent, 'primary');
  const primary = given === undefined || given === null ? false : booleanOf(given);
  if (primary === null) throw invalidValue(`${named}.primary`, 'must be true or false');
  return {
    value,
    ...(type !== null && { type }),
    ...(display !== null && { display }),
    ...(primary && { primary }),
  };
}

function withoutPart(email: ScimEmail, part: string): ScimEmail {
  const { [part as 'type']: _, ...rest } = email;
  return rest;
}

/** Added addresses take the place of equal ones of the same type. */
function merged(emails: readonly ScimEmail[], added: readonly ScimEmail[]): ScimEmail[] {
  const keyOf = ({ value, type = '' }: ScimEmail) => `${type.toLowerCase()} ${normalizeEmail(value)}`;
  const keys = new Set(added.map(keyOf));
  return [...emails.filter((email) => !keys.has(keyOf(email))), ...added];
}

/** At most one address is primary: the last one that the directory marked. */
function withOnePrimary(emails: readonly ScimEmail[], touched: readonly ScimEmail[]): ScimEmail[] {
  const marked = touched.findLast(({ primary }) => primary) ?? emails.find(({ primary }) => primary);
  return emails.map((email) => (email.primary && email !== marked ? withoutPart(email, 'primary') : email));
}
