import { ActiveCampaignsRepository, CampaignSequenceService } from '@domain/campaigns';
import { DueLeadRepository, LeadActionsService } from '@domain/leads';
import { MailboxLeaseService } from '@domain/sends';
import { rounds } from '@testing';
import { QuotaFullError } from '../quota/quota-full.errors';
import { SendQuotaRepository } from '../quota/send-quota.repository';
import { HOUR, MINUTE, SendingFixture } from '../testing/sending-fixture';
import { refused } from '../testing/scripted-server';

const LEAD = 'ann@acme.test';

let engine: SendingFixture;
let mailboxId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
});
afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore();
});

const spies: jest.SpyInstance[] = [];
const range = (count: number, domain = 'acme.test') => Array.from({ length: count }, (_, at) => `lead-${at}@${domain}`);

describe('a claim', () => {
  // The run would retry a lead that has not changed.
  const conflicts: [name: string, arrange: (end: () => void) => jest.SpyInstance][] = [
    [
      'another worker has claimed the lead',
      (end) =>
        jest.spyOn(engine.get(DueLeadRepository), 'reserve').mockImplementation(() => (end(), Promise.resolve(false))),
    ],
    ['the lease was lost', () => jest.spyOn(engine.get(MailboxLeaseService), 'writeBudget').mockResolvedValue(false)],
    [
      'the mailbox was removed from the campaign',
      () => jest.spyOn(engine.get(ActiveCampaignsRepository), 'recordServed').mockResolvedValue(false),
    ],
    [
      'the daily limit is used up',
      (end) =>
        jest
          .spyOn(engine.get(SendQuotaRepository), 'reserve')
          .mockImplementation(() => (end(), Promise.reject(new QuotaFullError('all')))),
    ],
  ];
  it.each(conflicts)('writes nothing at all when %s', async (_name, arrange) => {
    const campaignId = await engine.campaign([mailboxId], [LEAD], { dailyLimit: 3 });
    const before = [await engine.lead(LEAD), await engine.share(campaignId, mailboxId)];
    const ends = new AbortController();
    const spy = arrange(() => ends.abort());
    await engine.run(mailboxId, ends.signal);
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
    expect(engine.server.given).toEqual([]);
    expect(await engine.sends(LEAD)).toEqual([]);
    expect([await engine.lead(LEAD), await engine.share(campaignId, mailboxId)]).toEqual(before);
    expect(await engine.used(campaignId)).toEqual({});
    expect((await engine.leaseOf(mailboxId)).dayUsed).toBe(0);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD]);
  });

  it('is written alone if the batch with claims of other mailboxes was undone', async () => {
    const boxes = [mailboxId, await engine.mailbox(), await engine.mailbox()];
    const campaignId = await engine.campaign(boxes, range(3));
    spies.push(jest.spyOn(engine.get(ActiveCampaignsRepository), 'recordServedAll').mockResolvedValue(false));
    for (let round = 0; round < 3; round += 1) await Promise.all(boxes.map((id) => engine.run(id)));
    expect(engine.recipients().toSorted()).toEqual(range(3));
    expect((await engine.sums(campaignId)).stats.sent).toBe(3);
    const shares = await Promise.all(boxes.map((id) => engine.share(campaignId, id)));
    expect(shares.reduce((sum, { newLeads }) => sum + newLeads, 0)).toBe(3);
  });

  it('is not made by a mailbox that was stopped during its run', async () => {
    await engine.campaign([mailboxId], range(2));
    engine.server.onHandover = () =>
      engine.get(MailboxLeaseService).stop(engine.workspaceId, mailboxId, { code: 'X', message: 'bounces' });
    const take = jest.spyOn(engine.get(DueLeadRepository), 'reserve');
    spies.push(take);
    await engine.run(mailboxId);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    // It is not attempted for all other leads too.
    expect(take).toHaveBeenCalledTimes(1);
  });

  it('is made by one of two mailboxes that want the same new lead', async () => {
    const other = await engine.mailbox();
    await engine.campaign([mailboxId, other], [LEAD]);
    await Promise.all([engine.run(mailboxId), engine.run(other)]);
    await Promise.all([engine.run(mailboxId), engine.run(other)]);
    expect(engine.recipients()).toEqual([LEAD]);
  });

  it('of an ambiguous email is never made, and delays no other lead', async () => {
    await engine.campaign([mailboxId], [LEAD]);
    engine.server.answers.push(refused('ambiguous', 'handover'));
    await engine.run(mailboxId);
    // As if a fault had made the lead due.
    await engine.changeLead(LEAD, { dueAt: engine.clock.now(), sendId: null });
    const { campaignId } = await engine.lead(LEAD);
    await engine.leads(String(campaignId), ['bob@acme.test']);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD, 'bob@acme.test']);
    expect(await engine.stateOf(LEAD)).toBe('ambiguous');
  });
});

describe('limits', () => {
  it('of a campaign are never exceeded by mailboxes that compete for the last places', async () => {
    const boxes = [mailboxId, await engine.mailbox(), await engine.mailbox()];
    const limits = { dailyLimit: 7, newLeadsPerDay: 6, domainDailyLimit: 2 };
    const campaignId = await engine.campaign(
      boxes,
      [...range(4, 'a.test'), ...range(4, 'b.test'), ...range(9, 'gmail.com')],
      limits,
    );
    for (let round = 0; round < rounds(6, 4); round += 1) await Promise.all(boxes.map((id) => engine.run(id)));
    expect(engine.server.given).toHaveLength(6);
    const used = await engine.used(campaignId);
    expect(used).toMatchObject({ all: 6, new: 6 });
    expect(Math.max(used['@a.test'] ?? 0, used['@b.test'] ?? 0)).toBeLessThanOrEqual(2);
    expect(new Set(engine.recipients()).size).toBe(6);
    engine.clock.advance(24 * HOUR);
    for (let round = 0; round < rounds(6, 4); round += 1) await Promise.all(boxes.map((id) => engine.run(id)));
    expect(engine.server.given).toHaveLength(13);
  });

  it('of the mailbox apply within a run, and the next run is scheduled for their end', async () => {
    await engine.changeMailbox(mailboxId, { dailySendLimit: 3 });
    await engine.campaign([mailboxId], range(5));
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(3);
    engine.clock.advance(24 * HOUR + 5 * MINUTE);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(6);
  });

  it('of a gap and of an interval delay the next email', async () => {
    await engine.changeMailbox(mailboxId, { sendGapSeconds: 30 });
    await engine.campaign([mailboxId], range(3), { emailIntervalMinutes: 10 });
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    engine.clock.advance(10 * MINUTE - 1);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    const { nextAt } = await engine.leaseOf(mailboxId);
    engine.clock.freeze(nextAt!);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(2);
  });
});

describe('a campaign', () => {
  it('completes once, when no lead is left', async () => {
    const other = await engine.mailbox();
    const campaignId = await engine.campaign([mailboxId, other], range(2), {
      sequence: [{ subject: 'Only', body: '<p>one</p>' }],
    });
    for (let round = 0; round < 2; round += 1) await Promise.all([engine.run(mailboxId), engine.run(other)]);
    expect((await engine.campaignOf(campaignId)).status).toBe('completed');
    expect((await engine.events()).filter((type) => type === 'campaign.completed')).toHaveLength(1);
  });

  it('does not complete while leads are added, and restarts when leads are added later', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD], {
      sequence: [{ subject: 'Only', body: '<p>one</p>' }],
    });
    const anyLeft = engine.get(DueLeadRepository).anyLeft.bind(engine.get(DueLeadRepository));
    const spy = jest.spyOn(engine.get(DueLeadRepository), 'anyLeft').mockImplementationOnce(async (...which) => {
      const left = await anyLeft(...which);
      await engine.leads(campaignId, ['bob@acme.test']);
      return left;
    });
    spies.push(spy);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD, 'bob@acme.test']);
    await engine.run(mailboxId);
    expect((await engine.events()).filter((type) => type === 'campaign.completed')).toHaveLength(1);
    await engine.leads(campaignId, ['cid@acme.test']);
    expect((await engine.campaignOf(campaignId)).status).toBe('active');
    await engine.run(mailboxId);
    expect(engine.recipients()).toContain('cid@acme.test');
  });

  it('completes when people stopped its last leads', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD]);
    await engine.get(LeadActionsService).run(engine.workspace, campaignId, { action: 'remove', selectAll: true });
    await engine.run(mailboxId);
    expect((await engine.campaignOf(campaignId)).status).toBe('completed');
  });
});

describe('a sequence that changes while leads are in it', () => {
  const later = (subject: string, _id?: string, isFirst = false) => ({
    subject,
    body: `<p>${subject}</p>`,
    delay: {
      value: isFirst ? 0 : 1,
      unit: 'days' as const,
      workingDaysOnly: false,
    },
    ...(_id && { _id }),
  });
  const first = (subject: string, _id?: string) => later(subject, _id, true);
  const published = async (campaignId: string) =>
    (await engine.get(CampaignSequenceService).get(engine.workspace, campaignId, {})).sequence.map(({ _id }) => _id);
  const publish = (campaignId: string, sequence: ReturnType<typeof later>[]) =>
    engine.get(CampaignSequenceService).publish(engine.workspace, campaignId, { sequence });
  const subjects = async () => (await engine.sends(LEAD)).map(({ subject }) => subject);

  it('keeps its old text for emails in flight, and uses the new text afterwards', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD], { sequence: [first('One'), later('Two')] });
    const [one, two] = await published(campaignId);
    engine.server.beforeHandover = async () => {
      engine.server.beforeHandover = () => undefined;
      await publish(campaignId, [first('First', one), later('Second', two), later('Third')]);
    };
    await engine.run(mailboxId);
    for (let day = 0; day < 3; day += 1) {
      engine.clock.advance(24 * HOUR);
      await engine.run(mailboxId);
    }
    expect(await subjects()).toEqual(['One', 'Second', 'Third']);
  });

  it('skips a removed step, and completes leads without a further step', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD], {
      sequence: [first('One'), later('Two'), later('Three')],
    });
    const [one, , three] = await published(campaignId);
    await engine.run(mailboxId);
    await publish(campaignId, [first('One', one), later('Three', three)]);
    engine.clock.advance(24 * HOUR);
    await engine.run(mailboxId);
    expect((await engine.sends(LEAD)).map(({ subject }) => subject).toSorted()).toEqual(['One', 'Three']);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'completed', stopReason: 'finished' });
  });

  it('sends no lead the same step twice when steps are reordered', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD], { sequence: [first('One'), later('Two')] });
    const [one, two] = await published(campaignId);
    await engine.run(mailboxId);
    await publish(campaignId, [first('Two', two), later('One', one)]);
    for (let day = 0; day < 3; day += 1) {
      engine.clock.advance(24 * HOUR);
      await engine.run(mailboxId);
    }
    expect((await subjects()).toSorted()).toEqual(['One', 'Two']);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'completed' });
  });
});
