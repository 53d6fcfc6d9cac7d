import { type WorkspaceScope } from '@domain/access';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, TransactionService } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { requireMailbox } from './mailbox-lookup';
import { CONNECTION_STATES, type ConnectionState, MailboxRecord, type MailboxWarmup } from './schemas/mailbox.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** A mailbox as it is stored, without its credentials. */
export type MailboxFacts = Omit<MailboxRecord, 'smtpCredentials' | 'imapCredentials' | 'oauthCredentials'>;

export type MailboxSendingState = Pick<MailboxRecord, '_id' | 'sendingEnabled' | 'status' | 'connection'>;

/** The fields that the warmup pool reads of a mailbox that can receive. */
export type WarmupReadiness = Pick<MailboxRecord, '_id' | 'email' | 'dailySendLimit'>;

const REVIEWED = { email: 1, status: 1, connection: 1, sendingEnabled: 1, dailySendLimit: 1, setup: 1, 'warmup.status': 1 } as const; // prettier-ignore

/** The state of a mailbox, for summaries. */
export type ReviewedMailbox = Pick<
  MailboxRecord,
  '_id' | 'email' | 'status' | 'connection' | 'sendingEnabled' | 'dailySendLimit' | 'setup'
> & { readonly warmup: Pick<MailboxRecord['warmup'], 'status'> };

/** Stored mailboxes for the other domains. The credentials in them are sealed. */
@Injectable()
export class MailboxRepository {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly workspaces: WorkspaceRepository,
    private readonly transactions: TransactionService,
  ) {}

  /** @throws NOT_FOUND, also for a malformed id and for a mailbox of another workspace */
  require(workspace: Workspace, mailboxId: string): Promise<MailboxRecord> {
    return requireMailbox(this.mailboxes, workspace, mailboxId);
  }

  /** Returns null when the mailbox or its workspace is deleted: nothing is done for it then. */
  async find(workspaceId: Types.ObjectId, mailboxId: Types.ObjectId): Promise<MailboxRecord | null> {
    const [mailbox, alive] = await Promise.all([
      this.mailboxes.findOne({ _id: mailboxId, workspaceId }).lean<MailboxRecord>(),
      this.workspaces.filterAlive([workspaceId.toHexString()]),
    ]);
    return alive.size > 0 ? mailbox : null;
  }

  /** Reads several mailboxes as `find` does, by id. */
  async findAll(
    workspaceId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<Map<string, MailboxRecord>> {
    const [found, alive] = await Promise.all([
      this.mailboxes.find({ workspaceId, _id: { $in: [...mailboxIds] } }).lean<MailboxRecord[]>(),
      this.workspaces.filterAlive([workspaceId.toHexString()]),
    ]);
    return new Map(alive.size > 0 ? found.map((mailbox) => [mailbox._id.toHexString(), mailbox]) : []);
  }

  /** Whether these mailboxes may send now, by id. Mailboxes that are deleted, or whose workspace is, are left out. */
  async sendingStates(
    workspaceId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<Map<string, MailboxSendingState>> {
    const [found, alive] = await Promise.all([
      this.mailboxes
        .find({ workspaceId, _id: { $in: [...mailboxIds] } }, { sendingEnabled: 1, status: 1, connection: 1 })
        .lean<MailboxSendingState[]>(),
      this.workspaces.filterAlive([workspaceId.toHexString()]),
    ]);
    return new Map(alive.size > 0 ? found.map((mailbox) => [mailbox._id.toHexString(), mailbox]) : []);
  }

  /** The mailboxes that exist, in the order of the ids, without their credentials. */
  async listAll(workspaceId: Types.ObjectId, mailboxIds: readonly Types.ObjectId[]): Promise<MailboxFacts[]> {
    const found = await this.mailboxes
      .find(
        { workspaceId, _id: { $in: [...mailboxIds] } },
        { smtpCredentials: 0, imapCredentials: 0, oauthCredentials: 0 },
      )
      .lean<MailboxFacts[]>();
    const byId = new Map(found.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
    return mailboxIds.flatMap((id) => byId.get(id.toHexString()) ?? []);
  }

  /** Addresses by id, without deleted mailboxes; one query by primary key. Joins a running transaction. */
  async addresses(mailboxIds: readonly Types.ObjectId[]): Promise<Map<string, string>> {
    if (mailboxIds.length === 0) return new Map();
    const found = await this.mailboxes
      .find({ _id: { $in: [...mailboxIds] } }, { email: 1 })
      .setOptions({ allWorkspaces: 'the ids are those of records that name their workspaces' })
      .lean<Pick<MailboxRecord, '_id' | 'email'>[]>();
    return new Map(found.map(({ _id, email }) => [_id.toHexString(), email]));
  }

  /** Ids of the mailboxes at a domain (lower case). Reads all addresses of the workspace, so call it rarely. */
  async atDomain(workspaceId: Types.ObjectId, domain: string): Promise<string[]> {
    const found = await this.mailboxes
      .find({ workspaceId }, { email: 1 })
      .lean<Pick<MailboxRecord, '_id' | 'email'>[]>();
    return found.filter(({ email }) => email.endsWith(`@${domain}`)).map(({ _id }) => _id.toHexString());
  }

  /**
   * Reads the state of all mailboxes of a workspace in batches, in no order.
   * @param only only these mailboxes; null: all of the workspace
   * @param size mailboxes per batch
   */
  async *batches(
    workspaceId: string,
    only: readonly Types.ObjectId[] | null,
    size: number,
  ): AsyncGenerator<ReviewedMailbox[]> {
    const found = this.mailboxes
      .find({ workspaceId, ...(only && { _id: { $in: [...only] } }) }, REVIEWED)
      .lean<ReviewedMailbox[]>()
      .cursor({ batchSize: size });
    let batch: ReviewedMailbox[] = [];
    for await (const mailbox of found as AsyncIterable<ReviewedMailbox>) {
      batch.push(mailbox);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  /** Mailboxes of the whole installation in each state of their connection, for its operator. */
  async countByConnection(): Promise<ReadonlyMap<ConnectionState, number>> {
    const counted = CONNECTION_STATES.map(async (state) => {
      const count = await this.mailboxes
        .countDocuments({ 'connection.state': state })
        .setOptions({ allWorkspaces: 'figures of the whole installation' });
      return [state, count] as const;
    });
    return new Map(await Promise.all(counted));
  }

  /** The mailboxes that are connected and may send, by id; they may be of any workspace. */
  async listWarmupReady(mailboxIds: readonly Types.ObjectId[]): Promise<Map<string, WarmupReadiness>> {
    const found = await this.mailboxes
      .find({ _id: { $in: [...mailboxIds] }, status: 'active', sendingEnabled: true }, { email: 1, dailySendLimit: 1 })
      .setOptions({ allWorkspaces: 'mailboxes of the whole installation write to each other' })
      .lean<WarmupReadiness[]>();
    return new Map(found.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
  }

  /**
   * Writes the warmup that the mailbox shows, in the running transaction; `updatedAt` stays. The write conflicts with a
   * deletion of the mailbox, so one of the two transactions runs again and sees the other.
   * @throws NOT_FOUND for a deleted mailbox
   */
  async writeWarmup({ workspaceId }: Workspace, mailboxId: Types.ObjectId, warmup: MailboxWarmup): Promise<void> {
    const { matchedCount } = await this.mailboxes.updateOne(
      { workspaceId, _id: mailboxId },
      { $set: { warmup } },
      { timestamps: false },
    );
    if (matchedCount === 0) throw notFound('Mailbox');
  }

  /**
   * Returns which of these mailboxes exist. Call it in the transaction that stores references to them: it writes to the
   * mailboxes, so a concurrent deletion conflicts, and one of the two transactions runs again and sees the other.
   * @returns ids of mailboxes of the workspace; unknown and malformed ids, and those of other workspaces, are left out
   */
  async lockReferences(
    { workspaceId }: Workspace,
    mailboxIds: readonly string[],
  ): Promise<Map<string, Types.ObjectId>> {
    const ids = mailboxIds.map(parseId).filter((id) => id !== null);
    if (ids.length === 0) return new Map();
    return this.transactions.run(async () => {
      const mailboxes = { workspaceId, _id: { $in: ids } };
      await this.mailboxes.updateMany(mailboxes, { $inc: { referencesRevision: 1 } }, { timestamps: false });
      const found = await this.mailboxes.find(mailboxes, { _id: 1 }).lean<Pick<MailboxRecord, '_id'>[]>();
      return new Map(found.map(({ _id }) => [_id.toHexString(), _id]));
    });
  }
}
