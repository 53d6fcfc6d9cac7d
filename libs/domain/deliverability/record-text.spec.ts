import { normalizeHostName, isHostName } from './host-name';
import { quoteRecord, recordText } from './record-text';

describe('a displayed record', () => {
  it('stays unchanged', () => {
    const record = `v=DKIM1; p=${'A'.repeat(4_000)}`;
    expect(recordText(record)).toBe(record);
  });

  it('contains only printable bytes', () => {
    expect(recordText('a\0b\n\x7f\xff')).toBe('a\\x00b\\x0a\\x7f\\xff');
  });

  it('is truncated when it is huge, with or without escapes', () => {
    expect(recordText('a'.repeat(100_000))).toBe(`${'a'.repeat(4_096)}…`);
    expect(recordText('\0'.repeat(100_000))).toHaveLength(4_097);
    expect(recordText('a'.repeat(4_096))).toBe('a'.repeat(4_096));
  });

  it('is quoted in a message up to 80 characters', () => {
    expect(quoteRecord('p\t')).toBe('"p\\x09"');
    expect(quoteRecord('x'.repeat(81))).toBe(`"${'x'.repeat(80)}…"`);
  });
});

describe('a name', () => {
  it('is compared in lower case and without the final dot', () => {
    expect(normalizeHostName('Mail.Example.COM.')).toBe('mail.example.com');
    expect(normalizeHostName('example.com')).toBe('example.com');
  });

  it.each([
    ['example.com', true],
    ['s1-ionos', true],
    ['_dmarc.example.com', true],
    ['x'.repeat(63), true],
    ['x'.repeat(64), false],
    ['', false],
    ['a..b', false],
    ['-a.example', false],
    ['a-.example', false],
    ['exa mple.com', false],
    ['exämple.com', false],
    [`${'a.'.repeat(127)}b`, false],
    [`${'a.'.repeat(126)}b`, true],
  ])('%j is one of a host: %j', (name, valid) => {
    expect(isHostName(name)).toBe(valid);
  });
});
