import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyRing } from './key-ring';
import { SecretOpenError } from './secrets.errors';

const VERSION = 'v1';
const PURPOSE = 'outreach secret-box v1';
const ALGORITHM = 'aes-256-gcm';
const TAG_BYTES = 16;

/** Random 96-bit IVs are safe for 2^32 encryptions with one key (NIST SP 800-38D, 8.3), far above the needs of an installation. */
const IV_BYTES = 12;

interface SecretParts {
  readonly keyId: string;
  readonly iv: Buffer;
  readonly tag: Buffer;
  readonly ciphertext: Buffer;
}

/**
 * Encrypts secrets that are stored and read back: passwords, tokens, webhook secrets. AES-256-GCM with the owner as additional
 * data, so that a value copied to another record cannot be opened.
 */
@Injectable()
export class SecretBoxService {
  constructor(private readonly keys: KeyRing) {}

  /**
   * Encrypts with the current key: `v1.<keyId>.<iv base64url>.<tag and ciphertext base64url>`, ASCII without blanks, about
   * 4/3 of the plaintext's UTF-8 bytes plus 60. Two results for one plaintext differ.
   * @param owner identifies the field that the secret belongs to, for example `<workspaceId>/<mailboxId>/smtpPassword`; not
   *   empty, and `open` needs the same text.
   * @throws TypeError when a string is not well-formed Unicode (decryption would change it) or the owner is empty.
   */
  seal(plaintext: string, owner: string): string {
    if (owner === '') throw new TypeError('A sealed secret needs an owner');
    if (!plaintext.isWellFormed() || !owner.isWellFormed()) throw new TypeError('A secret must be well-formed Unicode');
    const keyId = this.keys.currentId;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.encryptionKey(keyId), iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(additionalData(keyId, owner));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    const tagged = Buffer.concat([cipher.getAuthTag(), ciphertext]);
    return [VERSION, keyId, iv.toString('base64url'), tagged.toString('base64url')].join('.');
  }

  /**
   * Decrypts a sealed secret of any key of the ring.
   * @throws SecretOpenError when the value is malformed, its key is not in the ring, or it was changed or has another owner
   */
  open(encrypted: string, owner: string): string {
    const parts = parseSecret(encrypted);
    if (parts === null) throw new SecretOpenError('malformed', 'The stored secret is malformed');
    const key = this.encryptionKey(parts.keyId);
    const decipher = createDecipheriv(ALGORITHM, key, parts.iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(parts.keyId, owner));
    decipher.setAuthTag(parts.tag);
    try {
      return Buffer.concat([decipher.update(parts.ciphertext), decipher.final()]).toString('utf8');
    } catch {
      // The only message of OpenSSL is "unable to authenticate data", so the cause is dropped.
      throw new SecretOpenError('refused', 'The stored secret was changed or belongs to another owner');
    }
  }

  /** Whether the current key encrypted the value; false for a malformed one. It does not check the integrity. */
  isCurrent(encrypted: string): boolean {
    return parseSecret(encrypted)?.keyId === this.keys.currentId;
  }

  /** Id of the key that encrypted the value; null for a malformed one. It does not check the integrity. */
  keyIdOf(encrypted: string): string | null {
    return parseSecret(encrypted)?.keyId ?? null;
  }

  /** Id of the key that encrypts. */
  get currentKeyId(): string {
    return this.keys.currentId;
  }

  /**
   * Encrypts the secret again with the current key, for rotation. Store the result with a guard on the old value, so that it does
   * not overwrite a newer secret.
   * @throws SecretOpenError as `open` does.
   */
  reseal(encrypted: string, owner: string): string {
    return this.seal(this.open(encrypted, owner), owner);
  }

  private encryptionKey(keyId: string): Buffer {
    const key = this.keys.subkey(keyId, PURPOSE);
    if (key === null)
      throw new SecretOpenError('unknown_key', 'The stored secret names a key that is not in SECRET_KEYS');
    return key;
  }
}

/** Version and key id contain no dot, so the text is unambiguous. */
function additionalData(keyId: string, owner: string): Buffer {
  return Buffer.from(`${VERSION}.${keyId}.${owner}`, 'utf8');
}

function parseSecret(encrypted: string): SecretParts | null {
  const [version, keyId, ivText, taggedText, ...extra] = encrypted.split('.');
  if (version !== VERSION || !keyId || ivText === undefined || taggedText === undefined || extra.length > 0)
    return null;
  const iv = Buffer.from(ivText, 'base64url');
  const tagged = Buffer.from(taggedText, 'base64url');
  // Buffer.from ignores invalid characters and spare bits: only the canonical encoding is accepted.
  if (iv.toString('base64url') !== ivText || tagged.toString('base64url') !== taggedText) return null;
  if (iv.length !== IV_BYTES || tagged.length < TAG_BYTES) return null;
  return { keyId, iv, tag: tagged.subarray(0, TAG_BYTES), ciphertext: tagged.subarray(TAG_BYTES) };
}
