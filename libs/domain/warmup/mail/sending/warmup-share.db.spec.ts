import { MailboxUpdateService } from '@domain/mailboxes';
import { LeadExplanationService } from '@domain/sending';
import { WarmupsService } from '../../config/warmups.service';
import { type DatabaseSnapshot } from '../testing/database-snapshots';
import { WarmupEngine, type WarmMailbox } from '../testing/warmup-engine';

/** A Monday. */
const MORNING = new Date('2026-11-23T06:00:00.000Z');
const EVENING = new Date('2026-11-23T23:00:00.000Z');
/** Three threads a day: at most six mails, including answers. */
const CONFIG = { startingVolume: 3, dailyIncrease: 1, targetVolume: 5 };
const LEADS = Array.from({ length: 20 }, (_, index) => `lead-${index}@acme.test`);

let engine: WarmupEngine;
let ada: WarmMailbox;
let planned: DatabaseSnapshot;

beforeAll(async () => {
  engine = await WarmupEngine.open();
  await engine.reset(MORNING);
  ada = await engine.mailboxes.create(CONFIG, { dailySendLimit: 10 });
  for (let others = 0; others < 4; others += 1) await engine.mailboxes.create(CONFIG);
  await engine.runs.plan();
  planned = await engine.snapshots.take();
});
afterAll(() => engine.close());
beforeEach(() => engine.snapshots.restore(planned));

const toLeads = () => engine.sending.recipients().filter((to) => LEADS.includes(to)).length;
const share = async () => (await engine.records.mailbox(ada)).warmup.share;

describe('the warmup share of a mailbox’s limit', () => {
  it('is not used by campaigns, which report it, and is available to warmup', async () => {
    const campaignId = await engine.sending.campaign([ada.id], LEADS);
    await engine.sending.run(ada.id);
    expect(await share()).toEqual({ mails: 6, weekdaysOnly: false });
    expect(toLeads()).toBe(4);
    const lead = await engine.sending.lead(LEADS[19]!);
    const explanation = await engine.sending
      .get(LeadExplanationService)
      .explain(engine.sending.workspace, campaignId, lead._id.toHexString());
    expect(explanation).toMatchObject({
      decision: 'wait',
      reason: 'mailbox_day',
      nextEligibleAt: '2026-11-24T06:05:00.000Z',
      limits: ['mailbox_day', 'mailbox_24h'].map((limit) => ({
        limit,
        used: 4,
        max: 4,
        detail: '6 of the 10 emails a day are kept for warmup',
      })),
    });
    await engine.runs.advanceTo(EVENING, ada);
    expect((await engine.records.sentFrom(ada)).filter(({ state }) => state === 'sent')).toHaveLength(3);
    await engine.sending.run(ada.id);
    expect(toLeads()).toBe(4);
  });

  it.each(['pause', 'stop'] as const)('is available to campaigns immediately after a %s', async (move) => {
    await engine.sending.campaign([ada.id], LEADS);
    await engine.sending.run(ada.id);
    await engine.sending.get(WarmupsService)[move](ada.workspace, ada.id);
    expect(await share()).toBeNull();
    expect((await engine.sending.leaseOf(ada.id)).nextAt).toEqual(engine.sending.clock.now());
    await engine.sending.run(ada.id);
    expect(toLeads()).toBe(10);
  });

  it('is available to campaigns without a peer, and mostly so with a single peer', async () => {
    await engine.reset(MORNING);
    const alone = await engine.mailboxes.create(CONFIG, { dailySendLimit: 10 });
    const share = async () => (await engine.records.mailbox(alone)).warmup.share;
    await engine.sending.campaign([alone.id], LEADS);
    await engine.sending.run(alone.id);
    expect(toLeads()).toBe(4);
    await engine.runs.plan();
    expect(await share()).toBeNull();
    expect((await engine.sending.leaseOf(alone.id)).nextAt).toEqual(engine.sending.clock.now());
    await engine.mailboxes.create(CONFIG);
    engine.sending.clock.advance(3_600_000);
    await engine.runs.plan();
    expect(await share()).toEqual({ mails: 2, weekdaysOnly: false });
  });

  it('follows the settings of the warmup and the limit of the mailbox', async () => {
    await engine.sending.campaign([ada.id], LEADS);
    await engine.sending.run(ada.id);
    await engine.sending.get(WarmupsService).update(ada.workspace, ada.id, { budgetShare: 10, weekdaysOnly: true });
    expect(await share()).toEqual({ mails: 1, weekdaysOnly: true });
    expect((await engine.sending.leaseOf(ada.id)).nextAt).toEqual(engine.sending.clock.now());
    await engine.sending.run(ada.id);
    expect(toLeads()).toBe(9);
    // The volume is unchanged; the share is not.
    await engine.sending.get(MailboxUpdateService).update(ada.workspace, ada.id, { dailySendLimit: 20 });
    expect(await share()).toEqual({ mails: 2, weekdaysOnly: true });
    await engine.sending.run(ada.id);
    expect(toLeads()).toBe(18);
  });
});
