import { createPublicKey, type KeyObject } from 'node:crypto';
import { failing, warning, type Problem } from '../check';

/** Registered key types: RFC 6376 and RFC 8463. */
export const KEY_TYPES = ['rsa', 'ed25519'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

export interface DkimKey {
  readonly type: KeyType;
  /** Of an RSA modulus; 256 for Ed25519. */
  readonly bits: number;
}

export interface PublicKeyReading {
  /** null when it is unreadable, or no verifier accepts it. */
  readonly key: DkimKey | null;
  readonly problems: readonly Problem[];
}

/** RFC 8301, section 3.2: shorter keys must be refused; 2048 is recommended; more than 4096 need not be verified. */
const LEAST_BITS = 1_024;
const GOOD_BITS = 2_048;
const MOST_BITS = 4_096;

/** RFC 8463, section 4.2: the bare key of RFC 8032. */
const ED25519_BYTES = 32;
const ED25519_BITS = 256;

/** Base64 characters that are decoded: twice an RSA key of 16 384 bits, the maximum of OpenSSL. */
const MAX_BASE64 = 6_000;

const BLANK = /[ \t\r\n]/g;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const RSA_HINT = 'Publish the key exactly as your provider gives it, in one record.';

/** Parses `p=` of a key record of a known type; never throws. */
export function readPublicKey(type: KeyType, p: string): PublicKeyReading {
  const base64 = p.length > MAX_BASE64 * 2 ? '' : p.replaceAll(BLANK, '');
  if (base64.length > MAX_BASE64 || base64.length % 4 !== 0 || !BASE64.test(base64)) {
    return toUnreadableKey(
      'key_malformed',
      `The DKIM key (p=) is not valid Base64: it was cut, or changed on the way. ${RSA_HINT}`,
    );
  }
  const bytes = Buffer.from(base64, 'base64');
  return type === 'ed25519' ? readEd25519(bytes) : readRsa(bytes);
}

function readEd25519(bytes: Buffer): PublicKeyReading {
  if (bytes.length === ED25519_BYTES) return { key: { type: 'ed25519', bits: ED25519_BITS }, problems: [] };
  const message = `The Ed25519 key (p=) has ${bytes.length} bytes instead of ${ED25519_BYTES}: publish the bare key, without the wrapping of a PEM file.`;
  return toUnreadableKey('key_malformed', message);
}

function readRsa(der: Buffer): PublicKeyReading {
  const wrapped = parseDer(der, 'spki');
  const key = wrapped ?? parseDer(der, 'pkcs1');
  if (key === null)
    return toUnreadableKey(
      'key_malformed',
      `The DKIM key (p=) is no public key: it was cut, or changed on the way. ${RSA_HINT}`,
    );
  if (key.asymmetricKeyType !== 'rsa') {
    const message = `The record is for an RSA key (k=rsa) but holds another kind (${key.asymmetricKeyType ?? 'none'}). ${RSA_HINT}`;
    return toUnreadableKey('key_type_differs', message);
  }
  const { modulusLength: bits = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const strength = checkStrength(bits, publicExponent);
  if (strength?.severity === 'fail') return { key: null, problems: [strength] };
  const problems = strength === null ? [] : [strength];
  if (wrapped === null) problems.push(stripWhitespace());
  return { key: { type: 'rsa', bits }, problems };
}

function checkStrength(bits: number, exponent: bigint): Problem | null {
  if (exponent < 3n || exponent % 2n === 0n) {
    return failing(
      'key_malformed',
      `The DKIM key cannot verify anything: its exponent is ${exponent}. Make a new key.`,
    );
  }
  if (bits < LEAST_BITS) {
    return failing(
      'key_too_short',
      `The DKIM key has ${bits} bits, and verifiers refuse less than ${LEAST_BITS}. Make a new one of ${GOOD_BITS} bits.`,
    );
  }
  if (bits < GOOD_BITS) {
    return warning('key_short', `The DKIM key has ${bits} bits. Change to one of ${GOOD_BITS} bits.`);
  }
  if (bits <= MOST_BITS) return null;
  return warning(
    'key_too_long',
    `The DKIM key has ${bits} bits, and verifiers need not take more than ${MOST_BITS}. Change to one of ${GOOD_BITS} bits.`,
  );
}

/** RFC 6376 (3.6.1) defines this form, but all verifiers expect SubjectPublicKeyInfo (erratum 3017), and not all accept both. */
function stripWhitespace(): Problem {
  const message =
    'The DKIM key is a bare RSAPublicKey (PKCS #1), which not all verifiers read. Publish it as "BEGIN PUBLIC KEY" has it (openssl rsa -pubout).';
  return warning('key_bare', message);
}

function parseDer(der: Buffer, type: 'spki' | 'pkcs1'): KeyObject | null {
  try {
    return createPublicKey({ key: der, format: 'der', type });
  } catch {
    return null;
  }
}

function toUnreadableKey(code: string, message: string): PublicKeyReading {
  return { key: null, problems: [failing(code, message)] };
}
