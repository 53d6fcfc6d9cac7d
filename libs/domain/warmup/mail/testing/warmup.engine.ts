import { systemScope, type WorkspaceScope } from '@domain/access';
import { MailboxRecord } from '@domain/mailboxes';
import { type Model, type mongo, Types } from 'mongoose';
import { SendingFixture } from '../../../sending/testing';
import { WarmupTransitions } from '../../config/warmups.transitions.service';
import { WarmupUpdates } from '../../config/warmups.update.service';
import { type UpdateWarmupRequest } from '../../dto/warmup.requests';
import { WarmupDayRecord } from '../../schemas/warmup-day.record';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { WarmupModule } from '../../warmup.module';
import { WarmupPlanner } from '../plan/warmup.planner.service';
import { WarmupTurns } from '../sending/warmup.turns.service';

const EVERYBODY = { allWorkspaces: 'the spec looks at all of them' };

const READS = new Set(['find', 'findOne', 'countDocuments', 'distinct']);

/** A mailbox in warmup, and its workspace. */
export interface WarmMailbox {
  readonly id: string;
  readonly email: string;
  readonly workspace: WorkspaceScope;
}

/** A database with all its records, and the time and the workspace of then. */
interface Kept {
  readonly at: Date;
  readonly workspace: WorkspaceScope;
  readonly records: ReadonlyMap<string, mongo.Document[]>;
}

/** Warmup with a database of its own, and servers that answer as the spec says. */
export class WarmupEngine {
  /** Collections that may not be as they were kept: a hundred others need not be restored. */
  readonly #touched = new Set<string>();

  private constructor(readonly sending: SendingFixture) {
    this.mails.db.on('operation-start', ({ collectionName, method }: { collectionName: string; method: string }) => {
      if (!READS.has(method)) this.#touched.add(collectionName);
    });
  }

  static async open(overrides: Record<string, string> = {}): Promise<WarmupEngine> {
    const sending = await SendingFixture.open([WarmupModule], overrides);
    return new WarmupEngine(sending);
  }

  close(): Promise<void> {
    return this.sending.close();
  }

  /** Nobody is in warmup, and the clock shows that time. */
  async fresh(at: Date): Promise<void> {
    for (const record of [WarmupRecord, WarmupThreadRecord, WarmupMailRecord, WarmupDayRecord]) {
      await this.sending.model<unknown>(record).deleteMany({}, EVERYBODY);
    }
    await this.sending.fresh();
    this.sending.clock.freeze(at);
  }

  /** All that is there, for `restore`: to make mailboxes anew for each test takes longer than the tests. */
  async keep(): Promise<Kept> {
    const at = this.sending.clock.now();
    const { workspace } = this.sending;
    const found = await this.#collections();
    const records = await Promise.all(
      found.map(async (collection) => [collection.collectionName, await collection.find().toArray()] as const),
    );
    this.#touched.clear();
    return { at, workspace, records: new Map(records) };
  }

  /** What has happened since is undone. */
  async restore({ at, workspace, records }: Kept): Promise<void> {
    this.sending.server.reset();
    this.sending.clock.freeze(at);
    this.sending.workspace = workspace;
    const found = (await this.#collections()).filter((collection) => this.#touched.has(collection.collectionName));
    await Promise.all(
      found.map(async (collection) => {
        await collection.deleteMany();
        const kept = records.get(collection.collectionName) ?? [];
        if (kept.length > 0) await collection.insertMany(kept);
      }),
    );
    this.#touched.clear();
  }

  async #collections(): Promise<mongo.Collection[]> {
    const { db } = this.mails.db;
    if (!db) throw new Error('There is no connection to the database');
    return db.collections();
  }

  /** Another workspace: mailboxes from here on are its. */
  async otherWorkspace(): Promise<void> {
    const now = this.sending.clock.now();
    const { given } = this.sending.server;
    const kept = [...given];
    await this.sending.fresh();
    given.push(...kept);
    this.sending.clock.freeze(now);
  }

  /** A mailbox whose warmup has been started. */
  async warm(config: UpdateWarmupRequest = {}, fields: Partial<MailboxRecord> = {}): Promise<WarmMailbox> {
    const id = await this.sending.mailbox(fields);
    const { workspace } = this.sending;
    if (Object.keys(config).length > 0) await this.sending.get(WarmupUpdates).update(workspace, id, config);
    await this.sending.get(WarmupTransitions).start(workspace, id);
    const { email } = await this.mailbox({ id, workspace });
    return { id, email, workspace };
  }

  mailbox({ id, workspace: { workspaceId } }: Pick<WarmMailbox, 'id' | 'workspace'>): Promise<MailboxRecord> {
    return this.sending
      .model<MailboxRecord>(MailboxRecord)
      .findOne({ _id: id, workspaceId })
      .orFail()
      .lean<MailboxRecord>();
  }

  plan(): Promise<void> {
    return this.sending.get(WarmupPlanner).run(new AbortController().signal);
  }

  /** One turn of the mailbox's warmup. */
  turn({ id: mailboxId, workspace: { workspaceId } }: WarmMailbox): Promise<void> {
    return this.sending.get(WarmupTurns).run({ workspaceId, mailboxId }, new AbortController().signal);
  }

  /** All that is due in the meantime happens when it is due. */
  async passTo(until: Date): Promise<void> {
    for (let next = await this.#next(until); next.at !== null; next = await this.#next(until)) {
      if (next.at > this.sending.clock.now()) this.sending.clock.freeze(next.at);
      if (next.isPlan) await this.plan();
      for (const mailbox of await this.#due()) await this.turn(mailbox);
    }
    this.sending.clock.freeze(until);
  }

  get mails(): Model<WarmupMailRecord> {
    return this.sending.model<WarmupMailRecord>(WarmupMailRecord);
  }

  /** Sent sides, in the order of time. */
  async sent(filter: object = {}): Promise<WarmupMailRecord[]> {
    return this.mails
      .find({ direction: 'sent', ...filter })
      .setOptions(EVERYBODY)
      .sort({ at: 1, dueAt: 1, _id: 1 })
      .lean<WarmupMailRecord[]>();
  }

  async of({ id }: WarmMailbox): Promise<WarmupMailRecord[]> {
    return this.sent({ mailboxId: new Types.ObjectId(id) });
  }

  async warmup({ id, workspace: { workspaceId } }: WarmMailbox): Promise<WarmupRecord> {
    return this.sending
      .model<WarmupRecord>(WarmupRecord)
      .findOne({ _id: id, workspaceId })
      .orFail()
      .lean<WarmupRecord>();
  }

  async days({ id, workspace: { workspaceId } }: WarmMailbox): Promise<WarmupDayRecord[]> {
    return this.sending
      .model<WarmupDayRecord>(WarmupDayRecord)
      .find({ mailboxId: id, workspaceId })
      .sort({ day: 1 })
      .lean<WarmupDayRecord[]>();
  }

  async threads(filter: object = {}): Promise<WarmupThreadRecord[]> {
    return this.sending
      .model<WarmupThreadRecord>(WarmupThreadRecord)
      .find(filter)
      .setOptions(EVERYBODY)
      .lean<WarmupThreadRecord[]>();
  }

  /** Plans the day, such that mails of the first mailbox are due from ten o'clock on, and those of the others in the afternoon. */
  async planMorningOf(first: WarmMailbox): Promise<void> {
    await this.plan();
    const planned = new Map<string, WarmupMailRecord[]>();
    for (const mail of await this.sent({ state: 'planned' })) {
      const id = mail.mailboxId.toHexString();
      planned.set(id, [...(planned.get(id) ?? []), mail]);
    }
    const today = this.sending.clock.now().toISOString().slice(0, 10);
    for (const [id, mails] of planned) {
      for (const [index, { _id, workspaceId }] of mails.entries()) {
        const hour = id === first.id ? 10 + index : 15 + index;
        const at = new Date(`${today}T${hour}:00:00.000Z`);
        await this.mails.updateOne({ _id, workspaceId }, { $set: { plannedFor: at, dueAt: at } });
      }
    }
  }

  /** As the receiver's side plans it: the answer to a mail that came. */
  async answer(mail: WarmupMailRecord, dueAt: Date): Promise<Types.ObjectId> {
    const [_id] = [new Types.ObjectId()];
    const { threadId, position, counterpart, workspaceId, mailboxId, day } = mail;
    await this.mails.insertMany([
      {
        _id,
        mailId: _id,
        ...counterpart,
        counterpart: { workspaceId, mailboxId },
        threadId,
        position: position + 1,
        direction: 'sent',
        state: 'planned',
        day,
        dueAt,
      },
    ]);
    return _id;
  }

  /** When something is due next, and whether that is a day to be planned or closed. */
  async #next(until: Date): Promise<{ at: Date | null; isPlan: boolean }> {
    const mail = await this.mails
      .findOne({ state: 'planned', dueAt: { $lte: until } })
      .setOptions(EVERYBODY)
      .sort({ dueAt: 1 })
      .lean<WarmupMailRecord>();
    const warmup = await this.sending
      .model<WarmupRecord>(WarmupRecord)
      .findOne({ nextAt: { $gt: new Date(0), $lte: until } })
      .setOptions(EVERYBODY)
      .sort({ nextAt: 1 })
      .lean<WarmupRecord>();
    const planAt = warmup?.nextAt ?? null;
    const moments = [mail?.dueAt, planAt].filter((at) => at instanceof Date);
    const [at = null] = moments.toSorted((a, b) => a.getTime() - b.getTime());
    const now = this.sending.clock.now();
    return { at, isPlan: at !== null && planAt !== null && planAt <= (at > now ? at : now) };
  }

  async #due(): Promise<WarmMailbox[]> {
    const due = { state: 'planned', dueAt: { $lte: this.sending.clock.now() } } as const;
    const found = await this.mails.find(due).setOptions(EVERYBODY).sort({ dueAt: 1 }).lean<WarmupMailRecord[]>();
    const mailboxes = new Map(found.map((mail) => [mail.mailboxId.toHexString(), mail.workspaceId.toHexString()]));
    return [...mailboxes].map(([id, workspaceId]) => ({ id, email: '', workspace: systemScope(workspaceId) }));
  }
}
