import { changedEmails, type ScimEmail } from './emails.ts';
import { invalidValue } from './errors.ts';
import { booleanOf } from './filter.ts';
import { type Change, isObject } from './patch.ts';
import { optionalText } from './text-values.ts';

/** The parts of a name, as SCIM writes them. */
const NAME_PARTS = [
  'formatted',
  'familyName',
  'givenName',
  'middleName',
  'honorificPrefix',
  'honorificSuffix',
] as const;
type NamePart = (typeof NAME_PARTS)[number];
export type ScimName = Partial<Record<NamePart, string>>;
const NAME_PART = new Map<string, NamePart>(NAME_PARTS.map((part) => [part.toLowerCase(), part]));

/** What a directory says of a user. */
export interface UserDocument {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  name: ScimName;
  emails: ScimEmail[];
  /** Null leaves it as it is. */
  active: boolean | null;
}

export const EMPTY_USER: UserDocument = {
  userName: '',
  externalId: null,
  displayName: null,
  name: {},
  emails: [],
  active: null,
};

/** The document after all changes. Attributes that are not kept are ignored. */
export function changedUser(before: UserDocument, changes: readonly Change[]): UserDocument {
  const user = changes.reduce(withChange, before);
  if (user.userName === '') throw invalidValue('userName', 'is required');
  return user;
}

function withChange(user: UserDocument, change: Change): UserDocument {
  const { attribute, where } = change.target;
  const value = change.op === 'remove' ? null : change.value;
  const isPlain = where === null && attribute.sub === null;
  switch (attribute.name) {
    case 'username':
      return isPlain ? { ...user, userName: optionalText('userName', value) ?? '' } : user;
    case 'externalid':
      return isPlain ? { ...user, externalId: optionalText('externalId', value) } : user;
    case 'displayname':
      return isPlain ? { ...user, displayName: optionalText('displayName', value) } : user;
    case 'active':
      return isPlain ? { ...user, active: activeOf(value) } : user;
    case 'name':
      return where === null ? { ...user, name: changedName(user.name, attribute.sub, value) } : user;
    case 'emails':
      return { ...user, emails: changedEmails(user.emails, change) };
    default:
      return user;
  }
}

function activeOf(value: unknown): boolean {
  const active = booleanOf(value);
  if (active === null) throw invalidValue('active', 'must be true or false');
  return active;
}

function changedName(name: ScimName, sub: string | null, value: unknown): ScimName {
  if (sub !== null) return withPart(name, sub, value);
  if (value === null) return {};
  if (!isObject(value)) throw invalidValue('name', 'must be an object');
  return Object.keys(value).reduce((changed, key) => withPart(changed, key.toLowerCase(), value[key]), name);
}

function withPart(name: ScimName, key: string, value: unknown): ScimName {
  const part = NAME_PART.get(key);
  if (part === undefined) return name;
  const { [part]: _, ...others } = name;
  const text = optionalText(`name.${part}`, value);
  return text === null ? others : { ...others, [part]: text };
}

/** The name that people see. */
export function shownNameOf({ displayName, name, userName }: UserDocument): string {
  const written = [name.givenName, name.familyName].filter((part) => part !== undefined).join(' ');
  return (displayName ?? name.formatted ?? (written || userName)).slice(0, 256);
}
