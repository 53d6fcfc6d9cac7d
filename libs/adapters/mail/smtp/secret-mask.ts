import { type Login } from '../port/account';

const MASK = '[redacted]';

/** Shorter values would mask most of every reply and are no secrets. */
const MIN_SECRET = 3;
/** A server may truncate an echoed command: so many consecutive characters of an encoded secret reveal it. */
const MIN_PART = 12;

/** Removes credentials from replies of a server: some repeat the invalid command. */
export class SecretMask {
  readonly #whole: readonly string[];
  readonly #encoded: readonly string[];

  constructor(secrets: readonly string[] = [], encoded: readonly string[] = []) {
    const forms = secrets.flatMap((secret) => [secret, base64(secret)]);
    this.#whole = [...forms, ...encoded].filter((form) => form.length >= MIN_SECRET).map(folded);
    this.#encoded = [...secrets.map(base64), ...encoded].filter((form) => form.length >= MIN_PART).map(folded);
  }

  apply(text: string): string {
    const lower = folded(text);
    const hidden = new Uint8Array(text.length);
    for (const secret of this.#whole) {
      for (let at = lower.indexOf(secret); at >= 0; at = lower.indexOf(secret, at + 1)) {
        hidden.fill(1, at, at + secret.length);
      }
    }
    for (const secret of this.#encoded) {
      for (let at = 0; at + MIN_PART <= lower.length; at++) {
        if (secret.includes(lower.slice(at, at + MIN_PART))) hidden.fill(1, at, at + MIN_PART);
      }
    }
    return masked(text, hidden);
  }
}

/** The mask for one login: the secret itself and its SASL encodings. */
export function maskFor(login: Login): SecretMask {
  const secret = login.method === 'password' ? login.password : login.accessToken;
  return new SecretMask(
    [secret],
    [base64(plainResponse(login.user, secret)), base64(xoauth2Response(login.user, secret))],
  );
}

/** RFC 4616; the authorisation identity is empty. */
export function plainResponse(user: string, password: string): string {
  return `\0${user}\0${password}`;
}

export function xoauth2Response(user: string, accessToken: string): string {
  return `user=${user}\u0001auth=Bearer ${accessToken}\u0001\u0001`;
}

export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** Character by character, so that positions stay the same. */
function folded(text: string): string {
  return text.replace(/[A-Z]/g, (capital) => capital.toLowerCase());
}

function masked(text: string, hidden: Uint8Array): string {
  let result = '';
  for (let at = 0; at < text.length; at++) {
    if (hidden[at] === 0) result += text.charAt(at);
    else if (at === 0 || hidden[at - 1] === 0) result += MASK;
  }
  return result;
}
