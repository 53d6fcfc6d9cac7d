import fc from 'fast-check';
import { parseClientAddress, toDotted, getReverseZone } from './spf-address';
import { expandName, expandText, type MacroLetter, parseMacros } from './spf-macros';
import { getTargetName } from './spf-name';
import { printMacros } from './testing/spf-print';

/** Expands as for the sender of the examples in RFC 7208, section 7.4. */
function expanded(text: string, ip = '192.0.2.3'): string {
  const client = parseClientAddress(ip);
  const values: Partial<Record<MacroLetter, string>> = {
    s: 'strong-bad@email.example.com',
    l: 'strong-bad',
    o: 'email.example.com',
    d: 'email.example.com',
    p: 'mx.example.org',
    i: toDotted(client),
    v: getReverseZone(client),
  };
  return expandName(parseMacros(text, 'term'), (letter) => values[letter] ?? '');
}

describe('macros of SPF', () => {
  it.each([
    ['%{s}', 'strong-bad@email.example.com'],
    ['%{o}', 'email.example.com'],
    ['%{d}', 'email.example.com'],
    ['%{d4}', 'email.example.com'],
    ['%{d3}', 'email.example.com'],
    ['%{d2}', 'example.com'],
    ['%{d1}', 'com'],
    ['%{dr}', 'com.example.email'],
    ['%{d2r}', 'example.email'],
    ['%{l}', 'strong-bad'],
    ['%{l-}', 'strong.bad'],
    ['%{lr}', 'strong-bad'],
    ['%{lr-}', 'bad.strong'],
    ['%{l1r-}', 'strong'],
    ['%{ir}.%{v}._spf.%{d2}', '3.2.0.192.in-addr._spf.example.com'],
    ['%{lr-}.lp._spf.%{d2}', 'bad.strong.lp._spf.example.com'],
    ['%{lr-}.lp.%{ir}.%{v}._spf.%{d2}', 'bad.strong.lp.3.2.0.192.in-addr._spf.example.com'],
    ['%{ir}.%{v}.%{l1r-}.lp._spf.%{d2}', '3.2.0.192.in-addr.strong.lp._spf.example.com'],
    ['%{d2}.trusted-domains.example.net', 'example.com.trusted-domains.example.net'],
  ])('%s is %s, as in section 7.4', (text, name) => {
    expect(expanded(text)).toBe(name);
  });

  it('expands IPv6 to nibbles, as in section 7.4', () => {
    expect(expanded('%{ir}.%{v}._spf.%{d2}', '2001:db8::cb01')).toBe(
      '1.0.b.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6._spf.example.com',
    );
  });

  const parts = fc.array(
    fc.constantFrom('%{s}', '%{l1r-}', '%{O}', '%%', '%_', '%-', 'a.b', '.', 'x'.repeat(70), '.y'.repeat(40)),
    { maxLength: 12 },
  );

  it('truncates a name equally, expanded from the right or as a whole', () => {
    fc.assert(
      fc.property(parts, fc.stringMatching(/^[a-z.@-]{0,300}$/), (texts, value) => {
        const macros = parseMacros(texts.join(''), 'term');
        const whole = expandText(macros, () => value, Infinity);
        expect(getTargetName(expandName(macros, () => value))).toBe(getTargetName(whole));
      }),
    );
  });

  it('parses its own output as the same macro', () => {
    fc.assert(
      fc.property(parts, (texts) => {
        const macros = parseMacros(texts.join(''), 'term');
        expect(parseMacros(printMacros(macros), 'term')).toEqual(macros);
      }),
    );
  });

  it('stops expanding at the maximum length', () => {
    let asked = 0;
    const macros = parseMacros('%{s}'.repeat(10_000), 'explanation');
    const value = () => {
      asked += 1;
      return 'x'.repeat(100);
    };
    expect(expandText(macros, value, 1_000)).toHaveLength(1_000);
    expect(expandName(macros, value).length).toBeGreaterThan(253);
    expect(asked).toBeLessThan(20);
  });
});
