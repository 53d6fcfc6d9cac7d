import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookSignatureError } from './webhooks.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW = Date.parse('2026-11-22T10:00:00Z');
const BODY = JSON.stringify({ id: 'e1', type: 'email.sent', data: { subject: 'Grüße' } });

/** Signed by another implementation than ours. */
function signed(secret = SECRET, at = NOW): Record<string, string> {
  return {
    'webhook-id': 'e1',
    'webhook-timestamp': String(at / 1000),
    'webhook-signature': new Webhook(secret).sign('e1', new Date(at), BODY),
  };
}

const verify = (headers: Headers | Record<string, string>, body: string | Uint8Array = BODY) =>
  verifyWebhook({ headers, body, secret: SECRET, now: NOW });

describe('a message of a webhook', () => {
  it.each([
    ['text', BODY],
    ['bytes', new TextEncoder().encode(BODY)],
  ])('is read from %s when its signature is right', async (_kind, body) => {
    expect(await verify(signed(), body)).toEqual(JSON.parse(BODY));
    expect(await verify(new Headers(signed()), body)).toEqual(JSON.parse(BODY));
  });

  it('is believed by either of two signatures, as after a rotation', async () => {
    const both = `${signed(OTHER)['webhook-signature']} ${signed()['webhook-signature']}`;
    expect(await verify({ ...signed(), 'webhook-signature': both })).toMatchObject({ id: 'e1' });
  });

  it('is believed by the one that can be read', async () => {
    const both = `v1,%%% ${signed()['webhook-signature']}`;
    expect(await verify({ ...signed(), 'webhook-signature': both })).toMatchObject({ id: 'e1' });
  });

  it.each(['', 'whsec_', 'whsec_%%%'])(
    'is not judged by the secret "%s", which the receiver has got wrong',
    async (secret) => {
      await expect(verifyWebhook({ headers: signed(), body: BODY, secret, now: NOW })).rejects.toThrow(TypeError);
    },
  );

  it.each<[string, Record<string, string>, string?]>([
    ['that another secret signed', signed(OTHER)],
    ['that was changed on the way', signed(), BODY.replace('e1', 'e2')],
    ['whose id was changed', { ...signed(), 'webhook-id': 'e2' }],
    ['whose signature is cut off', { ...signed(), 'webhook-signature': signed()['webhook-signature']!.slice(0, -4) }],
    ['whose signature is no base64', { ...signed(), 'webhook-signature': 'v1,%%%' }],
    ['with a signature of another kind', { ...signed(), 'webhook-signature': `v2,${'A'.repeat(44)}` }],
    ['without a signature', { 'webhook-id': 'e1', 'webhook-timestamp': String(NOW / 1000) }],
    ['of six minutes ago', signed(SECRET, NOW - 360_000)],
    ['of six minutes from now', signed(SECRET, NOW + 360_000)],
    ['of no time', { ...signed(), 'webhook-timestamp': 'NaN' }],
  ])('%s is refused', async (_what, headers, body = BODY) => {
    await expect(verify(headers, body)).rejects.toThrow(WebhookSignatureError);
  });

  it('is as old as the receiver lets it be', async () => {
    const old = { headers: signed(SECRET, NOW - 3_600_000), body: BODY, secret: SECRET, now: NOW };
    expect(await verifyWebhook({ ...old, toleranceSeconds: 3_600 })).toMatchObject({ id: 'e1' });
  });
});
