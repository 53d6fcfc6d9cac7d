import { ActiveCampaignsRepository } from '@domain/campaigns';
import { MailboxLeaseService } from '@domain/sends';
import { MailAttemptService } from './mail-attempt.service';
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

/** Delays the next handover by this time after its claim. */
function slowToReach(ms: number): void {
  engine.server.beforeHandover = () => {
    engine.server.beforeHandover = () => undefined;
    engine.clock.advance(ms);
  };
}

/** Runs the mailbox after this many milliseconds; returns the number of emails handed over by then. */
async function givenAfter(ms: number, mailboxId: string): Promise<number> {
  engine.clock.advance(ms);
  await engine.run(mailboxId);
  return engine.server.given.length;
}

describe('an email with a late handover', () => {
  it('is followed by the next one when the gap has passed since its handover, not since its claim', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await engine.campaign([mailboxId], LEADS);
    slowToReach(50_000);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect((await engine.leaseOf(mailboxId)).nextAt).toEqual(engine.clock.in(GAP_MS));
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('is followed after the same gap if its worker crashed during the handover', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await engine.campaign([mailboxId], LEADS);
    slowToReach(50_000);
    await engine.crash(mailboxId, 'onHandover');
    expect(engine.server.given).toHaveLength(1);
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('is followed after the same gap if its worker crashed after the outcome was written', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await engine.campaign([mailboxId], LEADS);
    slowToReach(50_000);
    const crash = jest
      .spyOn(engine.get(MailAttemptService), 'applyToMailbox')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(engine.run(mailboxId)).rejects.toThrow('killed');
    crash.mockRestore();
    await engine.expire(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('is followed after the same gap if it was a reply', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await new QueuedReplies(engine).queued(mailboxId, 'ada@elsewhere.test');
    await engine.campaign([mailboxId], LEADS);
    engine.clock.advance(MINUTE);
    slowToReach(50_000);
    const crash = jest
      .spyOn(engine.get(MailAttemptService), 'applyToMailbox')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(engine.run(mailboxId)).rejects.toThrow('killed');
    crash.mockRestore();
    await engine.expire(mailboxId);
    expect(engine.recipients()).toEqual(['ada@elsewhere.test']);
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('keeps its gap if two workers crash, one during the handover and one during its recovery', async () => {
    const mailboxId = await engine.mailbox({ sendGapSeconds: GAP_MS / 1_000 });
    await engine.campaign([mailboxId], LEADS);
    slowToReach(50_000);
    await engine.crash(mailboxId, 'onHandover');
    const ends = jest.spyOn(engine.get(MailboxLeaseService), 'complete').mockRejectedValueOnce(new Error('killed'));
    await expect(engine.run(mailboxId)).rejects.toThrow('killed');
    ends.mockRestore();
    await engine.expire(mailboxId);
    expect(await engine.stateOf(engine.recipients()[0]!)).toBe('ambiguous');
    expect(await givenAfter(GAP_MS - 1, mailboxId)).toBe(1);
    expect(await givenAfter(1, mailboxId)).toBe(2);
  });

  it('is not handed over if the delay cannot be stored, so no reply of a server is lost', async () => {
    const mailboxId = await engine.mailbox();
    const campaignId = await engine.campaign([mailboxId], LEADS, { emailIntervalMinutes: 2 });
    slowToReach(MINUTE);
    const served = jest
      .spyOn(engine.get(ActiveCampaignsRepository), 'recordServed')
      .mockRejectedValueOnce(new Error('no database'));
    await expect(engine.run(mailboxId)).rejects.toThrow('no database');
    served.mockRestore();
    expect(engine.server.given).toEqual([]);
    await engine.expire(mailboxId);
    await engine.run(mailboxId);
    expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: 1 });
    expect(engine.server.given).toHaveLength(1);
  });

  it('is followed by the next one of its campaign when the interval has passed since its handover', async () => {
    const mailboxId = await engine.mailbox();
    await engine.campaign([mailboxId], LEADS, { emailIntervalMinutes: 2 });
    slowToReach(MINUTE);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect(await givenAfter(2 * MINUTE - 1, mailboxId)).toBe(1);
    expect(await givenAfter(MINUTE, mailboxId)).toBe(2); // Extended by up to a fifth.
  });

  it('is not handed over if its window closes meanwhile, and waits for the next window', async () => {
    const mailboxId = await engine.mailbox();
    const sendingSchedule = { timezone: 'UTC', startTime: '09:00', endTime: '12:01', workingDays: [1, 2, 3, 4, 5] };
    await engine.campaign([mailboxId], LEADS, { sendingSchedule });
    slowToReach(2 * MINUTE);
    await engine.run(mailboxId);
    expect(engine.server.given).toEqual([]);
    expect(await engine.sends(LEADS[0]!)).toMatchObject([{ state: 'planned', attempt: 1 }]);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 0 });
    expect(await givenAfter(MINUTE, mailboxId)).toBe(0);
    expect(await givenAfter(21 * 60 * MINUTE, mailboxId)).toBe(2);
  });
});
