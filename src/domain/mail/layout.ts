// The common layout of all mails: who, what, which center, and how long a link is valid, always in the same places, so that
// people learn to recognize genuine ones.

/** The content of a mail, before it is text or HTML. */
export interface MailContent {
  subject: string;
  /** What has happened or is requested, in one sentence. */
  lead: string;
  /** Details, such as the center and the actor. */
  facts: [label: string, value: string][];
  /** Links to follow. */
  actions: { label: string; url: string }[];
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

function asText({ lead, facts, actions, notes }: MailContent, publicUrl: string, brand: MailBrand): string {
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  return [
    lead,
    facts.map(([label, value]) => `${`${label}:`.padEnd(width + 2)}${value}`).join('\n'),
    ...actions.map(({ label, url }) => `${label}:\n${url}`),
    ...notes,
    `-- \n${footer(publicUrl, brand)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign]!);

/** Tables and inline styles, which all mail clients render alike. No images, no remote content. */
function asHtml(
  { subject, lead, facts, actions, notes }: MailContent,
  publicUrl: string,
  brand: MailBrand,
): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#555f6b;vertical-align:top">${escaped(label)}</td>` +
      `<td style="padding:2px 0">${escaped(value)}</td></tr>`,
  );
  const links = actions.map(
    ({ label, url }) =>
      `<p style="margin:24px 0 8px"><a href="${escaped(url)}" style="display:inline-block;padding:12px 20px;` +
      `background:${brand.accent ?? '#14532d'};color:#ffffff;text-decoration:none;border-radius:6px">${escaped(label)}</a></p>` +
      `<p style="margin:0 0 24px;font-size:13px;color:#555f6b;word-break:break-all">${escaped(url)}</p>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#17202a;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<p style="margin:0 0 24px;font-weight:600">${escaped(brand.name ? safeText(brand.name) : 'Countersign')}</p>
<p style="margin:0 0 16px">${escaped(lead)}</p>
${rows.length > 0 ? `<table role="presentation" style="border-collapse:collapse;font-size:15px">${rows.join('')}</table>` : ''}
${links.join('\n')}
${notes.map((note) => `<p style="margin:16px 0 0;font-size:14px">${escaped(note)}</p>`).join('\n')}
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #d9dde2;font-size:13px;color:#555f6b">${escaped(footer(publicUrl, brand))}</p>
</div></body></html>
`;
}
