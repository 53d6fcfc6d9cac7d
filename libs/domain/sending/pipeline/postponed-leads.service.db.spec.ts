import { CampaignsService, type UpdateCampaignRequest } from '@domain/campaigns';
import { LeadPostponementRepository } from '@domain/leads';
import { Types } from 'mongoose';
import { CampaignDiagnosticsService } from '../explain/campaign-diagnostics.service';
import { LeadExplanationService } from '../explain/lead-explanation.service';
import { CampaignSimulationService } from '../simulate/campaign-simulation.service';
import { HOUR, MINUTE, NOON, SendingFixture } from '../testing/sending-fixture';

const ADA = 'ada@acme.test';
const BOB = 'bob@acme.test';
const IN_TOKYO = { email: 'yuki@tokyo.test', timezone: 'Asia/Tokyo' };
const MIDNIGHT = new Date('2026-11-26T00:00:00.000Z');
const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };
/** It is 21:00 in Tokyo and noon in London. */
const BY_DAY = { useLeadTimezone: true, sendingSchedule: { ...ALWAYS, startTime: '09:00', endTime: '17:00' } };
const ONE_A_DAY = { domainDailyLimit: 1 };

let engine: SendingFixture;
let mailbox: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailbox = await engine.mailbox();
});

const change = (campaignId: string, settings: UpdateCampaignRequest) =>
  engine.get(CampaignsService).update(engine.workspace, campaignId, settings);
const explained = async (campaignId: string, email: string) =>
  engine.get(LeadExplanationService).explain(engine.workspace, campaignId, String((await engine.lead(email))._id));
const diagnosed = (campaignId: string) => engine.get(CampaignDiagnosticsService).diagnose(engine.workspace, campaignId);

describe('a lead that earlier settings have postponed', () => {
  it('to the next day is contacted at once when the limit is raised', async () => {
    const campaign = await engine.campaign([mailbox], [ADA, BOB], ONE_A_DAY);
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA]);
    expect((await engine.lead(BOB)).dueAt).toEqual(MIDNIGHT);
    await change(campaign, { domainDailyLimit: 5 });
    expect((await engine.leaseOf(mailbox)).nextAt).toEqual(NOON);
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA, BOB]);
    await engine.run(mailbox);
    expect(engine.recipients()).toHaveLength(2);
  });

  it('to the next morning of its zone is contacted when the window is extended', async () => {
    const campaign = await engine.campaign([mailbox], [IN_TOKYO], BY_DAY);
    await engine.run(mailbox);
    expect((await engine.lead(IN_TOKYO.email)).dueAt).toEqual(MIDNIGHT);
    await change(campaign, { sendingSchedule: ALWAYS });
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([IN_TOKYO.email]);
  });

  it('keeps the delay of its step', async () => {
    const campaign = await engine.campaign([mailbox], [ADA, BOB], ONE_A_DAY);
    await engine.run(mailbox);
    await change(campaign, { domainDailyLimit: 5 });
    engine.clock.freeze(new Date(NOON.getTime() + 24 * HOUR - MINUTE));
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA, BOB]);
    engine.clock.freeze(new Date(NOON.getTime() + 24 * HOUR));
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA, BOB, ADA]);
  });

  it('is contacted also as a follow-up of a mailbox that has just read nothing due', async () => {
    const campaign = await engine.campaign([mailbox], [ADA], ONE_A_DAY);
    await engine.run(mailbox);
    engine.clock.freeze(new Date(NOON.getTime() + 24 * HOUR));
    await engine.leads(campaign, [BOB]);
    await change(campaign, { followUpsFirst: false });
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA, BOB]);
    await change(campaign, { domainDailyLimit: 2 });
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA, BOB, ADA]);
  });

  it('waits again if the change does not help it', async () => {
    const campaign = await engine.campaign([mailbox], [ADA, BOB], ONE_A_DAY);
    await engine.run(mailbox);
    await change(campaign, { name: 'Winter' });
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA]);
    expect((await engine.lead(BOB)).dueAt).toEqual(MIDNIGHT);
  });

  it('by a process that had read the settings before the change is freed a second later', async () => {
    const campaign = await engine.campaign([mailbox], [ADA, BOB], ONE_A_DAY);
    const { revision } = await engine.campaignOf(campaign);
    await change(campaign, { domainDailyLimit: 2 });
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA, BOB]);
    await engine.leads(campaign, [IN_TOKYO]);
    const late = await engine.lead(IN_TOKYO.email);
    await engine.get(LeadPostponementRepository).postpone(late, { until: MIDNIGHT, reason: 'domain_day', revision });
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA, BOB]);
    engine.clock.advance(1_000);
    await engine.run(mailbox);
    expect(engine.recipients()).toEqual([ADA, BOB, IN_TOKYO.email]);
  });

  it('by release 0.2.0, which stored only the later time, is contacted at once', async () => {
    await engine.campaign([mailbox], [ADA, BOB]);
    await engine.changeLead(ADA, { dueAt: MIDNIGHT, mailboxId: new Types.ObjectId(mailbox) });
    await engine.changeLead(BOB, { dueAt: MIDNIGHT });
    await engine.run(mailbox);
    // The other lead has its sender: it waits for its retry.
    expect(engine.recipients()).toEqual([BOB]);
    expect((await engine.lead(ADA)).dueAt).toEqual(MIDNIGHT);
  });

  it('is explained by the limit that postponed it, and by the new settings as soon as they are stored', async () => {
    const campaign = await engine.campaign([mailbox], [ADA, BOB], ONE_A_DAY);
    await engine.run(mailbox);
    expect(await explained(campaign, BOB)).toMatchObject({
      decision: 'wait',
      reason: 'domain_day',
      nextEligibleAt: MIDNIGHT.toISOString(),
      limits: [{ limit: 'domain_day', used: 1, max: 1, until: MIDNIGHT.toISOString(), binding: true }],
    });
    expect(await diagnosed(campaign)).toMatchObject({
      constraint: { reason: 'domain_day' },
      nextEligibleAt: MIDNIGHT.toISOString(),
    });
    await change(campaign, { domainDailyLimit: 5 });
    expect(await explained(campaign, BOB)).toMatchObject({ decision: 'send', reason: 'due', limits: [] });
  });

  it('is simulated as it will be sent, before and after the change', async () => {
    const campaign = await engine.campaign([mailbox], [ADA, BOB], ONE_A_DAY);
    const simulated = () => engine.get(CampaignSimulationService).simulate(engine.workspace, campaign, { days: 1 });
    await engine.run(mailbox);
    expect(await simulated()).toMatchObject({ perDay: [{ day: '2026-11-26', total: 1 }] });
    await change(campaign, { domainDailyLimit: 5 });
    expect(await simulated()).toMatchObject({ perDay: [{ day: '2026-11-25', total: 1 }] });
  });
});
