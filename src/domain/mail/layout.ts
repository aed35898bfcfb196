// The common layout of all mails: who, what, which center, and how long a link is valid, always in the same places, so that
// people learn to recognize genuine ones.
import { printable } from '@countersign/proof-kit/printable';

type Fact = [label: string, value: string];

interface MailAction {
  label: string;
  url: string;
}

export interface MailItem {
  title: string;
  facts: Fact[];
  /** Words of others, with labels of others: kept apart from the facts, which they must not resemble. */
  quoted?: { label: string; rows: Fact[]; more: number };
  action: MailAction;
}

/** The content of a mail, before it is text or HTML. */
export interface MailContent {
  subject: string;
  /** What has happened or is requested, in one sentence. */
  lead: string;
  /** Details, such as the center and the actor. */
  facts: Fact[];
  /** Things that the mail lists, each with its own link. */
  items?: MailItem[];
  /** Links to follow. */
  actions: MailAction[];
  /** How long links are valid, and what to do if the mail is unexpected. */
  notes: string[];
}

interface Rendered {
  subject: string;
  text: string;
  html: string;
}

const LONGEST = 80;

/**
 * A name chosen by someone else, made safe for a mail: one line of limited length, without invisible characters or anything
 * that a mail client would turn into a link or decode.
 */
export function safeText(name: string): string {
  const line = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/([.:/@])(?=[^\s])/gu, '$1 ')
    // An encoded word (RFC 2047) could decode to any text.
    .replace(/=(?=\?)|\?(?==)/gu, '$& ')
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).trimEnd()}…` : line;
}

const LONGEST_WORDS = 120;

/**
 * Words of an agent or a requester, made safe for a mail: one line of limited length, in which invisible characters are shown as
 * escapes and nothing turns into a link. Numbers stay as they are.
 */
export function safeWords(words: string): string {
  const line = printable(words.replace(/[ \t\r\n]+/g, ' ').trim())
    .replace(/(?<=[\p{L}\p{N}_-])\.(?=\p{L}{2})/gu, '. ')
    .replace(/:(?=\/\/)|(?<=\p{L}):(?=[\p{L}+])|@(?=\S)/gu, '$& ');
  const characters = [...line];
  if (characters.length <= LONGEST_WORDS) return line;
  return `${characters
    .slice(0, LONGEST_WORDS - 1)
    .join('')
    .trimEnd()}…`;
}

/** A time as mails show it: `2026-11-19 10:31 UTC`. */
export const moment = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The parts of a brand that a mail shows. Images are left out: a mail loads nothing. */
export interface MailBrand {
  name: string | null;
  /** Dark enough for white text on it. */
  accent: string | null;
}

const PLAIN: MailBrand = { name: null, accent: null };

export function render(letter: MailContent, publicUrl: string, brand: MailBrand = PLAIN): Rendered {
  return {
    subject: letter.subject,
    text: asText(letter, publicUrl, brand),
    html: asHtml(letter, publicUrl, brand),
  };
}

/** The service is always named: a tenant's name alone must not lend credibility to a link. */
const footer = (publicUrl: string, { name }: MailBrand) =>
  `Sent by Countersign at ${new URL(publicUrl).host}${name ? ` for ${safeText(name)}` : ''}. Links in our mails lead there and nowhere else.`;

function asText(letter: MailContent, publicUrl: string, brand: MailBrand): string {
  const { lead, facts, items = [], actions, notes } = letter;
  return [
    lead,
    factLines(facts),
    ...items.map(itemText),
    ...actions.map(actionText),
    ...notes,
    `-- \n${footer(publicUrl, brand)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function factLines(facts: readonly Fact[]): string {
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `${`${label}:`.padEnd(width + 2)}${value}`).join('\n');
}

const actionText = ({ label, url }: MailAction) => `${label}:\n${url}`;

function itemText({ title, facts, quoted, action }: MailItem): string {
  const rows = quoted ? quoted.rows.map(([label, value]) => `  ${label} = ${value}`) : [];
  return [
    `* ${title}`,
    factLines(facts),
    ...(quoted ? [`${quoted.label}:`, ...rows] : []),
    ...(quoted && quoted.more > 0 ? [`  and ${quoted.more} more`] : []),
    actionText(action),
  ].join('\n');
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign]!);

const GREY = '#555f6b';

const table = (rows: readonly Fact[]) =>
  rows.length === 0
    ? ''
    : `<table role="presentation" style="border-collapse:collapse;font-size:15px">${rows
        .map(
          ([label, value]) =>
            `<tr><td style="padding:2px 16px 2px 0;color:${GREY};vertical-align:top">${escaped(label)}</td>` +
            `<td style="padding:2px 0;vertical-align:top;word-break:break-word">${escaped(value)}</td></tr>`,
        )
        .join('')}</table>`;

const linkOf = ({ label, url }: MailAction, { accent }: MailBrand) =>
  `<p style="margin:24px 0 8px"><a href="${escaped(url)}" style="display:inline-block;padding:12px 20px;` +
  `background:${accent ?? '#14532d'};color:#ffffff;text-decoration:none;border-radius:6px">${escaped(label)}</a></p>` +
  `<p style="margin:0 0 24px;font-size:13px;color:${GREY};word-break:break-all">${escaped(url)}</p>`;

function itemOf({ title, facts, quoted, action }: MailItem, brand: MailBrand): string {
  const more: Fact[] = quoted && quoted.more > 0 ? [['', `and ${quoted.more} more`]] : [];
  return (
    `<div style="margin:24px 0 0;padding-top:16px;border-top:1px solid #d9dde2">` +
    `<p style="margin:0 0 8px;font-weight:600">${escaped(title)}</p>${table(facts)}` +
    (quoted
      ? `<p style="margin:12px 0 4px;font-size:14px;color:${GREY}">${escaped(quoted.label)}</p>` +
        `<div style="padding-left:12px;border-left:3px solid #d9dde2">${table([...quoted.rows, ...more])}</div>`
      : '') +
    `${linkOf(action, brand)}</div>`
  );
}

/** Tables and inline styles, which all mail clients render alike. No images, no remote content. */
function asHtml(letter: MailContent, publicUrl: string, brand: MailBrand): string {
  const { subject, lead, facts, items = [], actions, notes } = letter;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#17202a;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<p style="margin:0 0 24px;font-weight:600">${escaped(brand.name ? safeText(brand.name) : 'Countersign')}</p>
<p style="margin:0 0 16px">${escaped(lead)}</p>
${table(facts)}
${items.map((item) => itemOf(item, brand)).join('\n')}
${actions.map((action) => linkOf(action, brand)).join('\n')}
${notes.map((note) => `<p style="margin:16px 0 0;font-size:14px">${escaped(note)}</p>`).join('\n')}
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #d9dde2;font-size:13px;color:${GREY}">${escaped(footer(publicUrl, brand))}</p>
</div></body></html>
`;
}
