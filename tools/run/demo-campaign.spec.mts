import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutreach } from '../../clients/typescript/src/index.ts';
import { DEMO_LEADS, demoRequests, ensureDemoCampaign } from './demo-campaign.mts';

interface Stored {
  _id: string;
  name: string;
  status: string;
}

/** The part of the API that the demo uses; it records the changes. */
class SmallApi {
  readonly changes: { path: string; body: Record<string, unknown> }[] = [];
  campaigns: Stored[] = [];
  failing = '';
  #server: Server | undefined;

  async listen(): Promise<string> {
    const server = createServer((request, response) => {
      void this.#answer(request).then(({ status, data }) => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ success: status < 400, data, pagination: { nextCursor: null } }));
      });
    });
    this.#server = server;
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done));
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; data: unknown }> {
    const path = (request.url ?? '').replace(/^\/v1/, '').replace(/\?.*$/, '');
    if (request.headers['x-api-key'] !== 'sk_demo') return { status: 401, data: null };
    if (request.method === 'GET') return { status: 200, data: this.#read(path) };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    this.changes.push({ path, body });
    if (this.failing !== '' && path.endsWith(this.failing)) return { status: 503, data: null };
    return { status: 201, data: this.#change(path, body) };
  }

  #read(path: string): unknown {
    if (path === '/mailboxes') {
      return ['anna', 'ben', 'else'].map((name) => ({
        _id: `of-${name}`,
        email: `${name}@demo.test`,
        status: 'active',
      }));
    }
    return path === '/campaigns' ? this.campaigns : [{ _id: 'lead-1', email: 'x', status: 'active' }];
  }

  #change(path: string, { name }: Record<string, unknown>): unknown {
    if (path === '/campaigns') this.campaigns.push({ _id: 'campaign-1', name: String(name), status: 'draft' });
    const campaign = this.campaigns.find(({ _id }) => path.includes(_id)) ?? this.campaigns.at(-1);
    if (campaign && path.endsWith('/start')) campaign.status = 'active';
    return campaign;
  }
}

describe('the demo campaign', () => {
  const api = new SmallApi();
  const demo = { workspaceId: 'w', workspaceKey: 'sk_demo', userKey: 'sk_user' };
  let apiUrl: string;

  beforeAll(async () => {
    apiUrl = await api.listen();
  });
  beforeEach(() => {
    api.changes.length = 0;
    api.campaigns = [];
    api.failing = '';
  });
  afterAll(() => api.close());

  const ensure = () => {
    const outreach = createOutreach({ baseUrl: apiUrl, apiKey: demo.workspaceKey, retries: 0 });
    return ensureDemoCampaign(outreach, ['anna@demo.test', 'ben@demo.test']);
  };
  const paths = () => api.changes.map(({ path }) => path);
  const ALL = ['/campaigns', '/campaigns/campaign-1/leads', '/campaigns/campaign-1/start'];

  it('is created with the demo’s own mailboxes, filled and started', async () => {
    expect(await ensure()).toEqual({ campaignId: 'campaign-1', leadId: 'lead-1' });
    expect(paths()).toEqual(ALL);
    expect(api.changes[0]?.body).toMatchObject({
      name: 'Demo: a question',
      mailboxes: ['of-anna', 'of-ben'],
      trackOpens: true,
      trackClicks: true,
      sendingSchedule: { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] },
    });
    expect(api.changes[0]?.body['sequence']).toHaveLength(2);
    expect(api.changes[1]?.body['leads']).toHaveLength(16);
  });

  it('writes only to prospects of the sandbox, once to each', () => {
    expect(DEMO_LEADS.every(({ email }) => email.endsWith('@prospects.test'))).toBe(true);
    expect(new Set(DEMO_LEADS.map(({ email }) => email)).size).toBe(DEMO_LEADS.length);
  });

  it('is not changed by a second start, even while it is paused', async () => {
    await ensure();
    api.campaigns[0]!.status = 'paused';
    api.changes.length = 0;
    expect(await ensure()).toEqual({ campaignId: 'campaign-1', leadId: 'lead-1' });
    expect(paths()).toEqual([]);
  });

  it('is completed by the next start after an interruption', async () => {
    api.failing = '/start';
    await expect(ensure()).rejects.toThrow('the demo campaign could not be created');
    api.failing = '';
    api.changes.length = 0;
    await ensure();
    expect(paths()).toEqual(ALL.slice(1));
  });

  it('differs from a campaign whose name only begins like it', async () => {
    api.campaigns = [{ _id: 'other', name: 'Demo: a question of mine', status: 'active' }];
    expect(await ensure()).toMatchObject({ campaignId: 'campaign-1' });
  });

  it('is shown by requests for the campaign, its diagnostics and one of its leads', () => {
    expect(demoRequests('http://api', demo, { campaignId: 'c', leadId: 'l' })).toEqual([
      "curl -H 'X-Api-Key: sk_demo' -H 'Authorization: Bearer sk_demo' http://api/v1/campaigns/c",
      "curl -H 'X-Api-Key: sk_demo' http://api/v1/campaigns/c/diagnostics",
      "curl -H 'X-Api-Key: sk_demo' http://api/v1/campaigns/c/leads/l/explain",
    ]);
  });
});
