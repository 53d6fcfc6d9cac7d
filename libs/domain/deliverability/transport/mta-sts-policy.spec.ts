import fc from 'fast-check';
import { matchesPolicy, readMtaStsPolicy } from './mta-sts-policy';

const lines = (...each: string[]) => each.join('\r\n');

describe('an MTA-STS policy (RFC 8461, section 3.2)', () => {
  it.each([
    [
      'the example of the RFC',
      lines(
        'version: STSv1',
        'mode: enforce',
        'mx: mail.example.com',
        'mx: *.example.net',
        'mx: backupmx.example.com',
        'max_age: 604800',
        '',
      ),
      { mode: 'enforce', mx: ['mail.example.com', '*.example.net', 'backupmx.example.com'], maxAge: 604_800 },
    ],
    [
      'ends of lines of Unix',
      'version: STSv1\nmode: testing\nmx: a.example\nmax_age: 86400',
      { mode: 'testing', mx: ['a.example'], maxAge: 86_400 },
    ],
    [
      'no blanks, another order',
      lines('max_age:1', 'mx:A.Example.', 'mode:enforce', 'version:STSv1'),
      { mode: 'enforce', mx: ['a.example'], maxAge: 1 },
    ],
    [
      'unknown lines',
      lines('version: STSv1', 'x: y', 'hello', 'mode: enforce', 'mx: a.example', 'max_age: 5'),
      { mode: 'enforce', mx: ['a.example'], maxAge: 5 },
    ],
    [
      'a line repeated: the first counts',
      lines('version: STSv1', 'mode: testing', 'mode: enforce', 'mx: a.example', 'max_age: 5', 'max_age: x'),
      { mode: 'testing', mx: ['a.example'], maxAge: 5 },
    ],
    [
      'none, without hosts',
      lines('version: STSv1', 'mode: none', 'max_age: 86400'),
      { mode: 'none', mx: [], maxAge: 86_400 },
    ],
    [
      'a year',
      lines('version: STSv1', 'mode: none', 'max_age: 31557600'),
      { mode: 'none', mx: [], maxAge: 31_557_600 },
    ],
  ])('is parsed: %s', (_what, text, policy) => {
    expect(readMtaStsPolicy(text)).toEqual({ ok: true, policy });
  });

  it.each([
    ['nothing', '', 'version'],
    ['another version', lines('version: STSv2', 'mode: none', 'max_age: 1'), '"STSv2" instead of STSv1'],
    ['a page', '<html>\n<body>Not: found</body>', 'version'],
    ['no mode', lines('version: STSv1', 'mx: a.example', 'max_age: 1'), 'mode is ""'],
    ['an unknown mode', lines('version: STSv1', 'mode: Enforce', 'mx: a.example', 'max_age: 1'), 'mode is "Enforce"'],
    ['no age', lines('version: STSv1', 'mode: enforce', 'mx: a.example'), 'max_age is ""'],
    ['an age that is no number', lines('version: STSv1', 'mode: enforce', 'mx: a.example', 'max_age: 1d'), '"1d"'],
    ['more than a year', lines('version: STSv1', 'mode: enforce', 'mx: a.example', 'max_age: 31557601'), '"31557601"'],
    ['no hosts', lines('version: STSv1', 'mode: enforce', 'max_age: 1'), 'no mail server'],
    [
      'a wildcard elsewhere',
      lines('version: STSv1', 'mode: enforce', 'mx: a.*.example', 'max_age: 1'),
      '"a.*.example"',
    ],
    ['a wildcard alone', lines('version: STSv1', 'mode: enforce', 'mx: *', 'max_age: 1'), '"*"'],
    ['a host that is none', lines('version: STSv1', 'mode: enforce', 'mx: \0', 'max_age: 1'), '"\\x00"'],
  ])('is refused: %s', (_what, text, fault) => {
    expect(readMtaStsPolicy(text)).toEqual({ ok: false, fault: expect.stringContaining(fault) });
  });

  it('never throws', () => {
    const line = fc.tuple(
      fc.constantFrom('version', 'mode', 'mx', 'max_age', ''),
      fc.oneof(fc.constantFrom('STSv1', 'none', '1', '*.'), fc.string({ unit: 'binary' })),
    );
    const text = fc.array(line).map((all) => all.map((each) => each.join(': ')).join('\n'));
    fc.assert(fc.property(text, (policy) => expect(typeof readMtaStsPolicy(policy).ok).toBe('boolean')));
  });
});

describe('a mail server and a policy (RFC 8461, section 4.1)', () => {
  it.each([
    ['mail.example.com', 'mail.example.com', true],
    ['Mail.Example.COM.', 'mail.example.com', true],
    ['mail.example.com', '*.example.com', true],
    ['example.com', '*.example.com', false],
    ['foo.bar.example.com', '*.example.com', false],
    ['mail.example.net', '*.example.com', false],
    ['mailexample.com', '*.example.com', false],
    ['com', '*.example.com', false],
  ])('%s and %s: %j', (name, pattern, matches) => {
    expect(matchesPolicy({ mx: ['other.example', pattern] }, name)).toBe(matches);
  });
});
