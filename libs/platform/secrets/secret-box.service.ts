import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyRing } from './key-ring';
import { SecretOpenError } from './secrets.errors';

const VERSION = 'v1';
const PURPOSE = 'outreach secret-box v1';
const ALGORITHM = 'aes-256-gcm';
const TAG_BYTES = 16;

/** Random 96-bit IVs are safe for 2^32 seals with one key (NIST SP 800-38D, 8.3): far above what an installation stores. */
const IV_BYTES = 12;

interface SecretParts {
  readonly keyId: string;
  readonly iv: Buffer;
  readonly tag: Buffer;
  readonly ciphertext: Buffer;
}

/**
 * Encrypts what must be stored and read back: passwords, tokens, webhook secrets. AES-256-GCM; a sealed secret opens only
 * for the owner it was sealed for, so a value copied to another record of the database stays shut.
 */
@Injectable()
export class SecretBoxService {
  constructor(private readonly keys: KeyRing) {}

  /**
   * Seals with the current key: `v1.<keyId>.<iv base64url>.<tag and ciphertext base64url>`, ASCII without blanks, about
   * 4/3 of the plaintext's UTF-8 bytes plus 60. Two seals of one plaintext differ.
   * @param owner what the secret belongs to, for example `<workspaceId>/<mailboxId>/smtpPassword`; not empty, and the
   *   same string must be given to open.
   * @throws TypeError when a string is not well-formed Unicode (it would not come back as it was) or the owner is empty.
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
   * The plaintext of a sealed secret, whichever key of the ring sealed it.
   * @throws SecretOpenError when it is malformed, of a key that the ring does not hold, tampered with, or another owner's.
   */
  open(sealed: string, owner: string): string {
    const parts = parseSecret(sealed);
    if (parts === null) throw new SecretOpenError('malformed', 'The stored secret is malformed');
    const key = this.encryptionKey(parts.keyId);
    const decipher = createDecipheriv(ALGORITHM, key, parts.iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(parts.keyId, owner));
    decipher.setAuthTag(parts.tag);
    try {
      return Buffer.concat([decipher.update(parts.ciphertext), decipher.final()]).toString('utf8');
    } catch {
      // OpenSSL says only "unable to authenticate data": there is no cause worth keeping.
      throw new SecretOpenError('refused', 'The stored secret was changed or belongs to another owner');
    }
  }

  /** Whether it was sealed with the current key; false also for what is malformed. Says nothing about its integrity. */
  isCurrent(sealed: string): boolean {
    return parseSecret(sealed)?.keyId === this.keys.currentId;
  }

  /** Id of the key that it names; null for what is malformed. Says nothing about its integrity. */
  keyIdOf(sealed: string): string | null {
    return parseSecret(sealed)?.keyId ?? null;
  }

  /** Id of the key that seals. */
  get currentKeyId(): string {
    return this.keys.currentId;
  }

  /**
   * The same secret under the current key, for rotation. Store it with a guard on the old value, so that a newer secret
   * is not overwritten.
   * @throws SecretOpenError as `open` does.
   */
  reseal(sealed: string, owner: string): string {
    return this.seal(this.open(sealed, owner), owner);
  }

  private encryptionKey(keyId: string): Buffer {
    const key = this.keys.subkey(keyId, PURPOSE);
    if (key === null)
      throw new SecretOpenError('unknown_key', 'The stored secret names a key that is not in SECRET_KEYS');
    return key;
  }
}

/** Version and key id hold no dot, so the three cannot run into each other. */
function additionalData(keyId: string, owner: string): Buffer {
  return Buffer.from(`${VERSION}.${keyId}.${owner}`, 'utf8');
}

function parseSecret(sealed: string): SecretParts | null {
  const [version, keyId, ivText, taggedText, ...rest] = sealed.split('.');
  if (version !== VERSION || !keyId || ivText === undefined || taggedText === undefined || rest.length > 0) return null;
  const iv = Buffer.from(ivText, 'base64url');
  const tagged = Buffer.from(taggedText, 'base64url');
  // Buffer.from skips foreign characters and spare bits: only the one canonical spelling of a secret is accepted.
  if (iv.toString('base64url') !== ivText || tagged.toString('base64url') !== taggedText) return null;
  if (iv.length !== IV_BYTES || tagged.length < TAG_BYTES) return null;
  return { keyId, iv, tag: tagged.subarray(0, TAG_BYTES), ciphertext: tagged.subarray(TAG_BYTES) };
}
