import { type EventRecord, type EventSubscriber, EVENT_SUBSCRIBERS, type EventType } from '@domain/events';
import { MailboxRepository } from '@domain/mailboxes';
import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict } from '@platform/database';
import { Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { BounceTallyRecord } from '../schemas/bounce-tally.record';
import { ProtectedSubjectRecord } from '../schemas/protected-subject.record';
import { BounceProtectionService } from '../pause/bounce-protection.service';
import { type EmailFate, type Subject, getEnd, getSubjectName, getSubjects, getTallies } from './bounce-tally';

type Since = Pick<ProtectedSubjectRecord, 'subject' | 'since'>;

/** Restarts the count when a person resumes a campaign. */
const ACKNOWLEDGEMENTS: ReadonlySet<EventType> = new Set(['campaign.started', 'campaign.resumed'] as const);

/** Counts sends and bounces for every subject of bounce protection. */
@Injectable()
@Listens(EVENT_SUBSCRIBERS)
export class BounceTallyListener implements EventSubscriber {
  readonly name = 'bounce-tallies';
  readonly types: ReadonlySet<EventType> = new Set(['email.sent', 'email.bounced', ...ACKNOWLEDGEMENTS] as const);

  constructor(
    @InjectModel(BounceTallyRecord.name) private readonly tallies: Model<BounceTallyRecord>,
    @InjectModel(ProtectedSubjectRecord.name) private readonly subjects: Model<ProtectedSubjectRecord>,
    private readonly sends: SendReadRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly protection: BounceProtectionService,
  ) {}

  /** Joins the running transaction. */
  async handle(events: readonly EventRecord[]): Promise<void> {
    const byWorkspace = Map.groupBy(events, ({ workspaceId }) => workspaceId.toHexString());
    for (const [workspaceId, own] of byWorkspace) await this.#countEvents(new Types.ObjectId(workspaceId), own);
  }

  /** Evaluates due subjects at once; the schedule makes up for a missed evaluation. */
  async afterCommit(events: readonly EventRecord[]): Promise<void> {
    if (events.some(({ type }) => type === 'email.bounced')) await this.protection.checkAll();
  }

  async #countEvents(workspaceId: Types.ObjectId, events: readonly EventRecord[]): Promise<void> {
    // First, because resumed subjects start a new count before later emails.
    for (const event of events) if (ACKNOWLEDGEMENTS.has(event.type)) await this.#acknowledge(workspaceId, event);
    const fates = await this.#listOutcomes(
      workspaceId,
      events.filter(({ type }) => !ACKNOWLEDGEMENTS.has(type)),
    );
    if (fates.length === 0) return;
    const names = [...new Set(fates.flatMap((fate) => getSubjects(fate).map(getSubjectName)))];
    const known = await this.subjects
      .find({ workspaceId, subject: { $in: names } }, { subject: 1, since: 1 })
      .lean<Since[]>();
    await this.#add(workspaceId, fates, new Map(known.map(({ subject, since }) => [subject, since])));
    await this.#mark(workspaceId, fates.filter(({ bounces }) => bounces > 0).flatMap(getSubjects));
  }

  async #acknowledge(workspaceId: Types.ObjectId, { campaignId, at }: EventRecord): Promise<void> {
    if (!campaignId) return;
    const subject = getSubjectName({ kind: 'campaign', key: campaignId.toHexString() });
    await this.subjects.updateOne(
      { workspaceId, subject, stoppedAt: { $ne: null, $lte: at } },
      { $set: { since: at, stoppedAt: null, due: false } },
    );
  }

  /** A bounce counts on the day on which its email was sent. */
  async #listOutcomes(workspaceId: Types.ObjectId, events: readonly EventRecord[]): Promise<EmailFate[]> {
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
      else fates.push({ ...of, sentAt: await this.#listSentAt(workspaceId, data['sendId'], at), sends: 0, bounces: 1 });
    }
    return fates;
  }

  async #listSentAt(workspaceId: Types.ObjectId, sendId: unknown, at: Date): Promise<Date> {
    const send = typeof sendId === 'string' ? await this.sends.find(workspaceId, sendId) : null;
    return send?.sentAt ?? send?.handoverAt ?? at;
  }

  /** Returns the addresses of existing mailboxes, by id. */
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
    const increments = getTallies(fates, since);
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
    const each = new Map(subjects.map((subject) => [getSubjectName(subject), subject]));
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
