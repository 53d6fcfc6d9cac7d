import { FakeClock } from '@testing';
import { KeyRing, TokenSignerService } from '@platform/secrets';
import { Types } from 'mongoose';
import { FakeToolDriver } from '../../../../adapters/enrichment/testing';
import { WorkImpossibleError } from '../../item-handlers/item-handler.errors';
import { CallbackTokenService } from '../callback/callback-token.service';
import { type EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { type EnrichmentToolsService } from '../settings/enrichment-tools.service';
import { type Round, EnrichmentRowPushService } from './enrichment-row-push.service';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);
const PERSON = { kind: 'person', email: 'ada@example.com', known: null } as const;
const item = (attempts = 0) => ({
  _id: new Types.ObjectId(),
  workspaceId: new Types.ObjectId(),
  jobId: new Types.ObjectId(),
  email: PERSON.email,
  leadId: null,
  attempts,
  createdAt: NOW,
});

describe('sending a row to a tool', () => {
  let tool: FakeToolDriver;
  let cooldowns: Date[];
  let rows: EnrichmentRowPushService;
  const tokens = new CallbackTokenService(
    new TokenSignerService(KeyRing.parse(`k1:${Buffer.alloc(32, 1).toString('base64')}`)),
    { publicUrl: 'https://outreach.example.com' } as never,
  );
  beforeEach(() => {
    tool = new FakeToolDriver();
    cooldowns = [];
    const clock = new FakeClock();
    clock.freeze(NOW);
    const tools = { startCooldown: (_tool: unknown, until: Date) => Promise.resolve(void cooldowns.push(until)) };
    rows = new EnrichmentRowPushService(tool, tools as unknown as EnrichmentToolsService, tokens, clock);
  });

  const round = (fields: Partial<Round> = {}): Round => ({
    tool: { waitHours: 24 } as EnrichmentToolRecord,
    table: { webhookUrl: 'https://tables.example/', authToken: null },
    expiresAt: inHours(168),
    signal: new AbortController().signal,
    cooldownUntil: null,
    stoppedBy: null,
    ...fields,
  });

  it.each([
    ['as long as the workspace waits', inHours(168), inHours(24)],
    ['no longer than the job lives', inHours(3), inHours(3)],
  ])('gives the tool a callback URL that is valid for %s', async (_what, expiresAt, until) => {
    const of = item();
    expect(await rows.handOver(of, PERSON, round({ expiresAt }))).toEqual({ kind: 'handed', until });
    const token = tool.rows[0]?.row['callbackUrl']?.split('/').at(-1) ?? '';
    expect(tokens.read(token, new Date(until.getTime() - 1))).toEqual({
      workspaceId: of.workspaceId.toHexString(),
      jobId: of.jobId.toHexString(),
      itemId: of._id.toHexString(),
    });
    expect(tokens.read(token, until)).toBeNull();
  });

  it.each([
    ['rate_limited', 60_000, 0, 60_000, true],
    ['rate_limited', undefined, 3, 5_000, true],
    ['timeout', undefined, 1, 120_000, true],
    ['unreachable', undefined, 0, 30_000, true],
    ['server', undefined, 2, 600_000, false],
  ] as const)('is retried after %s', async (fails, retryAfterMs, attempts, ms, restsAll) => {
    tool.next(retryAfterMs === undefined ? { fails } : { fails, retryAfterMs });
    const of = round();
    const at = new Date(NOW.getTime() + ms);
    const putBack = { kind: 'put_back', at };
    // A busy tool costs a row no attempt; a failure of the row does.
    expect(await rows.handOver(item(attempts), PERSON, of)).toEqual(
      fails === 'rate_limited' ? putBack : { kind: 'later', at, reason: 'tool_unavailable' },
    );
    expect(cooldowns).toEqual(restsAll ? [at] : []);
    const next = await rows.handOver(item(), PERSON, of);
    expect(next).toEqual(restsAll ? putBack : expect.objectContaining({ kind: 'handed' }));
    expect(tool.rows).toHaveLength(restsAll ? 0 : 1);
  });

  it('ends a refused row, and continues with others', async () => {
    tool.next({ fails: 'rejected' });
    const of = round();
    expect(await rows.handOver(item(), PERSON, of)).toEqual({ kind: 'failed', reason: 'row_refused' });
    expect(await rows.handOver(item(), PERSON, of)).toMatchObject({ kind: 'handed' });
  });

  it.each([
    ['credentials', 'The enrichment tool rejects the token'],
    ['no_table', 'The address of the enrichment tool accepts no rows'],
    ['quota', 'has reached its limit of rows'],
  ] as const)('stops for all rows after %s', async (fails, message) => {
    tool.next({ fails });
    const of = round();
    const failure = rows.handOver(item(), PERSON, of);
    await expect(failure).rejects.toBeInstanceOf(WorkImpossibleError);
    await expect(failure).rejects.toMatchObject({
      code: 'TOOL_NOT_USABLE',
      message: expect.stringContaining(message) as string,
    });
    await expect(rows.handOver(item(), PERSON, of)).rejects.toBe(of.stoppedBy);
    expect(tool.rows).toEqual([]);
  });

  it.each([{ kind: 'lead_gone' }, { kind: 'invalid_address' }] as const)('sends nothing for %j', async (person) => {
    expect(await rows.handOver(item(), person, round())).toEqual({ kind: 'failed', reason: person.kind });
    expect(tool.rows).toEqual([]);
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    tool.next('silence');
    const of = round({ signal: stop.signal });
    const waiting = rows.handOver(item(), PERSON, of);
    const reason = new Error('the worker is going');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(rows.handOver(item(), PERSON, of)).rejects.toBe(reason);
  });
});
