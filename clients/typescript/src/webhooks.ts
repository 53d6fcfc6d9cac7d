import { OutreachError } from './errors.ts';
import type { WebhookMessage } from './generated/operations.gen.ts';

/** The message is not from the platform, was changed, or is too old: answer 401 and ignore it. */
export class WebhookSignatureError extends OutreachError {
  override readonly name = 'WebhookSignatureError';
}

export interface SignedMessage {
  /** The raw body: the signature covers these bytes. */
  body: string | Uint8Array;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The secret of the webhook: `whsec_…`. */
  secret: string;
  /** Maximum difference between the message's time and now (seconds); five minutes by default. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  now?: number;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/**
 * Returns the message of a webhook after verifying its signature (https://www.standardwebhooks.com, HMAC-SHA256).
 * A message may be repeated, with the same id.
 * @throws WebhookSignatureError, and TypeError for an invalid secret, which is an error of the receiver
 */
export async function verifyWebhook(message: SignedMessage): Promise<WebhookMessage> {
  const { body, secret, now = Date.now(), toleranceSeconds = TOLERANCE_SECONDS } = message;
  const id = header(message.headers, 'webhook-id');
  const timestamp = header(message.headers, 'webhook-timestamp');
  const signatures = header(message.headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookSignatureError('The message is too old, or of the future');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const raw = bytesOf(secret);
  if (!raw?.length) throw new TypeError('The secret is not one of a webhook, which is whsec_ and base64');
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  // For a day after a rotation of the secret there are two signatures. `verify` takes the same time for every wrong one.
  for (const signature of signatures) {
    const [version, value = ''] = signature.split(',');
    const given = version === 'v1' && bytesOf(value);
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) {
      return JSON.parse(text) as WebhookMessage;
    }
  }
  throw new WebhookSignatureError('The signature is not of this message and this secret');
}

function header(headers: SignedMessage['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookSignatureError(`The message has no ${name}`);
  return value;
}

/** Undefined for text that is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(base64.startsWith(PREFIX) ? base64.slice(PREFIX.length) : base64);
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
