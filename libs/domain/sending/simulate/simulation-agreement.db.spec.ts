import { MailSessionPool } from '@adapters/mail';
import { systemActor, systemScope, type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, CampaignsService, CampaignRepository, CampaignStatusService } from '@domain/campaigns';
import { LeadInsertionService, LeadRecord } from '@domain/leads';
import { MailboxAccountService, MailboxCreationService } from '@domain/mailboxes';
import { MailboxLeaseRecord, MailboxLeaseService, SendRecord } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { DEEP, LONG, type TestDatabase, openTestDatabase } from '@testing';
import fc from 'fast-check';
import { type Model, Types } from 'mongoose';
import { FakeMailDriver } from '../../../adapters/mail/testing';
import { CampaignDiagnosticsService } from '../explain/campaign-diagnostics.service';
import { LeadExplanationService } from '../explain/lead-explanation.service';
import { SendingModule } from '../sending.module';
import { MailboxSenderService } from '../pipeline/mailbox-sender.service';
import { SimulationFactsService } from './simulation-facts.service';
import { simulate } from './simulation';

const HOUR_MS = 3_600_000;
/** Two days, or the end of one and the start of the next: each mailbox polls every quarter of an hour. */
const HOURS = DEEP ? 48 : 8;
/** Per campaign. An email takes the engine some forty database commands. */
const LEADS = DEEP ? 30 : 12;
/** A Wednesday: before the windows open, or before the window in Kolkata ends, then the one in Berlin. */
const START = new Date(`2026-11-25T${DEEP ? '06:30' : '17:00'}:00.000Z`);
const END = new Date(START.getTime() + HOURS * HOUR_MS);
/** High limits, so that each mailbox has follow-ups to come. */
const GENEROUS: Partial<SetUp['campaigns'][number]> = {
  mask: 15,
  delays: DEEP ? [11, 4] : [3, 9],
  settings: {
    sendingSchedule: { timezone: 'UTC', startTime: '00:00', endTime: '23:59' },
    useLeadTimezone: false,
    emailIntervalMinutes: 4,
    dailyLimit: null,
    newLeadsPerDay: 14,
    domainDailyLimit: null,
    followUpsFirst: true,
  },
};
/** A time after the first emails and before their follow-ups. */
const LATER = new Date(START.getTime() + (DEEP ? 9 : 2) * HOUR_MS);
/** A time after those follow-ups. */
const EVENING = DEEP ? END : new Date(START.getTime() + 5.5 * HOUR_MS);

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC'];
const few = (max: number) => fc.option(fc.integer({ min: 2, max }));
const set = fc.record({
  mailboxes: fc.array(
    fc.record({
      dailySendLimit: fc.integer({ min: 5, max: 25 }),
      sendGapSeconds: fc.constantFrom(0, 0, 90, 600),
      timezone: fc.constantFrom(...ZONES),
    }),
    { minLength: 2, maxLength: 4 },
  ),
  campaigns: fc.array(
    fc.record({
      settings: fc.record({
        sendingSchedule: fc.record({
          timezone: fc.constantFrom(...ZONES),
          startTime: fc.constantFrom('00:00', '07:15', '09:00'),
          endTime: fc.constantFrom('12:00', '17:30', '23:59'),
        }),
        useLeadTimezone: fc.boolean(),
        emailIntervalMinutes: fc.constantFrom(0, 4, 15),
        dailyLimit: few(30),
        newLeadsPerDay: few(20),
        domainDailyLimit: few(6),
        followUpsFirst: fc.boolean(),
      }),
      delays: fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 2, maxLength: 2 }),
      mask: fc.integer({ min: 1, max: 15 }),
    }),
    { minLength: 2, maxLength: 2 },
  ),
});
type SetUp = typeof set extends fc.Arbitrary<infer T> ? T : never;

/** `2026-11-25T08:00:00.000Z mailbox lead step` */
type Sent = string;
type Id = Types.ObjectId | string;

describe('the simulation and the engine', () => {
  let database: TestDatabase;
  let serial = 0;

  const get = <T>(service: abstract new (...args: never[]) => T): T =>
    database.module.get<T>(service, { strict: false });
  const model = <T>(record: { name: string }): Model<T> => get(getModelToken(record.name) as never);

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [QueuesModule, OutboundModule, UsersModule, SendingModule] });
    const driver = new FakeMailDriver();
    jest
      .spyOn(get(MailSessionPool), 'use')
      .mockImplementation(({ id, email }, work) => work(driver.open({ kind: 'fake', id, revision: '1', email })));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await get(QueuesService).obliterate();
    await database.close();
  });

  async function workspaceOf(): Promise<WorkspaceScope> {
    serial += 1;
    const user = await get(UsersService).create({ email: `owner-${serial}@example.com`, name: 'Owner' });
    const { id } = await get(WorkspacesService).createFor(user.id, { name: 'Acme' }, systemActor('operator'));
    return systemScope(id);
  }

  async function mailboxOf(workspace: WorkspaceScope, fields: SetUp['mailboxes'][number]): Promise<string> {
    serial += 1;
    const _id = new Types.ObjectId();
    const email = `sender-${serial}@senders.test`;
    const seal = (server: 'smtp' | 'imap') =>
      get(MailboxAccountService).sealServer(workspace.workspaceId, _id, server, { user: email, password: 'secret' });
    await get(MailboxCreationService).insert(workspace, {
      _id,
      email,
      provider: 'custom',
      connectionType: 'smtp',
      displayName: 'Grace',
      ...fields,
      smtpHost: 'smtp.test',
      smtpPort: 587,
      smtpSecure: false,
      smtpCredentials: seal('smtp'),
      imapHost: 'imap.test',
      imapPort: 993,
      imapSecure: true,
      imapCredentials: seal('imap'),
    });
    return _id.toHexString();
  }

  async function campaignOf(
    workspace: WorkspaceScope,
    mailboxes: string[],
    { settings, delays }: SetUp['campaigns'][number],
  ): Promise<CampaignRecord> {
    const delay = (at: number) => ({ delay: { value: delays[at]!, unit: 'hours' as const, workingDaysOnly: false } });
    const { _id } = await get(CampaignsService).create(workspace, {
      name: 'Autumn',
      mailboxes,
      ...settings,
      sequence: [
        { subject: 'Hello {{firstName}}', body: '<p>First</p>' },
        { subject: '', body: '<p>Second</p>', ...delay(0) },
        { subject: '', body: '<p>Third {{city}}</p>', ...delay(1) },
      ],
    });
    const rows = Array.from({ length: LEADS }, (_, at) => ({
      email: `lead-${at}@${['gmail.com', 'a.test', 'b.test', `c${at}.test`][at % 4]}`,
      ...(at % 11 === 3 ? {} : { firstName: 'Ada' }),
      ...(at % 7 === 5 ? {} : { city: 'London' }),
      ...(at % 3 === 0 ? { timezone: ZONES[at % ZONES.length]! } : {}),
    }));
    await get(LeadInsertionService).insert(workspace, _id, rows);
    await get(CampaignStatusService).notify(workspace, await get(CampaignStatusService).activate(workspace, _id));
    return get(CampaignRepository).find(workspace, _id);
  }

  async function simulated(campaign: CampaignRecord, end: Date, start = START): Promise<Sent[]> {
    const read = await get(SimulationFactsService).read(campaign, { now: start, startsAt: start });
    const { mailboxes, campaigns, leads } = read;
    expect(campaigns).toHaveLength(2);
    const sent: Sent[] = [];
    const onSend = ({ at, mailboxId, leadId, stepId }: Parameters<typeof lineOf>[0]) =>
      sent.push(lineOf({ at, mailboxId, leadId, stepId }));
    await simulate({ mailboxes, campaigns, leads, start, end, campaignId: null }, { onSend });
    return sent.toSorted();
  }

  /** Executes runs in the order of their times, as the worker does; no run is late. */
  async function driven({ workspaceId }: WorkspaceScope, end: Date): Promise<Sent[]> {
    const leases = model<MailboxLeaseRecord>(MailboxLeaseRecord);
    const { signal } = new AbortController();
    for (;;) {
      const next = await leases
        .findOne({ workspaceId, nextAt: { $gt: new Date(0), $lt: end } }, { nextAt: 1 })
        .sort({ nextAt: 1, _id: 1 })
        .lean();
      if (!next?.nextAt) break;
      database.clock.freeze(next.nextAt);
      await get(MailboxSenderService).run({ workspaceId, mailboxId: next._id.toHexString() }, signal);
    }
    const sends = await model<SendRecord>(SendRecord).find({ workspaceId }).lean();
    expect(sends.every(({ state }) => state === 'sent')).toBe(true);
    return sends
      .map(({ sentAt, mailboxId, leadId, stepId }) => lineOf({ at: sentAt!, mailboxId, leadId, stepId }))
      .toSorted();
  }

  // FAULTS=long adds more set-ups.
  it.each(LONG ? [1, 3, 4, 5, 6, 7] : DEEP ? [3, 6] : [2550])(
    'send the same mails at the same times (set-up %i)',
    async (seed) => {
      const { workspace, campaigns } = await setUp(seed);
      const foreseen = await simulated(campaigns[0]!, END);
      const done = await driven(workspace, END);
      expect(done.length).toBeGreaterThan(DEEP ? 25 : 15);
      expect(done).toEqual(foreseen);
    },
    300_000,
  );

  it.each(LONG ? [1, 3, 4, 6, 7] : [3])(
    'agree on which mailbox takes over the leads of a removed mailbox, and on leads without a sender (set-up %i)',
    async (seed) => {
      const { workspace, campaigns, boxes } = await setUp(seed, GENEROUS);
      const [first] = campaigns as [CampaignRecord];
      const before = await driven(workspace, LATER);
      database.clock.freeze(LATER);
      const leads = model<LeadRecord>(LeadRecord);
      const of = { workspaceId: first.workspaceId, campaignId: first._id, status: 'active' as const };
      const rows = await Promise.all(
        boxes.map((mailboxId) => leads.find({ ...of, mailboxId }, { mailboxId: 1 }).lean()),
      );
      const theirs = rows.toSorted((one, other) => other.length - one.length)[0]!;
      expect(theirs.length).toBeGreaterThan(3);
      const left = String(theirs[0]!.mailboxId);
      const mailboxes = boxes.filter((id) => id !== left);
      await get(CampaignsService).update(workspace, String(first._id), { mailboxes });
      const stranded = String(theirs[0]!._id);
      await leads.updateOne({ ...of, _id: stranded }, { $set: { mailboxId: new Types.ObjectId() } });
      await get(MailboxLeaseService).scheduleNow(workspace.workspaceId, boxes);

      const campaign = await get(CampaignRepository).find(workspace, String(first._id));
      const { waiting } = await get(CampaignDiagnosticsService).diagnose(workspace, String(first._id));
      expect(waiting.find(({ reason }) => reason === 'no_sender')).toMatchObject({ count: 1 });
      const active = await leads.find(of, { _id: 1 }).lean();
      expect(waiting.reduce((sum, { count }) => sum + count, 0)).toBe(active.length);
      const explain = (id: string) => get(LeadExplanationService).explain(workspace, String(first._id), id);
      const reasons = await Promise.all(
        active.map(async ({ _id }) => [String(_id), (await explain(String(_id))).reason]),
      );
      expect(reasons.filter(([, reason]) => reason === 'no_sender')).toEqual([[stranded, 'no_sender']]);
      const { assumptions } = await get(SimulationFactsService).read(campaign, { now: LATER, startsAt: LATER });
      expect(assumptions).toContainEqual('Leads that no mailbox of their campaign can write to: 1.');

      const foreseen = await simulated(campaign, EVENING, LATER);
      const done = (await driven(workspace, EVENING)).filter((sent) => !before.includes(sent));
      expect(done).toEqual(foreseen);
      const taken = done.filter((sent) => theirs.some(({ _id }) => sent.includes(String(_id))));
      expect(taken.length).toBeGreaterThan(2);
      expect(taken.filter((sent) => sent.includes(left) || sent.includes(stranded))).toEqual([]);
    },
    300_000,
  );

  async function setUp(seed: number, always: Partial<SetUp['campaigns'][number]> = {}) {
    const { mailboxes, campaigns: setUps } = fc.sample(set, { seed, numRuns: 1 })[0]!;
    database.clock.freeze(START);
    const workspace = await workspaceOf();
    const boxes: string[] = [];
    for (const fields of mailboxes) boxes.push(await mailboxOf(workspace, fields));
    await get(SuppressionsService).add(workspace, { addresses: ['lead-8@gmail.com'] }, { source: 'manual' });
    const campaigns: CampaignRecord[] = [];
    for (const setUp of setUps) {
      const one = { ...setUp, ...always };
      const own = boxes.filter((_, at) => at === 0 || one.mask & (1 << at));
      campaigns.push(await campaignOf(workspace, own, one));
    }
    return { workspace, boxes, campaigns };
  }
});

function lineOf({ at, mailboxId, leadId, stepId }: { at: Date; mailboxId: Id; leadId: Id; stepId: Id }): Sent {
  return `${at.toISOString()} ${String(mailboxId)} ${String(leadId)} ${String(stepId)}`;
}
