import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { type MailContent, render, safeText } from '../../src/domain/mail/layout.ts';

test('names chosen by users stay on one line, are shortened, and never become links', () => {
  expect(safeText('Harbour Clinic')).toBe('Harbour Clinic');
  expect(safeText('  Dr. Kim,  St. Mary ')).toBe('Dr. Kim, St. Mary');
  expect(safeText('Bank\r\nSubject: urgent')).toBe('Bank Subject: urgent');
  expect(safeText('\u202egnp.exe\u200b')).not.toMatch(/[\u202e\u200b]/);
  for (const lure of ['https://evil.test/login', 'www.evil.test', 'evil.test', 'pay@evil.test']) {
    expect(safeText(lure)).not.toMatch(/\w[.:/@]\w|:\/\//);
  }
  expect(safeText('x'.repeat(500))).toHaveLength(80);
});

test.each([
  '=?utf-8?B?WW91ciBhY2NvdW50IGlzIGxvY2tlZA==?=',
  '=?UTF-8?Q?Your=20account?= Clinic',
  '=\u200b?utf-8?B?WW91cg==?\u200b=',
])('an encoded word in a name is not decoded: %s', async (name) => {
  const { subject } = await PostalMime.parse(
    `Subject: Invitation to ${safeText(name)}\r\nContent-Type: text/plain\r\n\r\nx`,
  );
  expect(subject).toBe(`Invitation to ${safeText(name)}`);
  expect(safeText(name)).not.toMatch(/=\?|\?=/);
});

test('text and HTML have the same content, and HTML is escaped', () => {
  const letter: MailContent = {
    subject: 'A <subject>',
    lead: 'Join “<b>Clinic</b>” & more.',
    facts: [['Center', '<script>alert(1)</script>']],
    actions: [{ label: 'Look', url: 'https://proofs.test/invitation#abc-DEF_123' }],
    notes: ['Works once.'],
  };
  const { text, html } = render(letter, 'https://proofs.test');
  for (const body of [text, html]) {
    expect(body).toContain('https://proofs.test/invitation#abc-DEF_123');
    expect(body).toContain('Works once.');
    expect(body).toContain('proofs.test');
  }
  expect(html).not.toMatch(/<script|<b>|<img|src=/);
  expect(html).toContain('&lt;script&gt;');
  expect(text).toContain('<script>alert(1)</script>');
});

test('a brand sets name and color of a mail, which still names the service', () => {
  const letter: MailContent = {
    subject: 'Hello',
    lead: 'Hello.',
    facts: [],
    actions: [{ label: 'Look', url: 'https://proofs.test/x' }],
    notes: [],
  };
  const brand = { name: 'Bank <b> evil.test', accent: '#0f5c5c' };
  const { text, html } = render(letter, 'https://proofs.test', brand);
  expect(text).toContain('Sent by Countersign at proofs.test for Bank <b> evil. test.');
  expect(html).toContain('>Bank &lt;b&gt; evil. test</p>');
  expect(html).toContain('background:#0f5c5c;color:#ffffff');
  expect(html).not.toMatch(/<img|src=|<b>/);
});
