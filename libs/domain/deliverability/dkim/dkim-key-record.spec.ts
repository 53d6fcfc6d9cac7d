import fc from 'fast-check';
import { isKeyRecord, readKeyRecord } from './dkim-key-record';
import { RFC_6376_KEY, RFC_8463_KEY, rsaKey } from './testing/keys';

const GOOD = rsaKey(2_048);
const codes = (text: string) => readKeyRecord(text).problems.map(({ code, severity }) => `${severity} ${code}`);

describe('a key record that verifiers accept', () => {
  it.each<[string, string, 'rsa' | 'ed25519', number, string[]]>([
    ['2048 bits', `v=DKIM1; k=rsa; p=${GOOD}`, 'rsa', 2_048, []],
    ['the least that it can say', `p=${GOOD}`, 'rsa', 2_048, []],
    ['a semicolon at the end', `v=DKIM1; p=${GOOD};`, 'rsa', 2_048, []],
    ['blanks within the key', `p=${GOOD.replaceAll(/.{60}/g, '$& ')}`, 'rsa', 2_048, []],
    ['tags in another order', `v=DKIM1; p=${GOOD}; n=notes; k=rsa; s=*; h=sha256`, 'rsa', 2_048, []],
    ['unknown tags', `v=DKIM1; x=1; g=*; p=${GOOD}`, 'rsa', 2_048, []],
    ['several hashes', `h=sha1:sha256; p=${GOOD}`, 'rsa', 2_048, []],
    ['an unknown hash next to a known one', `h = sha999 : sha256; p=${GOOD}`, 'rsa', 2_048, []],
    ['the service of email', `s=tlsrpt:email; p=${GOOD}`, 'rsa', 2_048, []],
    ['an unknown flag', `t=z; p=${GOOD}`, 'rsa', 2_048, []],
    ['4096 bits', `p=${rsaKey(4_096)}`, 'rsa', 4_096, []],
    ['more than verifiers must take (RFC 8301, 3.2)', `p=${rsaKey(4_104)}`, 'rsa', 4_104, ['warn key_too_long']],
    ['2047 bits', `p=${rsaKey(2_047)}`, 'rsa', 2_047, ['warn key_short']],
    ['1024 bits', `p=${rsaKey(1_024)}`, 'rsa', 1_024, ['warn key_short']],
    ['the example of RFC 6376, appendix C', `v=DKIM1; p=${RFC_6376_KEY}`, 'rsa', 1_024, ['warn key_short']],
    ['the example of RFC 8463, appendix A.2', `v=DKIM1; k=ed25519; p=${RFC_8463_KEY}`, 'ed25519', 256, []],
    ['test mode', `v=DKIM1; t=y; p=${GOOD}`, 'rsa', 2_048, ['warn test_mode']],
    ['no subdomains', `v=DKIM1; t=s; p=${GOOD}`, 'rsa', 2_048, ['info strict_identity']],
    ['both flags', `v=DKIM1; t=y : s; p=${GOOD}`, 'rsa', 2_048, ['warn test_mode', 'info strict_identity']],
    ['a bare RSAPublicKey', `p=${rsaKey(2_048, { type: 'pkcs1' })}`, 'rsa', 2_048, ['warn key_bare']],
  ])('may have %s', (_what, text, type, bits, problems) => {
    expect(readKeyRecord(text).key).toEqual({ type, bits });
    expect(codes(text)).toEqual(problems);
  });
});

describe('a key record that no verifier accepts', () => {
  const ED25519_SPKI = `MCowBQYDK2VwAyEA${RFC_8463_KEY}`;

  it.each<[string, string, string]>([
    ['the key revoked', 'v=DKIM1; p=', 'key_revoked'],
    ['the key revoked, with blanks', 'v=DKIM1; p= ;', 'key_revoked'],
    ['no key', 'v=DKIM1; k=rsa', 'key_missing'],
    ['another version', `v=DKIM2; p=${GOOD}`, 'version_unknown'],
    ['the version in lower case', `v=dkim1; p=${GOOD}`, 'version_unknown'],
    ['the version not first', `k=rsa; v=DKIM1; p=${GOOD}`, 'version_not_first'],
    ['a tag twice', `v=DKIM1; p=${GOOD}; p=${GOOD}`, 'record_malformed'],
    ['no semicolon', `v=DKIM1 k=rsa p=${GOOD}`, 'version_unknown'],
    ['two semicolons', `v=DKIM1;; p=${GOOD}`, 'record_malformed'],
    ['quotation marks around it', `"v=DKIM1; p=${GOOD}"`, 'record_malformed'],
    ['escaped semicolons', `v=DKIM1\\; p=${GOOD}`, 'version_unknown'],
    ['bytes beyond ASCII', `v=DKIM1; n=\xe4; p=${GOOD}`, 'record_malformed'],
    ['a NUL', `v=DKIM1; p=${GOOD}\0`, 'record_malformed'],
    ['an unknown type', `k=dsa; p=${GOOD}`, 'key_type_unknown'],
    ['the type in capitals', `k=RSA; p=${GOOD}`, 'key_type_unknown'],
    ['SHA-1 alone (RFC 8301, 3.1)', `h=sha1; p=${GOOD}`, 'hash_not_allowed'],
    ['another service', `s=other; p=${GOOD}`, 'service_not_email'],
    ['a key that was cut', `p=${GOOD.slice(0, 200)}`, 'key_malformed'],
    ['a key that was cut within four characters', `p=${GOOD.slice(0, 201)}`, 'key_malformed'],
    ['a key that is no Base64', 'p=-----BEGIN PUBLIC KEY-----', 'key_malformed'],
    ['a key in quotation marks', `p="${GOOD}"`, 'key_malformed'],
    ['a key that is only noise', 'p=AAAAAAAAAAAA', 'key_malformed'],
    ['512 bits', `p=${rsaKey(512)}`, 'key_too_short'],
    ['1023 bits', `p=${rsaKey(1_023)}`, 'key_too_short'],
    ['the exponent 1', `p=${rsaKey(2_048, { exponent: 'AQ' })}`, 'key_malformed'],
    ['an Ed25519 key as RSA', `k=rsa; p=${ED25519_SPKI}`, 'key_type_differs'],
    ['an Ed25519 key in the wrapping of PEM', `k=ed25519; p=${ED25519_SPKI}`, 'key_malformed'],
    ['an RSA key as Ed25519', `k=ed25519; p=${GOOD}`, 'key_malformed'],
    ['a key of 100 kB', `p=${'A'.repeat(100_000)}`, 'key_malformed'],
    ['a key of 100 kB of blanks', `p=A${' '.repeat(100_000)}A`, 'key_malformed'],
  ])('has %s', (_what, text, code) => {
    const { key, problems } = readKeyRecord(text);
    expect(key).toBeNull();
    expect(problems).toEqual([expect.objectContaining({ code, severity: 'fail' })]);
    expect(problems[0]!.message.length).toBeLessThan(400);
    expect(problems[0]!.message).toMatch(/^[\x20-\x7e…]+$/);
  });

  it('is revoked only when its key is empty', () => {
    expect(readKeyRecord('v=DKIM1; p=').revoked).toBe(true);
    expect(readKeyRecord('v=DKIM1; p=AAAA').revoked).toBe(false);
    expect(readKeyRecord('v=DKIM1').revoked).toBe(false);
  });
});

describe('other text where a key should be', () => {
  it.each([
    [`v=DKIM1; p=${GOOD}`, true],
    [`p=${GOOD}`, true],
    ['v=DKIM1; p=', true],
    ['v=DKIM1', true],
    ['v=dkim1;; broken', true],
    ['v=spf1 -all', false],
    ['google-site-verification=abc', false],
    ['', false],
  ])('%j is meant to be one: %j', (text, meant) => {
    expect(isKeyRecord(text)).toBe(meant);
  });
});

it('parsing a key record never throws, whatever its content', () => {
  const part = fc.constantFrom('v=DKIM1', 'p=', `p=${GOOD}`, 'k=ed25519', 'h=', 's=', 't=y', ';', '=', '\0', ' ');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part).map((parts) => parts.join(';')),
  );
  fc.assert(
    fc.property(text, (record) => {
      const { key, problems } = readKeyRecord(record);
      expect(key === null).toBe(problems.some(({ severity }) => severity === 'fail'));
      expect(typeof isKeyRecord(record)).toBe('boolean');
    }),
  );
});
