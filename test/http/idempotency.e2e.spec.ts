import { getConnectionToken } from '@nestjs/mongoose';
import { SecretBoxService } from '@platform/secrets';
import { type Connection } from 'mongoose';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';

const HOUR = 3_600_000;

describe('Idempotency-Key', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    platform.clock.reset();
    workspace = await platform.seed.workspace();
  });

  const create = (idempotencyKey: string, body: object = { name: 'Second' }, apiKey = workspace.owner.key) =>
    platform.api.as(apiKey).post('/v1/workspaces').set('Idempotency-Key', idempotencyKey).send(body);
  const createKey = (idempotencyKey: string, name = 'Robot') =>
    platform.api.as(workspace.key).post('/v1/api-keys').set('Idempotency-Key', idempotencyKey).send({ name });
  const records = () =>
    platform.app.get<Connection>(getConnectionToken()).collection<{ _id: string }>('idempotency_keys');

  async function workspacesOwned(): Promise<number> {
    const { body } = await platform.api.as(workspace.owner.key).get('/v1/workspaces');
    return (body as { pagination: { total: number } }).pagination.total;
  }

  it('replays the first response, and does nothing twice', async () => {
    const first = await create('once');
    const second = await create('once');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await workspacesOwned()).toBe(2);
  });

  it('refuses another body with 422', async () => {
    await create('reused');
    expectFormB(await create('reused', { name: 'Other' }), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await workspacesOwned()).toBe(2);
  });

  it('lets one of many parallel requests through; the others get 409 or its response', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('parallel')));
    const created = answers.filter(
      ({ status, headers }) => status === 201 && headers['idempotent-replayed'] === undefined,
    );
    expect(created).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 409) expectFormB(answer, 409, 'IDEMPOTENCY_CONFLICT');
      else expect(answer.body).toEqual(created[0]!.body);
    }
    expect(await workspacesOwned()).toBe(2);
  });

  it('identifies a request only together with key, path and workspace', async () => {
    const other = await platform.seed.workspace();
    const mine = await create('shared');
    const theirs = await create('shared', { name: 'Second' }, other.owner.key);
    expect(theirs.status).toBe(201);
    expect(theirs.body).not.toEqual(mine.body);
    expect((await createKey('shared', 'Second')).status).toBe(201);
  });

  it.each(['/v1/workspaces/', '/v1/WORKSPACES', '/v1/workspaces?x=1'])(
    'identifies the same request in the form %s',
    async (path) => {
      const first = await create('spelled');
      const other = await platform.api
        .as(workspace.owner.key)
        .post(path)
        .set('Idempotency-Key', 'spelled')
        .send({ name: 'Second' });
      expect(other.body).toEqual(first.body);
      expect(await workspacesOwned()).toBe(2);
    },
  );

  it('replays a refusal too', async () => {
    const accept = () =>
      platform.api
        .as(workspace.owner.key)
        .post('/v1/invitations/accept')
        .set('Idempotency-Key', 'refused')
        .send({ token: 'inv_none' });
    const first = await accept();
    const second = await accept();
    expect(first.status).toBe(404);
    expect({ status: second.status, body: second.body as unknown }).toEqual({
      status: 404,
      body: first.body as unknown,
    });
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('forgets an invalid request, so that it can be corrected', async () => {
    expectFormB(await create('corrected', { name: '' }), 400, 'VALIDATION_ERROR', 'name');
    expect((await create('corrected', { name: 'Right' })).status).toBe(201);
  });

  it('forgets a request after 24 hours', async () => {
    const first = await create('daily');
    platform.clock.advance(24 * HOUR - 60_000);
    expect((await create('daily')).body).toEqual(first.body);
    platform.clock.advance(120_000);
    const later = await create('daily');
    expect(later.status).toBe(201);
    expect(later.body).not.toEqual(first.body);
  });

  it.each(['', ' ', 'with space', 'ümlaut', 'x'.repeat(256)])('refuses the key %j', async (idempotencyKey) => {
    const header = Buffer.from(idempotencyKey, 'utf8').toString('latin1');
    expectFormB(await create(header), 400, 'VALIDATION_ERROR', 'Idempotency-Key');
  });

  it('is read only after authentication and authorisation', async () => {
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    const response = await platform.api
      .as(readOnly)
      .post('/v1/api-keys')
      .set('Idempotency-Key', 'denied')
      .send({ name: 'x' });
    expect(response.status).toBe(403);
    expect(await records().countDocuments({ state: 'running' })).toBe(0);
  });

  it('stores a response with a secret only encrypted', async () => {
    const created = await createKey('secret');
    const { key } = (created.body as { data: { key: string } }).data;
    const stored = JSON.stringify(await records().find().toArray());
    expect(key).toMatch(/^sk_/);
    expect(stored).not.toContain(key);
    expect((await createKey('secret')).body).toEqual(created.body);
  });

  describe('after a crash', () => {
    /** The record of a request whose process crashed at this point. */
    async function leftBehind(idempotencyKey: string, state: 'running' | 'committed'): Promise<void> {
      await create(idempotencyKey);
      await records().updateMany({ state: 'answered' }, { $set: { state, sealedBody: null, status: null } });
    }

    it('answers 409 while the first request may still be running', async () => {
      await leftBehind('crash-1', 'running');
      expectFormB(await create('crash-1'), 409, 'IDEMPOTENCY_CONFLICT');
    });

    it('repeats a request that had changed nothing', async () => {
      await leftBehind('crash-2', 'running');
      platform.clock.advance(61_000);
      const again = await create('crash-2');
      expect(again.status).toBe(201);
      expect(again.headers['idempotent-replayed']).toBeUndefined();
    });

    it('never repeats a request that had changed data', async () => {
      await leftBehind('crash-3', 'committed');
      platform.clock.advance(61_000);
      expectFormB(await create('crash-3'), 409, 'IDEMPOTENCY_CONFLICT');
      expect(await workspacesOwned()).toBe(2);
    });

    it('marks the change as carried out in the transaction of the change', async () => {
      const seal = jest.spyOn(platform.app.get(SecretBoxService), 'seal').mockImplementation(() => {
        throw new Error('the process crashed right after the commit');
      });
      expect((await create('crash-4')).status).toBe(500);
      seal.mockRestore();
      expect(await workspacesOwned()).toBe(2);
      platform.clock.advance(61_000);
      expectFormB(await create('crash-4'), 409, 'IDEMPOTENCY_CONFLICT');
      expect(await workspacesOwned()).toBe(2);
    });
  });
});
