import { describe, expect, it, test } from 'vitest';
import { checkTargetUrl } from '../../src/lib/outbound/targets.ts';

const PRODUCTION = { allowHttp: false, allowPrivate: false };
const DEVELOPMENT = { allowHttp: true, allowPrivate: true };

const reasonFor = (url: string, rules = PRODUCTION) => {
  const verdict = checkTargetUrl(url, rules);
  return verdict.ok ? 'ok' : verdict.reason;
};

describe('checkTargetUrl in production', () => {
  test.each([
    'https://hooks.example.com/in?x=1',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://hooks.example.com/#part',
    'https://localhost.example.com/',
    'https://notlocalhost/',
  ])('%s is accepted', (url) => {
    expect(reasonFor(url)).toBe('ok');
  });

  test.each(['', 'hooks.example.com', '/in', 'https://', 'https://exa mple.com/', 'https://1.2.3.4.5/'])(
    '%j is not a URL',
    (url) => {
      expect(reasonFor(url)).toBe('is not a valid URL');
    },
  );

  test.each(['ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com/', 'data:,x', 'javascript:1'])(
    '%s has an unsupported scheme',
    (url) => {
      expect(reasonFor(url)).toBe('must be an https URL');
    },
  );

  it('rejects plain http', () => {
    expect(reasonFor('http://hooks.example.com/')).toBe('must use https');
  });

  test.each(['https://user@example.com/', 'https://user:pass@example.com/', 'https://:pass@example.com/'])(
    '%s has credentials',
    (url) => {
      expect(reasonFor(url)).toBe('must not contain credentials');
    },
  );

  test.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://%31%32%37.0.0.1/',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://a.b.localhost/',
    'https://a.localhost.:8443/',
  ])('%s is the local machine', (url) => {
    expect(reasonFor(url)).toBe('must name a host that resolves to public addresses');
  });

  test.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://0/',
    'https://100.64.0.1/',
    'https://[fd00::1]/',
    'https://[2002:7f00:1::]/',
    'https://[::127.0.0.1]/',
  ])('%s is refused with the text for an unresolvable host', (url) => {
    expect(reasonFor(url)).toBe('must name a host that resolves to public addresses');
  });
});

describe('checkTargetUrl outside production', () => {
  test.each([
    'http://localhost:3000/',
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/',
    'http://10.1.2.3/',
    'https://hooks.example.com/',
  ])('%s is accepted', (url) => {
    expect(reasonFor(url, DEVELOPMENT)).toBe('ok');
  });

  test.each(['http://169.254.169.254/', 'http://0.0.0.0/', 'http://224.0.0.1/', 'http://[fe80::1]/'])(
    '%s is still rejected',
    (url) => {
      expect(reasonFor(url, DEVELOPMENT)).toMatch(/^must name a host/);
    },
  );

  it('allowHttp and allowPrivate are independent', () => {
    expect(reasonFor('http://127.0.0.1/', { allowHttp: true, allowPrivate: false })).toMatch(
      /public addresses/,
    );
    expect(reasonFor('http://127.0.0.1/', { allowHttp: false, allowPrivate: true })).toBe('must use https');
  });
});
