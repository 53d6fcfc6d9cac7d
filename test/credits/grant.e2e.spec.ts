import { randomUUID } from 'node:crypto';
import { type Response } from 'supertest';
import {
  expectFormA,
  expectFormB,
  inEachRow,
  type Person,
  type Platform,
  type SeededWorkspace,
  sharedPlatform,
} from '../harness';

const PATH = '/v1/credits/grant';
const GRANT = { amount: 100, reason: 'Paid invoice 7' };

describe('POST /v1/credits/grant', () => {
  let platform: Platform;
  let operator: Person;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    operator = await platform.seed.person({ operator: true });
  });
  afterAll(() => platform.close());

  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });

  const grant = (body: object, headers: Record<string, string> = {}) =>
    platform.api.as(operator.key).in(workspace.workspaceId).with(headers).post(PATH).send(body);
  const balance = async () => {
    const response = await platform.api.as(workspace.key).get('/v1/credits/balance').expect(200);
    return (response.body as { data: { balance: number } }).data.balance;
  };
  const audited = async () => {
    const response = await platform.api.as(workspace.key).get('/v1/audit?action=credits.granted').expect(200);
    return (response.body as { data: { actor: object; target: object; changes: object; requestId: string }[] }).data;
  };
  const entry = (response: Response) => (response.body as { data: { _id: string; operation: string } }).data;

  it('answers 201 with the entry, adds the credits, and records the request in the audit log', async () => {
    const response = await grant({ ...GRANT, operation: 'invoice:7' }).expect(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        operation: 'invoice:7',
        kind: 'grant',
        amount: 100,
        balanceAfter: 100,
        reason: 'Paid invoice 7',
        actor: { kind: 'operator', userId: operator.userId, keyId: expect.any(String) as string },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      },
    });
    expect(await balance()).toBe(100);
    expect(await audited()).toEqual([
      expect.objectContaining({
        actor: { kind: 'operator', userId: operator.userId, keyId: expect.any(String) as string },
        target: { type: 'credit_entry', id: entry(response)._id },
        changes: { balance: { from: 0, to: 100 } },
        requestId: response.headers['x-request-id'],
      }),
    ]);
  });

  it('grants once per operation, repeats the answer, and refuses the same operation with another amount or reason', async () => {
    const first = await grant({ ...GRANT, operation: 'invoice:7' }).expect(201);
    const again = await grant({ ...GRANT, operation: 'invoice:7' }).expect(201);
    expect(again.body).toEqual(first.body);
    // Another amount or reason is refused.
    expectFormB(await grant({ ...GRANT, amount: 101, operation: 'invoice:7' }), 409, 'CONFLICT');
    expectFormB(await grant({ ...GRANT, reason: 'Gift', operation: 'invoice:7' }), 409, 'CONFLICT');
    expect(await balance()).toBe(100);
    expect(await audited()).toHaveLength(1);
  });

  it('grants each time without an operation, needs no membership, and applies only to the workspace of the header', async () => {
    const other = await platform.seed.workspace();
    const first = await grant(GRANT).expect(201);
    const second = await grant(GRANT).expect(201);
    expect(entry(second).operation).not.toBe(entry(first).operation);
    const response = await platform.api.as(other.key).get('/v1/credits/balance').expect(200);
    expect(response.body).toMatchObject({ data: { balance: 0 } });
    expect(await balance()).toBe(200);
  });

  it('replays the first answer for the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await grant(GRANT, headers).expect(201);
    const again = await grant(GRANT, headers).expect(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expectFormB(await grant({ ...GRANT, amount: 1 }, headers), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await balance()).toBe(100);
  });

  it('grants once when the same request arrives many times in parallel', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const responses = await Promise.all(Array.from({ length: 6 }, () => grant(GRANT, headers)));
    expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await balance()).toBe(100);
    expect(await audited()).toHaveLength(1);
  });

  it('refuses invalid or unknown input and names the field', async () => {
    const cases: readonly (readonly [string, object])[] = [
      ['amount', { amount: 0 }],
      ['amount', { amount: -5 }],
      ['amount', { amount: 1.5 }],
      ['amount', { amount: 1_000_000_001 }],
      ['amount', { amount: '100' }],
      ['amount', { amount: null }],
      ['amount', { amount: undefined }],
      ['amount', { amount: { $gt: 0 } }],
      ['reason', { reason: '' }],
      ['reason', { reason: '   ' }],
      ['reason', { reason: 'x'.repeat(501) }],
      ['reason', { reason: 7 }],
      ['reason', { reason: undefined }],
      ['operation', { operation: '' }],
      ['operation', { operation: 'x'.repeat(201) }],
      ['operation', { operation: { $ne: null } }],
      ['operation', { operation: null }],
      ['workspaceId', { workspaceId: 'x' }],
      ['balance', { balance: 5 }],
    ];
    await inEachRow(cases, async ([field, wrong]) =>
      expectFormB(await grant({ ...GRANT, ...wrong }), 400, 'VALIDATION_ERROR', field),
    );
    expect(await balance()).toBe(0);
  });

  it('refuses an operator who names no existing workspace', async () => {
    const post = (workspaceId: string) => platform.api.as(operator.key).in(workspaceId).post(PATH).send(GRANT);
    expectFormA(await post('0'.repeat(24)), 403);
    expectFormA(await post('nonsense'), 403);
  });

  it('accepts operators only: no owners, workspace keys, limited keys or requests without a key', async () => {
    const limited = await platform.seed.userKey(operator.userId, { scopes: ['read', 'write'] });
    for (const key of [workspace.owner.key, workspace.key, limited]) {
      expectFormA(await platform.api.as(key).in(workspace.workspaceId).post(PATH).send(GRANT), 403);
    }
    expectFormA(await platform.api.in(workspace.workspaceId).post(PATH).send(GRANT), 401);
    expect(await balance()).toBe(0);
  });
});
