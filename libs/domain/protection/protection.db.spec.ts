import { CampaignStatusService } from '@domain/campaigns';
import { EventRecord, EventRelayService, EventsService } from '@domain/events';
import { MailboxUpdateService, MailboxesService } from '@domain/mailboxes';
import { SendRecord, SendRepository } from '@domain/sends';
import { happening } from '../events/testing';
import { NOON, SendingFixture, refused } from '../sending/testing';
import { ProtectedSubjectRecord } from './schemas/protected-subject.record';
import { Types } from 'mongoose';
import { BounceProtectionService, ProtectionModule } from '.';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOBODY = refused('permanent', 'recipient', '550 5.1.1 No such user here');

/** A step is left when the second email is out: the campaign goes on. */
const STEPS = ['First', 'Second', 'Third'].map((text, order) => ({
  subject: text,
  body: `<p>${text}</p>`,
  delay: { value: Math.min(order, 1), unit: 'days' as const, workingDaysOnly: false },
}));

let engine: SendingFixture;
let mailboxId: string;
let serial = 0;

beforeAll(async () => {
  engine = await SendingFixture.open([ProtectionModule]);
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  serial += 1;
  mailboxId = await engine.mailbox({ email: `grace@s${serial}.test` });
});

const relay = () => engine.get(EventRelayService).relay();
const subjects = () => engine.model<ProtectedSubjectRecord>(ProtectedSubjectRecord);
const subject = (name: string) => subjects().findOne({ workspaceId: engine.workspaceId, subject: name }).lean();
const statusOf = async (campaignId: string) => (await engine.campaignOf(campaignId)).status;
const stopOf = async (id: string) =>
  (await engine.get(MailboxesService).getSettings(engine.workspace, id)).sendingStopped;
const eventsOf = async (type: EventRecord['type']) =>
  engine.model<EventRecord>(EventRecord).find({ workspaceId: engine.workspaceId, type }).lean<EventRecord[]>();
const addresses = (count: number) => Array.from({ length: count }, (_, n) => `lead-${n}@acme.test`);

/** The server takes all but so many of the emails to a campaign's leads; nobody has looked at that yet. */
async function sent(count: number, { refusals = 0 } = {}): Promise<string> {
  const campaignId = await engine.campaign([mailboxId], addresses(count), { sequence: STEPS });
  engine.server.answers.push(...Array<typeof NOBODY>(refusals).fill(NOBODY));
  for (let turn = 0; turn * 20 < count; turn++) await engine.run(mailboxId);
  expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: count - refusals, bounced: refusals });
  return campaignId;
}

/** The same as far as protection is told of it; nothing more is sent to anybody. */
async function told(count: number, { refusals = 0, from = mailboxId } = {}): Promise<string> {
  const campaignId = await engine.campaign([from], [], { sequence: STEPS });
  const at = engine.clock.now();
  const of = {
    workspaceId: engine.workspaceId,
    campaignId,
    mailboxId: from,
    stepOrder: 0,
    sequenceVersion: 1,
    fence: 1,
  };
  const sends = addresses(count).map((email, place) => {
    const [_id, leadId, stepId, variantId] = [1, 2, 3, 4].map(() => new Types.ObjectId());
    const became = place < refusals ? { state: 'failed', sentAt: null } : { state: 'sent', sentAt: at };
    return {
      ...of,
      ...became,
      _id,
      leadId,
      stepId,
      variantId,
      email,
      messageId: `<${String(_id)}@s.test>`,
      claimedAt: at,
    };
  });
  await engine.model(SendRecord).insertMany(sends);
  const happened = sends.map(({ _id, leadId, state, email }) => {
    const about = { campaignId, mailboxId: from, leadId: String(leadId) };
    const sendId = String(_id);
    return state === 'sent'
      ? happening('email.sent', `email.sent:${sendId}`, { about, data: { sendId, email }, at })
      : happening('email.bounced', `email.bounced:${sendId}`, { about, data: { sendId, email, inSession: true }, at });
  });
  await engine.get(EventsService).recordAll(engine.workspace, happened);
  return campaignId;
}

/** Emails that were taken come back, as far as whoever reads the mailbox tells it. */
async function comeBack(count: number, first = 0): Promise<void> {
  const to = addresses(first + count).slice(first);
  const sends = await engine
    .model<SendRecord>(SendRecord)
    .find({ workspaceId: engine.workspaceId, email: { $in: to }, stepOrder: 0 })
    .lean();
  expect(sends).toHaveLength(count);
  const bounced = sends.map(({ _id, email, campaignId, mailboxId: from, leadId }) => {
    const about = { campaignId: String(campaignId), mailboxId: String(from), leadId: String(leadId) };
    const data = { sendId: String(_id), email };
    return happening('email.bounced', `email.bounced:${String(_id)}`, { about, data, at: engine.clock.now() });
  });
  await engine.get(EventsService).recordAll(engine.workspace, bounced);
}

describe('a campaign and its mailbox', () => {
  it('go on when one of 20 emails comes back, and when more of them do after 28 days', async () => {
    const campaignId = await told(20);
    await comeBack(1);
    await relay();
    expect(await statusOf(campaignId)).toBe('active');
    expect(await stopOf(mailboxId)).toBeNull();
    expect(await subject(`campaign:${campaignId}`)).toMatchObject({ due: false, stoppedAt: null, evidence: null });
    engine.clock.advance(28 * DAY);
    await comeBack(10, 1);
    await relay();
    expect(await statusOf(campaignId)).toBe('active');
    expect(await stopOf(mailboxId)).toBeNull();
  });

  it('are stopped when 3 of 30 come back, at the door or later, and say why', async () => {
    const campaignId = await sent(30, { refusals: 1 });
    engine.clock.advance(HOUR);
    await comeBack(2, 10);
    await relay();
    const evidence = { sends: 30, bounces: 3, rate: 0.1, bound: expect.closeTo(0.0346, 4) };
    const { status, problem } = await engine.campaignOf(campaignId);
    expect(status).toBe('paused');
    expect(problem).toMatchObject({ code: 'bounce_rate', message: expect.stringContaining('3 of 30 emails') });
    expect(await subject(`campaign:${campaignId}`)).toMatchObject({
      evidence: { ...evidence, from: new Date('2026-10-29T00:00:00.000Z'), to: engine.clock.now() },
      due: false,
      pending: false,
    });
    const [paused] = await eventsOf('campaign.paused');
    expect(paused?.data).toMatchObject({
      code: 'bounce_rate',
      evidence: { ...evidence, from: '2026-10-29T00:00:00.000Z' },
    });
    expect(await stopOf(mailboxId)).toMatchObject({ code: 'BOUNCE_RATE', message: expect.stringContaining('10.0 %') });
    const stops = await eventsOf('mailbox.sending_stopped');
    expect(stops.map(({ data }) => data)).toMatchObject([{ code: 'BOUNCE_RATE', of: 'mailbox', evidence }]);
  });

  it('are not stopped again for what a person has looked at, but for what comes after', async () => {
    const campaignId = await sent(20);
    await comeBack(3);
    await relay();
    engine.clock.advance(HOUR);
    await engine.get(CampaignStatusService).resume(engine.workspace, campaignId);
    // Before the relay has told it.
    await subjects().updateMany({ workspaceId: engine.workspaceId }, { $set: { due: true } });
    await engine.get(BounceProtectionService).checkAll();
    expect(await statusOf(campaignId)).toBe('active');
    await engine.get(MailboxUpdateService).resume(engine.workspace, mailboxId);
    // Late ones, of emails from before.
    await comeBack(5, 3);
    await relay();
    expect(await statusOf(campaignId)).toBe('active');
    expect(await stopOf(mailboxId)).toBeNull();
    engine.clock.advance(DAY);
    await engine.run(mailboxId);
    const later = await engine.model<{ _id: unknown }>({ name: 'SendRecord' }).find({
      workspaceId: engine.workspaceId,
      stepOrder: 1,
    });
    expect(later.length).toBeGreaterThanOrEqual(20);
    const again = later.slice(0, 4).map(({ _id }) => {
      const said = { about: { campaignId, mailboxId }, data: { sendId: String(_id) } };
      return happening('email.bounced', `email.bounced:${String(_id)}`, said);
    });
    await engine.get(EventsService).recordAll(engine.workspace, again);
    await relay();
    expect(await statusOf(campaignId)).toBe('paused');
    expect(await stopOf(mailboxId)).toMatchObject({ code: 'BOUNCE_RATE' });
    expect(await subject(`campaign:${campaignId}`)).toMatchObject({
      evidence: { sends: later.length, bounces: 4, from: new Date(NOON.getTime() + HOUR) },
    });
  });

  it('of another workspace go on', async () => {
    const mine = engine.workspace;
    const campaignId = await told(20);
    const otherMailbox = mailboxId;
    await engine.fresh();
    mailboxId = await engine.mailbox({ email: `grace@s${serial}.test` });
    await told(20, { refusals: 3 });
    await relay();
    expect(await stopOf(mailboxId)).not.toBeNull();
    engine.workspace = mine;
    expect(await statusOf(campaignId)).toBe('active');
    expect(await stopOf(otherMailbox)).toBeNull();
  });

  it('leave nothing behind when the mailbox stays what its server made of it', async () => {
    await told(20, { refusals: 3 });
    await engine.leases.updateOne(
      { _id: mailboxId, workspaceId: engine.workspaceId },
      { $set: { stopped: { code: 'REFUSED', message: 'Spam', at: NOON } } },
    );
    await relay();
    expect(await stopOf(mailboxId)).toMatchObject({ code: 'REFUSED' });
    expect(await eventsOf('mailbox.sending_stopped')).toEqual([]);
    expect(await subject(`mailbox:${mailboxId}`)).toMatchObject({ stoppedAt: null, due: false });
  });
});

describe('a sending domain', () => {
  it('is stopped with all its mailboxes, each of which a person resumes', async () => {
    const second = await engine.mailbox({ email: `ada@s${serial}.test` });
    const elsewhere = await engine.mailbox({ email: `eve@other${serial}.test` });
    await told(10, { from: second });
    await told(10, { from: elsewhere });
    await told(20, { refusals: 4 });
    await relay();
    expect(await stopOf(second)).toMatchObject({
      code: 'BOUNCE_RATE',
      message: expect.stringContaining(`4 of 30 emails of the sending domain s${serial}.test`),
    });
    expect(await stopOf(mailboxId)).not.toBeNull();
    expect(await stopOf(elsewhere)).toBeNull();
    engine.clock.advance(HOUR);
    await engine.get(MailboxUpdateService).resume(engine.workspace, second);
    expect(await stopOf(mailboxId)).not.toBeNull();
    await engine.get(MailboxUpdateService).resume(engine.workspace, mailboxId);
    await subjects().updateMany({ workspaceId: engine.workspaceId }, { $set: { due: true } });
    await engine.get(BounceProtectionService).checkAll();
    expect(await Promise.all([second, mailboxId].map(stopOf))).toEqual([null, null]);
  });
});

describe('a worker that dies', () => {
  it('before it has looked leaves that to the schedule', async () => {
    const campaignId = await told(20, { refusals: 3 });
    const checkAll = jest
      .spyOn(engine.get(BounceProtectionService), 'checkAll')
      .mockRejectedValueOnce(new Error('killed'));
    await relay();
    checkAll.mockRestore();
    expect(await statusOf(campaignId)).toBe('active');
    await engine.get(BounceProtectionService).checkAll();
    expect(await statusOf(campaignId)).toBe('paused');
    expect(await stopOf(mailboxId)).not.toBeNull();
  });

  it('between the stop and what has to be held back is made up for', async () => {
    const campaignId = await told(20, { refusals: 3 });
    const withhold = jest.spyOn(engine.get(SendRepository), 'withhold');
    withhold.mockRejectedValueOnce(new Error('killed'));
    await relay();
    expect(await subject(`campaign:${campaignId}`)).toMatchObject({ due: true, pending: true });
    await engine.get(BounceProtectionService).checkAll();
    const scopes = withhold.mock.calls.map(([, scope]) => scope);
    withhold.mockRestore();
    expect(scopes.filter((scope) => scope.campaignId === campaignId)).toHaveLength(2);
    expect(await subject(`campaign:${campaignId}`)).toMatchObject({ due: false, pending: false });
    expect(await eventsOf('campaign.paused')).toHaveLength(1);
  });
});
