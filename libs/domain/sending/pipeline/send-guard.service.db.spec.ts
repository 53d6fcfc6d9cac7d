import { CampaignStatusService, CampaignsService } from '@domain/campaigns';
import { LeadActionsService } from '@domain/leads';
import { MailboxDeletionService, MailboxUpdateService } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { DEEP } from '@testing';
import { SendingFixture } from '../testing/sending-fixture';
import { SendClaimService } from './send-claim.service';

const LEAD = 'ann@acme.test';

let engine: SendingFixture;
let mailboxId: string;
let other: string;
let campaignId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
  other = await engine.mailbox();
  campaignId = await engine.campaign([mailboxId, other], [LEAD], { dailyLimit: 9, newLeadsPerDay: 9 });
});

const leadIds = async () => [(await engine.lead(LEAD))._id.toHexString()];

/** All changes that forbid a send; each returns when it is acknowledged. */
const acts: [name: string, act: () => Promise<unknown>][] = [
  ['the campaign is paused', () => engine.get(CampaignStatusService).pause(engine.workspace, campaignId)],
  [
    'the lead is paused',
    async () =>
      engine.get(LeadActionsService).run(engine.workspace, campaignId, { action: 'pause', leadIds: await leadIds() }),
  ],
  [
    'its address is suppressed',
    () => engine.get(SuppressionsService).add(engine.workspace, { addresses: [LEAD] }, { source: 'manual' }),
  ],
  [
    'its domain is suppressed',
    () => engine.get(SuppressionsService).add(engine.workspace, { domains: ['acme.test'] }, { source: 'manual' }),
  ],
  ['the mailbox is paused', () => engine.get(MailboxUpdateService).pause(engine.workspace, mailboxId)],
  [
    'the mailbox is set not to send',
    () => engine.get(MailboxUpdateService).update(engine.workspace, mailboxId, { sendingEnabled: false }),
  ],
  [
    'the mailbox is taken out of the campaign',
    () => engine.get(CampaignsService).update(engine.workspace, campaignId, { mailboxes: [other] }),
  ],
  [
    'the mailbox is deleted',
    () => engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, { force: 'true' }),
  ],
];

/** At the other moments, one change each of the campaign, the lead, the address and the mailbox is enough. */
const STAND_FOR_ALL = new Set([
  'the campaign is paused',
  'the lead is paused',
  'its address is suppressed',
  'the mailbox is deleted',
]);
const some = acts.filter(([name]) => DEEP || STAND_FOR_ALL.has(name));

describe.each(acts)('when %s', (name, act) => {
  it('a claimed email is not sent, and everything that it used is released', async () => {
    engine.server.beforeHandover = act;
    await engine.run(mailboxId);
    expect(engine.server.given).toEqual([]);
    // The next run releases what a pause withheld during this run.
    if (!name.includes('deleted')) await engine.run(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'planned' }]);
    expect(await engine.lead(LEAD)).toMatchObject({ sendId: null, mailboxId: null, sentCount: 0 });
    expect(await engine.used(campaignId)).toEqual({ all: 0, new: 0 });
    expect(await engine.share(campaignId, mailboxId)).toMatchObject({ newLeads: 0, nextAt: null });
    if (!name.includes('deleted')) expect((await engine.leaseOf(mailboxId)).dayUsed).toBe(0);
  });
});

describe.each(some)('when %s', (name, act) => {
  it('a planned email without a claim is not sent either', async () => {
    const claims = engine.get(SendClaimService);
    const claim = claims.claim.bind(claims);
    const spy = jest.spyOn(claims, 'claim').mockImplementationOnce(async (...what) => {
      await act();
      return claim(...what);
    });
    await engine.run(mailboxId);
    spy.mockRestore();
    expect(engine.server.given).toEqual([]);
    expect(await engine.lead(LEAD)).toMatchObject({ sendId: null, mailboxId: null, sentCount: 0 });
    expect(await engine.used(campaignId)).not.toMatchObject({ all: 1 });
    const isNotEvenClaimed = /deleted|taken out|lead is paused|suppressed/.test(name);
    expect(await engine.sends(LEAD)).toHaveLength(isNotEvenClaimed ? 0 : 1);
  });

  it('an email whose handover has begun counts as sent', async () => {
    engine.server.onHandover = act;
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD]);
    expect(await engine.stateOf(LEAD)).toBe('sent');
    expect(await engine.lead(LEAD)).toMatchObject({ sentCount: 1, sendId: null });
    expect((await engine.sums(campaignId)).stats.sent).toBe(1);
  });
});

it('a lead whose only email was withheld is deleted on removal', async () => {
  const ids = await leadIds();
  engine.server.beforeHandover = () =>
    engine.get(LeadActionsService).run(engine.workspace, campaignId, { action: 'remove', leadIds: ids });
  await engine.run(mailboxId);
  await engine.run(mailboxId);
  expect(engine.server.given).toEqual([]);
  await expect(engine.lead(LEAD)).rejects.toThrow('No document found');
  expect((await engine.sums(campaignId)).leads).toMatchObject({ total: 0, active: 0, removed: 0 });
  expect((await engine.leaseOf(mailboxId)).dayUsed).toBe(0);
});

it('a run that is told to stop hands over nothing more', async () => {
  const stop = new AbortController();
  engine.server.beforeHandover = () => stop.abort();
  await engine.run(mailboxId, stop.signal);
  expect(engine.server.given).toEqual([]);
  expect(await engine.lead(LEAD)).toMatchObject({ sendId: null, mailboxId: null });
});

it('a run that has lost its lease hands over nothing, and the new holder of the lease recovers', async () => {
  engine.server.beforeHandover = async () => {
    engine.server.beforeHandover = () => undefined;
    await engine.expire(mailboxId);
    await engine.run(mailboxId); // It finds the claim, releases it, and sends the email itself.
  };
  await engine.run(mailboxId);
  expect(engine.recipients()).toEqual([LEAD]);
  expect(await engine.stateOf(LEAD)).toBe('sent');
  expect((await engine.leaseOf(mailboxId)).dayUsed).toBe(1);
  expect(await engine.used(campaignId)).toEqual({ all: 1, new: 1 });
});
