import { CreditsService } from '@domain/credits';
import { getConnectionToken } from '@nestjs/mongoose';
import { OpsServerService } from '@platform/observability';
import { DeadJobQueue, RedisClient } from '@platform/queues';
import { DEEP, eventually, redisUrl } from '@testing';
import { type Connection, mongo } from 'mongoose';
import { type Response } from 'supertest';
import { type Platform, startPlatform } from '../harness';
import { PlatformProcess } from '../faults/processes';
import { CrmVendors } from '../integrations/crms';
import { connecting, seededMailbox } from '../mailboxes/sandbox';
import { happened } from '../webhooks/webhook-records';
import { subscribing } from '../webhooks/webhooks';
import { leaked } from './content';
import { createIsolationFixture, type IsolationFixture } from './isolation-fixture';

/** Passwords in the connection strings of the platform under test. */
const REDIS_PASSWORD = 'canary-redis-7f3a91c5';
const MONGODB_PASSWORD = 'canary-mongodb-2b8e64d0';
const CLIENT_SECRET = 'canary-client-08d3b7f1';
/** Passwords of mailboxes: a stored one that the servers reject, and others that are never stored. */
const STORED_PASSWORD = 'canary-stored-91d2f70a';
const TRIED_PASSWORDS = ['canary-smtp-5c07b3e8', 'canary-imap-e14a96d2'] as const;

interface Answer {
  data: { _id: string; key: string; token: string; secret: string };
}

describe('a secret, after it was shown once', () => {
  let platform: Platform;
  let vendors: CrmVendors;
  let fixture: IsolationFixture;
  /** Every secret that was shown once, and those of the configuration. */
  let secrets: string[];
  /** Bodies of refusals and errors. */
  const refusals: string[] = [];
  /** A mailbox whose stored password is rejected. */
  let mailboxId: string;
  let webhookId: string;

  beforeAll(async () => {
    // A Redis without a password accepts any for its default user.
    const redis = new URL(redisUrl());
    redis.username = 'default';
    redis.password = REDIS_PASSWORD;
    vendors = await CrmVendors.start();
    platform = await startPlatform({
      worker: true,
      env: {
        ...vendors.env,
        REDIS_URL: redis.toString(),
        WORKSPACE_RETENTION_DAYS: '0',
        GOOGLE_CLIENT_ID: 'client-1',
        GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      },
    });
    fixture = await createIsolationFixture(platform);
    const ofInstallation = platform.config.secretKeys.split(',').map((pair) => pair.split(':')[1]!);
    secrets = [...fixture.secrets, ...ofInstallation, REDIS_PASSWORD, CLIENT_SECRET, ...(await livedThrough())];
    expect(new Set(secrets).size).toBe(secrets.length);
    await misused();
    await platform.drain();
  });
  afterAll(async () => {
    await platform.close();
    await vendors.close();
  });

  /** Creates keys and tokens in every way, and does the work that follows. */
  async function livedThrough(): Promise<string[]> {
    const api = platform.api.as(fixture.owner.key).in(fixture.workspaceId);
    const shown: string[] = [];
    const show = async (request: Promise<Response>): Promise<Answer['data']> => {
      const { data } = (await request).body as Answer;
      shown.push(...[data.key, data.token, data.secret].filter((secret) => typeof secret === 'string'));
      return data;
    };
    const post = (path: string, body: object, idempotencyKey: string) =>
      api
        .post(path)
        .set('Idempotency-Key', idempotencyKey)
        .send(body)
        .then((response) => response);
    const created = await show(post('/v1/api-keys', { name: 'Canary' }, 'canary-key'));
    await show(post(`/v1/api-keys/${created._id}/rotate`, { overlapMinutes: 5 }, 'canary-rotation'));
    const own = await show(post('/v1/api-keys', { name: 'Own', kind: 'user' }, 'canary-own'));
    await show(post(`/v1/api-keys/${own._id}/rotate`, {}, 'canary-own-rotation'));
    const webhook = await show(post('/v1/webhooks', subscribing(), 'canary-webhook'));
    webhookId = webhook._id;
    await show(post(`/v1/webhooks/${webhook._id}/rotate-secret`, {}, 'canary-webhook-rotation'));
    await post(`/v1/webhooks/${webhook._id}/test`, {}, 'canary-webhook-test');
    await happened(platform, fixture);
    const email = 'canary@example.com';
    const { token } = await show(post(`/v1/workspaces/${fixture.workspaceId}/members`, { email }, 'canary-invitation'));
    // The same responses again, from the stored ones.
    const again = await post('/v1/api-keys', { name: 'Canary' }, 'canary-key');
    expect([again.headers['idempotent-replayed'], (again.body as Answer).data.key]).toEqual(['true', shown[0]]);
    const accept = () =>
      platform.api
        .post('/v1/invitations/accept')
        .set('Idempotency-Key', 'canary-acceptance')
        .send({ token, name: 'Canary' })
        .then((response) => response);
    await show(accept());
    await accept();
    const doomed = await platform.seed.workspace();
    await platform.api.as(doomed.owner.key).delete(`/v1/workspaces/${doomed.workspaceId}`).expect(200);
    mailboxId = await mailboxesLivedThrough();
    return [...shown, doomed.key, doomed.owner.key, STORED_PASSWORD, ...TRIED_PASSWORDS];
  }

  /** Creates a mailbox whose servers reject its stored and new passwords, and one that is refused from the start. */
  async function mailboxesLivedThrough(): Promise<string> {
    const api = platform.api.as(fixture.owner.key).in(fixture.workspaceId);
    const { _id } = await seededMailbox(platform, fixture.workspaceId, STORED_PASSWORD);
    const path = `/v1/mailboxes/${_id}`;
    const [smtpPassword, imapPassword] = TRIED_PASSWORDS;
    const tested = await api.post(`${path}/test`).set('Idempotency-Key', 'canary-test').send({}).expect(200);
    expect(tested.text).toContain('"stage":"login"');
    refusals.push(
      tested.text,
      (await api.post('/v1/mailboxes').send(connecting({ smtpPassword, imapPassword })).expect(422)).text,
      (await api.patch(path).send({ smtpPassword }).expect(422)).text,
      (
        await api
          .patch(path)
          .send({ imapPassword, smtpUsername: [smtpPassword] })
          .expect(400)
      ).text,
      (await api.patch(path).send({ smtpHost: 'elsewhere.test' }).expect(400)).text,
    );
    return _id;
  }

  /** Sends secrets in wrong places, and causes errors whose cause repeats them. */
  async function misused(): Promise<void> {
    const api = platform.api.as(fixture.owner.key).in(fixture.workspaceId);
    const note = async (request: Promise<Response>): Promise<void> => {
      const { status, text } = await request;
      expect(status).toBeGreaterThanOrEqual(400);
      refusals.push(text);
    };
    const { owner, key } = fixture;
    const token = secrets.find((secret) => secret.startsWith('inv_'))!;
    for (const secret of [owner.key, key, token]) {
      await note(api.get(`/v1/workspaces/${secret}`).then((r) => r));
      await note(api.delete(`/v1/api-keys/${secret}`).then((r) => r));
      await note(api.get(`/v1/audit?cursor=${secret}`).then((r) => r));
      await note(api.get(`/v1/audit?limit=${secret}`).then((r) => r));
      await note(api.get(`/v1/audit?action=${secret}`).then((r) => r));
      await note(api.get(`/v1/nothing/${secret}?key=${secret}`).then((r) => r));
      await note(
        api
          .post('/v1/workspaces')
          .send({ name: [secret] })
          .then((r) => r),
      );
      await note(
        api
          .post('/v1/api-keys')
          .send({ name: 'x', kind: secret })
          .then((r) => r),
      );
      await note(
        api
          .post('/v1/workspaces')
          .set('Content-Type', 'application/json')
          .send(`{"name":"${secret}`)
          .then((r) => r),
      );
      await note(
        api
          .get('/v1/audit')
          .set('X-Workspace-Id', secret)
          .then((r) => r),
      );
      await note(
        platform.api
          .as(`${secret}0`)
          .get('/v1/audit')
          .set('X-Request-Id', secret)
          .then((r) => r),
      );
      await note(
        platform.api
          .get('/v1/audit')
          .set('Authorization', `Bearer ${secret}`)
          .then((r) => r),
      );
      await note(
        platform.api
          .post('/v1/invitations/accept')
          .send({ token: `${secret}0`, name: 'x' })
          .then((r) => r),
      );
    }
    const cause = new Error(`connect mongodb://root:${MONGODB_PASSWORD}@db:27017/x?k=${owner.key} with ${token}`);
    const broken = jest.spyOn(platform.app.get(CreditsService, { strict: false }), 'balance').mockRejectedValue(cause);
    await note(api.get('/v1/credits/balance').then((r) => r));
    broken.mockRestore();
    await platform.app.get(DeadJobQueue).record({
      queue: 'periodic',
      jobId: 'canary',
      payload: {},
      attempts: 1,
      error: { code: 'X', message: 'x' },
    });
  }

  it('is in no line of the log, at the level debug', () => {
    expect(platform.config.logLevel).toBe('debug');
    expect(platform.logged().split('\n').length).toBeGreaterThan(60);
    expect(platform.logged()).toContain('Request failed');
    expect(leaked(platform.logged(), [...secrets, MONGODB_PASSWORD])).toEqual([]);
  });

  it('is in no document of the database', async () => {
    const database = platform.app.get<Connection>(getConnectionToken()).db!;
    const names = (await database.listCollections().toArray()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['user_keys', 'workspace_keys', 'invitations', 'idempotency_keys']));
    const found: string[] = [];
    for (const name of names) {
      const documents = await database.collection(name).find().toArray();
      const text = mongo.BSON.EJSON.stringify(documents);
      // Binary values would be hidden in EJSON’s base64.
      const bytes = documents
        .map((document) => Buffer.from(mongo.BSON.serialize(document)).toString('latin1'))
        .join('');
      found.push(...leaked(text + bytes, secrets).map((secret) => `${name}: ${secret.slice(0, 12)}`));
    }
    expect(found).toEqual([]);
  });

  it('is in no key of Redis and in no value', async () => {
    const { client } = platform.app.get(RedisClient);
    const keys: string[] = [];
    for await (const page of client.scanStream({ match: `*${platform.config.queuePrefix}*`, count: 1000 })) {
      keys.push(...(page as string[]));
    }
    expect(keys.length).toBeGreaterThan(3);
    const values = await Promise.all(
      keys.map(async (key) => {
        switch (await client.type(key)) {
          case 'string':
            return client.get(key);
          case 'hash':
            return client.hgetall(key);
          case 'list':
            return client.lrange(key, 0, -1);
          case 'set':
            return client.smembers(key);
          case 'zset':
            return client.zrange(key, '0', '-1');
          case 'stream':
            return client.xrange(key, '-', '+');
          case 'none':
            return null; // it has expired in between
          default:
            throw new Error(`${key} has a type that this test cannot read`);
        }
      }),
    );
    expect(leaked(JSON.stringify([keys, values]), secrets)).toEqual([]);
  });

  it('is in no refusal and no error response, whatever the request was', () => {
    expect(refusals.length).toBeGreaterThan(30);
    expect(refusals.filter((text) => leaked(text, [...secrets, MONGODB_PASSWORD]).length > 0)).toEqual([]);
  });

  it('is in no list and no record that is read later', async () => {
    const api = platform.api.as(fixture.owner.key).in(fixture.workspaceId);
    const { workspaceId } = fixture;
    for (const path of [
      '/v1/api-keys?limit=100',
      '/v1/api-keys?limit=100&kind=user',
      '/v1/audit?limit=100',
      '/v1/credits/ledger',
      '/v1/mailboxes?limit=100',
      `/v1/mailboxes/${mailboxId}`,
      `/v1/mailboxes/${mailboxId}/settings`,
      `/v1/mailboxes/${mailboxId}/analytics`,
      `/v1/webhooks/${webhookId}/health`,
      `/v1/webhooks/${webhookId}/deliveries`,
      `/v1/workspaces/${workspaceId}`,
      `/v1/workspaces/${workspaceId}/members`,
      `/v1/workspaces/${workspaceId}/invitations`,
    ]) {
      const { status, text } = await api.get(path);
      expect(status).toBe(200);
      expect({ path, leaked: leaked(text, secrets) }).toEqual({ path, leaked: [] });
    }
  });

  it('is in no metric and no health report', async () => {
    for (const context of [platform.app, platform.worker!]) {
      const operations = context.get(OpsServerService);
      const port = await operations.listen(0, '127.0.0.1');
      for (const path of ['/metrics', '/health/ready', `/${fixture.key}`]) {
        const text = await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
        expect({ path, leaked: leaked(text, [...secrets, MONGODB_PASSWORD]) }).toEqual({ path, leaked: [] });
      }
      expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('process_cpu');
      await operations.close();
    }
  });

  // Both connect and log with the same code; the API is tested below too.
  it.each(DEEP ? (['api', 'worker'] as const) : (['worker'] as const))(
    'of an unreachable server is in no output of the %s',
    async (app) => {
      const lost = await PlatformProcess.of(app, platform.config, {
        LOG_LEVEL: 'debug',
        MONGODB_URI: `mongodb://root:${MONGODB_PASSWORD}@127.0.0.1:1/lost?authSource=admin`,
        REDIS_URL: `redis://default:${REDIS_PASSWORD}@127.0.0.1:1`,
      });
      lost.launch();
      try {
        await eventually('the unreachable server is logged', () => lost.output.includes('ECONNREFUSED'));
      } finally {
        await lost.end('SIGKILL');
      }
      expect(leaked(lost.output, [...secrets, MONGODB_PASSWORD])).toEqual([]);
    },
  );

  it('is not repeated by a process that rejects its configuration', async () => {
    const wrong = await PlatformProcess.of('api', platform.config, {
      MONGODB_URI: `http://root:${MONGODB_PASSWORD}@db/x`,
      REDIS_URL: `http://default:${REDIS_PASSWORD}@redis`,
      SECRET_KEYS: 'k1:canary-secret-that-is-too-short',
    });
    await expect(wrong.start()).rejects.toThrow('MONGODB_URI');
    expect(leaked(wrong.output, [MONGODB_PASSWORD, REDIS_PASSWORD, 'canary-secret-that-is-too-short'])).toEqual([]);
  });
});
