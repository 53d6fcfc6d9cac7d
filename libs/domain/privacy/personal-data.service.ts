import { type WorkspaceScope, systemScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { MailboxMessageRepository } from '@domain/mailboxes';
import { ERASED_REASON, SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { conflict } from '@platform/errors';
import {
  type PersonalCollection,
  type Sought,
  type StoredRecord,
  type Subject,
  type Unfinished,
} from '@platform/personal-data';
import { Types } from 'mongoose';
import { PERSONAL_COLLECTIONS, UNFINISHED } from './personal-data';
import { SubjectRecordRepository } from './subject-record.repository';

/** Result of an erasure in one workspace. */
export interface SubjectErasure {
  readonly workspaceId: string;
  /** Changed or deleted records by collection; collections without any are omitted. */
  readonly erased: Readonly<Record<string, number>>;
  /** Emails that are being sent or whose outcome is unknown: repeat the erasure when they are settled. */
  readonly onTheirWay: number;
  /** Imports whose file may contain the address: repeat the erasure when they end. */
  readonly openImports: number;
}

/** Data of one workspace about an address. */
export interface SubjectExport {
  readonly workspaceId: string;
  /** ISO 8601. */
  readonly exportedAt: string;
  /** By collection; collections without any record are omitted. */
  readonly records: Readonly<Record<string, readonly StoredRecord[]>>;
}

/**
 * Exports (Art. 15 GDPR) and erases (Art. 17 GDPR) the data of one address in a workspace; docs/operators/privacy.md
 * names what remains and why.
 */
@Injectable()
export class PersonalDataService {
  constructor(
    private readonly records: SubjectRecordRepository,
    private readonly suppressions: SuppressionsService,
    private readonly mail: MailboxMessageRepository,
    private readonly audit: AuditService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Suppresses the address, then erases its data. If it is interrupted, the next run erases the remaining data.
   * @returns null when the workspace has no data about it; nothing is changed then
   * @throws CONFLICT for the address of one of its own mailboxes
   */
  async erase(workspaceId: string, address: string): Promise<SubjectErasure | null> {
    const _id = new Types.ObjectId(workspaceId);
    const workspace = systemScope(workspaceId, 'operator');
    if (await this.mail.isOwn(_id, address)) {
      throw conflict(`The address is a mailbox of the workspace ${workspaceId}: delete the mailbox instead`);
    }
    if (!(await this.#isKnown(await this.records.subject(_id, address)))) return null;
    if (!(await this.suppressions.isListed(workspaceId, address))) {
      await this.suppressions.add(workspace, { addresses: [address], reason: ERASED_REASON }, { source: 'manual' });
    }
    const subject = await this.records.subject(_id, address);
    const erased: Record<string, number> = {};
    try {
      for (const personal of PERSONAL_COLLECTIONS) {
        const count = await this.#erase(personal, subject);
        if (count > 0) erased[personal.collection] = count;
      }
    } finally {
      // Recorded even if the erasure fails later.
      await this.#audit(workspace, 'privacy.erased', erased);
    }
    const onTheirWay = await this.#countUnfinished('onTheirWay', subject);
    return { workspaceId, erased, onTheirWay, openImports: await this.#countUnfinished('openImports', subject) };
  }

  /** @returns null when there are no data; the export itself is audited anyway, without the address */
  async export(workspaceId: string, address: string): Promise<SubjectExport | null> {
    const subject = await this.records.subject(new Types.ObjectId(workspaceId), address);
    const records: Record<string, StoredRecord[]> = {};
    for (const personal of PERSONAL_COLLECTIONS) {
      const { collection, isAlwaysExported } = personal;
      // Emails on their way are included.
      for await (const batch of this.records.batches(personal, subject)) {
        const about = batch.filter((record) => isAlwaysExported || personal.erase(record, subject) !== 'keep');
        if (about.length > 0) records[collection] = [...(records[collection] ?? []), ...about];
      }
    }
    if (Object.keys(records).length === 0) return null;
    const counts = Object.entries(records).map(([name, { length }]) => [name, length] as const);
    await this.#audit(systemScope(workspaceId, 'operator'), 'privacy.exported', Object.fromEntries(counts));
    return { workspaceId, exportedAt: this.clock.now().toISOString(), records };
  }

  async #erase(personal: PersonalCollection, subject: Subject): Promise<number> {
    const model = this.records.model(personal.collection);
    let count = 0;
    for await (const batch of this.records.batches(toSettled(personal), subject)) {
      const operations = batch.flatMap((record) => createOperation(record, personal, subject));
      if (operations.length === 0) continue;
      // Nobody edited these records, so `updatedAt` stays.
      await model.bulkWrite(operations as never, { timestamps: false });
      count += operations.length;
    }
    return count;
  }

  async #isKnown(subject: Subject): Promise<boolean> {
    for (const personal of PERSONAL_COLLECTIONS)
      if ((await this.records.count(toSettled(personal), subject)) > 0) return true;
    return (await this.#countUnfinished('onTheirWay', subject)) > 0;
  }

  async #countUnfinished(kind: Unfinished['as'], subject: Subject): Promise<number> {
    let count = 0;
    for (const unfinished of UNFINISHED) {
      if (unfinished.as === kind) count += await this.records.count(unfinished, subject);
    }
    return count;
  }

  /** Counts by collection only: an audit entry must not contain the address. */
  async #audit(
    workspace: WorkspaceScope,
    action: 'privacy.erased' | 'privacy.exported',
    counts: Readonly<Record<string, number>>,
  ): Promise<void> {
    const changes = Object.entries(counts).map(([name, to]) => [name, { from: null, to }] as const);
    if (changes.length === 0) return;
    const target = { type: 'workspace', id: workspace.workspaceId } as const;
    await this.audit.record(workspace, { action, target, changes: Object.fromEntries(changes) });
  }
}

function createOperation(record: StoredRecord, { erase }: PersonalCollection, subject: Subject): object[] {
  const erasure = erase(record, subject);
  const filter = { _id: record['_id'], workspaceId: subject.workspaceId };
  if (erasure === 'keep') return [];
  // For several `deleteOne` in one bulk write, the gateway of DocumentDB counts all but executes only every second
  // one.
  return erasure === 'delete'
    ? [{ deleteMany: { filter } }]
    : [{ updateOne: { filter, update: { $set: erasure.set } } }];
}

/** Without the records that a worker uses. */
function toSettled({ collection, foundBy, where, settled }: PersonalCollection): Sought {
  return { collection, foundBy, where: { ...where, ...settled } };
}
