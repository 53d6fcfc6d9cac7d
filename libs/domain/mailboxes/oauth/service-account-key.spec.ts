import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { AppError } from '@platform/errors';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import {
  signAssertion,
  parseServiceAccountKey,
  toServiceAccountKeyText,
  parseStoredServiceAccountKey,
} from './service-account-key';

const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;
const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength, publicKeyEncoding, privateKeyEncoding });
const { publicKey, privateKey } = rsa(2048);
const { privateKey: ed25519 } = generateKeyPairSync('ed25519', { publicKeyEncoding, privateKeyEncoding });
const file = {
  type: 'service_account',
  client_email: 'robot@project.iam.gserviceaccount.com',
  private_key: privateKey,
  private_key_id: 'a1b2',
  token_uri: 'https://attacker.example/token',
  universe_domain: 'googleapis.com',
};
const NOW = new Date('2026-11-21T08:00:00.500Z');

function refusalOf(given: unknown): string {
  try {
    parseServiceAccountKey(given);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return 'taken';
}

describe('a service account key', () => {
  it('is parsed from the file or its text, without the address of a token server', () => {
    const key = { clientEmail: file.client_email, privateKey, privateKeyId: 'a1b2' };
    expect(parseServiceAccountKey(file)).toEqual(key);
    expect(parseServiceAccountKey(JSON.stringify(file))).toEqual(key);
    expect(parseStoredServiceAccountKey(toServiceAccountKeyText(parseServiceAccountKey(file)))).toEqual(key);
  });

  it.each([
    ['{', 'is not valid JSON'],
    ['"text"', 'must be a JSON object'],
    [null, 'must be a JSON object'],
    [{ ...file, type: 'authorized_user' }, 'is not the key of a service account'],
    [{ ...file, client_email: 'nobody' }, 'has no client_email'],
    [{ ...file, private_key: undefined }, 'has no private_key'],
    [{ ...file, private_key: privateKey.slice(0, 400) }, 'has a private_key that cannot be read'],
    [{ ...file, private_key: 'x'.repeat(20_000) }, 'has a private_key that is too long'],
    ['x'.repeat(20_000), 'is too long'],
    [{ ...file, private_key: rsa(1024).privateKey }, '2048 bits'],
    [{ ...file, private_key: ed25519 }, 'not an RSA key'],
  ])('is refused in one sentence if it is invalid (%#)', (given, message) => {
    expect(refusalOf(given)).toContain(message);
    expect(refusalOf(given)).not.toContain('BEGIN');
  });

  it('signs an assertion for one mailbox and one server, valid for five minutes', async () => {
    const audience = 'https://oauth2.googleapis.com/token';
    const assertion = await signAssertion(parseServiceAccountKey(file), 'ada@example.com', audience, NOW);
    expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'a1b2' });
    const issued = Math.floor(NOW.getTime() / 1000);
    expect(decodeJwt(assertion)).toEqual({
      iss: file.client_email,
      sub: 'ada@example.com',
      aud: audience,
      scope: 'https://mail.google.com/',
      iat: issued,
      exp: issued + 300,
    });
    await expect(jwtVerify(assertion, createPublicKey(publicKey), { currentDate: NOW })).resolves.toBeDefined();
  });
});
