import { Webhook } from 'standardwebhooks';
import type { Call } from './demo.campaign.mts';
import { DemoReceiver } from './demo.webhook.mts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('the receiver of the demo', () => {
  let receiver: DemoReceiver;
  beforeEach(async () => {
    receiver = await DemoReceiver.start();
  });
  afterEach(() => receiver.close());

  /** An API that has these webhooks; what it was asked is kept. */
  function api(...hooks: { _id: string; name: string }[]): { call: Call; asked: unknown[][] } {
    const asked: unknown[][] = [];
    const call = ((...request: unknown[]) => {
      asked.push(request);
      return Promise.resolve(request[0] === 'GET' ? hooks : { secret: SECRET });
    }) as Call;
    return { call, asked };
  }

  async function told(id: string, secret = SECRET): Promise<number> {
    const [at, body] = [new Date(), JSON.stringify({ id })];
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
  }

  it('makes a webhook that leads to it, or lets that of an earlier start lead to it', async () => {
    const [first, second] = [api(), api({ _id: 'w', name: 'Demo receiver' })];
    await receiver.subscribe(first.call);
    expect(first.asked[1]).toMatchObject(['POST', '/webhooks', { url: receiver.url }]);
    await receiver.subscribe(second.call);
    expect(second.asked[1]).toEqual(['PATCH', '/webhooks/w', { url: receiver.url, status: 'active' }]);
  });

  it('counts each message once, and only what is signed', async () => {
    expect(await told('early')).toBe(503);
    await receiver.subscribe(api().call);
    expect([await told('a'), await told('a'), await told('b')]).toEqual([204, 204, 204]);
    expect(await told('c', `whsec_${Buffer.alloc(32, 8).toString('base64')}`)).toBe(401);
    expect([receiver.messages, receiver.refused]).toEqual([2, 1]);
  });
});
