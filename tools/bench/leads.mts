import mongoose from 'mongoose';
import type { Fixture, Server, Workspace } from './harness.mts';
import { MailSandbox } from './mail.mts';

const { ObjectId } = mongoose.mongo;
type Id = mongoose.mongo.ObjectId;

const DOMAIN = 'crowds.test';
/** Leads per insertion, with the same time, as in an import. */
const BATCH = 1_000;
const DAY_MS = 86_400_000;
export const LEADS = 'campaign_leads';
const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };
const TEXT = 'a sentence of an email that a person wrote. '.repeat(15);

/** A recipient of an email. */
export interface Written {
  readonly leadId: Id;
  readonly email: string;
  readonly messageId: string;
}

/** A campaign with a mailbox of its own. */
export interface Crowd {
  readonly campaignId: Id;
  readonly mailboxId: Id;
  readonly mailbox: string;
  readonly leads: number;
  /** The emails that its mailbox has sent. */
  readonly written: readonly Written[];
}

const shared = new WeakMap<Fixture, Promise<Crowds>>();

/** Creates campaigns of any size: by the API, with leads written natively in the platform's form. */
export class Crowds {
  readonly api: Server;
  readonly workspace: Workspace;
  readonly workspaceId: Id;
  readonly #fixture: Fixture;
  #serial = 0;

  private constructor(fixture: Fixture, workspace: Workspace, api: Server) {
    this.#fixture = fixture;
    this.workspace = workspace;
    this.workspaceId = new ObjectId(workspace.workspaceId);
    this.api = api;
  }

  /** Shared by all scenarios of a run. */
  static of(fixture: Fixture): Promise<Crowds> {
    const known = shared.get(fixture) ?? Crowds.#open(fixture);
    shared.set(fixture, known);
    return known;
  }

  static async #open(fixture: Fixture): Promise<Crowds> {
    const workspace = await fixture.workspace('crowds');
    const _id = new ObjectId(workspace.workspaceId);
    const limits = { $set: { 'limits.maxLeads': 100_000_000 } };
    await fixture.database.collection('workspaces').updateOne({ _id }, limits);
    return new Crowds(fixture, workspace, await fixture.app('api', new MailSandbox().trust));
  }

  /** A draft with this number of new leads, or of leads that received their first email a day ago. */
  async filled(leads: number, { contacted = false } = {}): Promise<Crowd> {
    const crowd = await this.draft();
    const { campaignId, mailboxId } = crowd;
    const place = { workspaceId: this.workspaceId, campaignId };
    const { database } = this.#fixture;
    const sequence = await database.collection('campaign_sequences').findOne({ campaignId });
    const steps = (sequence?.['steps'] ?? []) as { _id: Id; variants: { _id: Id }[] }[];
    const written: Written[] = [];
    for (let first = 0; first < leads; first += BATCH) {
      // One second per batch: the campaign grew over time.
      const at = new Date(Date.UTC(2026, 0, 5) + first * (1_000 / BATCH));
      const batch = Array.from({ length: Math.min(BATCH, leads - first) }, (_, n) =>
        createPerson(place, first + n, at),
      );
      const sends = contacted ? batch.map((lead) => contact(lead, mailboxId, steps)) : [];
      await database.collection(LEADS).insertMany(batch, { ordered: false });
      if (sends.length > 0) await database.collection('sends').insertMany(sends);
      written.push(...sends);
    }
    const counts = { $inc: { 'leads.total': leads, 'leads.active': leads }, $setOnInsert: { assigned: false } };
    const shares = database.collection('campaign_mailboxes');
    await shares.updateOne({ ...place, mailboxId: null }, counts, { upsert: true });
    if (contacted) {
      const running = { $set: { status: 'active', stopOnReply: true, startedAt: new Date() } };
      await database.collection('campaigns').updateOne({ _id: campaignId }, running);
    }
    return { ...crowd, leads, written };
  }

  /** Creates a campaign with a separate mailbox and without leads. */
  async draft(): Promise<Crowd> {
    const mailbox = `c${++this.#serial}.${this.workspace.workspaceId}@${DOMAIN}`;
    await new MailSandbox().connect(this.api, this.workspace, [mailbox]);
    const found = await this.#fixture.database.collection('mailboxes').findOne({ email: mailbox });
    const mailboxId = found?._id as Id;
    return { campaignId: await this.campaign([mailboxId]), mailboxId, mailbox, leads: 0, written: [] };
  }

  async campaign(mailboxes: readonly Id[]): Promise<Id> {
    const { _id } = await this.call<{ _id: string }>('POST', '/v1/campaigns', {
      name: `Crowd ${++this.#serial}`,
      mailboxes,
      emailIntervalMinutes: 0,
      trackOpens: true,
      trackClicks: true,
      sendingSchedule: ALWAYS,
      sequence: [
        { subject: 'A question, {{firstName}}', body: `<p>Hello {{firstName}}</p><p>${TEXT}</p>` },
        { subject: '', body: '<p>Once more</p>', delay: { value: 1, unit: 'days', workingDaysOnly: false } },
      ],
    });
    return new ObjectId(_id);
  }

  call<T>(method: string, path: string, body?: object): Promise<T> {
    return this.api.call<T>(this.workspace.key, method, path, body);
  }

  /** Creates an empty collection with the indexes of the leads. */
  async copyIndexes(to: string): Promise<mongoose.mongo.Collection> {
    const { database } = this.#fixture;
    await database.collection(to).drop();
    for (const { v: _v, ns: _ns, key, ...options } of await database.collection(LEADS).indexes()) {
      if (options['name'] !== '_id_') await database.collection(to).createIndex(key, options);
    }
    return database.collection(to);
  }
}

/** The further stored fields of a lead with only address, names and company (`lead.record.ts`). */
const TEXTS = { jobTitle: '', phone: '', website: '', linkedinUrl: '', city: '', country: '' };
const NULLS = { timezone: null, stopReason: null, resumeAt: null, stepId: null, sendId: null, lastSentAt: null };
const BLANK = { ...TEXTS, ...NULLS, variables: {}, status: 'active', mailboxId: null as Id | null, sentCount: 0 };

/** A lead in the platform's form: new, and due since its creation. */
export function newLead(place: object, person: { email: string; [field: string]: unknown }, at: Date) {
  const domain = person.email.slice(person.email.indexOf('@') + 1);
  const fields = {
    ...BLANK,
    thread: null,
    ...person,
    domain,
    domains: [domain],
    dueAt: at,
    createdAt: at,
    updatedAt: at,
  };
  return { _id: new ObjectId(), ...place, ...fields };
}

function createPerson(place: { campaignId: Id; workspaceId: Id }, serial: number, at: Date) {
  const email = `p${serial}.${place.campaignId.toHexString()}@prospects${serial % 5_000}.test`;
  const person = { email, firstName: 'Ada', lastName: 'Lovelace', companyName: `Engines ${serial % 5_000}` };
  return { ...newLead(place, person, at), ...place };
}

/** Changes a lead to one that received its first email a day ago and waits for the second. @returns the send */
function contact(
  lead: ReturnType<typeof createPerson>,
  mailboxId: Id,
  [first, second]: { _id: Id; variants: { _id: Id }[] }[],
) {
  const at = new Date(Date.now() - DAY_MS);
  const _id = new ObjectId();
  const messageId = `<${_id.toHexString()}@${DOMAIN}>`;
  const subject = 'A question, Ada';
  const thread = { messageIds: [messageId], subject, providerThreadId: null };
  const next = { stepId: second?._id, dueAt: new Date(Date.now() + DAY_MS), sentCount: 1, lastSentAt: at, thread };
  Object.assign(lead, { mailboxId, ...next });
  const { workspaceId, campaignId, _id: leadId, email } = lead;
  const place = { workspaceId, campaignId, mailboxId, leadId, stepId: first?._id, variantId: first?.variants[0]?._id };
  const times = { claimedAt: at, handoverAt: at, sentAt: at, createdAt: at, updatedAt: at };
  const attempt = { state: 'sent', fence: 1, attempt: 1, stepOrder: 0, sequenceVersion: 1, providerThreadId: null };
  return { _id, ...place, ...attempt, email, messageId, subject, links: [], ...times };
}
