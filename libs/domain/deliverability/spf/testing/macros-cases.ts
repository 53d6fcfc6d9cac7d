import { type SpfCase, type SpfSection } from './spf-case';

const V6 = '2001:db8::cb01';
const V6_REVERSE = '1.0.b.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2';

/** A fail whose explanation is the text with expanded macros. */
function shows(promise: string, text: string, explanation: string | null, more: Partial<SpfCase> = {}): SpfCase {
  const zone = { 'why.example.com': { TXT: [text] }, ...more.zone };
  return { promise, spf: 'v=spf1 exp=why.example.com -all', result: 'fail', explanation, ...more, zone };
}

/** A pass when the term's name expands to the given one, else a fail. */
function asks(promise: string, term: string, name: string, more: Partial<SpfCase> = {}): SpfCase {
  const zone = { [name]: { A: ['127.0.0.2'] }, ...more.zone };
  return { promise, spf: `v=spf1 ${term} -all`, result: 'pass', ...more, zone };
}

function refused(promise: string, term: string): SpfCase {
  return { promise, spf: `v=spf1 ${term} +all`, result: 'permerror', problem: 'syntax_error' };
}

/** Macros (RFC 7208, section 7). */
export const MACROS: readonly SpfSection[] = [
  {
    section: '7.1 Formal Specification',
    cases: [
      refused('a percent sign alone is a permerror', 'exists:%.example.com'),
      refused('a percent sign at the end is a permerror', 'exists:example.com%'),
      refused('a macro in round brackets is a permerror', 'exists:%(ir).example.com'),
      refused('a macro without end is a permerror', 'exists:%{d.example.com'),
      refused('an empty macro is a permerror', 'exists:%{}.example.com'),
      refused('an unknown letter is a permerror', 'exists:%{x}.example.com'),
      refused('two letters are a permerror', 'exists:%{dd}.example.com'),
      refused('the reversal before the digits is a permerror', 'exists:%{dr2}.example.com'),
      refused('an unknown delimiter is a permerror', 'exists:%{d;}.example.com'),
      refused('0 parts are a permerror', 'exists:%{d0}.example.com'),
      refused('00 parts are a permerror', 'exists:%{d00r}.example.com'),
      refused('the readable address outside of explanations is a permerror', 'exists:%{c}.example.com'),
      refused('the receiver outside of explanations is a permerror', 'exists:%{r}.example.com'),
      refused('the time outside of explanations is a permerror', 'exists:%{t}.example.com'),
      refused('the receiver in the name of an explanation is a permerror', 'exp=%{r}.example.com'),
      refused('the readable address in a redirect is a permerror', 'redirect=%{c}.example.com'),
      refused('a domain that ends in text after a macro is a permerror', 'exists:%{d}com'),
      refused('a domain that ends in a dot after a macro is a permerror', 'exists:%{d}.'),
      refused('a macro amid the top-level domain does not make up for its dot', 'exists:example.c%{l}m'),
      asks('a domain may end in a macro', 'exists:x.%{d}', 'x.example.com'),
      asks('a domain may be a macro', 'a:%{d}/0', 'example.com'),
      asks('a domain may end in an escape', 'exists:%{d}%-', 'example.com%20', { mailauth: 'fail' }),
      asks(
        'escapes stand for a percent sign, a space and a space of URLs',
        'exists:a%%b%_c%-.example.com',
        'a%b c%20.example.com',
      ),
      asks('a delimiter may be a slash before a prefix', 'a:%{d/}/0', 'example.com'),
    ],
  },
  {
    section: '7.2 Macro Definitions',
    cases: [
      shows('the sender', '%{s}', 'user@example.com'),
      shows('its local part', '%{l}', 'user'),
      shows('its domain', '%{o}', 'example.com'),
      asks(
        'the sender, its domain and the current domain in an included record',
        'include:other.example',
        '1.user.user@example.com.example.com.other.example',
        {
          zone: { 'other.example': { TXT: ['v=spf1 exists:1.%{l}.%{s}.%{o}.%{d} -all'] } },
        },
      ),
      shows('the address and its reverse zone', '%{i} is %{ir}.%{v}.arpa', '192.0.2.1 is 1.2.0.192.in-addr.arpa'),
      shows('an IPv6 address has nibbles', '%{ir}.%{v}.arpa', `${V6_REVERSE}.ip6.arpa`, { ip: V6 }),
      shows('an IPv6 address for people is short and small', '%{c}', V6, { ip: '2001:0DB8:0:0:0::CB01' }),
      shows('an IPv4 address for people', '%{c}', '192.0.2.1'),
      shows('a mapped address is an IPv4 address', '%{c} %{i} %{v}', '192.0.2.1 192.0.2.1 in-addr', {
        ip: '::ffff:192.0.2.1',
      }),
      shows('the HELO name', '%{h}', 'mail.example.com'),
      shows('a HELO address literal', '%{h}', '[192.0.2.1]', { helo: '[192.0.2.1]' }),
      shows('the receiver', '%{r}', 'receiver.example.org'),
      asks('the HELO name in a mechanism', 'a:%{h}/0', 'mail.example.com'),
      {
        promise: 'a HELO name that is none does not match',
        helo: "JUMPIN' JUPITER",
        spf: 'v=spf1 a:%{h} -all',
        result: 'fail',
      },
      {
        promise: 'a HELO address literal does not match',
        helo: '[192.0.2.1]',
        spf: 'v=spf1 a:%{h} -all',
        result: 'fail',
      },
      {
        promise: 'a HELO name of one label is asked for as it is',
        helo: 'OEMCOMPUTER',
        spf: 'v=spf1 -include:_helo.%{d2} ip4:192.0.2.0/24 -all',
        zone: { '_helo.example.com': { TXT: ['v=spf1 -a:%{h} +all'] } },
        result: 'fail',
        mechanism: '-include:_helo.%{d2}',
      },
      {
        promise: 'a HELO name that leads to the client passes such a test',
        spf: 'v=spf1 -include:_helo.%{d2} ip4:192.0.2.0/24 -all',
        zone: { '_helo.example.com': { TXT: ['v=spf1 -a:%{h} +all'] }, 'mail.example.com': { A: ['192.0.2.1'] } },
        result: 'pass',
        mechanism: 'ip4:192.0.2.0/24',
      },
      {
        promise: 'a HELO name with an empty label does not match',
        helo: 'a..b',
        spf: 'v=spf1 a:%{h} -all',
        result: 'fail',
      },
    ],
  },
  {
    section: '7.3 Macro Processing Details: transformers',
    cases: [
      shows('the last parts are kept', '%{d1} %{d2} %{d3}', 'com example.com mail.example.com', {
        from: 'u@mail.example.com',
        spf: undefined,
        zone: { 'mail.example.com': { TXT: ['v=spf1 exp=why.example.com -all'] } },
      }),
      shows('more parts than there are is all of them', '%{d127} %{d99999999999999999999}', 'example.com example.com'),
      shows('parts are turned round', '%{dr}', 'com.example'),
      shows('they are turned round before some are dropped', '%{d1r}', 'example'),
      shows('the reversal may be a capital', '%{dR}', 'com.example'),
      shows('leading zeros of a number do not matter', '%{d01}', 'com'),
      shows('other delimiters part it, and dots join it', '%{l-}', 'a.b.c', { from: 'a-b-c@example.com' }),
      shows('several delimiters part it', '%{lr+-}', 'quux.zip.bar.foo', { from: 'foo-bar+zip+quux@example.com' }),
      shows('a dot parts nothing when other delimiters are given', '%{lr-}', 'c.a.b', { from: 'a.b-c@example.com' }),
      shows(
        'every delimiter parts',
        '%{l1.} %{l1-} %{l1+} %{l1,} %{l1/} %{l1_} %{l1=}',
        'b-c+d,e/f_g=h c+d,e/f_g=h d,e/f_g=h e/f_g=h f_g=h g=h h',
        { from: 'a.b-c+d,e/f_g=h@example.com' },
      ),
      shows('empty parts count', '%{lr-}', 'b...a', { from: 'a---b@example.com' }),
      asks(
        'turned round and cut at other delimiters',
        'exists:%{i}.%{l2r-}.user.%{d2}',
        '192.0.2.1.gladstone.philip.user.example.com',
        { from: 'philip-gladstone-test@example.com' },
      ),
    ],
  },
  {
    section: '7.3 Macro Processing Details: escaping, truncation and %{p}',
    cases: [
      {
        promise: 'the text of an explanation may lie at a name of the client',
        spf: 'v=spf1 exp=%{ir}.why.%{d} -all',
        zone: { '1.2.0.192.why.example.com': { TXT: ['%{c} is not welcome'] } },
        result: 'fail',
        explanation: '192.0.2.1 is not welcome',
      },
      shows('capitals escape as in URLs', 'http://x/?s=%{S}', 'http://x/?s=~jack%26jill%3Dup-a_b3.c%40example.com', {
        from: '~jack&jill=up-a_b3.c@example.com',
      }),
      shows('capitals are transformed like small letters', '%{LR-}', 'b.a%2B', { from: 'a+-b@example.com' }),
      asks('capitals escape in names too', 'exists:%{H}.example.com', '%5b192.0.2.1%5d.example.com', {
        helo: '[192.0.2.1]',
      }),
      asks(
        'too long a name loses labels on the left',
        `exists:%{l}.${'abcdefghi.'.repeat(22)}example.com`,
        `${'b'.repeat(20)}.${'abcdefghi.'.repeat(22)}example.com`,
        { from: `${'a'.repeat(30)}.${'b'.repeat(20)}@example.com` },
      ),
      asks(
        'of too long a name 253 characters stay when labels end there',
        `exists:%{l}.${'abcdefghi.'.repeat(22)}example.com`,
        `${'b'.repeat(21)}.${'abcdefghi.'.repeat(22)}example.com`,
        { from: `a.${'b'.repeat(21)}@example.com` },
      ),
      asks(
        'a name of 253 characters loses nothing',
        `exists:%{l}.${'abcdefghi.'.repeat(22)}example.com`,
        `${'b'.repeat(21)}.${'abcdefghi.'.repeat(22)}example.com`,
        { from: `${'b'.repeat(21)}@example.com` },
      ),
      asks(
        'a name of 254 characters with its final dot loses nothing',
        `exists:%{l}.${'abcdefghi.'.repeat(22)}example.com.`,
        `${'b'.repeat(21)}.${'abcdefghi.'.repeat(22)}example.com`,
        { from: `${'b'.repeat(21)}@example.com` },
      ),
      {
        promise: 'a label that became too long does not match',
        from: `${'a'.repeat(64)}@example.com`,
        spf: 'v=spf1 a:%{l}.example.com -all',
        result: 'fail',
      },
      {
        promise: 'an include of a label that became too long is a permerror',
        from: `${'a'.repeat(64)}@example.com`,
        spf: 'v=spf1 include:%{l}.example.com +all',
        result: 'permerror',
      },
      {
        promise: 'a redirect to a label that became too long is a permerror',
        from: `${'a'.repeat(64)}@example.com`,
        spf: 'v=spf1 redirect=%{l}.example.com',
        result: 'permerror',
      },
      shows('without a reverse name the validated name is unknown', 'from %{p}', 'from unknown'),
      shows('a validated name', 'from %{p}', 'from mail.example.net', {
        zone: { '1.2.0.192.in-addr.arpa': { PTR: ['mail.example.net'] }, 'mail.example.net': { A: ['192.0.2.1'] } },
      }),
      shows('a validated name over IPv6', 'from %{p}', 'from mail.example.net', {
        ip: V6,
        zone: { [`${V6_REVERSE}.ip6.arpa`]: { PTR: ['mail.example.net'] }, 'mail.example.net': { AAAA: [V6] } },
      }),
      shows('a name that leads to an address of the other family is unknown', 'from %{p}', 'from unknown', {
        ip: V6,
        zone: { [`${V6_REVERSE}.ip6.arpa`]: { PTR: ['mail.example.net'] }, 'mail.example.net': { A: ['192.0.2.1'] } },
      }),
      shows('a name that leads elsewhere is unknown', 'from %{p}', 'from unknown', {
        zone: { '1.2.0.192.in-addr.arpa': { PTR: ['mail.example.net'] }, 'mail.example.net': { A: ['192.0.2.2'] } },
      }),
      shows('no answer is unknown', 'from %{p}', 'from unknown', { zone: { '1.2.0.192.in-addr.arpa': 'timeout' } }),
      shows('a name below the domain comes before others', 'from %{p}', 'from mail.example.com', {
        zone: {
          '1.2.0.192.in-addr.arpa': { PTR: ['mail.example.net', 'mail.example.com'] },
          'mail.example.net': { A: ['192.0.2.1'] },
          'mail.example.com': { A: ['192.0.2.1'] },
        },
      }),
      shows('the domain itself comes before names below it', 'from %{p}', 'from example.com', {
        zone: {
          'example.com': { A: ['192.0.2.1'] },
          '1.2.0.192.in-addr.arpa': { PTR: ['mail.example.com', 'example.com'] },
          'mail.example.com': { A: ['192.0.2.1'] },
        },
      }),
      asks('the validated name in a mechanism', 'exists:%{p}.ok.%{d}', 'mail.example.net.ok.example.com', {
        zone: { '1.2.0.192.in-addr.arpa': { PTR: ['mail.example.net'] }, 'mail.example.net': { A: ['192.0.2.1'] } },
      }),
      {
        promise: 'a local part beyond ASCII matches no name (RFC 8616)',
        from: 'jörg@example.com',
        spf: 'v=spf1 exists:%{l}.example.com exists:%{s} -all',
        zone: { 'example.com': {}, '*.example.com': { A: ['127.0.0.2'] } },
        result: 'fail',
      },
    ],
  },
];
