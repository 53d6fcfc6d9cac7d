import { getConnectionToken } from '@nestjs/mongoose';
import { QueuesService } from '@platform/queues';
import { type Connection, mongo } from 'mongoose';
import { OAuthServer } from '../../libs/domain/mailboxes/testing';
import { type Platform, startPlatform } from '../harness';
import { OAuthConsents } from './oauth';

describe('codes, tokens and keys of vendors', () => {
  let platform: Platform;
  let server: OAuthServer;
  let mine: OAuthConsents;
  /** Secrets that were exchanged with the vendors. */
  let secrets: string[];
  /** Given to the caller once, in the vendor’s address. */
  const states: string[] = [];
  const answers: string[] = [];

  beforeAll(async () => {
    server = await OAuthServer.start();
    platform = await startPlatform({ env: server.env, worker: true });
    mine = new OAuthConsents(platform, server, await platform.seed.workspace());
    secrets = await livedThrough();
    expect(secrets.length).toBeGreaterThan(12);
  });
  afterAll(async () => {
    await platform.close();
    await server.close();
  });

  /** Every operation on a mailbox that is connected by consent or through a service account. */
  async function livedThrough(): Promise<string[]> {
    const ada = server.account('google', 'ada@mail.test');
    const grace = server.account('microsoft', 'grace@mail.test');
    const consents = [
      await mine.connect(ada),
      await mine.connect(grace),
      await mine.connect(ada, {}, { scopes: [] }),
      await mine.connect(ada, {}, { deny: true }),
    ];
    for (const { started, path, response } of consents) {
      states.push(new URL(started.authUrl).searchParams.get('state')!);
      answers.push(response.text, JSON.stringify(response.headers), (await mine.back(path)).text);
      answers.push((await mine.api.get(`/v1/mailboxes/oauth/sessions/${started._id}`)).text);
    }
    const linus = server.account('google', 'linus@mail.test');
    const file = server.serviceAccount('robot');
    for (const email of [linus.address, 'nobody@mail.test', linus.address]) {
      const body = { email, serviceAccountKey: file };
      answers.push((await mine.api.post('/v1/mailboxes/service-account').send(body)).text);
    }
    await outage(consents[0]!.session.mailboxId!);
    for (const path of ['/v1/mailboxes', `/v1/mailboxes/${consents[0]!.session.mailboxId}`, '/v1/audit?limit=100']) {
      answers.push((await mine.api.get(path).expect(200)).text);
    }
    const sent = server.requests.flatMap(({ code, refresh_token, assertion, code_verifier, client_secret }) => [
      code,
      refresh_token,
      assertion,
      code_verifier,
      client_secret,
    ]);
    const given = [ada, grace, linus].flatMap(({ tokens, refreshTokens }) => [...tokens, ...refreshTokens]);
    const all = [...sent, ...given, file.private_key, file.private_key.split('\n')[1]];
    return [...new Set(all.filter((secret) => secret !== undefined))];
  }

  /** The token expires, the grant is revoked, the worker tries; then the mailbox is authorised again. */
  async function outage(mailboxId: string): Promise<void> {
    const mailboxes = platform.app.get<Connection>(getConnectionToken()).db!.collection('mailboxes');
    const _id = new mongo.ObjectId(mailboxId);
    platform.clock.advance(2 * 3_600_000);
    await mailboxes.updateOne(
      { _id },
      { $set: { 'connection.state': 'degraded', 'connection.failures': 1, 'connection.nextCheckAt': new Date() } },
    );
    server.trouble({ status: 400, body: { error: 'invalid_grant', error_description: 'Token has been revoked.' } });
    await platform.tick();
    await platform.drain();
    expect(await mine.mailbox(mailboxId)).toMatchObject({
      status: 'disconnected',
      lastError: { code: 'invalid_grant', response: 'Token has been revoked.' },
    });
    platform.clock.advance(8 * 3_600_000);
    await platform.tick();
    await platform.drain();
    expect(await mine.mailbox(mailboxId)).toMatchObject({ status: 'active', lastError: null });
  }

  const leaked = (text: string, wanted = secrets): string[] =>
    wanted
      .filter((secret) =>
        [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].some((w) => text.includes(w)),
      )
      .map((secret) => secret.slice(0, 20));

  it('are in no line of the log', () => {
    expect(platform.logged()).toContain('/oauth/:provider/callback');
    expect(leaked(platform.logged(), [...secrets, ...states])).toEqual([]);
  });

  it('are in no document of the database', async () => {
    const database = platform.app.get<Connection>(getConnectionToken()).db!;
    const names = (await database.listCollections().toArray()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['mailboxes', 'oauth_consents', 'events', 'audit_entries']));
    for (const name of names) {
      const documents = await database.collection(name).find().toArray();
      const bytes = documents
        .map((document) => Buffer.from(mongo.BSON.serialize(document)).toString('latin1'))
        .join('');
      const text = mongo.BSON.EJSON.stringify(documents) + bytes;
      expect({ name, leaked: leaked(text, [...secrets, ...states]) }).toEqual({ name, leaked: [] });
    }
  });

  it('are in no job', async () => {
    const jobs = await platform.app.get(QueuesService).get('mailbox-check').getJobs();
    expect(jobs.length).toBeGreaterThan(0);
    expect(leaked(JSON.stringify(jobs))).toEqual([]);
    for (const { data } of jobs) expect(Object.keys(data as object).toSorted()).toEqual(['mailboxId', 'workspaceId']);
  });

  it('are in no response and on no page', () => {
    expect(answers.length).toBeGreaterThan(15);
    expect(leaked(answers.join('\n'), [...secrets, ...states])).toEqual([]);
  });
});
