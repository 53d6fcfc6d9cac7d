import { type EventRecord, type EventSubscriber, EventSubscriberRegistry, type EventType } from '@domain/events';
import { MailboxRepository } from '@domain/mailboxes';
import { ReturnedSendsRepository } from '@domain/sends';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { BounceTallyRecord } from '../schemas/bounce-tally.record';
import { ProtectedSubjectRecord } from '../schemas/protected-subject.record';
import { BounceProtectionJobService } from '../pause/bounce-protection-job.service';
import { type EmailFate, getEnd, type Subject, subjectName, getSubjects, tallied } from './bounce-tally';

type Since = Pick<ProtectedSubjectRecord, 'subject' | 'since'>;

/** A person lets a campaign go on: what it was stopped for is taken as looked at. */
const ACKNOWLEDGEMENTS: ReadonlySet<EventType> = new Set(['campaign.started', 'campaign.resumed'] as const);

/** Counts what was sent and what came back, for everybody who may have to be stopped. */
@Injectable()
export class BounceTallyListener implements EventSubscriber, OnModuleInit {
  readonly name = 'bounce-tallies';
  readonly types: ReadonlySet<EventType> = new Set(['email.sent', 'email.bounced', ...ACKNOWLEDGEMENTS] as const);

  constructor(
    @InjectModel(BounceTallyRecord.name) private readonly tallies: Model<BounceTallyRecord>,
    @InjectModel(ProtectedSubjectRecord.name) private readonly subjects: Model<ProtectedSubjectRecord>,
    private readonly sends: ReturnedSendsRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly checks: BounceProtectionJobService,
    private readonly subscribers: EventSubscriberRegistry,
  ) {}

  onModuleInit(): void {
    this.subscribers.register(this);
  }

  /** Joins the running transaction. */
  async handle(events: readonly EventRecord[]): Promise<void> {
    const byWorkspace = Map.groupBy(events, ({ workspaceId }) => workspaceId.toHexString());
    for (const [workspaceId, own] of byWorkspace) await this.#take(new Types.ObjectId(workspaceId), own);
  }

  /** Whatever came back may be one too many. A check that is not made here is made by the schedule. */
  async afterCommit(events: readonly EventRecord[]): Promise<void> {
    if (events.some(({ type }) => type === 'email.bounced')) await this.checks.run();
  }

  async #take(workspaceId: Types.ObjectId, events: readonly EventRecord[]): Promise<void> {
    // First: what a person has looked at is not held against the emails that come after.
    for (const event of events) if (ACKNOWLEDGEMENTS.has(event.type)) await this.#acknowledge(workspaceId, event);
    const fates = await this.#fates(
      workspaceId,
      events.filter(({ type }) => !ACKNOWLEDGEMENTS.has(type)),
    );
    if (fates.length === 0) return;
    const names = [...new Set(fates.flatMap((fate) => getSubjects(fate).map(subjectName)))];
    const known = await this.subjects
      .find({ workspaceId, subject: { $in: names } }, { subject: 1, since: 1 })
      .lean<Since[]>();
    await this.#add(workspaceId, fates, new Map(known.map(({ subject, since }) => [subject, since])));
    await this.#mark(workspaceId, fates.filter(({ bounces }) => bounces > 0).flatMap(getSubjects));
  }

  async #acknowledge(workspaceId: Types.ObjectId, { campaignId, at }: EventRecord): Promise<void> {
    if (!campaignId) return;
    const subject = subjectName({ kind: 'campaign', key: campaignId.toHexString() });
    await this.subjects.updateOne(
      { workspaceId, subject, stoppedAt: { $ne: null, $lte: at } },
      { $set: { since: at, stoppedAt: null, due: false } },
    );
  }

  /** An email that came back counts on the day on which it was sent, with the others that were sent then. */
  async #fates(workspaceId: Types.ObjectId, events: readonly EventRecord[]): Promise<EmailFate[]> {
    const senders = await this.#senders(workspaceId, events);
    const fates: EmailFate[] = [];
    for (const { type, at, campaignId, mailboxId, data } of events) {
      const of = {
        campaignId: campaignId?.toHexString() ?? null,
        mailboxId: mailboxId?.toHexString() ?? null,
        sender: senders.get(String(mailboxId)) ?? null,
      };
      if (type === 'email.sent') fates.push({ ...of, sentAt: at, sends: 1, bounces: 0 });
      // Refused at the door: it was tried, and is no `email.sent`.
      else if (data['inSession'] === true) fates.push({ ...of, sentAt: at, sends: 1, bounces: 1 });
      else fates.push({ ...of, sentAt: await this.#sentAt(workspaceId, data['sendId'], at), sends: 0, bounces: 1 });
    }
    return fates;
  }

  async #sentAt(workspaceId: Types.ObjectId, sendId: unknown, at: Date): Promise<Date> {
    const send = typeof sendId === 'string' ? await this.sends.find(workspaceId, sendId) : null;
    return send?.sentAt ?? send?.wireAt ?? at;
  }

  /** Addresses of the mailboxes that there are, by id. */
  async #senders(workspaceId: Types.ObjectId, events: readonly EventRecord[]): Promise<Map<string, string>> {
    const ids = new Set(events.flatMap(({ mailboxId }) => mailboxId?.toHexString() ?? []));
    if (ids.size === 0) return new Map();
    const found = await this.mailboxes.listAll(
      workspaceId,
      [...ids].map((id) => new Types.ObjectId(id)),
    );
    return new Map(found.map(({ _id, email }) => [_id.toHexString(), email]));
  }

  async #add(
    workspaceId: Types.ObjectId,
    fates: readonly EmailFate[],
    since: ReadonlyMap<string, Date | null>,
  ): Promise<void> {
    const increments = tallied(fates, since);
    if (increments.length === 0) return;
    await rerunOnWriteConflict(() =>
      this.tallies.bulkWrite(
        increments.map(({ subject, since: from, day, sends, bounces }) => ({
          updateOne: {
            filter: { workspaceId, subject, since: from, day },
            update: { $inc: { sends, bounces }, $setOnInsert: { endsAt: getEnd(day) } },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
  }

  async #mark(workspaceId: Types.ObjectId, subjects: readonly Subject[]): Promise<void> {
    const each = new Map(subjects.map((subject) => [subjectName(subject), subject]));
    if (each.size === 0) return;
    await rerunOnWriteConflict(() =>
      this.subjects.bulkWrite(
        [...each].map(([subject, { kind, key }]) => ({
          updateOne: {
            filter: { workspaceId, subject },
            update: { $set: { due: true }, $inc: { marks: 1 }, $setOnInsert: { kind, key } },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
  }
}
