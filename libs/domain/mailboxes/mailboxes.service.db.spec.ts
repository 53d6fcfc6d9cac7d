import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { AuditService } from '@domain/audit';
import { EventRecord } from '@domain/events';
import { systemScope, type WorkspaceScope } from '@domain/access';
import { WorkspacesService } from '@domain/identity';
import { AppError } from '@platform/errors';
import { Types } from 'mongoose';
import { MailboxDeletionService } from './mailbox-deletion.service';
import { MAILBOX_HOOKS } from './mailbox-hooks';
import { MailboxUpdateService } from './mailbox-update.service';
import { MailboxesService } from './mailboxes.service';
import { MailboxFiguresService } from './mailbox-figures.service';
import { MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxMessageRecord } from './schemas/mailbox-message.record';
import { MailboxRecord } from './schemas/mailbox.record';
import { MailboxConnectionFixture } from './testing/mailbox-connection-fixture';
import { refusal } from './testing/scripted.driver';

describe('mailboxes with their own servers', () => {
  let fixture: MailboxConnectionFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await MailboxConnectionFixture.open();
  });
  beforeEach(async () => {
    workspace = await fixture.workspace();
  });
  afterEach(() => fixture.driver.reset());
  afterAll(() => fixture.database.close());

  const stored = (workspaceId = workspace.workspaceId) =>
    fixture.model<MailboxRecord>(MailboxRecord).find({ workspaceId }).lean<MailboxRecord[]>();
  const events = async () => {
    const found = await fixture.model<EventRecord>(EventRecord).find({ workspaceId: workspace.workspaceId }).lean();
    return found.map(({ type }) => type).toSorted();
  };
  const audited = async () =>
    (await fixture.get(AuditService).list(workspace, { limit: 100, targetType: 'mailbox' })).items;
  const update = (id: string, input: object) => fixture.get(MailboxUpdateService).update(workspace, id, input);
  const codeOf = async (attempt: Promise<unknown>): Promise<string> => {
    const error: unknown = await attempt.then(
      () => 'nothing was refused',
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof AppError)) throw error;
    return error.code;
  };

  describe('creation', () => {
    it('derives omitted user names and passwords from the other fields', async () => {
      const { email } = await fixture.connect(workspace);
      const login = { method: 'password', user: email, password: 'smtp-canary' };
      expect(fixture.driver.logins.map(({ half, login }) => ({ half, login }))).toEqual([
        { half: 'smtp', login },
        { half: 'imap', login },
      ]);
      fixture.driver.reset();
      await fixture.connect(workspace, { smtpUsername: 'ada', imapPassword: 'imap-canary' });
      expect(fixture.driver.logins.map(({ login }) => login)).toEqual([
        { method: 'password', user: 'ada', password: 'smtp-canary' },
        { method: 'password', user: 'ada', password: 'imap-canary' },
      ]);
    });

    it('seals passwords, which appear in no audit entry and no event', async () => {
      await fixture.connect(workspace, { imapPassword: 'imap-canary' });
      const everything = JSON.stringify([
        await stored(),
        await audited(),
        await fixture.model<EventRecord>(EventRecord).find({ workspaceId: workspace.workspaceId }).lean(),
      ]);
      expect(everything).not.toMatch(/smtp-canary|imap-canary/);
      expect((await audited()).map(({ action }) => action)).toEqual(['mailbox.created']);
      expect(await events()).toEqual(['mailbox.connected']);
    });

    it('fails if the login fails, and closes the session', async () => {
      const { opened, closed } = fixture.driver;
      fixture.driver.failures.set('imap.mail.test', refusal());
      expect(await codeOf(fixture.connect(workspace))).toBe('MAILBOX_CHECK_FAILED');
      expect(await stored()).toEqual([]);
      expect(await events()).toEqual([]);
      expect([fixture.driver.opened - opened, fixture.driver.closed - closed]).toEqual([1, 1]);
    });

    it('connects an address once, also for two concurrent requests, and without a login if it is already connected', async () => {
      const request = { email: 'twice@mail.test' };
      const both = await Promise.allSettled([fixture.connect(workspace, request), fixture.connect(workspace, request)]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      fixture.driver.reset();
      expect(await codeOf(fixture.connect(workspace, request))).toBe('CONFLICT');
      expect(fixture.driver.logins).toEqual([]);
      expect(await stored()).toHaveLength(1);
      await fixture.connect(await fixture.workspace(), request); // Another workspace may connect the same address.
    });

    it('is refused by the unique index if the first check misses a mailbox', async () => {
      await fixture.connect(workspace, { email: 'taken@mail.test' });
      const record = fixture.model<MailboxRecord>(MailboxRecord);
      const blind = jest.spyOn(record, 'exists').mockResolvedValue(null);
      expect(await codeOf(fixture.connect(workspace, { email: 'taken@mail.test' }))).toBe('CONFLICT');
      blind.mockRestore();
      expect(await stored()).toHaveLength(1);
    });

    it('respects the workspace’s limit, also for many concurrent requests', async () => {
      await fixture.get(WorkspacesService).setLimits(workspace, { maxMailboxes: 2 });
      const attempts = await Promise.allSettled(Array.from({ length: 4 }, () => fixture.connect(workspace)));
      const refused = attempts.flatMap((attempt) =>
        attempt.status === 'rejected' ? [attempt.reason as AppError] : [],
      );
      expect(refused.map(({ code }) => code)).toEqual(['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED']);
      fixture.driver.reset();
      expect(await codeOf(fixture.connect(workspace))).toBe('LIMIT_EXCEEDED');
      expect(fixture.driver.logins).toEqual([]);
      expect(await stored()).toHaveLength(2);
    });
  });

  describe('changes', () => {
    let id: string;

    beforeEach(async () => {
      id = (await fixture.connect(workspace, { email: 'ada@mail.test', imapPassword: 'imap-canary' }))._id;
      fixture.driver.reset();
    });

    it('need no login if no server changes', async () => {
      await update(id, { displayName: 'Ada', smtpHost: 'smtp.mail.test', smtpUsername: 'ada@mail.test' });
      expect(fixture.driver.logins).toEqual([]);
      expect((await stored())[0]).toMatchObject({ displayName: 'Ada', credentialsRevision: 0 });
    });

    it('verify both halves with the future settings, with the stored password opened for its own server', async () => {
      await update(id, { smtpPassword: 'next-canary', smtpSecure: true });
      expect(fixture.driver.logins).toEqual([
        {
          half: 'smtp',
          host: 'smtp.mail.test',
          port: 587,
          secure: true,
          login: { method: 'password', user: 'ada@mail.test', password: 'next-canary' },
        },
        {
          half: 'imap',
          host: 'imap.mail.test',
          port: 993,
          secure: true,
          login: { method: 'password', user: 'ada@mail.test', password: 'imap-canary' },
        },
      ]);
      const [record] = await stored();
      expect(record).toMatchObject({ smtpSecure: true, credentialsRevision: 1 });
      fixture.driver.reset();
      await update(id, { imapUsername: 'ada' });
      expect(fixture.driver.logins.map(({ login }) => login)).toEqual([
        { method: 'password', user: 'ada@mail.test', password: 'next-canary' },
        { method: 'password', user: 'ada', password: 'imap-canary' },
      ]);
      expect(JSON.stringify([await stored(), await audited()])).not.toMatch(/canary/);
    });

    it('seal retained passwords again, so that a key that was rotated out meanwhile does not return', async () => {
      const [before] = await stored();
      await update(id, { imapUsername: 'ada' });
      const [after] = await stored();
      expect(after?.smtpCredentials?.password).not.toBe(before?.smtpCredentials?.password);
      expect(after?.imapCredentials?.password).not.toBe(before?.imapCredentials?.password);
    });

    it.each([
      [{ smtpHost: 'smtp.thief.test' }, 'smtpPassword'],
      [{ smtpPort: 465 }, 'smtpPassword'],
      [{ imapHost: 'imap.thief.test', smtpPassword: 'x' }, 'imapPassword'],
    ])('never send the stored password to another server: %j', async (input, field) => {
      await expect(update(id, input)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
      expect(fixture.driver.logins).toEqual([]);
    });

    it('fail if the login fails', async () => {
      const [before] = await stored();
      fixture.driver.failures.set('smtp.mail.test', refusal());
      expect(await codeOf(update(id, { smtpPassword: 'next-canary', displayName: 'Ada' }))).toBe(
        'MAILBOX_CHECK_FAILED',
      );
      expect((await stored())[0]).toEqual(before);
    });

    it('succeed for one of two concurrent changes of the credentials', async () => {
      fixture.driver.meanwhile = async () => {
        fixture.driver.meanwhile = () => Promise.resolve();
        await update(id, { smtpPassword: 'first-canary' });
      };
      expect(await codeOf(update(id, { imapPassword: 'second-canary' }))).toBe('CONFLICT');
      expect((await stored())[0]?.credentialsRevision).toBe(1);
    });

    it('reconnect the mailbox if both halves accept the new credentials', async () => {
      const since = new Date('2026-11-01T08:00:00Z');
      const connection = { state: 'disconnected', since, failures: 7, nextCheckAt: since, half: 'outgoing' };
      const lastError = { code: '535', command: 'AUTH', response: 'no', message: 'no', at: since };
      await fixture
        .model<MailboxRecord>(MailboxRecord)
        .updateOne(
          { workspaceId: workspace.workspaceId, _id: id },
          { $set: { connection, lastError, status: 'disconnected' } },
        );
      expect(await update(id, { smtpPassword: 'next-canary' })).toMatchObject({ status: 'active', lastError: null });
      expect((await stored())[0]?.connection).toMatchObject({ state: 'connected', failures: 0, nextCheckAt: null });
      expect(await events()).toEqual(['mailbox.connected', 'mailbox.reconnected']);
    });
  });

  describe('deletion', () => {
    let id: string;
    const remove = (force?: 'true' | 'false') =>
      fixture.get(MailboxDeletionService).delete(workspace, id, force ? { force } : {});
    const released: string[] = [];
    let using: { id: string; name: string }[] = [];

    beforeAll(() => {
      addListener(fixture.get(HookRegistry), MAILBOX_HOOKS, {
        activeCampaigns: () => Promise.resolve(using),
        released: (_workspace, mailboxId) => Promise.resolve(void released.push(mailboxId)),
      });
    });
    beforeEach(async () => {
      released.length = 0;
      using = [];
      id = (await fixture.connect(workspace))._id;
    });

    it('removes everything that has no use without the mailbox, and nothing else', async () => {
      const other = (await fixture.connect(workspace))._id;
      const messages = fixture.model<MailboxMessageRecord>(MailboxMessageRecord);
      for (const mailboxId of [id, other]) {
        await fixture.get(MailboxFiguresService).count(workspace, mailboxId, { received: 1 });
        const ref = { folder: 'INBOX', id: '1:1' };
        const message = { fingerprint: mailboxId, state: 'received', place: 'x', ref } as const;
        const mailbox = {
          workspaceId: new Types.ObjectId(workspace.workspaceId),
          mailboxId: new Types.ObjectId(mailboxId),
        };
        await messages.create({ ...message, ...mailbox, receivedAt: new Date(0) });
      }
      expect(await remove()).toEqual({ message: 'Mailbox deleted' });
      expect(released).toEqual([id]);
      await fixture.get(MailboxDeletionService).eraseDeleted(AbortSignal.timeout(60_000));
      const left = await Promise.all([
        stored(),
        messages.find({ workspaceId: workspace.workspaceId }).lean(),
        fixture.model<MailboxDayRecord>(MailboxDayRecord).find({ workspaceId: workspace.workspaceId }).lean(),
      ]);
      expect(left.map((records) => records.length)).toEqual([1, 1, 1]);
      expect(JSON.stringify(left)).not.toContain(id);
      expect(await events()).toContain('mailbox.deleted');
      expect((await audited())[0]).toMatchObject({ action: 'mailbox.deleted', target: { type: 'mailbox', id } });
      expect(await codeOf(remove())).toBe('NOT_FOUND');
    });

    it('is refused while active campaigns send from the mailbox, which are named, unless it is forced', async () => {
      using = Array.from({ length: 7 }, (_, index) => ({ id: `c${index}`, name: `Campaign ${index}` }));
      const refusals = await Promise.allSettled([remove(), remove('false')]);
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT' } });
        const { message } = (refusal as PromiseRejectedResult).reason as Error;
        expect(message).toContain('Campaign 0 (c0)');
        expect(message).toContain('and 2 more');
      }
      expect(released).toEqual([]);
      expect(await stored()).toHaveLength(1);
      await remove('true');
      expect(released).toEqual([id]);
      expect(await stored()).toEqual([]);
    });
  });

  it('a paused mailbox shows the state of its connection after the pause', async () => {
    const { _id } = await fixture.connect(workspace);
    const mailboxes = fixture.get(MailboxUpdateService);
    expect(await mailboxes.pause(workspace, _id)).toMatchObject({ status: 'paused' });
    await fixture
      .model<MailboxRecord>(MailboxRecord)
      .updateOne({ workspaceId: workspace.workspaceId, _id }, { $set: { 'connection.state': 'disconnected' } });
    expect(await mailboxes.resume(workspace, _id)).toMatchObject({ status: 'disconnected' });
    expect(await mailboxes.resume(workspace, _id)).toMatchObject({ status: 'disconnected' });
    expect((await audited()).map(({ action }) => action)).toEqual([
      'mailbox.resumed',
      'mailbox.paused',
      'mailbox.created',
    ]);
  });

  it.each(['resume', 'update'] as const)('shows the new status if it changes during the update: %s', async (verb) => {
    const { _id } = await fixture.connect(workspace);
    const mailboxes = fixture.model<MailboxRecord>(MailboxRecord);
    const service = fixture.get(MailboxUpdateService);
    await service.pause(workspace, _id);
    const filter = { _id: new Types.ObjectId(_id) };
    const read = (wanted: object) => mailboxes.find(wanted).limit(1).lean();
    const change =
      verb === 'resume'
        ? { 'connection.state': 'disconnected', 'connection.failures': 5 }
        : { pausedAt: null, status: 'active' };
    let reads = verb === 'resume' ? 1 : 2; // An update reads once more before its transaction.
    const spy = jest.spyOn(mailboxes, 'findOne').mockImplementation(((wanted: object) => ({
      lean: async () => {
        const [found] = await read(wanted);
        reads -= 1;
        // Uses the driver directly, outside of the running transaction.
        if (reads === 0) await mailboxes.collection.updateOne(filter, { $set: change });
        return found;
      },
    })) as never);
    const attempt =
      verb === 'resume'
        ? service.resume(workspace, _id)
        : update(_id, { smtpPassword: 'next-canary', displayName: 'A' });
    const answer = await attempt.finally(() => spy.mockRestore());
    expect(answer.status).toBe(verb === 'resume' ? 'disconnected' : 'active');
  });

  it('other workspaces do not find the mailbox', async () => {
    const { _id } = await fixture.connect(workspace);
    const stranger = systemScope((await fixture.workspace()).workspaceId);
    const attempts = [
      () => fixture.get(MailboxesService).get(stranger, _id),
      () => fixture.get(MailboxUpdateService).pause(stranger, _id),
      () => fixture.get(MailboxUpdateService).update(stranger, _id, { displayName: 'x' }),
      () => fixture.get(MailboxDeletionService).delete(stranger, _id, {}),
      () => fixture.get(MailboxFiguresService).count(stranger, _id, { sent: 1 }),
    ];
    for (const attempt of attempts) expect(await codeOf(attempt())).toBe('NOT_FOUND');
  });
});
