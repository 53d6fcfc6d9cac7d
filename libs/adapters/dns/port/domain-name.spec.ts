import { listWithAncestors, parseDomainName, toRecordName } from './domain-name';

describe('domainName', () => {
  it.each([
    ['example.com', 'example.com'],
    ['Example.COM.', 'example.com'],
    ['_dmarc.Example.com', '_dmarc.example.com'],
    ['.', '.'],
    // Lower case of ASCII alone: other bytes have no case in DNS.
    ['KÜ.example', 'kÜ.example'],
    ['\u212a.example', '\u212a.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    [`${'a.'.repeat(123)}example`, `${'a.'.repeat(123)}example`],
  ])('accepts %j', (text, name) => {
    expect(parseDomainName(text)).toBe(name);
  });

  it.each([
    '',
    '..',
    '.example.com',
    'example..com',
    'example.com..',
    `${'a'.repeat(64)}.example`,
    `${'ü'.repeat(32)}.example`,
    `${'a.'.repeat(123)}examples`,
    'a\nb.example',
    'a\u0000.example',
    'a\u2028.example',
  ])('refuses %j', (text) => {
    expect(parseDomainName(text)).toBeNull();
  });
});

describe('nameInRecord', () => {
  it.each([
    ['Mail.Example.com.', 'mail.example.com'],
    ['.', ''],
    ['', ''],
  ])('converts %j to %j', (text, name) => {
    expect(toRecordName(text)).toBe(name);
  });
});

describe('andAncestors', () => {
  it('returns the name and all its ancestors', () => {
    expect(listWithAncestors('a.b.c')).toEqual(['a.b.c', 'b.c', 'c', '.']);
    expect(listWithAncestors('.')).toEqual(['.']);
  });
});
