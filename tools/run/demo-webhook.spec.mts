import { Webhook } from 'standardwebhooks';
import { createOutreach, type Outreach } from '../../clients/typescript/src/index.ts';
import { DemoReceiver } from './demo-webhook.mts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('the receiver of the demo', () => {
  let receiver: DemoReceiver;
  beforeEach(async () => {
    receiver = await DemoReceiver.start();
  });
  afterEach(() => receiver.close());

  /** An API with these webhooks; it records the requests. */
  function api(...hooks: { _id: string; name: string }[]): { outreach: Outreach; asked: unknown[][] } {
    const asked: unknown[][] = [];
    const pagination = { limit: 100, total: hooks.length, hasMore: false, nextCursor: null };
    const outreach = createOutreach({
      baseUrl: 'http://api',
      apiKey: 'sk_demo',
      fetch: async (url, { method, body }) => {
        asked.push([method, url, body ? (JSON.parse(body as string) as unknown) : null]);
        return Response.json(method === 'GET' ? { data: hooks, pagination } : { data: { secret: SECRET } });
      },
    });
    return { outreach, asked };
  }

  async function post(id: string, secret = SECRET): Promise<number> {
    const [at, body] = [new Date(), JSON.stringify({ id })];
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
  }

  it('creates a webhook with its address, or updates the one of an earlier start', async () => {
    const [first, second] = [api(), api({ _id: 'w', name: 'Demo receiver' })];
    await receiver.subscribe(first.outreach);
    expect(first.asked[1]).toMatchObject(['POST', 'http://api/v1/webhooks', { url: receiver.url }]);
    await receiver.subscribe(second.outreach);
    expect(second.asked[1]).toEqual(['PATCH', 'http://api/v1/webhooks/w', { url: receiver.url, status: 'active' }]);
  });

  it('counts each signed message once', async () => {
    expect(await post('early')).toBe(503);
    await receiver.subscribe(api().outreach);
    expect([await post('a'), await post('a'), await post('b')]).toEqual([204, 204, 204]);
    expect(await post('c', `whsec_${Buffer.alloc(32, 8).toString('base64')}`)).toBe(401);
    expect([receiver.messages, receiver.refused]).toEqual([2, 1]);
  });
});
