import { systemScope, type WorkspaceScope } from '@domain/access';
import { MailboxRecord } from '@domain/mailboxes';
import { type Model, type mongo, Types } from 'mongoose';
import { insertLike, SendingFixture, stored } from '../../../sending/testing';
import { WarmupsService } from '../../config/warmups.service';
import { type UpdateWarmupRequest } from '../../dto/warmup-requests.dto';
import { WarmupDayRecord } from '../../schemas/warmup-day.record';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { WarmupModule } from '../../warmup.module';
import { WarmupPlannerService } from '../plan/warmup-planner.service';
import { WarmupSenderService } from '../sending/warmup-sender.service';

const EVERYBODY = { allWorkspaces: 'the spec looks at all of them' };

const READS = new Set(['find', 'findOne', 'countDocuments', 'distinct']);

/** A mailbox in warmup, and its workspace. */
export interface WarmMailbox {
  readonly id: string;
  readonly email: string;
  readonly workspace: WorkspaceScope;
}

/** A mailbox in warmup as services have made it. */
interface Warmed {
  readonly mailbox: Pick<MailboxRecord, keyof MailboxRecord>;
  readonly warmup: Pick<WarmupRecord, keyof WarmupRecord>;
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
  /** Mailboxes that services have put into warmup, by when and as what. */
  readonly #warmed = new Map<string, Warmed>();

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
    const found = await this.#db().collections();
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
    const db = this.#db();
    const undone = [...this.#touched].map(async (name) => {
      await db.collection(name).deleteMany();
      const kept = records.get(name) ?? [];
      if (kept.length > 0) await db.collection(name).insertMany([...kept]);
    });
    await Promise.all(undone);
    this.#touched.clear();
  }

  #db(): mongo.Db {
    const { db } = this.mails.db;
    if (!db) throw new Error('There is no connection to the database');
    return db;
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

  /** A mailbox whose warmup has been started: the first one of its kind, or one like it. */
  async warm(config: UpdateWarmupRequest = {}, fields: Partial<MailboxRecord> = {}): Promise<WarmMailbox> {
    const kind = JSON.stringify([this.sending.clock.now(), config, fields]);
    const first = this.#warmed.get(kind);
    if (!first) return this.#firstWarm(kind, config, fields);
    const { workspace } = this.sending;
    const _id = new Types.ObjectId();
    const { email = `like-${_id.toHexString()}@senders.test` } = fields;
    const mailbox = { ...first.mailbox, email, ...this.sending.credentials(_id, email) };
    const ids = new Map([
      [first.mailbox._id.toHexString(), _id],
      [first.mailbox.workspaceId.toHexString(), new Types.ObjectId(workspace.workspaceId)],
    ]);
    await insertLike<Warmed['mailbox']>(this.sending.model(MailboxRecord), [mailbox], ids);
    await insertLike<Warmed['warmup']>(this.sending.model(WarmupRecord), [first.warmup], ids);
    return { id: _id.toHexString(), email, workspace };
  }

  async #firstWarm(kind: string, config: UpdateWarmupRequest, fields: Partial<MailboxRecord>): Promise<WarmMailbox> {
    const id = await this.sending.mailbox(fields);
    const { workspace } = this.sending;
    if (Object.keys(config).length > 0) await this.sending.get(WarmupsService).update(workspace, id, config);
    await this.sending.get(WarmupsService).start(workspace, id);
    const _id = new Types.ObjectId(id);
    const [mailbox] = await stored(this.sending.model<Warmed['mailbox']>(MailboxRecord), { _id });
    const [warmup] = await stored(this.sending.model<Warmed['warmup']>(WarmupRecord), { _id });
    if (!mailbox || !warmup) throw new Error('not started');
    this.#warmed.set(kind, { mailbox, warmup });
    return { id, email: mailbox.email, workspace };
  }

  mailbox({ id, workspace: { workspaceId } }: Pick<WarmMailbox, 'id' | 'workspace'>): Promise<MailboxRecord> {
    return this.sending
      .model<MailboxRecord>(MailboxRecord)
      .findOne({ _id: id, workspaceId })
      .orFail()
      .lean<MailboxRecord>();
  }

  plan(): Promise<void> {
    return this.sending.get(WarmupPlannerService).run(new AbortController().signal);
  }

  /** Runs the warmup sender for the mailbox once. */
  send({ id: mailboxId, workspace: { workspaceId } }: WarmMailbox): Promise<void> {
    return this.sending.get(WarmupSenderService).run({ workspaceId, mailboxId }, new AbortController().signal);
  }

  /** All that is due in the meantime happens when it is due; of mails those of one mailbox alone, when it is named. */
  async passTo(until: Date, { id }: Partial<WarmMailbox> = {}): Promise<void> {
    const of = id === undefined ? {} : { mailboxId: new Types.ObjectId(id) };
    for (let next = await this.#next(until, of); next.at !== null; next = await this.#next(until, of)) {
      if (next.at > this.sending.clock.now()) this.sending.clock.freeze(next.at);
      if (next.isPlan) await this.plan();
      for (const mailbox of await this.#due(of)) await this.send(mailbox);
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
  async #next(until: Date, of: object): Promise<{ at: Date | null; isPlan: boolean }> {
    const mail = await this.mails
      .findOne({ ...of, state: 'planned', dueAt: { $lte: until } })
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

  async #due(of: object): Promise<WarmMailbox[]> {
    const due = { ...of, state: 'planned', dueAt: { $lte: this.sending.clock.now() } } as const;
    const found = await this.mails.find(due).setOptions(EVERYBODY).sort({ dueAt: 1 }).lean<WarmupMailRecord[]>();
    const mailboxes = new Map(found.map((mail) => [mail.mailboxId.toHexString(), mail.workspaceId.toHexString()]));
    return [...mailboxes].map(([id, workspaceId]) => ({ id, email: '', workspace: systemScope(workspaceId) }));
  }
}
