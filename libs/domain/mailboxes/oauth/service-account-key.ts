import { createPrivateKey, type KeyObject } from 'node:crypto';
import { invalidField } from '@platform/errors';
import { GMAIL_SCOPE } from './oauth-providers';

/** The used part of a Google service account key file. `token_uri` is ignored: it is a setting of the operator. */
export interface ServiceAccountKey {
  readonly clientEmail: string;
  /** PKCS #8, PEM. */
  readonly privateKey: string;
  readonly privateKeyId: string | null;
}

const FIELD = 'serviceAccountKey';
const MAX_CHARACTERS = 16_384;
const MIN_RSA_BITS = 2048;
/** Google accepts at most an hour; the assertion is used immediately. */
const ASSERTION_SECONDS = 300;

/**
 * Parses a Google key file: an object, or its JSON text.
 * @throws VALIDATION_ERROR that describes the problem without repeating the key
 */
export function parseServiceAccountKey(input: unknown): ServiceAccountKey {
  const file = toKeyFile(input);
  const { type, client_email: clientEmail, private_key: privateKey, private_key_id: privateKeyId } = file;
  if (type !== undefined && type !== 'service_account') throw invalidKey('is not the key of a service account');
  if (typeof clientEmail !== 'string' || !/^[^\s@]{1,128}@[^\s@]{1,255}$/.test(clientEmail)) {
    throw invalidKey('has no client_email');
  }
  if (typeof privateKey !== 'string') throw invalidKey('has no private_key');
  requireRsa(privateKey);
  return {
    clientEmail,
    privateKey,
    privateKeyId: typeof privateKeyId === 'string' && /^[\w-]{1,128}$/.test(privateKeyId) ? privateKeyId : null,
  };
}

/** The key in its form before sealing; `parseStoredServiceAccountKey` reads it. */
export function toServiceAccountKeyText(key: ServiceAccountKey): string {
  return JSON.stringify(key);
}

/** Reads the text of `toServiceAccountKeyText`. */
export function parseStoredServiceAccountKey(text: string): ServiceAccountKey {
  return JSON.parse(text) as ServiceAccountKey;
}

/**
 * Signs an assertion to act for a mailbox (RFC 7523; Google's domain-wide delegation) with RS256.
 * @param audience the token server
 */
export async function signAssertion(
  key: ServiceAccountKey,
  mailbox: string,
  audience: string,
  now: Date,
): Promise<string> {
  // Loaded on demand: it takes megabytes, and most installations have no service account.
  const { SignJWT } = await import('jose');
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ scope: GMAIL_SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(key.privateKeyId === null ? {} : { kid: key.privateKeyId }) })
    .setIssuer(key.clientEmail)
    .setSubject(mailbox)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ASSERTION_SECONDS)
    .sign(createPrivateKey(key.privateKey));
}

function toKeyFile(input: unknown): Record<string, unknown> {
  const value = typeof input === 'string' ? parseJson(input) : input;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidKey('must be a JSON object');
  return value as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  if (text.length > MAX_CHARACTERS) throw invalidKey('is too long');
  try {
    return JSON.parse(text);
  } catch {
    throw invalidKey('is not valid JSON'); // the parser's message would repeat parts of the key
  }
}

function requireRsa(pem: string): void {
  if (pem.length > MAX_CHARACTERS) throw invalidKey('has a private_key that is too long');
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw invalidKey('has a private_key that cannot be read');
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < MIN_RSA_BITS) {
    throw invalidKey(`has a private_key that is not an RSA key of at least ${MIN_RSA_BITS} bits`);
  }
}

function invalidKey(problem: string) {
  return invalidField(FIELD, `${FIELD} ${problem}`);
}
