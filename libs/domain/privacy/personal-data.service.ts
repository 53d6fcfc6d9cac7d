import { type WorkspaceScope, systemScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { MailboxMessageRepository } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { conflict } from '@platform/errors';
import { Types } from 'mongoose';
import { ERASED_REASON, type StoredRecord } from './erasure-rules';
import { ON_THEIR_WAY, PERSONAL, type PersonalCollection } from './personal-collections';
import { type Subject } from './subject';
import { SubjectRecordRepository } from './subject-record.repository';
import { ClockPort } from '@platform/clock';

/** What an erasure did in one workspace. */
export interface SubjectErasure {
  readonly workspaceId: string;
  /** Records changed or removed, by collection; those without any are left out. */
  readonly erased: Readonly<Record<string, number>>;
  /** Emails that are just being sent, or of which it is not known whether they were: repeat the erasure when that is over. */
  readonly onTheirWay: number;
  /** Imports whose file may have the address: repeat the erasure when they are done. */
  readonly openImports: number;
}

const OPEN_IMPORTS = { collection: 'lead_imports', where: () => ({ open: true }) };

/** What one workspace knows of an address. */
export interface SubjectExport {
  readonly workspaceId: string;
  /** ISO 8601. */
  readonly exportedAt: string;
  /** By collection; those without any are left out. */
  readonly records: Readonly<Record<string, readonly StoredRecord[]>>;
}

/** Exports (Art. 15 GDPR) and erases (Art. 17 GDPR) one address of a workspace; docs/operators/privacy.md says what is kept, and why. */
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
   * Puts the address on the list of whom nobody writes to, then erases what is known of it. Interrupted anywhere, the next run
   * erases the rest.
   * @returns null when the workspace knows nothing of it: then nothing is changed
   * @throws CONFLICT for the address of one of its own mailboxes
   */
  async erase(workspaceId: string, address: string): Promise<SubjectErasure | null> {
    const _id = new Types.ObjectId(workspaceId);
    const workspace = systemScope(workspaceId, 'operator');
    if (await this.mail.isOwn(_id, address)) {
      throw conflict(`The address is a mailbox of the workspace ${workspaceId}: delete the mailbox instead`);
    }
    if (!(await this.#isKnown(await this.records.subject(_id, address)))) return null;
    if (!(await this.#isListed(_id, address))) {
      await this.suppressions.add(workspace, { addresses: [address], reason: ERASED_REASON }, { source: 'manual' });
    }
    const subject = await this.records.subject(_id, address);
    const erased: Record<string, number> = {};
    try {
      for (const personal of PERSONAL) {
        const count = await this.#erase(personal, subject);
        if (count > 0) erased[personal.collection] = count;
      }
    } finally {
      // What was done is on record, however it ended.
      await this.#audit(workspace, 'privacy.erased', erased);
    }
    const onTheirWay = await this.#onTheirWay(subject);
    return { workspaceId, erased, onTheirWay, openImports: await this.records.count(OPEN_IMPORTS, subject) };
  }

  /** @returns null when nothing is known; that it was asked for is audited otherwise, without the address */
  async export(workspaceId: string, address: string): Promise<SubjectExport | null> {
    const subject = await this.records.subject(new Types.ObjectId(workspaceId), address);
    const records: Record<string, StoredRecord[]> = {};
    for (const personal of PERSONAL) {
      const { collection, where } = personal;
      // An email on its way included.
      for await (const batch of this.records.batches({ collection, where }, subject)) {
        const about = batch.filter((record) => personal.erase(record, subject) !== 'keep' || isOwn(collection));
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
    for await (const batch of this.records.batches(personal, subject)) {
      const operations = batch.flatMap((record) => operationFor(record, personal, subject));
      if (operations.length === 0) continue;
      // Nobody has touched these people: `updatedAt` stays.
      await model.bulkWrite(operations as never, { timestamps: false });
      count += operations.length;
    }
    return count;
  }

  async #isKnown(subject: Subject): Promise<boolean> {
    for (const personal of PERSONAL) if ((await this.records.count(personal, subject)) > 0) return true;
    return (await this.#onTheirWay(subject)) > 0;
  }

  async #isListed(workspaceId: Types.ObjectId, value: string): Promise<boolean> {
    return (await this.records.model('suppressions').exists({ workspaceId, value })) !== null;
  }

  async #onTheirWay(subject: Subject): Promise<number> {
    let count = 0;
    for (const open of ON_THEIR_WAY) count += await this.records.count(open, subject);
    return count;
  }

  /** Counts by collection only: an audit entry must not name the address. */
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

function operationFor(record: StoredRecord, { erase }: PersonalCollection, subject: Subject): object[] {
  const erasure = erase(record, subject);
  const filter = { _id: record['_id'], workspaceId: subject.workspaceId };
  if (erasure === 'keep') return [];
  // Of several `deleteOne` in one bulk write, DocumentDB's gateway counts all and does every other one.
  return erasure === 'delete'
    ? [{ deleteMany: { filter } }]
    : [{ updateOne: { filter, update: { $set: erasure.set } } }];
}

/** Found by itself and not by a text that may have been misread: all of it is told, whether or not anything in it would be erased. */
function isOwn(collection: string): boolean {
  return ['events', 'sends', 'audit_entries', 'suppressions', 'suppression_ledger', 'campaign_leads'].includes(
    collection,
  );
}
