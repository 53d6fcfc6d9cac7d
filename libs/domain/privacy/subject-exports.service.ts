import { systemScope, type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Types } from 'mongoose';
import { type StoredRecord } from './erasure-rules';
import { PERSONAL } from './personal-collections';
import { SubjectRecordRepository } from './subject-record.repository';

/** What one workspace knows of an address. */
export interface SubjectExport {
  readonly workspaceId: string;
  /** ISO 8601. */
  readonly exportedAt: string;
  /** By collection; those without any are left out. */
  readonly records: Readonly<Record<string, readonly StoredRecord[]>>;
}

/** Everything that is known of one address (Art. 15 GDPR). */
@Injectable()
export class SubjectExportsService {
  constructor(
    private readonly records: SubjectRecordRepository,
    private readonly audit: AuditService,
    private readonly clock: ClockPort,
  ) {}

  /** @returns null when nothing is known; that it was asked for is audited otherwise, without the address */
  async of(workspaceId: string, address: string): Promise<SubjectExport | null> {
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
    await this.#audit(systemScope(workspaceId, 'operator'), records);
    return { workspaceId, exportedAt: this.clock.now().toISOString(), records };
  }

  async #audit(workspace: WorkspaceScope, records: Record<string, StoredRecord[]>): Promise<void> {
    const counts = Object.entries(records).map(([name, { length }]) => [name, { from: null, to: length }] as const);
    const target = { type: 'workspace', id: workspace.workspaceId } as const;
    await this.audit.record(workspace, { action: 'privacy.exported', target, changes: Object.fromEntries(counts) });
  }
}

/** Found by itself and not by a text that may have been misread: all of it is told, whether or not anything in it would be erased. */
function isOwn(collection: string): boolean {
  return ['events', 'sends', 'audit_entries', 'suppressions', 'suppression_ledger', 'campaign_leads'].includes(
    collection,
  );
}
