import { systemScope } from '@domain/access';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { type Lease, LeaseService, parseId } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { getBatches } from './import-batches';
import { ImportChunksRepository } from './import-chunks.repository';
import { type ImportAt, ImportProgressService } from './import-progress.service';
import { ImportRowReader } from './import-row-reader';
import { LeadImportRepository } from './lead-import.repository';
import { ImportSupersededError, fileGone, finalProblem, stuck } from './lead-import.errors';
import { type ImportLeads, LeadImportQueue } from './lead-import.queue';
import { readAhead } from './read-ahead';
import { type LeadImportRecord } from './schemas/lead-import.record';

/** A worker that dies is missed after this time; it renews its hold several times in it. */
const LEASE_MS = 60_000;
const RENEW_AFTER_MS = 15_000;
/** Runs in a row that may end without a single row done. */
const MAX_ATTEMPTS = 20;

/** Makes leads of uploaded files. */
@Injectable()
export class LeadImportJobService implements Sweep {
  readonly name = 'lead-import';

  constructor(
    private readonly states: LeadImportRepository,
    private readonly progress: ImportProgressService,
    private readonly chunks: ImportChunksRepository,
    private readonly queue: LeadImportQueue,
    private readonly leases: LeaseService,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /**
   * Goes on with an import where it stands, to its end. Does nothing for one that is over, or that somebody else works on.
   * @param signal stops it between two batches
   */
  async run({ workspaceId, importId }: ImportLeads, signal: AbortSignal): Promise<void> {
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return;
    const lease = await this.leases.acquire(`lead-import-${importId}`, LEASE_MS);
    if (!lease) return;
    try {
      const record = await this.states.begin(workspaceId, parseId(importId));
      if (record) await this.#finish(record, lease, signal);
    } finally {
      await this.leases.release(lease);
    }
  }

  /** Gives every import that is not done and has no job its job again, and removes files that belong to none. */
  async sweep(): Promise<number> {
    await this.chunks.removeAbandoned();
    const open = await this.states.open();
    const alive = await this.workspaces.filterAlive(open.map(({ workspaceId }) => workspaceId));
    let created = 0;
    for (const payload of open) {
      if (alive.has(payload.workspaceId) && (await this.queue.planIfMissing(payload))) created += 1;
    }
    return created;
  }

  async #finish(record: LeadImportRecord, lease: Lease, signal: AbortSignal): Promise<void> {
    try {
      if (record.attempts > MAX_ATTEMPTS) throw stuck(MAX_ATTEMPTS);
      await this.#read(record, lease, signal);
      await this.states.complete(record);
    } catch (error) {
      if (error instanceof ImportSupersededError) return;
      const problem = finalProblem(error);
      if (!problem) throw error;
      await this.states.fail(record, problem);
    }
    await this.states.removeFile(record);
  }

  /** @throws ImportMoved when the import was cancelled or somebody else goes on with it */
  async #read(record: LeadImportRecord, lease: Lease, signal: AbortSignal): Promise<void> {
    const { _id: importId, workspaceId, delimiter, encoding, columns, bytes } = record;
    const reader = new ImportRowReader(columns);
    const text = encoding === 'windows-1252' ? encoding : 'utf-8';
    const parts = this.chunks.read({ workspaceId, importId }, record.position.offset);
    const workspace = systemScope(workspaceId.toHexString());
    let { position } = record;
    let full = false;
    let renewedAt = performance.now();
    for await (const batch of readAhead(getBatches(parts, position, { delimiter, text }))) {
      signal.throwIfAborted();
      if (performance.now() - renewedAt > RENEW_AFTER_MS) {
        if (!(await this.leases.renew(lease, LEASE_MS))) throw new ImportSupersededError('The lease was lost');
        renewedAt = performance.now();
      }
      const at: ImportAt = { record, workspace, position };
      if (full) await this.progress.refuse(at, batch);
      else full = await this.progress.insert(at, batch, reader);
      position = batch.end;
    }
    if (position.offset < bytes) throw fileGone();
  }
}
