import { type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type AnyBulkWriteOperation, type Model, Types } from 'mongoose';
import { CrmLinkRecord } from './schemas/crm-link.record';

/** Links that are removed at once. */
const BATCH = 1_000;

/** The account whose people are meant. */
export interface CrmAccountKey {
  readonly workspaceId: string;
  readonly type: CrmType;
  readonly connectionId: Types.ObjectId;
}

/** What is known of a person after a sync. */
export interface LinkChange {
  readonly email: string;
  readonly externalId: string;
  readonly snapshot: string;
  readonly remoteUpdatedAt: Date | null;
}

/** Somebody who is about to be made in the CRM (`externalId` null), or changed there. */
export interface MarkedPerson {
  readonly email: string;
  readonly externalId: string | null;
}

/** Which addresses here are which people there. */
@Injectable()
export class CrmLinkRepository {
  constructor(
    @InjectModel(CrmLinkRecord.name) private readonly links: Model<CrmLinkRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** By address; those that are being made have no `externalId`. */
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

  /** Who in the CRM has which address, as far as syncs know. People of a former account are forgotten before anything is done in its lane. */
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
   * Links addresses with people; nothing is waited for any more. In the running transaction: it runs again when somebody else linked
   * one of them. The address of a person may be another one than before.
   */
  async save({ workspaceId, type, connectionId }: CrmAccountKey, changes: readonly LinkChange[]): Promise<void> {
    if (changes.length === 0) return;
    const now = this.clock.now();
    const place = { workspaceId: new Types.ObjectId(workspaceId), connectionId };
    const writes = changes.map(({ email, snapshot, ...state }): AnyBulkWriteOperation<CrmLinkRecord> => ({
      updateOne: {
        filter: { ...place, email },
        update: {
          $set: { ...state, seen: snapshot, attempts: 0, updatedAt: now },
          $unset: { waitingFor: 1, waitingUntil: 1 },
          $setOnInsert: { crmType: type, createdAt: now },
        },
        upsert: true,
      },
    }));
    await rerunOnWriteConflict(() => this.links.bulkWrite(writes, { timestamps: false }));
  }

  /**
   * Marks that something is about to happen to these addresses in the CRM, or may have happened: the job comes back to those of which it
   * does not hear. In the running transaction.
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
    const first = { crmType: type, remoteUpdatedAt: null, seen: '{}', createdAt: now };
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

  /** Nothing happened to them after all: what was only marked is gone again. In the running transaction. */
  async unmark(key: CrmAccountKey, emails: readonly string[]): Promise<void> {
    if (emails.length === 0) return;
    const here = { ...getAccountFilter(key), email: { $in: emails } };
    await this.links.deleteMany({ ...here, externalId: '' });
    await this.links.updateMany(here, { $unset: { waitingFor: 1, waitingUntil: 1 }, $set: { attempts: 0 } });
  }

  /** Whom the address is, as the CRM says; empty: nobody that is known. In the running transaction. */
  async relink(key: CrmAccountKey, email: string, externalId: string): Promise<void> {
    const relinked = { externalId, seen: '{}', remoteUpdatedAt: null };
    await this.links.updateOne({ ...getAccountFilter(key), email }, { $set: relinked });
  }

  /** The job comes back to these marked ones at that time. In the running transaction. */
  async postpone(key: CrmAccountKey, jobId: Types.ObjectId, emails: readonly string[], until: Date): Promise<void> {
    if (emails.length === 0) return;
    const marked = { ...getAccountFilter(key), email: { $in: emails }, waitingFor: jobId };
    await this.links.updateMany(marked, { $set: { waitingUntil: until } });
  }

  /** The last mark was for nothing: the job comes back to these at once, and it was no attempt. In the running transaction. */
  async revert(key: CrmAccountKey, jobId: Types.ObjectId, emails: readonly string[]): Promise<void> {
    const marked = { ...getAccountFilter(key), email: { $in: emails }, waitingFor: jobId };
    await this.links.updateMany(marked, { $set: { waitingUntil: this.clock.now() }, $inc: { attempts: -1 } });
  }

  /** There is no such person any more, or it is another address's. In the running transaction. */
  async remove(key: CrmAccountKey, emails: readonly string[]): Promise<void> {
    if (emails.length > 0) await this.links.deleteMany({ ...getAccountFilter(key), email: { $in: emails } });
  }

  /** Those to which a job has to come back, and may by now; first come, first served. */
  async listWaiting(key: CrmAccountKey, jobId: Types.ObjectId, most: number): Promise<CrmLinkRecord[]> {
    return this.links
      .find({ ...getWaitingFilter(key.workspaceId, jobId), waitingUntil: { $lte: this.clock.now() } })
      .sort({ waitingUntil: 1, _id: 1 })
      .limit(most)
      .lean<CrmLinkRecord[]>();
  }

  /** When the first of them may be looked at; null when there are none. */
  async waitingUntil(workspaceId: string, jobId: Types.ObjectId): Promise<Date | null> {
    const first = await this.links
      .findOne(getWaitingFilter(workspaceId, jobId), { waitingUntil: 1 })
      .sort({ waitingUntil: 1, _id: 1 })
      .lean<Pick<CrmLinkRecord, 'waitingUntil'>>();
    return first?.waitingUntil ?? null;
  }

  /** Forgets the people of accounts that the workspace is not connected with any more, in batches. */
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
