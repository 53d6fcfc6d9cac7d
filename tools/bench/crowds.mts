import mongoose from 'mongoose';
import type { Fixture, Workspace } from './fixture.mts';
import { MailSandbox } from './mail.mts';
import type { Server } from './processes.mts';

const { ObjectId } = mongoose.mongo;
type Id = mongoose.mongo.ObjectId;

const API = 'dist/apps/api/src/main.js';
const DOMAIN = 'crowds.test';
/** Leads per insertion, with the same time, as in an import. */
const BATCH = 1_000;
const AT_ONCE = 2;
const DAY_MS = 86_400_000;

export const LEADS = 'campaign_leads';

/** A campaign with many leads. */
export interface Crowd {
  readonly campaignId: string;
  readonly mailboxId: string;
  readonly leads: number;
}

interface Place {
  readonly workspaceId: Id;
  readonly campaignId: Id;
  readonly mailboxId: Id;
  readonly secondStepId: Id;
}

const shared = new WeakMap<Fixture, Promise<Crowds>>();

/** Creates campaigns of any size: by the API, with leads written natively in the platform's form. */
export class Crowds {
  readonly api: Server;
  readonly workspace: Workspace;
  readonly #fixture: Fixture;
  readonly #sized = new Map<number, Promise<Crowd>>();
  #serial = 0;

  private constructor(fixture: Fixture, workspace: Workspace, api: Server) {
    this.#fixture = fixture;
    this.workspace = workspace;
    this.api = api;
  }

  /** Shared by all measurements of a fixture: a million leads are written once. */
  static of(fixture: Fixture): Promise<Crowds> {
    const known = shared.get(fixture) ?? Crowds.#open(fixture);
    shared.set(fixture, known);
    return known;
  }

  static async #open(fixture: Fixture): Promise<Crowds> {
    const workspace = await fixture.workspace('crowds', 0);
    await fixture.database
      .collection('workspaces')
      .updateOne({ _id: new ObjectId(workspace.workspaceId) }, { $set: { 'limits.maxLeads': 100_000_000 } });
    return new Crowds(fixture, workspace, await fixture.api(API, [], MailSandbox.given().trust));
  }

  /** An existing campaign of that size, possibly changed by other benches; every second lead waits for its second email. */
  sized(leads: number): Promise<Crowd> {
    const known = this.#sized.get(leads) ?? this.filled(leads, { contacted: true });
    this.#sized.set(leads, known);
    return known;
  }

  /** Creates a draft with this number of new leads; with `contacted`, every second one was sent an email before. */
  async filled(leads: number, { contacted }: { contacted: boolean }): Promise<Crowd> {
    const crowd = await this.draft();
    const place = await this.#placeOf(crowd);
    let next = 0;
    const fill = async (): Promise<void> => {
      while (next < leads) {
        const first = next;
        next += BATCH;
        await this.#insert(place, first, Math.min(BATCH, leads - first), contacted);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fill));
    const { workspaceId, campaignId } = place;
    const stored = await this.#fixture.database.collection(LEADS).countDocuments({ workspaceId, campaignId });
    if (stored !== leads) throw new Error(`${stored} leads were stored, not ${leads}`);
    await this.#fixture.database
      .collection('campaign_mailboxes')
      .updateOne(
        { workspaceId, campaignId, mailboxId: null },
        { $inc: { 'leads.total': leads, 'leads.active': leads }, $setOnInsert: { assigned: false } },
        { upsert: true },
      );
    return { ...crowd, leads };
  }

  /** Creates a campaign with a separate mailbox and without leads. */
  async draft(): Promise<Crowd> {
    const email = `c${++this.#serial}.${this.workspace.workspaceId}@${DOMAIN}`;
    await MailSandbox.given().connect(this.api, this.workspace, [email]);
    const mailbox = await this.#fixture.database.collection('mailboxes').findOne({ email });
    const mailboxId = String(mailbox?._id);
    const { _id } = await this.call<{ _id: string }>('POST', '/v1/campaigns', {
      name: `Crowd ${this.#serial}`,
      mailboxes: [mailboxId],
      emailIntervalMinutes: 0,
      sendingSchedule: { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] },
      sequence: [
        { subject: 'A question, {{firstName}}', body: '<p>Hello {{firstName}}</p>' },
        { subject: '', body: '<p>Once more</p>', delay: { value: 1, unit: 'days', workingDaysOnly: false } },
      ],
    });
    return { campaignId: _id, mailboxId, leads: 0 };
  }

  /** @throws unless the response is a 2xx */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(this.api.url + path, {
      method,
      headers: { ...this.key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return (JSON.parse(text) as { data: T }).data;
  }

  get key(): Record<string, string> {
    const { key } = this.workspace;
    return { 'x-api-key': key, authorization: `Bearer ${key}` };
  }

  async #placeOf({ campaignId, mailboxId }: Crowd): Promise<Place> {
    const id = new ObjectId(campaignId);
    const sequence = await this.#fixture.database.collection('campaign_sequences').findOne({ campaignId: id });
    const { _id: secondStepId } = (sequence?.['steps'] as { _id: Id }[] | undefined)?.[1] ?? {};
    if (!secondStepId) throw new Error('The campaign has no second step');
    const workspaceId = new ObjectId(this.workspace.workspaceId);
    return { workspaceId, campaignId: id, mailboxId: new ObjectId(mailboxId), secondStepId };
  }

  async #insert(place: Place, first: number, size: number, contacted: boolean): Promise<void> {
    // One second per batch: the campaign grew over time.
    const at = new Date(Date.UTC(2026, 0, 5) + first * (1_000 / BATCH));
    const leads = Array.from({ length: size }, (_, n) => createLead(place, first + n, at, contacted && n % 2 === 1));
    await this.#fixture.database.collection(LEADS).insertMany(leads, { ordered: false });
  }
}

/** The further stored fields of a lead with only address, names and company (`lead.record.ts`). */
const BLANK = {
  jobTitle: '',
  phone: '',
  website: '',
  linkedinUrl: '',
  city: '',
  country: '',
  variables: {},
  timezone: null,
  status: 'active',
  stopReason: null,
  resumeAt: null,
  stepId: null,
  mailboxId: null,
  sendId: null,
  sentCount: 0,
  lastSentAt: null,
  thread: null,
};

/** A lead in the platform's form: new, and due since its creation. */
export function newLead(place: object, person: { email: string; [field: string]: unknown }, at: Date) {
  const domain = person.email.slice(person.email.indexOf('@') + 1);
  const fields = { ...BLANK, ...person, domain, domains: [domain], dueAt: at, createdAt: at, updatedAt: at };
  return { _id: new ObjectId(), ...place, ...fields };
}

/** `createdAt` and the number in the address increase together. */
function createLead(place: Place, serial: number, at: Date, contacted: boolean) {
  const { workspaceId, campaignId, mailboxId, secondStepId } = place;
  const company = serial % 5_000;
  const person = { firstName: 'Ada', lastName: 'Lovelace', companyName: `Engines ${company}` };
  const lead = newLead({ workspaceId, campaignId }, { email: `p${serial}@prospects${company}.test`, ...person }, at);
  if (!contacted) return lead;
  const dueAt = new Date(Date.now() + DAY_MS);
  return { ...lead, stepId: secondStepId, dueAt, mailboxId, sentCount: 1, lastSentAt: at };
}
