import { MailSessionPool } from '@adapters/mail';
import { MailboxConnectionService, MailboxesService, MailboxRecord, MailboxUpdateService } from '@domain/mailboxes';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { type DynamicModule, Module } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { type SendRecord } from './schemas/send.record';
import { SendsModule } from './sends.module';
import { SendRepository } from './send.repository';
import { MailboxLeaseService } from './mailbox-lease.service';

@Module({})
class MailForTests {}

function mailForTests(): DynamicModule {
  const providers = [{ provide: MailSessionPool, useValue: new MailSessionPool([]) }];
  return { module: MailForTests, global: true, providers, exports: [MailSessionPool] };
}

describe('sending after a change of the mailbox', () => {
  let database: TestDatabase;
  let workspace: WorkspaceScope;
  let mailboxes: Model<MailboxRecord>;
  let sends: Model<SendRecord>;
  let mailboxId: string;

  const get = <T>(service: abstract new (...args: never[]) => T): T =>
    database.module.get<T>(service, { strict: false });

  beforeAll(async () => {
    const imports = [QueuesModule, OutboundModule, mailForTests(), UsersModule, SendsModule];
    database = await openTestDatabase({ imports });
    mailboxes = database.module.get(getModelToken(MailboxRecord.name), { strict: false });
    sends = database.module.get(getModelToken('SendRecord'), { strict: false });
    const user = await get(UsersService).create({ email: 'owner@example.com', name: 'Owner' });
    const created = await get(WorkspacesService).createFor(user.id, { name: 'Acme' }, systemActor('operator'));
    workspace = systemScope(created.id);
  });
  beforeEach(async () => {
    const { _id } = await mailboxes.create({
      workspaceId: workspace.workspaceId,
      email: `${new Types.ObjectId().toHexString()}@mail.test`,
      provider: 'google',
      connectionType: 'oauth',
      connection: { state: 'connected', since: new Date(0), failures: 0, nextCheckAt: null, half: null },
      dailySendLimit: 30,
      sendGapSeconds: 60,
      timezone: 'UTC',
    });
    mailboxId = _id.toHexString();
  });
  afterAll(async () => {
    await get(QueuesService).obliterate();
    await database.close();
  });

  /** An email of the mailbox that a run has claimed. */
  const claimed = async (): Promise<Types.ObjectId> => {
    const _id = new Types.ObjectId();
    const ids = { campaignId: new Types.ObjectId(), leadId: new Types.ObjectId(), stepId: new Types.ObjectId() };
    const send = await get(SendRepository).claim({
      ...ids,
      _id,
      workspaceId: new Types.ObjectId(workspace.workspaceId),
      mailboxId: new Types.ObjectId(mailboxId),
      variantId: new Types.ObjectId(),
      stepOrder: 0,
      sequenceVersion: 1,
      email: 'bob@lead.test',
      fence: 1,
      messageId: `<${_id.toHexString()}@mail.test>`,
      claimedAt: database.clock.now(),
    });
    return send!._id;
  };
  const sendOf = (_id: Types.ObjectId) => sends.findOne({ _id, workspaceId: workspace.workspaceId }).lean<SendRecord>();
  const nextRun = async () =>
    (await get(MailboxLeaseService).findStates(workspace.workspaceId, [mailboxId])).get(mailboxId)?.nextAt ?? null;
  /** Completes a run of the mailbox, so that it is idle. */
  const idle = async () => {
    await get(MailboxLeaseService).scheduleNow(workspace.workspaceId, [mailboxId]);
    const lease = await get(MailboxLeaseService).acquire(mailboxId);
    await get(MailboxLeaseService).complete(lease!, null);
    expect(await nextRun()).toBeNull();
  };
  const failing = (times: number) =>
    Array.from({ length: times }).reduce<Promise<void>>(async (before) => {
      await before;
      database.clock.advance(3 * 3_600_000);
      await get(MailboxConnectionService).recordFailure(
        { workspaceId: workspace.workspaceId, mailboxId, revision: 0 },
        { failure: 'temporary', stage: 'connect', message: 'No answer', lastReply: null, retryAfterMs: null },
      );
    }, Promise.resolve());

  it('withholds claimed emails before a pause is acknowledged', async () => {
    const sendId = await claimed();
    await get(MailboxUpdateService).pause(workspace, mailboxId);
    expect(await sendOf(sendId)).toMatchObject({ state: 'withheld', reason: 'The mailbox is paused' });
  });

  it('withholds them when the pause is repeated, because the first request may have crashed', async () => {
    await mailboxes.updateOne(
      { _id: mailboxId, workspaceId: workspace.workspaceId },
      { $set: { status: 'paused', pausedAt: new Date() } },
    );
    const sendId = await claimed();
    await get(MailboxUpdateService).pause(workspace, mailboxId);
    expect(await sendOf(sendId)).toMatchObject({ state: 'withheld' });
  });

  it('withholds nothing of another mailbox', async () => {
    const sendId = await claimed();
    await sends.updateOne(
      { _id: sendId, workspaceId: workspace.workspaceId },
      { $set: { mailboxId: new Types.ObjectId() } },
    );
    await get(MailboxUpdateService).pause(workspace, mailboxId);
    expect(await sendOf(sendId)).toMatchObject({ state: 'claimed' });
  });

  it('schedules a run when the mailbox is resumed', async () => {
    await idle();
    await get(MailboxUpdateService).pause(workspace, mailboxId);
    expect(await nextRun()).toBeNull();
    await get(MailboxUpdateService).resume(workspace, mailboxId);
    expect(await nextRun()).not.toBeNull();
  });

  it('creates no lease for a mailbox that has never had one', async () => {
    await get(MailboxUpdateService).resume(workspace, mailboxId);
    expect(await get(MailboxLeaseService).findStates(workspace.workspaceId, [mailboxId])).toEqual(new Map());
  });

  it('reports a stop by the engine until a person resumes the mailbox', async () => {
    await idle();
    const settings = async () => (await get(MailboxesService).getSettings(workspace, mailboxId)).sendingStopped;
    expect(await settings()).toBeNull();
    await get(MailboxLeaseService).stop(workspace.workspaceId, mailboxId, { code: 'refused', message: '550 Spam' });
    expect(await settings()).toEqual({ code: 'refused', message: '550 Spam', at: expect.any(String) as unknown });
    await get(MailboxUpdateService).update(workspace, mailboxId, { displayName: 'Ada' });
    expect(await settings()).not.toBeNull();
    await get(MailboxUpdateService).resume(workspace, mailboxId);
    expect(await settings()).toBeNull();
    expect(await nextRun()).not.toBeNull();
  });

  it('respects whether the mailbox is set to send', async () => {
    await idle();
    const sendId = await claimed();
    await get(MailboxUpdateService).update(workspace, mailboxId, { sendingEnabled: false });
    expect(await sendOf(sendId)).toMatchObject({ state: 'withheld' });
    expect(await nextRun()).toBeNull();
    await get(MailboxUpdateService).update(workspace, mailboxId, { sendingEnabled: true });
    expect(await nextRun()).not.toBeNull();
  });

  it.each([{ dailySendLimit: 50 }, { sendGapSeconds: 0 }, { timezone: 'Europe/Berlin' }])(
    'schedules a run after %j',
    async (change) => {
      await idle();
      await get(MailboxUpdateService).update(workspace, mailboxId, change);
      expect(await nextRun()).not.toBeNull();
    },
  );

  it('stops when the connection is lost, and continues when it is restored', async () => {
    await idle();
    await failing(4);
    const sendId = await claimed();
    await failing(1);
    expect(await sendOf(sendId)).toMatchObject({ state: 'withheld', reason: 'The mailbox is disconnected' });
    expect(await nextRun()).toBeNull();
    await get(MailboxConnectionService).recordSuccess(
      { workspaceId: workspace.workspaceId, mailboxId, revision: 0 },
      'both',
    );
    expect(await nextRun()).not.toBeNull();
  });
});
