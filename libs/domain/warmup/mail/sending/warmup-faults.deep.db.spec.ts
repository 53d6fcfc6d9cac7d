import { MailboxDeletionService, MailboxUpdateService } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { WarmupsService } from '../../config/warmups.service';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { type DatabaseSnapshot } from '../testing/database-snapshots';
import { WarmupEngine, type WarmMailbox } from '../testing/warmup-engine';
import { WarmupDispatchService } from './warmup-dispatch.service';
import { WarmupMailRepository } from './warmup-mail.repository';

/** A Monday. */
const MORNING = new Date('2026-11-23T06:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CONFIG = { startingVolume: 3, dailyIncrease: 1, targetVolume: 5 };

let engine: WarmupEngine;
let ada: WarmMailbox;
let planned: DatabaseSnapshot;

beforeAll(async () => {
  engine = await WarmupEngine.open();
  await engine.reset(MORNING);
  ada = await engine.mailboxes.create(CONFIG);
  for (let others = 0; others < 3; others += 1) await engine.mailboxes.create(CONFIG);
  await engine.runs.planMorningOf(ada);
  planned = await engine.snapshots.take();
});
afterAll(() => engine.close());
beforeEach(() => engine.snapshots.restore(planned));

const given = () => engine.sending.server.given;
const first = async (mailbox = ada): Promise<WarmupMailRecord> => (await engine.records.sentFrom(mailbox))[0]!;
const stored = async ({ _id }: Pick<WarmupMailRecord, '_id'>): Promise<WarmupMailRecord> =>
  (await engine.records.sent({ _id }))[0]!;
const today = async (mailbox = ada) => (await engine.records.days(mailbox))[0];

/** Advances the clock to the due time of the mailbox’s first mail. */
async function due(mailbox = ada): Promise<WarmupMailRecord> {
  const mail = await first(mailbox);
  engine.sending.clock.freeze(mail.dueAt!);
  return mail;
}

/** Runs the sender with a worker that crashes at this point; its lease has expired. */
async function dies(when: 'beforeHandover' | 'onHandover'): Promise<void> {
  engine.sending.server[when] = () => Promise.reject(new Error('killed'));
  await expect(engine.runs.send(ada)).rejects.toThrow('killed');
  engine.sending.server[when] = () => undefined;
  await engine.sending.expire(ada.id);
}

describe('a warmup mail after a worker crash', () => {
  it('during the claim is found by the sweep, sent by the next run and counted once', async () => {
    const mail = await due();
    await dies('beforeHandover');
    expect(await stored(mail)).toMatchObject({ state: 'claimed' });
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 1 });
    engine.sending.clock.advance(MINUTE);
    expect(await dueIds()).toContain(ada.id);
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'sent', attempt: 1 });
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 1 });
    expect(await today()).toMatchObject({ attempted: 1, sent: 1 });
  });

  it('during the handover is never handed over again and stays counted', async () => {
    const mail = await due();
    await dies('onHandover');
    expect(await stored(mail)).toMatchObject({ state: 'ambiguous' });
    engine.sending.clock.advance(MINUTE);
    expect(await dueIds()).toContain(ada.id);
    await engine.runs.send(ada);
    await engine.runs.advanceTo(new Date(MORNING.getTime() + 17 * HOUR), ada);
    expect(given().filter(({ messageId }) => messageId.includes(mail._id.toHexString()))).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({
      state: 'ambiguous',
      at: mail.dueAt,
      reason: expect.stringContaining('crashed'),
    });
    expect((await stored(mail)).dueAt).toBeUndefined();
    expect(await today()).toMatchObject({ attempted: 3, sent: 2, openings: 2 });
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 3 });
  });

  it('during the handover counts as sent when it arrived', async () => {
    const mail = await due();
    await dies('onHandover');
    await engine.records.mails.updateOne(
      { _id: mail._id, workspaceId: mail.workspaceId },
      { $set: { receivedAt: engine.sending.clock.now(), placement: 'inbox' } },
    );
    engine.sending.clock.advance(MINUTE);
    await engine.runs.send(ada);
    expect(await stored(mail)).toMatchObject({ state: 'sent', placement: 'inbox', reason: null });
    expect(await today()).toMatchObject({ attempted: 1, sent: 1, openings: 1 });
    const [thread] = await engine.records.threads({ _id: mail.threadId });
    expect(thread).toMatchObject({ messageIds: [(await stored(mail)).messageId], subject: expect.stringMatching(/./) });
  });

  it('between the acceptance and its record is never handed over again', async () => {
    const mail = await due();
    const outbox = engine.sending.get(WarmupMailRepository);
    const settles = jest.spyOn(outbox, 'settle').mockRejectedValueOnce(new Error('killed'));
    await expect(engine.runs.send(ada)).rejects.toThrow('killed');
    settles.mockRestore();
    await engine.sending.expire(ada.id);
    engine.sending.clock.advance(MINUTE);
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'ambiguous' });
  });

  it('after all writes was sent once', async () => {
    const mail = await due();
    const ends = jest
      .spyOn(engine.sending.get(MailboxLeaseService), 'complete')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(engine.runs.send(ada)).rejects.toThrow('killed');
    ends.mockRestore();
    await engine.sending.expire(ada.id);
    engine.sending.clock.advance(MINUTE);
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'sent' });
    expect(await today()).toMatchObject({ attempted: 1, sent: 1 });
  });

  it('is not settled by a worker whose lease another worker holds', async () => {
    const mail = await due();
    engine.sending.server.onHandover = async () => {
      await engine.sending.expire(ada.id);
      engine.sending.server.onHandover = () => undefined;
      engine.sending.clock.advance(MINUTE);
      await engine.runs.send(ada);
    };
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'ambiguous' });
    expect(await today()).toMatchObject({ attempted: 1, sent: 0 });
  });

  it('is not handed over by a worker that lost its lease while the new holder sends it', async () => {
    const mail = await due();
    const [reached, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let other: Promise<void> | undefined;
    engine.sending.server.beforeHandover = async () => {
      engine.sending.server.beforeHandover = () => {
        reached.resolve();
        return ended.promise;
      };
      await engine.sending.expire(ada.id);
      other = engine.runs.send(ada);
      await reached.promise;
    };
    await engine.runs.send(ada);
    const before = given().length;
    ended.resolve();
    await other;
    expect(before).toBe(0);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'sent', attempt: 1 });
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 1 });
  });
});

describe('a warmup mail of a worker that seemed to have crashed', () => {
  it('is not sent again when it is handed over during the recovery by the next run', async () => {
    const mail = await due();
    const outbox = engine.sending.get(WarmupMailRepository);
    const { listClaimed: inHand } = outbox;
    const [read, onHandover] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let other: Promise<void> | undefined;
    engine.sending.server.beforeHandover = async () => {
      engine.sending.server.beforeHandover = () => undefined;
      engine.sending.server.onHandover = () => {
        engine.sending.server.onHandover = () => undefined;
        onHandover.resolve();
        return other;
      };
      await engine.sending.expire(ada.id);
      jest.spyOn(outbox, 'listClaimed').mockImplementationOnce(async (of) => {
        const found = await inHand.call(outbox, of);
        read.resolve();
        await onHandover.promise;
        return found;
      });
      other = engine.runs.send(ada);
      await read.promise;
    };
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'sent', attempt: 1 });
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 1 });
    expect(await today()).toMatchObject({ attempted: 1, sent: 1 });
  });
});

describe('a claimed warmup mail', () => {
  const untilTheWire = async (act: () => Promise<unknown>): Promise<WarmupMailRecord> => {
    const mail = await due();
    engine.sending.server.beforeHandover = () => {
      engine.sending.server.beforeHandover = () => undefined;
      return act();
    };
    await engine.runs.send(ada);
    expect(given()).toEqual([]);
    expect(await engine.sending.leaseOf(ada.id).catch(() => null)).toEqual(
      (await engine.records.mailbox(ada).catch(() => null))
        ? expect.objectContaining({ dayUsed: 0, lastSentAt: null })
        : null,
    );
    return mail;
  };
  const transitions = () => engine.sending.get(WarmupsService);

  it.each(['pause', 'stop'] as const)('is not sent after a %s', async (move) => {
    const mail = await untilTheWire(() => transitions()[move](ada.workspace, ada.id));
    expect(await stored(mail)).toMatchObject({ state: 'planned', attempt: 0 });
    await engine.runs.advanceTo(new Date(MORNING.getTime() + 17 * HOUR), ada);
    expect(given().filter(({ from }) => from === ada.email)).toEqual([]);
    expect(await stored(mail)).toMatchObject({ state: 'failed', reason: 'The warmup was no longer running' });
  });

  it('is not sent after its mailbox was paused', async () => {
    const mail = await untilTheWire(() => engine.sending.get(MailboxUpdateService).pause(ada.workspace, ada.id));
    expect(await stored(mail)).toMatchObject({ state: 'planned' });
  });

  it('is not sent after sending was disabled for its mailbox', async () => {
    const updates = engine.sending.get(MailboxUpdateService);
    await untilTheWire(() => updates.update(ada.workspace, ada.id, { sendingEnabled: false }));
  });

  it('is not sent after its mailbox was disconnected', async () => {
    await untilTheWire(() => engine.sending.changeMailbox(ada.id, { status: 'disconnected' }));
  });

  it('is not sent after its mailbox was deleted', async () => {
    await untilTheWire(() => engine.sending.get(MailboxDeletionService).delete(ada.workspace, ada.id, {}));
  });

  it('is not sent when the pause follows the last check, because its claim is withdrawn', async () => {
    const mail = await due();
    const outbox = engine.sending.get(WarmupMailRepository);
    const { markSending: toWire } = outbox;
    jest.spyOn(outbox, 'markSending').mockImplementationOnce(async (...args) => {
      await transitions().pause(ada.workspace, ada.id);
      return toWire.apply(outbox, args);
    });
    await engine.runs.send(ada);
    expect(given()).toEqual([]);
    expect(await stored(mail)).toMatchObject({ state: 'planned', attempt: 0 });
  });

  it('is not sent when it was claimed after the acknowledgement of the pause', async () => {
    await due();
    await engine.runs.send(ada);
    const opening = (await engine.records.sentFrom(ada)).find(({ state }) => state === 'sent')!;
    const { counterpart } = opening;
    const answerer = { ...ada, id: counterpart.mailboxId.toHexString() };
    const _id = await engine.records.insertAnswer(opening, engine.sending.clock.now());
    const members = engine.sending.get(WarmupDispatchService);
    const { findReceiver: receiving } = members;
    jest.spyOn(members, 'findReceiver').mockImplementationOnce(async (mailbox) => {
      await transitions().pause(ada.workspace, answerer.id);
      return receiving.call(members, mailbox);
    });
    const before = given().length;
    await engine.runs.send(answerer);
    expect(given()).toHaveLength(before);
    expect(await stored({ _id })).toMatchObject({ state: 'planned', attempt: 0 });
  });
});

async function dueIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of engine.sending.get(WarmupMailRepository).listDue(engine.sending.clock.now())) {
    ids.push(...page.map(({ mailboxId }) => mailboxId.toHexString()));
  }
  return ids;
}
