import { OpsServerService } from '@platform/observability';
import { DeadJobQueue, QUEUE_NAMES, QueuesService } from '@platform/queues';
import { eventually, FaultProxy, redisUrl } from '@testing';
import { type Platform, startPlatform, startTestWorker } from '../harness';

const TOKEN = 'canary-queue-view-5e0c71a9';
const WRONG = 'canary-wrong-token-88d1f3b2';
const basic = (password: string, user = 'operator'): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

interface ShownQueue {
  name: string;
  readOnlyMode: boolean;
  counts: Record<string, number>;
  jobs: { id: string; data: unknown; failedReason?: string }[];
}

describe('the queue view', () => {
  let platform: Platform;
  let redis: FaultProxy;
  let url: string;

  beforeAll(async () => {
    redis = new FaultProxy(redisUrl());
    platform = await startPlatform({
      // Jobs in these queues stay there, since no worker consumes them.
      env: { QUEUE_VIEW_TOKEN: TOKEN, REDIS_URL: await redis.start(), WORKER_QUEUES: 'periodic' },
      worker: true,
    });
    url = `http://127.0.0.1:${await platform.worker!.get(OpsServerService).listen(0, '127.0.0.1')}`;
  });
  afterAll(async () => {
    await platform.worker!.get(OpsServerService).close();
    await platform.close();
    await redis.cut();
  });

  const ask = (path: string, init: RequestInit & { as?: string | null } = {}): Promise<Response> => {
    const { as = basic(TOKEN), headers, ...rest } = init;
    return fetch(url + path, {
      redirect: 'manual',
      ...rest,
      headers: { ...(headers as Record<string, string>), ...(as === null ? {} : { authorization: as }) },
    });
  };
  const shown = async (query = ''): Promise<ShownQueue[]> => {
    const response = await ask(`/queues/api/queues${query}`);
    expect(response.status).toBe(200);
    return ((await response.json()) as { queues: ShownQueue[] }).queues;
  };

  describe('without the token', () => {
    it.each([
      '/queues',
      '/queues/',
      '/queues/api/queues',
      '/queues/static/favicon.ico',
      '/queues/dead-jobs',
      '/queues/x',
    ])('answers 401 to %s and requests the token', async (path) => {
      for (const as of [null, basic(WRONG), basic(''), `Bearer ${WRONG}`]) {
        const response = await ask(path, { as });
        expect([response.status, response.headers.get('www-authenticate')]).toEqual([
          401,
          'Basic realm="Queues", charset="UTF-8"',
        ]);
        expect(response.headers.get('cache-control')).toMatch(/no-store|no-cache/);
      }
    });

    it('ignores a token in the address', async () => {
      for (const path of [`/queues/?token=${TOKEN}`, `/queues/api/queues?access_token=${TOKEN}`]) {
        expect((await ask(path, { as: null })).status).toBe(401);
      }
    });

    it('still serves health and metrics', async () => {
      for (const path of ['/health/live', '/health/ready', '/metrics']) {
        expect((await ask(path, { as: null })).status).toBe(200);
      }
    });
  });

  it('is a page with all its resources, and a content policy that blocks everything else', async () => {
    expect((await ask('/queues')).headers.get('location')).toBe('/queues/');
    const page = await ask('/queues/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'.*frame-ancestors 'none'/,
    );
    expect(page.headers.get('x-powered-by')).toBeNull();
    const html = await page.text();
    expect(html).toContain('<base href="/queues/"');
    const assets = [...html.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets.length).toBeGreaterThan(4);
    for (const path of assets)
      expect({ path, status: (await ask(`/queues/${path}`)).status }).toEqual({ path, status: 200 });
    expect((await ask('/queues/queue/lead-import')).status).toBe(200);
    expect((await ask('/queues/nothing/here')).status).toBe(404);
  });

  it('accepts the token as Bearer too, for programs', async () => {
    expect((await ask('/queues/api/queues', { as: `Bearer ${TOKEN}` })).status).toBe(200);
  });

  it('shows every queue and its jobs', async () => {
    const queue = platform.worker!.get(QueuesService).get('lead-import');
    await queue.add('lead-import', { importId: 'i-1', workspaceId: 'w-1' }, { jobId: 'seen-1' });
    const all = await shown('?activeQueue=lead-import');
    expect(all.map(({ name }) => name).toSorted()).toEqual([...QUEUE_NAMES].toSorted());
    expect(all.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
    const imports = all.find(({ name }) => name === 'lead-import');
    expect(imports?.counts['waiting']).toBe(1);
    expect(imports?.jobs).toMatchObject([{ id: 'seen-1', data: { importId: 'i-1', workspaceId: 'w-1' } }]);
  });

  it('masks texts that look like secrets, at any place', async () => {
    const secret = 'sk_user_0123456789abcdef0123456789abcdef';
    await platform
      .worker!.get(QueuesService)
      .get('mail-intake')
      .add('mail-intake', { note: `refused ${secret}` });
    await platform.worker!.get(DeadJobQueue).record({
      queue: 'mail-intake',
      jobId: 'dead-1',
      payload: { leadId: 'l-1' },
      attempts: 3,
      error: { code: 'INTERNAL_ERROR', message: `refused ${secret}` },
    });
    const texts = [
      await (await ask('/queues/api/queues?activeQueue=mail-intake')).text(),
      await (await ask('/queues/dead-jobs')).text(),
    ];
    for (const text of texts) {
      expect(text).toContain('refused sk_user_[redacted]');
      expect(text).not.toContain(secret);
    }
    expect(JSON.parse(texts[1]!)).toMatchObject([
      { queue: 'mail-intake', jobId: 'dead-1', payload: { leadId: 'l-1' } },
    ]);
  });

  it.each([
    ['PUT', '/queues/api/queues/lead-import/obliterate'],
    ['PUT', '/queues/api/queues/lead-import/seen-1/clean'],
    ['PUT', '/queues/api/queues/pause'],
    ['POST', '/queues/api/queues/lead-import/add'],
    ['PATCH', '/queues/api/queues/lead-import/seen-1/update-data'],
    ['DELETE', '/queues/'],
    ['OPTIONS', '/queues/'],
  ])('is read-only: %s %s', async (method, path) => {
    const before = await shown();
    const response = await ask(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await shown()).map(({ name, counts }) => [name, counts])).toEqual(
      before.map(({ name, counts }) => [name, counts]),
    );
  });

  it.each([
    '/queues/static/../../../package.json',
    '/queues/static/%2e%2e/%2e%2e/package.json',
    '/queues/..%2f..%2fetc/passwd',
  ])('serves no other file: %s', async (path) => {
    const response = await ask(path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toContain('"dependencies"');
  });

  it('reports an unavailable Redis, and recovers', async () => {
    await redis.cut();
    try {
      const response = await ask('/queues/api/queues');
      expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('INTERNAL_SERVER_ERROR')]);
      expect((await ask('/queues/')).status).toBe(200);
    } finally {
      await redis.restore();
    }
    await eventually('the queues are shown again', async () => (await ask('/queues/api/queues')).status === 200);
  });

  it('does not exist without a configured token', async () => {
    const worker = await startTestWorker(platform, { consuming: false, env: { QUEUE_VIEW_TOKEN: '' } });
    const ops = worker.get(OpsServerService);
    const other = `http://127.0.0.1:${await ops.listen(0, '127.0.0.1')}`;
    for (const path of ['/queues', '/queues/', '/queues/api/queues']) {
      expect((await fetch(other + path, { headers: { authorization: basic('') } })).status).toBe(404);
    }
    await ops.close();
    await worker.close();
  });

  it('keeps both the right token and wrong ones out of the log, but logs each attempt', () => {
    const log = platform.logged();
    for (const secret of [TOKEN, WRONG, basic(TOKEN), basic(WRONG)])
      expect(log).not.toContain(secret.replace('Basic ', ''));
    expect(log).toContain('The queue view was requested with a wrong token');
  });
});
