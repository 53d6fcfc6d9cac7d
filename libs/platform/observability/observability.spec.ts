import { runInContext, setContext } from './context';
import { HealthService } from './health.service';
import { LogService, rootLogger } from './log.service';
import { MetricsService } from './metrics.service';
import { OpsServerService } from './ops-server.service';
import { redact } from './redact';

function capture(): { log: LogService; lines: () => Record<string, unknown>[]; text: () => string } {
  let text = '';
  const log = new LogService(rootLogger({ level: 'debug', app: 'test', write: (line) => (text += line) }));
  return {
    log,
    text: () => text,
    lines: () =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('redact', () => {
  it.each([
    ['a platform key', `key sk_user_${'a1'.repeat(20)} used`],
    ['a workspace key', `{"x-api-key":"sk_${'b2'.repeat(20)}"}`],
    ['a webhook secret', `whsec_${'c3'.repeat(16)}=`],
    ['an invitation token', `inv_${'d4'.repeat(16)}`],
    ['a bearer header', 'authorization: Bearer canarycanarycanary'],
    ['a password in a URL', 'mongodb://user:canary-word@db:27017/outreach'],
    ['a password field', '{"password":"canary \\"quoted\\" word","user":"x"}'],
    ['a nested, escaped password field', '{"body":"{\\"smtpPassword\\":\\"canary\\"}"}'],
    ['an OAuth code in a query', '/callback?state=1&code=canarycode&x=1'],
    ['a refresh token', '{"refresh_token":"canary"}'],
    ['a key after an escaped line break', JSON.stringify({ msg: `bad key:\nsk_user_${'a1'.repeat(32)}` })],
    ['a key after an escaped tab', JSON.stringify({ msg: `\tinv_${'b2'.repeat(32)}` })],
    ['a key in an encoded URL', `GET /x?q=%20sk_${'c3'.repeat(32)}`],
    ['a password with a quote in it', JSON.stringify({ password: 'x"canary', other: 1 })],
    ['a password that begins with a quote', JSON.stringify({ password: '"canary' })],
    ['a password with a backslash and a quote', JSON.stringify({ password: 'x\\"canary\\' })],
    [
      'such a password in nested JSON',
      JSON.stringify({ body: JSON.stringify({ password: 'x"canary\n"', user: 'u' }) }),
    ],
    [
      'a nested password that begins with a quote',
      JSON.stringify({ body: JSON.stringify({ imapPassword: '"canary"' }) }),
    ],
    ['a private key', JSON.stringify({ privateKey: '-----BEGIN canary' })],
  ])('masks %s', (_name, line) => {
    const masked = redact(line);
    expect(masked).toContain('[redacted]');
    expect(masked).not.toMatch(/canary|(a1|b2|c3|d4){3}/);
  });

  it('keeps the text around a secret', () => {
    const line = JSON.stringify({
      body: JSON.stringify({ password: 'x"y', user: 'ada' }),
      password: 'a"b',
      route: '/v1',
    });
    const masked = JSON.parse(redact(line)) as { body: string; route: string };
    expect(masked.route).toBe('/v1');
    expect(JSON.parse(masked.body)).toEqual({ password: '[redacted]', user: 'ada' });
  });

  it('takes time proportional to the length of the line', () => {
    // A quadratic pattern would not end within the time limit of the test.
    for (const unit of ['a', 'a.b', 'sk_', '://', ':', '"password":"', '\\"', 'token=', 'Bearer ']) {
      expect(redact(unit.repeat(200_000 / unit.length)).length).toBeGreaterThan(0);
    }
  });

  it('leaves ordinary text unchanged', () => {
    const line = '{"level":"info","message":"The password was wrong","route":"/v1/workspaces/:id","tokenCount":5}';
    expect(redact(line)).toBe(line);
  });
});

describe('LogService', () => {
  it('writes JSON lines with the context of the request', () => {
    const { log, lines } = capture();
    runInContext({ requestId: 'r1' }, () => {
      setContext({ workspaceId: 'w1' });
      log.info('Hello', { count: 2 });
    });
    log.warn('Outside');
    expect(lines()).toEqual([
      expect.objectContaining({
        level: 'info',
        app: 'test',
        msg: 'Hello',
        count: 2,
        requestId: 'r1',
        workspaceId: 'w1',
      }),
      expect.not.objectContaining({ requestId: 'r1' }),
    ]);
  });

  it('keeps the causes of an error and masks their secrets', () => {
    const { log, lines, text } = capture();
    const cause = new Error('login failed for imap://me:canary-word@host');
    log.error('Sync failed', new Error('outer', { cause }));
    expect(lines()[0]).toMatchObject({
      err: { message: 'outer', cause: { message: expect.stringContaining('login failed') as unknown } },
    });
    expect(text()).not.toContain('canary');
  });
});

describe('HealthService', () => {
  const up = (name: string) => ({ name, essential: true, check: () => Promise.resolve({ latencyMs: 1 }) });
  const down = (name: string, essential: boolean) => ({
    name,
    essential,
    check: () => Promise.reject(new Error('secret-host refused')),
  });

  it.each([
    ['ready', [up('mongodb')]],
    ['degraded', [up('mongodb'), down('redis', false)]],
    ['unavailable', [down('mongodb', true), up('redis')]],
  ] as const)('is %s', async (status, checks) => {
    const health = new HealthService('1.2.3');
    for (const check of checks) health.register(check);
    const report = await health.report();
    expect(report.status).toBe(status);
    expect(report.versions).toEqual({
      app: '1.2.3',
      node: process.versions.node,
      timeZoneData: expect.stringMatching(/^20\d\d[a-z]/),
    });
    expect(JSON.stringify(report)).not.toContain('secret-host');
  });

  it('is not ready while the process stops', async () => {
    const health = new HealthService('1');
    health.register(up('mongodb'));
    health.stopping();
    expect((await health.report()).status).toBe('unavailable');
  });

  it('reports a check that does not answer as down', async () => {
    const health = new HealthService('1');
    health.register({ name: 'hung', essential: true, check: () => new Promise(() => {}) });
    expect((await health.report()).checks).toEqual({ hung: { status: 'down' } });
  });
});

describe('OpsServerService', () => {
  const metrics = new MetricsService();
  const health = new HealthService('1');
  const server = new OpsServerService(metrics, health);
  let url: string;

  beforeAll(async () => {
    url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  });
  afterAll(() => server.close());

  it.each([
    ['/health/live', 200, '{"status":"live"}'],
    ['/health/ready?x=1', 200, '"status":"ready"'],
    ['/metrics', 200, 'process_cpu_seconds_total'],
    ['/other', 404, 'not found'],
  ])('answers %s', async (path, status, text) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
  });

  it('passes a mounted path and its subpaths to their handler', async () => {
    server.mount('extra', (request, response) => void response.end(`extra ${request.url}`));
    for (const path of ['/extra', '/extra?x', '/extra/', '/extra/a/b?c=/metrics']) {
      expect(await (await fetch(url + path)).text()).toBe(`extra ${path}`);
    }
    for (const path of ['/extras', '/other/extra']) expect((await fetch(url + path)).status).toBe(404);
  });

  it('closes the connection when a handler fails, and still answers other requests', async () => {
    server.mount('broken', () => Promise.reject(new Error('no')));
    await expect(fetch(`${url}/broken/`)).rejects.toThrow('fetch failed');
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });

  it('reports 503 while the process stops', async () => {
    health.stopping();
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
  });
});
