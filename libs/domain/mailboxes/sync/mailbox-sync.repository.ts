import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type NewMessage, type SyncBatch, type UnreadableMessage } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { MailboxFiguresService } from '../mailbox-figures.service';
import { MailboxMessageRecord } from '../schemas/mailbox-message.record';
import { type MailboxRecord } from '../schemas/mailbox.record';
import { MailboxSyncRecord } from '../schemas/mailbox-sync.record';
import { foldChanges, type MessageUpdate, getMessagePlace } from './sync-fold';

export type SyncedMailbox = Pick<
  MailboxRecord,
  '_id' | 'workspaceId' | 'provider' | 'imapHost' | 'imapPort' | 'imapCredentials'
>;

/** Stores the results of a sync: messages and cursor together, each message once. */
@Injectable()
export class MailboxSyncRepository {
  constructor(
    @InjectModel(MailboxSyncRecord.name) private readonly syncs: Model<MailboxSyncRecord>,
    @InjectModel(MailboxMessageRecord.name) private readonly messages: Model<MailboxMessageRecord>,
    private readonly figures: MailboxFiguresService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The read position of the mailbox; null when it was deleted. Reading starts with mail received from `since` on.
   * After a change of the server it starts again: message numbers differ there.
   */
  async state(mailbox: SyncedMailbox, since: Date): Promise<Pick<MailboxSyncRecord, 'cursor' | 'since'> | null> {
    const { _id, workspaceId } = mailbox;
    const source = getSource(mailbox);
    const known = (await this.syncs.findOne({ _id, workspaceId }).lean()) ?? (await this.#start(mailbox, since));
    if (known.deletedAt) return null;
    if (known.source === source) return known;
    await this.syncs.updateOne({ _id, workspaceId, source: known.source }, { $set: { source, cursor: null } });
    return { cursor: null, since: known.since };
  }

  /** The current read position; null when the mailbox was deleted or its server changed meanwhile. */
  async reached(mailbox: SyncedMailbox): Promise<Pick<MailboxSyncRecord, 'cursor'> | null> {
    const { _id, workspaceId } = mailbox;
    return this.syncs
      .findOne({ _id, workspaceId, source: getSource(mailbox), deletedAt: null }, { cursor: 1 })
      .lean<Pick<MailboxSyncRecord, 'cursor'>>();
  }

  /** When the mailbox was last read to its end; null before, and after a change of its server. */
  async syncedAt(mailbox: SyncedMailbox): Promise<Date | null> {
    const { _id, workspaceId } = mailbox;
    const known = await this.syncs
      .findOne({ _id, workspaceId, source: getSource(mailbox) }, { syncedAt: 1 })
      .lean<Pick<MailboxSyncRecord, 'syncedAt'>>();
    return known?.syncedAt ?? null;
  }

  /**
   * Stores a batch that was read from the cursor `from`.
   * @returns the number of new messages; null, with nothing written, when another reader has stored a batch from
   *   `from`, or the mailbox was deleted or its server changed
   */
  async save(mailbox: SyncedMailbox, from: string | null, batch: SyncBatch): Promise<number | null> {
    const { _id, workspaceId, provider } = mailbox;
    const folded = foldChanges(provider, batch.changes);
    const now = this.clock.now();
    const found = [
      ...[...folded.messages].map(([fingerprint, change]) => toReceivedRecord(mailbox, fingerprint, change)),
      ...[...folded.unreadable].map(([fingerprint, change]) => toUnreadableRecord(mailbox, fingerprint, change, now)),
    ];
    // Before the transaction: while the cursor is unchanged, no other reader has stored anything.
    let sorted: PartitionedMessages | null = await this.#partition(mailbox, found);
    return this.transactions.run(async () => {
      const reached = batch.more ? {} : { syncedAt: now };
      const { matchedCount } = await this.syncs.updateOne(
        { _id, workspaceId, source: getSource(mailbox), cursor: from, deletedAt: null },
        { $set: { cursor: batch.cursor, ...reached } },
      );
      if (matchedCount === 0) return null;
      const { fresh, known } = sorted ?? (await this.#partition(mailbox, found));
      sorted = null;
      // Figures before messages: classification of earlier messages writes the same figures, and an early conflict
      // repeats less work.
      if (fresh.length > 0) {
        // The creation time of the records, by which a rebuild counts them.
        const workspace = systemScope(workspaceId.toHexString());
        await this.figures.count(workspace, _id.toHexString(), { received: fresh.length }, now);
        const records = fresh.map((record) => ({ ...record, createdAt: now }));
        await rerunOnWriteConflict(() => this.messages.insertMany(records));
      }
      await this.#replace(mailbox, known);
      await this.#update(mailbox, folded.updates);
      return fresh.length;
    });
  }

  async #start(mailbox: SyncedMailbox, since: Date): Promise<MailboxSyncRecord> {
    const { _id, workspaceId } = mailbox;
    const begin = { cursor: null, since, source: getSource(mailbox) };
    return this.transactions.run(() =>
      rerunOnWriteConflict(() =>
        this.syncs
          .findOneAndUpdate({ _id, workspaceId }, { $setOnInsert: begin }, { upsert: true, returnDocument: 'after' })
          .lean<MailboxSyncRecord>()
          .orFail(),
      ),
    );
  }

  async #partition({ _id, workspaceId }: SyncedMailbox, found: NewRecord[]): Promise<PartitionedMessages> {
    if (found.length === 0) return { fresh: [], known: [] };
    const filter = { workspaceId, mailboxId: _id, fingerprint: { $in: found.map(({ fingerprint }) => fingerprint) } };
    const known = await this.messages.find(filter, { fingerprint: 1 }).lean<{ fingerprint: string }[]>();
    const knownPrints = new Set(known.map(({ fingerprint }) => fingerprint));
    return {
      fresh: found.filter(({ fingerprint }) => !knownPrints.has(fingerprint)),
      known: found.filter(({ fingerprint }) => knownPrints.has(fingerprint)),
    };
  }

  /** Known messages were moved or are read again: their current place counts. */
  async #replace({ _id, workspaceId }: SyncedMailbox, known: readonly NewRecord[]): Promise<void> {
    await this.#write(
      known.map(({ fingerprint, place, ref, role, flags }) => ({
        filter: { workspaceId, mailboxId: _id, fingerprint },
        update: { $set: { place, ref, role, flags, goneAt: null } },
      })),
    );
  }

  async #update({ _id, workspaceId, provider }: SyncedMailbox, updates: readonly MessageUpdate[]): Promise<void> {
    const now = this.clock.now();
    await this.#write(
      updates.map(({ place, flags, newPlace, isDeleted }) => ({
        filter: { workspaceId, mailboxId: _id, place },
        update: {
          $set: {
            ...(flags && { flags }),
            ...(newPlace && { ref: newPlace.ref, role: newPlace.role, place: getMessagePlace(provider, newPlace.ref) }),
            ...(isDeleted === undefined ? {} : { goneAt: isDeleted ? now : null }),
          },
        },
      })),
    );
  }

  async #write(updates: { filter: object; update: object }[]): Promise<void> {
    if (updates.length === 0) return;
    await this.messages.bulkWrite(updates.map((updateOne) => ({ updateOne })));
  }
}

/** The account and server that are read. */
function getSource({ imapHost, imapPort, imapCredentials }: SyncedMailbox): string | null {
  return imapHost === null ? null : `${imapCredentials?.user}@${imapHost}:${imapPort}`;
}

/** New and already stored messages. */
interface PartitionedMessages {
  readonly fresh: NewRecord[];
  readonly known: readonly NewRecord[];
}

type NewRecord = Omit<MailboxMessageRecord, '_id' | 'createdAt' | keyof typeof UNCLASSIFIED> & { retryAt: Date | null };

const UNCLASSIFIED = { verdict: null, rule: null, tasks: [], failures: 0, retryAt: null };
/** When the server is asked again for a message that it did not return. */
const SHOWN_LATER_MS = 3_600_000;
const NO_FLAGS = { seen: false, answered: false, flagged: false, draft: false };

function toReceivedRecord(mailbox: SyncedMailbox, fingerprint: string, change: NewMessage): NewRecord {
  const { ref, role, receivedAt, size, flags, summary, threadId } = change;
  const { messageId, inReplyTo, references, from, to, subject, date } = summary;
  return {
    ...toPlacedFields(mailbox, fingerprint, ref, role),
    state: 'received',
    receivedAt,
    size,
    flags,
    messageId,
    inReplyTo,
    references: [...references],
    from,
    to: [...to],
    subject,
    sentAt: date,
    threadId,
    problem: null,
  };
}

/** A message that the server does not return is stored too, so that users see that it exists. */
function toUnreadableRecord(
  mailbox: SyncedMailbox,
  fingerprint: string,
  change: UnreadableMessage,
  now: Date,
): NewRecord {
  return {
    ...toPlacedFields(mailbox, fingerprint, change.ref, change.role),
    retryAt: new Date(now.getTime() + SHOWN_LATER_MS),
    state: 'unreadable',
    receivedAt: now,
    size: 0,
    flags: NO_FLAGS,
    messageId: null,
    inReplyTo: null,
    references: [],
    from: null,
    to: [],
    subject: '',
    sentAt: null,
    threadId: null,
    problem: change.reason,
  };
}

function toPlacedFields(
  { _id, workspaceId, provider }: SyncedMailbox,
  fingerprint: string,
  ref: NewMessage['ref'],
  role: NewMessage['role'],
) {
  return {
    workspaceId,
    mailboxId: _id,
    fingerprint,
    place: getMessagePlace(provider, ref),
    ref,
    role,
    goneAt: null,
    ...UNCLASSIFIED,
  };
}
