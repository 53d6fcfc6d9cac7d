import { type CrmError } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { type CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler.registry';
import { fieldsFor, withoutDropped } from './rule-values';
import { CrmSyncJobRepository } from './crm-sync-job.repository';
import { type SyncPlace, SyncWritesRepository } from './sync-writes.repository';

/** Times that a job begins anew, as the CRM forgot how far it was. */
export const MOST_RESTARTS = 3;

/** What is done when a CRM refuses a request as a whole, and would refuse it again. */
@Injectable()
export class SyncRepairsRepository {
  constructor(
    private readonly writes: SyncWritesRepository,
    private readonly ends: CrmSyncJobRepository,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Goes on without fields that are no more, and from the beginning where the place is lost: who was synced is `unchanged` then.
   * Anything else ends the job, with what the CRM said.
   * @throws CrmError of the question which fields there are
   */
  async repair(lane: CrmWorkContext, job: CrmSyncJobRecord, error: CrmError): Promise<void> {
    const place = await this.#place(lane, job, error);
    if (place) await this.transactions.run(() => this.writes.write(lane, job, [], place));
    else await this.ends.fail(job, { code: error.code, message: error.message });
  }

  /** Null when nothing can be done about it. */
  async #place(lane: CrmWorkContext, job: CrmSyncJobRecord, { reason, field }: CrmError): Promise<SyncPlace | null> {
    if (reason === 'cursor' && job.cursor !== null && job.restarts < MOST_RESTARTS) {
      return { cursor: null, batchDone: [], restarts: job.restarts + 1 };
    }
    if (reason !== 'unknown_field') return null;
    const { mapping, session } = lane.crm;
    const asked = fieldsFor(withoutDropped(mapping, job.droppedFields), job.jobType);
    const there = field !== null && asked.includes(field) ? null : await session.fields(lane.signal);
    const names = new Set(there?.map(({ name }) => name));
    const missing = there ? asked.filter((name) => !names.has(name)) : [field ?? ''];
    return missing.length === 0 ? null : { droppedFields: [...job.droppedFields, ...missing] };
  }
}
