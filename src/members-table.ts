/** The table of disclosable members in docs/proof-format.md. `npm run generate` writes it. */
import { DISCLOSABLE_MEMBERS } from '@countersign/proof-kit/decision';
import type { Disclosable } from '@countersign/proof-kit/sealed-object';

const HEAD = '| path | value | sealed |\n|---|---|---|\n';
const TABLE = /\| path \| value \| sealed \|\n(?:\|.*\n)+/;

/** What a form accepts, in the words of its fault. */
const acceptedBy = ({ form }: Disclosable) =>
  (form(undefined, '') ?? '').trim().replace(/^is not (?:an? )?/, '');

const rowOf = (member: Disclosable) =>
  `| \`${member.path}\` | ${acceptedBy(member)} | ${member.condition ?? (member.presence === 'always' ? 'always' : 'if given')} |\n`;

/** The text of the format document with the current table. */
export function withMembers(document: string): string {
  if (!TABLE.test(document)) throw new Error('The table of members is missing from docs/proof-format.md.');
  return document.replace(TABLE, HEAD + DISCLOSABLE_MEMBERS.map(rowOf).join(''));
}
