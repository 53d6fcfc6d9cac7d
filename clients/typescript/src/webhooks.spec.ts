import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookSignatureError } from './webhooks.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW = Date.parse('2026-11-22T10:00:00Z');
const BODY = JSON.stringify({ id: 'e1', type: 'email.sent', data: { subject: 'Grüße' } });

/** Signed by another implementation. */
function signed(secret = SECRET, at = NOW): Record<string, string> {
  return {
    'webhook-id': 'e1',
    'webhook-timestamp': String(at / 1000),
    'webhook-signature': new Webhook(secret).sign('e1', new Date(at), BODY),
  };
}

const verify = (headers: Headers | Record<string, string>, body: string | Uint8Array = BODY) =>
  verifyWebhook({ headers, body, secret: SECRET, now: NOW });

describe('a webhook message', () => {
  it.each([
    ['text', BODY],
    ['bytes', new TextEncoder().encode(BODY)],
  ])('is read from %s with a valid signature', async (_kind, body) => {
    expect(await verify(signed(), body)).toEqual(JSON.parse(BODY));
    expect(await verify(new Headers(signed()), body)).toEqual(JSON.parse(BODY));
  });

  it('is accepted with either of two signatures, as after a rotation', async () => {
    const both = `${signed(OTHER)['webhook-signature']} ${signed()['webhook-signature']}`;
    expect(await verify({ ...signed(), 'webhook-signature': both })).toMatchObject({ id: 'e1' });
  });

  it('is accepted with the one readable signature', async () => {
    const both = `v1,%%% ${signed()['webhook-signature']}`;
    expect(await verify({ ...signed(), 'webhook-signature': both })).toMatchObject({ id: 'e1' });
  });

  it.each(['', 'whsec_', 'whsec_%%%'])('is not verified with the invalid secret "%s"', async (secret) => {
    await expect(verifyWebhook({ headers: signed(), body: BODY, secret, now: NOW })).rejects.toThrow(TypeError);
  });

  it.each<[string, Record<string, string>, string?]>([
    ['with the signature of another secret', signed(OTHER)],
    ['with a changed body', signed(), BODY.replace('e1', 'e2')],
    ['with a changed id', { ...signed(), 'webhook-id': 'e2' }],
    ['with a truncated signature', { ...signed(), 'webhook-signature': signed()['webhook-signature']!.slice(0, -4) }],
    ['with a signature that is not base64', { ...signed(), 'webhook-signature': 'v1,%%%' }],
    ['with another signature version', { ...signed(), 'webhook-signature': `v2,${'A'.repeat(44)}` }],
    ['without a signature', { 'webhook-id': 'e1', 'webhook-timestamp': String(NOW / 1000) }],
    ['from six minutes ago', signed(SECRET, NOW - 360_000)],
    ['from six minutes in the future', signed(SECRET, NOW + 360_000)],
    ['without a valid time', { ...signed(), 'webhook-timestamp': 'NaN' }],
  ])('%s is rejected', async (_what, headers, body = BODY) => {
    await expect(verify(headers, body)).rejects.toThrow(WebhookSignatureError);
  });

  it('may be as old as the receiver allows', async () => {
    const old = { headers: signed(SECRET, NOW - 3_600_000), body: BODY, secret: SECRET, now: NOW };
    expect(await verifyWebhook({ ...old, toleranceSeconds: 3_600 })).toMatchObject({ id: 'e1' });
  });
});
