import { expect, test } from 'vitest';
import { type Letter, render, shown } from '../../src/domain/mail/layout.ts';

test('names that others chose stay on one line, short, visible, and are no links', () => {
  expect(shown('Harbour Clinic')).toBe('Harbour Clinic');
  expect(shown('  Dr. Kim,  St. Mary ')).toBe('Dr. Kim, St. Mary');
  expect(shown('Bank\r\nSubject: urgent')).toBe('Bank Subject: urgent');
  expect(shown('\u202egnp.exe\u200b')).not.toMatch(/[\u202e\u200b]/);
  for (const lure of ['https://evil.test/login', 'www.evil.test', 'evil.test', 'pay@evil.test']) {
    expect(shown(lure)).not.toMatch(/\w[.:/@]\w|:\/\//);
  }
  expect(shown('x'.repeat(500))).toHaveLength(80);
});

test('text and HTML say the same, and HTML shows everything as text', () => {
  const letter: Letter = {
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
