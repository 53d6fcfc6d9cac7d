import { createHash, createPublicKey } from 'node:crypto';

interface KeyOptions {
  /** Base64url. */
  readonly exponent?: string;
  readonly type?: 'spki' | 'pkcs1';
  readonly seed?: string;
}

/** An artificial public key with a modulus of this many bits and no private key. Base64, as in `p=`. */
export function rsaKey(bits: number, { exponent = 'AQAB', type = 'spki', seed = '' }: KeyOptions = {}): string {
  const modulus = Buffer.alloc(Math.ceil(bits / 8));
  for (let at = 0; at < modulus.length; at += 32)
    createHash('sha256').update(`${seed}${at}`).digest().copy(modulus, at);
  const spare = modulus.length * 8 - bits;
  modulus[0] = ((modulus[0] ?? 0) & (0xff >> spare)) | (0x80 >> spare);
  modulus[modulus.length - 1] = (modulus.at(-1) ?? 0) | 1;
  const key = createPublicKey({ key: { kty: 'RSA', n: modulus.toString('base64url'), e: exponent }, format: 'jwk' });
  return key.export({ type, format: 'der' }).toString('base64');
}

export function keyRecord(bits = 2_048): string {
  return `v=DKIM1; k=rsa; p=${rsaKey(bits)}`;
}

/** RFC 6376, appendix C; 1024 bits. */
export const RFC_6376_KEY =
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB';

/** RFC 8463, appendix A.2. */
export const RFC_8463_KEY = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
