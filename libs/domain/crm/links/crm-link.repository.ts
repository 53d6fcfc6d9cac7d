import { type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type AnyBulkWriteOperation, type Model, Types } from 'mongoose';
import { CrmLinkRecord } from './schemas/crm-link.record';

/** Links removed per batch. */
const BATCH = 1_000;

/** The key of a CRM account. */
export interface CrmAccountKey {
  readonly workspaceId: string;
  readonly type: CrmType;
  readonly connectionId: Types.ObjectId;
}

/** The link of a person after a sync. */
export interface LinkChange {
  readonly email: string;
  readonly externalId: string;
  readonly snapshot: string;
  readonly remoteUpdatedAt: Date | null;
}

/** A person about to be created (`externalId` null) or changed in the CRM. */
export interface MarkedPerson {
  readonly email: string;
  readonly externalId: string | null;
}

/** Links between addresses here and people in the CRM. */
@Injectable()
export class CrmLinkRepository {
  constructor(
    @InjectModel(CrmLinkRecord.name) private readonly links: Model<CrmLinkRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** By address; people being created have no `externalId`. */
  async findByEmails(key: CrmAccountKey, emails: readonly string[]): Promise<Map<string, CrmLinkRecord>> {
    if (emails.length === 0) return new Map();
    const found = await this.links.find({ ...getAccountFilter(key), email: { $in: emails } }).lean<CrmLinkRecord[]>();
    return new Map(found.map((link) => [link.email, link]));
  }

  /** By the id that the CRM gives a person. */
  async findByExternalIds(key: CrmAccountKey, externalIds: readonly string[]): Promise<Map<string, CrmLinkRecord>> {
    if (externalIds.length === 0) return new Map();
    const found = await this.links
      .find({ ...getAccountFilter(key), externalId: { $in: externalIds, $gt: '' } })
      .lean<CrmLinkRecord[]>();
    return new Map(found.map((link) => [link.externalId, link]));
  }

  /** Person ids by address, from the links. Links of a former account are removed before its partition runs. */
  async findExternalIds(
    workspaceId: string,
    crmType: CrmType,
    emails: readonly string[],
  ): Promise<Map<string, string>> {
    if (emails.length === 0) return new Map();
    const found = await this.links
      .find({ workspaceId, email: { $in: emails }, crmType, externalId: { $gt: '' } }, { email: 1, externalId: 1 })
      .lean<Pick<CrmLinkRecord, 'email' | 'externalId'>[]>();
    return new Map(found.map(({ email, externalId }) => [email, externalId]));
  }

  /**
   * Saves links and clears their marks. Joins the running transaction, which is retried after a concurrent link. A
   * person's address may have changed.
   */
  async save({ workspaceId, type, connectionId }: CrmAccountKey, changes: readonly LinkChange[]): Promise<void> {
    if (changes.length === 0) return;
    const now = this.clock.now();
    const place = { workspaceId: new Types.ObjectId(workspaceId), connectionId };
    const writes = changes.map(({ email, snapshot, ...state }): AnyBulkWriteOperation<CrmLinkRecord> => ({
      updateOne: {
        filter: { ...place, email },
        update: {
          $set: { ...state, remoteSnapshot: snapshot, attempts: 0, updatedAt: now },
          $unset: { waitingFor: 1, waitingUntil: 1 },
          $setOnInsert: { crmType: type, createdAt: now },
        },
        upsert: true,
      },
    }));
    await rerunOnWriteConflict(() => this.links.bulkWrite(writes, { timestamps: false }));
  }

  /**
   * Marks people before a write to the CRM: the job returns to those whose outcome is unknown. Joins the running transaction.
   */
  async mark(
    { workspaceId, type, connectionId }: CrmAccountKey,
    jobId: Types.ObjectId,
    people: readonly MarkedPerson[],
    until: Date,
  ): Promise<void> {
    if (people.length === 0) return;
    const now = this.clock.now();
    const place = { workspaceId: new Types.ObjectId(workspaceId), connectionId };
    const first = { crmType: type, remoteUpdatedAt: null, remoteSnapshot: '{}', createdAt: now };
    const writes = people.map(({ email, externalId }): AnyBulkWriteOperation<CrmLinkRecord> => ({
      updateOne: {
        filter: { ...place, email },
        update: {
          $set: { waitingFor: jobId, waitingUntil: until, updatedAt: now },
          $inc: { attempts: 1 },
          $setOnInsert: { ...first, externalId: externalId ?? '' },
        },
        upsert: true,
      },
    }));
    await rerunOnWriteConflict(() => this.links.bulkWrite(writes, { timestamps: false }));
  }

  /** Removes marks of writes that did not happen. Joins the running transaction. */
  async unmark(key: CrmAccountKey, emails: readonly string[]): Promise<void> {
    if (emails.length === 0) return;
    const here = { ...getAccountFilter(key), email: { $in: emails } };
    await this.links.deleteMany({ ...here, externalId: '' });
    await this.links.updateMany(here, { $unset: { waitingFor: 1, waitingUntil: 1 }, $set: { attempts: 0 } });
  }

  /** Sets the person of an address as reported by the CRM; empty: unknown. Joins the running transaction. */
  async relink(key: CrmAccountKey, email: string, externalId: string): Promise<void> {
    const relinked = { externalId, remoteSnapshot: '{}', remoteUpdatedAt: null };
    await this.links.updateOne({ ...getAccountFilter(key), email }, { $set: relinked });
  }

  /** Postpones the return of the job to marked people. Joins the running transaction. */
  async postpone(key: CrmAccountKey, jobId: Types.ObjectId, emails: readonly string[], until: Date): Promise<void> {
    if (emails.length === 0) return;
    const marked = { ...getAccountFilter(key), email: { $in: emails }, waitingFor: jobId };
    await this.links.updateMany(marked, { $set: { waitingUntil: until } });
  }

  /** Reverts the last mark: the job returns at once, and the attempt does not count. Joins the running transaction. */
  async revert(key: CrmAccountKey, jobId: Types.ObjectId, emails: readonly string[]): Promise<void> {
    const marked = { ...getAccountFilter(key), email: { $in: emails }, waitingFor: jobId };
    await this.links.updateMany(marked, { $set: { waitingUntil: this.clock.now() }, $inc: { attempts: -1 } });
  }

  /** Removes links whose person was deleted or has another address. Joins the running transaction. */
  async remove(key: CrmAccountKey, emails: readonly string[]): Promise<void> {
    if (emails.length > 0) await this.links.deleteMany({ ...getAccountFilter(key), email: { $in: emails } });
  }

  /** Due marked people of a job, oldest first. */
  async listWaiting(key: CrmAccountKey, jobId: Types.ObjectId, most: number): Promise<CrmLinkRecord[]> {
    return this.links
      .find({ ...getWaitingFilter(key.workspaceId, jobId), waitingUntil: { $lte: this.clock.now() } })
      .sort({ waitingUntil: 1, _id: 1 })
      .limit(most)
      .lean<CrmLinkRecord[]>();
  }

  /** When the first marked person is due; null without any. */
  async waitingUntil(workspaceId: string, jobId: Types.ObjectId): Promise<Date | null> {
    const first = await this.links
      .findOne(getWaitingFilter(workspaceId, jobId), { waitingUntil: 1 })
      .sort({ waitingUntil: 1, _id: 1 })
      .lean<Pick<CrmLinkRecord, 'waitingUntil'>>();
    return first?.waitingUntil ?? null;
  }

  /** Removes the links of formerly connected accounts, in batches. */
  async removeOthers(
    workspaceId: string,
    crmType: CrmType,
    connectionId: Types.ObjectId | null,
    signal: AbortSignal,
  ): Promise<void> {
    const others = { workspaceId, crmType, ...(connectionId && { connectionId: { $ne: connectionId } }) };
    for (;;) {
      signal.throwIfAborted();
      const found = await this.links.find(others, { _id: 1 }).limit(BATCH).lean();
      if (found.length === 0) return;
      await this.links.deleteMany({ workspaceId, _id: { $in: found.map(({ _id }) => _id) } });
    }
  }
}

function getAccountFilter({ workspaceId, connectionId }: CrmAccountKey) {
  return { workspaceId, connectionId };
}

function getWaitingFilter(workspaceId: string, waitingFor: Types.ObjectId) {
  return { workspaceId, waitingFor };
}
