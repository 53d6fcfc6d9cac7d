import { MailboxDeletionService, MailboxUpdateService } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { WarmupsService } from '../../config/warmups.service';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
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
let planned: Awaited<ReturnType<WarmupEngine['keep']>>;

beforeAll(async () => {
  engine = await WarmupEngine.open();
  await engine.fresh(MORNING);
  ada = await engine.warm(CONFIG);
  for (let others = 0; others < 3; others += 1) await engine.warm(CONFIG);
  await engine.planMorningOf(ada);
  planned = await engine.keep();
});
afterAll(() => engine.close());
beforeEach(() => engine.restore(planned));

const given = () => engine.sending.server.given;
const first = async (mailbox = ada): Promise<WarmupMailRecord> => (await engine.of(mailbox))[0]!;
const stored = async ({ _id }: Pick<WarmupMailRecord, '_id'>): Promise<WarmupMailRecord> =>
  (await engine.sent({ _id }))[0]!;
const today = async (mailbox = ada) => (await engine.days(mailbox))[0];

/** The time of the mailbox's first mail has come. */
async function due(mailbox = ada): Promise<WarmupMailRecord> {
  const mail = await first(mailbox);
  engine.sending.clock.freeze(mail.dueAt!);
  return mail;
}

/** A turn whose worker dies when this happens; its lease has run out. */
async function dies(when: 'beforeHandover' | 'onHandover'): Promise<void> {
  engine.sending.server[when] = () => Promise.reject(new Error('killed'));
  await expect(engine.send(ada)).rejects.toThrow('killed');
  engine.sending.server[when] = () => undefined;
  await engine.sending.expire(ada.id);
}

describe('a warmup mail whose worker dies', () => {
  it('when it is claimed: is found by the sweep, sent by the next turn, and counted once', async () => {
    const mail = await due();
    await dies('beforeHandover');
    expect(await stored(mail)).toMatchObject({ state: 'claimed' });
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 1 });
    engine.sending.clock.advance(MINUTE);
    expect(await dueIds()).toContain(ada.id);
    await engine.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'sent', attempt: 1 });
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 1 });
    expect(await today()).toMatchObject({ attempted: 1, sent: 1 });
  });

  it('when its server was being given it: is never given again, and stays counted', async () => {
    const mail = await due();
    await dies('onHandover');
    expect(await stored(mail)).toMatchObject({ state: 'ambiguous' });
    engine.sending.clock.advance(MINUTE);
    expect(await dueIds()).toContain(ada.id);
    await engine.send(ada);
    await engine.passTo(new Date(MORNING.getTime() + 17 * HOUR), ada);
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

  it('when its server was being given it: was sent, if it came', async () => {
    const mail = await due();
    await dies('onHandover');
    await engine.mails.updateOne(
      { _id: mail._id, workspaceId: mail.workspaceId },
      { $set: { receivedAt: engine.sending.clock.now(), placement: 'inbox' } },
    );
    engine.sending.clock.advance(MINUTE);
    await engine.send(ada);
    expect(await stored(mail)).toMatchObject({ state: 'sent', placement: 'inbox', reason: null });
    expect(await today()).toMatchObject({ attempted: 1, sent: 1, openings: 1 });
    const [thread] = await engine.threads({ _id: mail.threadId });
    expect(thread).toMatchObject({ messageIds: [(await stored(mail)).messageId], subject: expect.stringMatching(/./) });
  });

  it('when its server has accepted it and that was not written: is never given again', async () => {
    const mail = await due();
    const outbox = engine.sending.get(WarmupMailRepository);
    const settles = jest.spyOn(outbox, 'settle').mockRejectedValueOnce(new Error('killed'));
    await expect(engine.send(ada)).rejects.toThrow('killed');
    settles.mockRestore();
    await engine.sending.expire(ada.id);
    engine.sending.clock.advance(MINUTE);
    await engine.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'ambiguous' });
  });

  it('when all is written: was sent once', async () => {
    const mail = await due();
    const ends = jest
      .spyOn(engine.sending.get(MailboxLeaseService), 'complete')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(engine.send(ada)).rejects.toThrow('killed');
    ends.mockRestore();
    await engine.sending.expire(ada.id);
    engine.sending.clock.advance(MINUTE);
    await engine.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'sent' });
    expect(await today()).toMatchObject({ attempted: 1, sent: 1 });
  });

  it('is not settled by a worker whose turn was taken over meanwhile', async () => {
    const mail = await due();
    engine.sending.server.onHandover = async () => {
      await engine.sending.expire(ada.id);
      engine.sending.server.onHandover = () => undefined;
      engine.sending.clock.advance(MINUTE);
      await engine.send(ada);
    };
    await engine.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'ambiguous' });
    expect(await today()).toMatchObject({ attempted: 1, sent: 0 });
  });

  it('is not given away by a worker that has lost its turn, while another one has it in hand', async () => {
    const mail = await due();
    const [reached, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let other: Promise<void> | undefined;
    engine.sending.server.beforeHandover = async () => {
      engine.sending.server.beforeHandover = () => {
        reached.resolve();
        return ended.promise;
      };
      await engine.sending.expire(ada.id);
      other = engine.send(ada);
      await reached.promise;
    };
    await engine.send(ada);
    const before = given().length;
    ended.resolve();
    await other;
    expect(before).toBe(0);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'sent', attempt: 1 });
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 1 });
  });
});

describe('a warmup mail of a worker that was only taken for dead', () => {
  it('is not sent again when it is given away while the next turn looks after what was left', async () => {
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
      other = engine.send(ada);
      await read.promise;
    };
    await engine.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({ state: 'sent', attempt: 1 });
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 1 });
    expect(await today()).toMatchObject({ attempted: 1, sent: 1 });
  });
});

describe('a warmup mail that is claimed', () => {
  const untilTheWire = async (act: () => Promise<unknown>): Promise<WarmupMailRecord> => {
    const mail = await due();
    engine.sending.server.beforeHandover = () => {
      engine.sending.server.beforeHandover = () => undefined;
      return act();
    };
    await engine.send(ada);
    expect(given()).toEqual([]);
    expect(await engine.sending.leaseOf(ada.id).catch(() => null)).toEqual(
      (await engine.mailbox(ada).catch(() => null)) ? expect.objectContaining({ dayUsed: 0, lastSentAt: null }) : null,
    );
    return mail;
  };
  const transitions = () => engine.sending.get(WarmupsService);

  it.each(['pause', 'stop'] as const)('is not sent once %s was asked for', async (move) => {
    const mail = await untilTheWire(() => transitions()[move](ada.workspace, ada.id));
    expect(await stored(mail)).toMatchObject({ state: 'planned', attempt: 0 });
    await engine.passTo(new Date(MORNING.getTime() + 17 * HOUR), ada);
    expect(given().filter(({ from }) => from === ada.email)).toEqual([]);
    expect(await stored(mail)).toMatchObject({ state: 'failed', reason: 'The warmup was no longer running' });
  });

  it('is not sent once its mailbox is paused', async () => {
    const mail = await untilTheWire(() => engine.sending.get(MailboxUpdateService).pause(ada.workspace, ada.id));
    expect(await stored(mail)).toMatchObject({ state: 'planned' });
  });

  it('is not sent once its mailbox may not send', async () => {
    const updates = engine.sending.get(MailboxUpdateService);
    await untilTheWire(() => updates.update(ada.workspace, ada.id, { sendingEnabled: false }));
  });

  it('is not sent once its mailbox is disconnected', async () => {
    await untilTheWire(() => engine.sending.changeMailbox(ada.id, { status: 'disconnected' }));
  });

  it('is not sent once its mailbox is deleted', async () => {
    await untilTheWire(() => engine.sending.get(MailboxDeletionService).delete(ada.workspace, ada.id, {}));
  });

  it('is not sent either when all of that was read a moment before: its claim is gone', async () => {
    const mail = await due();
    const outbox = engine.sending.get(WarmupMailRepository);
    const { markSending: toWire } = outbox;
    jest.spyOn(outbox, 'markSending').mockImplementationOnce(async (...args) => {
      await transitions().pause(ada.workspace, ada.id);
      return toWire.apply(outbox, args);
    });
    await engine.send(ada);
    expect(given()).toEqual([]);
    expect(await stored(mail)).toMatchObject({ state: 'planned', attempt: 0 });
  });

  it('is not sent either when it was claimed only after the pause was acknowledged', async () => {
    await due();
    await engine.send(ada);
    const opening = (await engine.of(ada)).find(({ state }) => state === 'sent')!;
    const { counterpart } = opening;
    const answerer = { ...ada, id: counterpart.mailboxId.toHexString() };
    const _id = await engine.answer(opening, engine.sending.clock.now());
    const members = engine.sending.get(WarmupDispatchService);
    const { findReceiver: receiving } = members;
    jest.spyOn(members, 'findReceiver').mockImplementationOnce(async (mailbox) => {
      await transitions().pause(ada.workspace, answerer.id);
      return receiving.call(members, mailbox);
    });
    const before = given().length;
    await engine.send(answerer);
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
