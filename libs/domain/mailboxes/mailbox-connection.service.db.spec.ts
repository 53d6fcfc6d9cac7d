import { type MailFailure } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { EventRecord } from '@domain/events';
import { WorkspaceDeletionService } from '@domain/identity';
import { LogService } from '@platform/observability';
import { QueuesService } from '@platform/queues';
import { SecretBoxService } from '@platform/secrets';
import { type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { getMailboxSecretOwner } from './mailbox-secrets';
import { MailboxCheckService } from './mailbox-check.service';
import { type MailboxAtWork, MailboxConnectionService } from './mailbox-connection.service';
import { OAuthFixture } from './testing/oauth-fixture';
import { type VendorAccount } from './testing/oauth-server';

const MINUTE = 60_000;

const unreachable: MailFailure = {
  failure: 'temporary',
  stage: 'connect',
  message: 'No connection to mail.test',
  lastReply: { code: '421', enhancedCode: null, command: 'CONNECT', response: '421 try later' },
  retryAfterMs: null,
};
const refused: MailFailure = {
  ...unreachable,
  failure: 'needs-human',
  stage: 'login',
  message: 'The login was refused',
  lastReply: { code: '535', enhancedCode: '5.7.8', command: 'AUTH', response: '535 5.7.8 no' },
};

describe('the connection of a mailbox', () => {
  let fixture: OAuthFixture;
  let second: TestDatabase;
  let events: Model<EventRecord>;
  let account: VendorAccount;
  let owner: Awaited<ReturnType<OAuthFixture['mailbox']>>;
  let mailbox: MailboxAtWork;

  beforeAll(async () => {
    fixture = await OAuthFixture.open();
    second = await fixture.process();
    events = fixture.model(EventRecord);
  });
  afterAll(async () => {
    await fixture.get(QueuesService).obliterate();
    await fixture.close();
  });

  beforeEach(async () => {
    fixture.first.clock.reset();
    fixture.server.requests.length = 0;
    account = fixture.account();
    const workspaceId = new Types.ObjectId((await fixture.workspace()).workspaceId);
    owner = await fixture.mailbox(account, { workspaceId });
    mailbox = { ...owner, revision: '0' };
  });

  const connections = (process = fixture.first): MailboxConnectionService =>
    fixture.get(MailboxConnectionService, process);
  const checks = (): MailboxCheckService => fixture.get(MailboxCheckService);
  const readEvents = async (): Promise<{ type: string; data: Record<string, unknown> }[]> =>
    events
      .find({ workspaceId: owner.workspaceId, mailboxId: owner.mailboxId })
      .sort({ at: 1 })
      .lean<{ type: string; data: Record<string, unknown> }[]>();
  const ids = () => ({ workspaceId: String(owner.workspaceId), mailboxId: String(owner.mailboxId) });
  const checkJobs = async (): Promise<string[]> => {
    const jobs = await fixture.get(QueuesService).get('mailbox-check').getJobs(['waiting', 'delayed', 'prioritized']);
    return jobs.filter((job) => job.data.mailboxId === ids().mailboxId).map(({ id }) => String(id));
  };
  /** Advances the clock until the next check is due. */
  const untilDue = async (): Promise<void> => {
    const { connection } = await fixture.record(owner);
    fixture.first.clock.advance(connection.nextCheckAt!.getTime() - fixture.first.clock.now().getTime() + 1);
  };

  it('stores the first failure with the server’s reply, and schedules the next check', async () => {
    await connections().recordFailure(mailbox, unreachable, 'incoming');
    const record = await fixture.record(owner);
    expect(record).toMatchObject({
      status: 'error',
      connection: { state: 'degraded', failures: 1, half: 'incoming' },
      lastError: { code: '421', command: 'CONNECT', response: '421 try later', message: 'No connection to mail.test' },
    });
    expect(record.lastError?.at).toBeInstanceOf(Date);
    const wait = record.connection.nextCheckAt!.getTime() - record.connection.since.getTime();
    expect(wait).toBeGreaterThanOrEqual(MINUTE);
    expect(wait).toBeLessThanOrEqual(1.2 * MINUTE);
    expect(await readEvents()).toEqual([]);
    expect(await checkJobs()).toHaveLength(1);
  });

  it('is reported once when twenty workers fail at the same moment', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        connections(index % 2 ? second : fixture.first).recordFailure(mailbox, refused),
      ),
    );
    expect(await fixture.record(owner)).toMatchObject({
      status: 'disconnected',
      connection: { state: 'disconnected', failures: 1 },
    });
    expect((await readEvents()).map(({ type }) => type)).toEqual(['mailbox.disconnected']);
  });

  it('is disconnected by the fifth failure in a row, and reports the reason', async () => {
    for (let count = 0; count < 5; count++) {
      await connections().recordFailure(mailbox, unreachable);
      if (count < 4) await untilDue();
    }
    expect(await fixture.record(owner)).toMatchObject({ status: 'disconnected', connection: { failures: 5 } });
    expect(await readEvents()).toMatchObject([
      {
        type: 'mailbox.disconnected',
        data: {
          email: account.address,
          reason: 'unreachable',
          error: { code: '421', command: 'CONNECT', message: 'No connection to mail.test' },
        },
      },
    ]);
  });

  it('recovers, clears the error and reports it once', async () => {
    await connections().recordFailure(mailbox, refused);
    await Promise.all(
      [1, 2, 3].map((each) => connections(each % 2 ? second : fixture.first).recordSuccess(mailbox, 'both')),
    );
    expect(await fixture.record(owner)).toMatchObject({
      status: 'active',
      connection: { state: 'connected', failures: 0, nextCheckAt: null, half: null },
      lastError: null,
    });
    expect((await readEvents()).map(({ type }) => type)).toEqual(['mailbox.disconnected', 'mailbox.reconnected']);
  });

  it('reports each outage', async () => {
    for (let outage = 0; outage < 2; outage++) {
      await connections().recordFailure(mailbox, refused);
      await connections().recordSuccess(mailbox, 'both');
      fixture.first.clock.advance(1_000);
    }
    expect((await readEvents()).map(({ type }) => type.replace('mailbox.', ''))).toEqual([
      'disconnected',
      'reconnected',
      'disconnected',
      'reconnected',
    ]);
  });

  it('does not report a single failure', async () => {
    await connections().recordFailure(mailbox, unreachable);
    await connections().recordSuccess(mailbox, 'both');
    expect(await fixture.record(owner)).toMatchObject({ status: 'active', lastError: null });
    expect(await readEvents()).toEqual([]);
  });

  it('is logged once for each change of its state, without the server’s reply', async () => {
    const lines: unknown[] = [];
    const log = fixture.get(LogService);
    const record = (level: string) => (message: string, fields?: object) =>
      void lines.push({ level, message, ...fields });
    const spies = (['warn', 'info'] as const).map((level) => jest.spyOn(log, level).mockImplementation(record(level)));
    await connections().recordFailure(mailbox, unreachable, 'incoming');
    await untilDue();
    await connections().recordFailure(mailbox, unreachable, 'incoming');
    await connections().recordFailure(mailbox, refused, 'outgoing');
    await connections().recordSuccess(mailbox, 'both');
    await connections().recordSuccess(mailbox, 'both');
    spies.forEach((spy) => spy.mockRestore());
    const line = { mailboxId: String(owner.mailboxId), message: 'A mailbox cannot be reached', level: 'warn' };
    const back = { ...line, message: 'A mailbox can be reached again', level: 'info' };
    expect(lines).toEqual([
      { ...line, was: 'connected', state: 'degraded', half: 'incoming', code: '421', stage: 'connect' },
      { ...line, was: 'degraded', state: 'disconnected', half: 'outgoing', code: '535', stage: 'login' },
      { ...back, was: 'disconnected', state: 'connected', half: 'outgoing' },
    ]);
  });

  it('ignores outcomes of older credentials', async () => {
    await fixture.mailboxes.updateOne(
      { _id: owner.mailboxId, workspaceId: owner.workspaceId },
      { $inc: { credentialsRevision: 1 } },
    );
    await connections().recordFailure(mailbox, refused);
    expect(await fixture.record(owner)).toMatchObject({ status: 'active', lastError: null });
    await connections().recordFailure({ ...mailbox, revision: 1 }, refused);
    await connections().recordSuccess(mailbox, 'both');
    expect(await fixture.record(owner)).toMatchObject({ status: 'disconnected' });
  });

  it('ignores a mailbox of another workspace, and a deleted one', async () => {
    const stranger = await fixture.mailbox(fixture.account());
    await connections().recordFailure({ ...mailbox, workspaceId: stranger.workspaceId }, refused);
    expect(await fixture.record(owner)).toMatchObject({ status: 'active' });
  });

  it('writes nothing while it works', async () => {
    const before = await fixture.record(owner);
    const write = jest.spyOn(fixture.mailboxes, 'updateOne');
    await connections().recordSuccess(mailbox, 'incoming');
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
    expect(await fixture.record(owner)).toEqual(before);
  });

  it('stays paused whatever its state', async () => {
    const where = { _id: owner.mailboxId, workspaceId: owner.workspaceId };
    await fixture.mailboxes.updateOne(where, { $set: { pausedAt: new Date(), status: 'paused' } });
    await connections().recordFailure(mailbox, refused);
    expect(await fixture.record(owner)).toMatchObject({ status: 'paused', connection: { state: 'disconnected' } });
    await connections().recordSuccess(mailbox, 'both');
    expect(await fixture.record(owner)).toMatchObject({ status: 'paused', connection: { state: 'connected' } });
  });

  it('stores and reports no password that a server repeats', async () => {
    const password = 'canary-password-91';
    const seal = (text: string, server: 'smtp' | 'imap') =>
      fixture.get(SecretBoxService).seal(text, getMailboxSecretOwner(owner.workspaceId, owner.mailboxId, server));
    await fixture.mailboxes.updateOne(
      { _id: owner.mailboxId, workspaceId: owner.workspaceId },
      { $set: { smtpCredentials: { user: 'ada', password: seal(password, 'smtp') } } },
    );
    const blob = Buffer.from(`\0ada\0${password}`).toString('base64');
    const response = `535 what is "${password}", AUTH PLAIN ${blob}, ${Buffer.from(password).toString('base64')}`;
    await connections().recordFailure(mailbox, {
      ...refused,
      message: `Refused: ${password}`,
      lastReply: { ...refused.lastReply!, response },
    });
    const kept = JSON.stringify([(await fixture.record(owner)).lastError, await readEvents()]);
    for (const secret of [password, blob, Buffer.from(password).toString('base64')]) expect(kept).not.toContain(secret);
    expect(kept).toContain('535 what is');
  });

  describe('a check', () => {
    it('reconnects the mailbox when the vendor accepts it again', async () => {
      const [token] = [...account.refreshTokens];
      account.refreshTokens.clear();
      await connections().recordFailure(mailbox, unreachable);
      await untilDue();
      await checks().check(ids());
      expect(await fixture.record(owner)).toMatchObject({
        status: 'disconnected',
        connection: { state: 'needs_reauthorisation' },
        lastError: { code: 'invalid_grant' },
      });
      account.refreshTokens.add(token!);
      await untilDue();
      await checks().check(ids());
      expect(await fixture.record(owner)).toMatchObject({ status: 'active', connection: { state: 'connected' } });
      expect((await readEvents()).map(({ type, data }) => [type, data['reason']])).toEqual([
        ['mailbox.disconnected', 'authorisation_gone'],
        ['mailbox.reconnected', undefined],
      ]);
    });

    it('does not run before it is due, or while the mailbox is connected', async () => {
      await checks().check(ids());
      await connections().recordFailure(mailbox, unreachable);
      await checks().check(ids());
      expect(fixture.server.requests).toEqual([]);
      expect(await fixture.record(owner)).toMatchObject({ status: 'error' });
      await checks().check({ ...ids(), mailboxId: 'nothing' });
    });

    it('runs at growing intervals while the mailbox cannot be reached', async () => {
      const waits: number[] = [];
      await connections().recordFailure(mailbox, unreachable);
      for (let count = 0; count < 6; count++) {
        await untilDue();
        const now = fixture.first.clock.now();
        fixture.server.trouble({ status: 503 });
        await checks().check(ids());
        const { connection } = await fixture.record(owner);
        waits.push(Math.floor((connection.nextCheckAt!.getTime() - now.getTime()) / (1.21 * MINUTE)));
      }
      expect(waits.map((wait, index) => wait < [5, 15, 30, 60, 60, 60][index]!)).toEqual(Array<boolean>(6).fill(true));
      expect(waits[0]).toBeGreaterThan(3);
      expect(await fixture.record(owner)).toMatchObject({ connection: { state: 'disconnected', failures: 7 } });
    });

    it('does not run in a deleted workspace until it is restored', async () => {
      const workspace = systemScope(String(owner.workspaceId));
      await connections().recordFailure(mailbox, unreachable);
      await untilDue();
      await fixture.get(WorkspaceDeletionService).delete(workspace);
      await checks().check(ids());
      expect(fixture.server.requests).toEqual([]);
      expect(await fixture.record(owner)).toMatchObject({ connection: { state: 'degraded', failures: 1 } });
      await fixture.get(WorkspaceDeletionService).restore(workspace);
      await untilDue();
      await checks().check(ids());
      expect(await fixture.record(owner)).toMatchObject({ connection: { state: 'connected' } });
    });

    it('also runs if the platform’s own key is missing', async () => {
      await fixture.mailboxes.updateOne(
        { _id: owner.mailboxId, workspaceId: owner.workspaceId },
        { $set: { 'oauthCredentials.refreshToken': 'v1.lost.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA' } },
      );
      await connections().recordFailure(mailbox, unreachable);
      await untilDue();
      await checks().check(ids());
      expect(await fixture.record(owner)).toMatchObject({
        connection: { state: 'degraded', failures: 2 },
        lastError: { message: 'The mailbox could not be checked because of an internal error' },
      });
    });

    it('is added again once by the sweep if Redis has lost its job', async () => {
      await connections().recordFailure(mailbox, unreachable);
      await fixture.get(QueuesService).get('mailbox-check').obliterate({ force: true });
      await fixture.get(QueuesService).get('mailbox-check').resume();
      expect(await checkJobs()).toEqual([]);
      expect(await checks().sweep()).toBe(0);
      await untilDue();
      expect(await checks().sweep()).toBeGreaterThanOrEqual(1);
      expect(await checkJobs()).toHaveLength(1);
      expect(await checks().sweep()).toBe(0);
      expect(await checkJobs()).toHaveLength(1);
    });

    it('runs at once if its delayed job would come late', async () => {
      await connections().recordFailure(mailbox, unreachable);
      await untilDue();
      await checks().sweep();
      const waiting = await fixture.get(QueuesService).get('mailbox-check').getJobs(['waiting']);
      expect(waiting.map(({ data }) => (data as { mailboxId: string }).mailboxId)).toContain(ids().mailboxId);
      expect(JSON.stringify(waiting.map(({ data }) => data as unknown))).not.toMatch(/canary|@/);
    });
  });
});
