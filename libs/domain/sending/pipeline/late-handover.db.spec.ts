import { ActiveCampaignsRepository } from '@domain/campaigns';
import { MailboxLeaseService } from '@domain/sends';
import { SendSideEffectsService } from './send-side-effects.service';
import { QueuedReplies } from '../testing/queued-replies';
import { MINUTE, SendingFixture } from '../testing/sending-fixture';

const LEADS = ['ann@acme.test', 'bob@acme.test'];
const GAP_MS = 60_000;

let engine: SendingFixture;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(() => engine.fresh());

/** It takes so long from the claim of the next email until its server would take it. */
function slowToReach(ms: number): void {
  engine.server.beforeWire = () => {
    engine.server.beforeWire = () => undefined;
    engine.clock.advance(ms);
  };
}

/** A turn after so many milliseconds more: how many emails were given by then. */
async function givenAfter(ms: number, mailboxId: string): Promise<number> {
  engine.clock.advance(ms);
  await engine.turn(mailboxId);
  return engine.server.given.length;
}

describe('an email that takes long from its claim to its server', () => {
  it('is followed by the next one when the gap has passed since it was given, not since it was claimed', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await engine.campaign([mailboxId], LEADS);
    slowToReach(50_000);
    await engine.turn(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect((await engine.turnOf(mailboxId)).nextAt).toEqual(engine.clock.in(GAP_MS));
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('is so, too, when the worker died over it', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await engine.campaign([mailboxId], LEADS);
    slowToReach(50_000);
    await engine.dies(mailboxId, 'onWire');
    expect(engine.server.given).toHaveLength(1);
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('is so, too, when the worker died after it had written what became of it', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await engine.campaign([mailboxId], LEADS);
    slowToReach(50_000);
    const dies = jest.spyOn(engine.get(SendSideEffectsService), 'apply').mockRejectedValueOnce(new Error('killed'));
    await expect(engine.turn(mailboxId)).rejects.toThrow('killed');
    dies.mockRestore();
    await engine.expire(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('is so, too, when it was a reply', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await new QueuedReplies(engine).queued(mailboxId, 'ada@elsewhere.test');
    await engine.campaign([mailboxId], LEADS);
    engine.clock.advance(MINUTE);
    slowToReach(50_000);
    const dies = jest
      .spyOn(engine.get(SendSideEffectsService), 'applyToMailbox')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(engine.turn(mailboxId)).rejects.toThrow('killed');
    dies.mockRestore();
    await engine.expire(mailboxId);
    expect(engine.recipients()).toEqual(['ada@elsewhere.test']);
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('keeps its gap from then when two workers die, one over it and one over what it left', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await engine.campaign([mailboxId], LEADS);
    slowToReach(50_000);
    await engine.dies(mailboxId, 'onWire');
    const ends = jest.spyOn(engine.get(MailboxLeaseService), 'complete').mockRejectedValueOnce(new Error('killed'));
    await expect(engine.turn(mailboxId)).rejects.toThrow('killed');
    ends.mockRestore();
    await engine.expire(mailboxId);
    expect(await engine.stateOf(engine.recipients()[0]!)).toBe('ambiguous');
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('is not given when it cannot be noted that it is late: no answer of a server is lost over that', async () => {
    const mailboxId = await engine.mailbox();
    const campaignId = await engine.campaign([mailboxId], LEADS, { emailIntervalMinutes: 2 });
    slowToReach(MINUTE);
    const served = jest
      .spyOn(engine.get(ActiveCampaignsRepository), 'recordServed')
      .mockRejectedValueOnce(new Error('no database'));
    await expect(engine.turn(mailboxId)).rejects.toThrow('no database');
    served.mockRestore();
    expect(engine.server.given).toEqual([]);
    await engine.expire(mailboxId);
    await engine.turn(mailboxId);
    expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: 1 });
    expect(engine.server.given).toHaveLength(1);
  });

  it('is followed by the next one of its campaign when the interval has passed since it was given', async () => {
    const mailboxId = await engine.mailbox();
    await engine.campaign([mailboxId], LEADS, { emailIntervalMinutes: 2 });
    slowToReach(MINUTE);
    await engine.turn(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect(await givenAfter(2 * MINUTE - 1, mailboxId)).toBe(1);
    expect(await givenAfter(MINUTE, mailboxId)).toBe(2); // up to a fifth longer
  });

  it('is not given at all when its window closes meanwhile: it waits for the next one', async () => {
    const mailboxId = await engine.mailbox();
    const sendingSchedule = { timezone: 'UTC', startTime: '09:00', endTime: '12:01', workingDays: [1, 2, 3, 4, 5] };
    await engine.campaign([mailboxId], LEADS, { sendingSchedule });
    slowToReach(2 * MINUTE);
    await engine.turn(mailboxId);
    expect(engine.server.given).toEqual([]);
    expect(await engine.sends(LEADS[0]!)).toMatchObject([{ state: 'planned', attempt: 1 }]);
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 0 });
    expect(await givenAfter(MINUTE, mailboxId)).toBe(0);
    expect(await givenAfter(21 * 60 * MINUTE, mailboxId)).toBe(2);
  });
});
