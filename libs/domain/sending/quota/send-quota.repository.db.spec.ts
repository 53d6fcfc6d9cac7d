import { CampaignsService, ActiveCampaignsRepository } from '@domain/campaigns';
import { SendReadRepository, SendRecord } from '@domain/sends';
import { TransactionService } from '@platform/database';
import { Types } from 'mongoose';
import { CampaignDiagnosticsService } from '../explain/campaign-diagnostics.service';
import { LeadExplanationService } from '../explain/lead-explanation.service';
import { SendQuotaRecord } from '../schemas/send-quota.record';
import { refused } from '../testing/scripted-server';
import { HOUR, MINUTE, SendingFixture } from '../testing/sending-fixture';
import { SendQuotaRepository } from './send-quota.repository';

let engine: SendingFixture;
let mailboxId: string;
let campaignId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
  // At noon: two people at one company and two free-mail addresses.
  const leads = ['ann@acme.test', 'bob@acme.test', 'cy@gmail.com', 'di@gmail.com'];
  campaignId = await engine.campaign([mailboxId], leads, { sequence: [{ subject: 'Hello', body: '<p>First</p>' }] });
});

type Settings = Parameters<CampaignsService['update']>[2];
const update = (settings: Settings) => engine.get(CampaignsService).update(engine.workspace, campaignId, settings);
const more = (...emails: string[]) => engine.leads(campaignId, emails);
/** Runs the mailboxes until nothing more is sent. */
const runAll = async () => {
  const before = engine.server.given.length;
  for (let [run, last] = [0, before]; run < 2 || last < engine.server.given.length; run += 1) {
    last = engine.server.given.length;
    engine.clock.advance(2_000);
    await engine.run(mailboxId);
  }
  return engine.server.given.length - before;
};
const used = async () =>
  Object.fromEntries(Object.entries(await engine.used(campaignId)).filter(([name]) => !name.startsWith('since')));

const usedToday = async (quotas: SendQuotaRepository) => {
  const campaign = await engine
    .get(ActiveCampaignsRepository)
    .find(new Types.ObjectId(engine.workspaceId), new Types.ObjectId(campaignId));
  return quotas.usedToday(campaign!, engine.clock.now());
};

describe('a daily limit that is switched on at midday', () => {
  it('counts what the campaign has sent that day, and nothing of that on the next day', async () => {
    expect(await runAll()).toBe(4);
    await more('eve@b.test', 'fay@c.test', 'gus@d.test', 'hal@e.test', 'ida@f.test', 'joe@g.test');
    await update({ dailyLimit: 5 });
    expect(await runAll()).toBe(1);
    expect((await used())['all']).toBe(5);
    const diagnosed = await engine.get(CampaignDiagnosticsService).diagnose(engine.workspace, campaignId);
    expect(diagnosed.constraint).toMatchObject({ reason: 'campaign_day' });
    const late = (await engine.lead('joe@g.test')).mailboxId === null ? 'joe@g.test' : 'ida@f.test';
    const { _id } = await engine.lead(late);
    const explanation = await engine
      .get(LeadExplanationService)
      .explain(engine.workspace, campaignId, _id.toHexString());
    expect(explanation.limits).toMatchObject([{ limit: 'campaign_day', used: 5, max: 5 }]);
    engine.clock.advance(24 * HOUR);
    expect(await runAll()).toBe(5);
  });

  it('counts new leads, and emails to a company, each for its own limit', async () => {
    expect(await runAll()).toBe(4);
    await more('eve@acme.test', 'fay@acme.test', 'gus@gmail.com', 'hal@gmail.com', 'ida@gmail.com');
    await update({ newLeadsPerDay: 7, domainDailyLimit: 3 });
    expect(await runAll()).toBe(3);
    expect(await used()).toMatchObject({ new: 7, '@acme.test': expect.any(Number) });
    const acme = engine.recipients().filter((to) => to.endsWith('@acme.test'));
    expect(acme.length).toBeLessThanOrEqual(3);
    expect((await used())['@acme.test']).toBe(acme.length);
  });

  it('counts only new leads for the limit of new leads', async () => {
    const delay = { value: 1, unit: 'hours' as const, workingDaysOnly: false };
    const sequence = [
      { subject: 'Hello', body: '<p>First</p>' },
      { subject: '', body: '<p>Second</p>', delay },
    ];
    campaignId = await engine.campaign([mailboxId], ['kim@h.test', 'lea@i.test'], { sequence });
    await runAll();
    engine.clock.advance(HOUR);
    await runAll();
    expect(engine.recipients().filter((to) => to === 'kim@h.test')).toHaveLength(2);
    await update({ newLeadsPerDay: 3, dailyLimit: 50 });
    await more('max@j.test', 'ned@k.test');
    expect(await runAll()).toBe(1);
    expect(await used()).toMatchObject({ new: 3, all: 5 });
  });

  it('counts correctly again after it was off for a while', async () => {
    await update({ dailyLimit: 2 });
    expect(await runAll()).toBe(2);
    await update({ dailyLimit: null });
    expect(await runAll()).toBe(2);
    await more('eve@b.test', 'fay@c.test');
    engine.clock.advance(MINUTE);
    await update({ dailyLimit: 5 });
    expect(await runAll()).toBe(1);
  });

  it('applies to an email that was claimed just before', async () => {
    await update({ mailboxes: [mailboxId] });
    engine.server.beforeHandover = async () => {
      if (engine.server.given.length === 1) await update({ dailyLimit: 1 });
    };
    expect(await runAll()).toBe(1);
    expect((await used())['all']).toBe(1);
  });

  it.each([
    ['has a place', { day: '2026-11-03', names: ['all'] }],
    ['has no place', null],
  ])('counts a withheld email until its release: an email that %s', async (_which, places) => {
    expect(await runAll()).toBe(4);
    const sends = engine.model<SendRecord>(SendRecord);
    await sends.updateOne({ workspaceId: engine.workspaceId }, { $set: { state: 'withheld', places } });
    await update({ dailyLimit: 10 });
    expect((await usedToday(engine.get(SendQuotaRepository))).get('all')).toBe(4);
  });

  it.each([
    ['is withheld without a place', undefined],
    ['is refused temporarily', refused('temporary', 'handover', '451 4.3.0 later')],
  ])('does not count an email twice that was counted without a place and %s', async (_what, answer) => {
    await update({ mailboxes: [mailboxId] });
    if (answer) engine.server.answers.push(answer);
    const counts = async () => {
      engine.server.beforeHandover = engine.server.onHandover = () => undefined;
      await update({ dailyLimit: 10, newLeadsPerDay: 10 });
      expect((await usedToday(engine.get(SendQuotaRepository))).get('all')).toBe(1);
    };
    if (answer) engine.server.onHandover = counts;
    else engine.server.beforeHandover = counts;
    await runAll();
    engine.clock.advance(5 * MINUTE);
    await runAll();
    expect(new Set(engine.recipients()).size).toBe(4);
    expect(await used()).toMatchObject({ all: 4, new: 4 });
  });

  it('is counted once by several workers at the same moment', async () => {
    expect(await runAll()).toBe(4);
    await update({ dailyLimit: 10 });
    const workers = Array.from({ length: 4 }, () => {
      const quotas = engine.model<SendQuotaRecord>(SendQuotaRecord);
      return new SendQuotaRepository(quotas, engine.get(SendReadRepository), engine.get(TransactionService));
    });
    const counts = await Promise.all(workers.map(usedToday));
    expect(counts.map((one) => one.get('all'))).toEqual([4, 4, 4, 4]);
  });

  it('applies to the day of another zone to which the campaign is moved', async () => {
    await update({ dailyLimit: 4 });
    expect(await runAll()).toBe(4);
    await more('eve@b.test');
    await update({ sendingSchedule: { timezone: 'Pacific/Auckland' } });
    expect(await runAll()).toBe(0);
  });
});
