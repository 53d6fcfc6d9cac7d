import { inspect } from 'node:util';
import { redact } from '@platform/observability';
import { OutboundHttpClient } from '@platform/outbound';
import { type EnrichmentRow, type EnrichmentTable } from '../port/enrichment-tool.port';
import { EnrichmentToolError } from '../port/enrichment-tool.errors';
import { REFUSALS, type Scripted, TableServer } from '../testing/table-server';
import { ClayToolDriver } from './clay-tool.driver';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const ROW: EnrichmentRow = { requestId: '1', email: 'canary-of-a-stranger@example.com' };

describe('a table with a webhook', () => {
  let server: TableServer;
  let http: OutboundHttpClient;
  let table: EnrichmentTable;
  beforeEach(async () => {
    server = await TableServer.start();
    http = new OutboundHttpClient({ allowPrivate: true });
    table = { webhookUrl: server.webhookUrl, authToken: server.token };
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const toolOf = (timeoutMs = 5_000, outbound = http) => new ClayToolDriver(outbound, { timeoutMs }, () => NOW);
  const errorOf = (row = ROW, to = table, tool = toolOf()) =>
    tool.addRow(to, row).then(
      () => {
        throw new Error('taken');
      },
      (error: unknown) => error as EnrichmentToolError,
    );

  it('receives the token only where it requires one', async () => {
    await toolOf().addRow(table, ROW);
    const open = await TableServer.start('');
    try {
      await toolOf().addRow({ webhookUrl: open.webhookUrl, authToken: null }, ROW);
      expect([...server.tokens, ...open.tokens]).toEqual([server.token, undefined]);
      expect(open.rows).toEqual([ROW]);
    } finally {
      await open.close();
    }
  });

  it('refuses a wrong token and an address that is no webhook', async () => {
    expect(await errorOf(ROW, { ...table, authToken: 'wrong' })).toMatchObject({ reason: 'credentials' });
    expect(await errorOf(ROW, { ...table, webhookUrl: `${server.webhookUrl}-other` })).toMatchObject({
      reason: 'no_table',
    });
    expect(server.rows).toEqual([]);
  });

  it.each([
    ['403', { status: 403 }, 'credentials'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'no_table'],
    ['405', { status: 405 }, 'no_table'],
    ['410', { status: 410 }, 'no_table'],
    ['400', { status: 400 }, 'rejected'],
    ['413', { status: 413 }, 'rejected'],
    ['408', { status: 408 }, 'server'],
    ['500', { status: 500 }, 'server'],
    ['a connection that is cut before the answer', 'cut', 'unreachable'],
  ] satisfies [string, Scripted, string][])('classifies %s', async (_name, scripted, reason) => {
    server.next(scripted);
    expect(await errorOf()).toMatchObject({ reason });
    expect(server.rows).toEqual([]);
  });

  it.each([
    ['12', 12_000],
    ['Wed, 25 Nov 2026 12:01:00 GMT', 60_000],
    ['Wed, 25 Nov 2026 11:00:00 GMT', 0],
    ['999999', 3_600_000],
    ['soon', null],
  ])('reads Retry-After: %s', async (value, retryAfterMs) => {
    server.next({ ...REFUSALS.rate_limited, headers: { 'retry-after': value } });
    expect(await errorOf()).toMatchObject({ reason: 'rate_limited', retryAfterMs });
  });

  it('counts the row as added after a success status, even if the body never arrives', async () => {
    server.next({ status: 200, body: '{"succ', isCut: true });
    await toolOf().addRow(table, ROW);
    expect(server.rows).toEqual([ROW]);
  });

  it('reports a lost response as retryable', async () => {
    server.next('kept but cut');
    expect(await errorOf()).toMatchObject({ reason: 'unreachable', failure: 'temporary' });
    expect(server.rows).toEqual([ROW]);
  });

  it('times out', async () => {
    server.next('silence');
    expect(await errorOf(ROW, table, toolOf(100))).toMatchObject({ reason: 'timeout', failure: 'temporary' });
  });

  it('receives no row above its maximum size', async () => {
    expect(await errorOf({ ...ROW, note: 'ü'.repeat(50_000) })).toMatchObject({ reason: 'rejected' });
    await toolOf().addRow(table, { note: 'x'.repeat(99_000) });
    expect(server.tokens).toHaveLength(1);
  });

  it('is not contacted at forbidden addresses', async () => {
    const guarded = new OutboundHttpClient({ allowPrivate: false });
    try {
      const error = await errorOf(ROW, table, toolOf(5_000, guarded));
      expect(error).toMatchObject({ reason: 'no_table', failure: 'needs-human' });
      expect(await errorOf(ROW, { ...table, webhookUrl: 'file:///etc/passwd' })).toMatchObject({ reason: 'no_table' });
      expect(server.tokens).toEqual([]);
    } finally {
      await guarded.onModuleDestroy();
    }
  });

  it('keeps the path, the token, the row and the server’s text out of errors', async () => {
    const scripted: Scripted[] = [...Object.values(REFUSALS), 'cut'];
    for (const answer of scripted) {
      server.next(answer);
      const error = await errorOf();
      expect(error).toBeInstanceOf(EnrichmentToolError);
      expect(redact(inspect(error, { depth: 10 })) + JSON.stringify(error)).not.toContain('canary');
    }
    server.next('silence');
    expect(inspect(await errorOf(ROW, table, toolOf(50)), { depth: 10 })).not.toContain('canary');
  });
});
