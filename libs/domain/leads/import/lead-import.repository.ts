import { type WorkspaceScope } from '@domain/access';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { limitExceeded } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { ImportChunksRepository } from './import-chunks.repository';
import { ImportSupersededError } from './lead-import.errors';
import { type ImportLeads } from './lead-import.queue';
import { type ImportProblem, LeadImportRecord } from './schemas/lead-import.record';

/** Imports that one sweep looks at, the oldest first; as many as a few thousand workspaces have at one time. */
const SWEEP_AT_MOST = 1_000;

/** Imports of a workspace that are pending or processing at one time: each may have a file of 100 MB. */
const MAX_OPEN_IMPORTS = 10;
/** How long the file and the refused rows of an import are kept. */
const KEPT_MS = 30 * 86_400_000;

type Named = Pick<LeadImportRecord, '_id' | 'workspaceId'>;

/** From pending over processing to an end, each move once. */
@Injectable()
export class LeadImportRepository {
  constructor(
    @InjectModel(LeadImportRecord.name) private readonly imports: Model<LeadImportRecord>,
    private readonly chunks: ImportChunksRepository,
    private readonly limits: WorkspaceLimitsService,
    private readonly clock: ClockPort,
  ) {}

  /** Until when what belongs to an import that begins now is kept. */
  keptUntil(): Date {
    return this.clock.in(KEPT_MS);
  }

  /** Refuses one more import at one time, in the transaction that makes it. @throws LIMIT_EXCEEDED */
  async ensureRoom(workspace: WorkspaceScope): Promise<void> {
    await this.limits.claim(workspace.workspaceId);
    await this.checkLimit(workspace);
  }

  /** Refuses what `ensureRoom` would refuse now: before an upload is let in. @throws LIMIT_EXCEEDED */
  async checkLimit({ workspaceId }: WorkspaceScope): Promise<void> {
    const open = await this.imports.countDocuments({ workspaceId, open: true });
    if (open < MAX_OPEN_IMPORTS) return;
    throw limitExceeded(
      `${MAX_OPEN_IMPORTS} imports are on their way in this workspace; wait until one of them is done`,
    );
  }

  /** Takes an import up, for the first time or again; null when it is over or gone. */
  async begin(workspaceId: string, _id: Types.ObjectId | null): Promise<LeadImportRecord | null> {
    if (!_id) return null;
    await this.imports.updateOne({ _id, workspaceId, open: true, startedAt: null }, { startedAt: this.clock.now() });
    return this.imports
      .findOneAndUpdate(
        { _id, workspaceId, open: true },
        { $set: { status: 'processing' }, $inc: { attempts: 1 } },
        { returnDocument: 'after' },
      )
      .lean<LeadImportRecord>();
  }

  /** Every row is done. @throws ImportMoved when it was cancelled */
  async complete({ _id, workspaceId }: Named): Promise<void> {
    const done = await this.imports.findOne({ _id, workspaceId }, { counts: 1 }).lean<LeadImportRecord>();
    const left = done?.counts.overLimit ?? 0;
    const message = `The workspace holds as many leads as it may (maxLeads); ${left} rows were left out`;
    await this.#end({ _id, workspaceId }, 'completed', left > 0 ? { code: 'LIMIT_EXCEEDED', message } : null);
  }

  /** It cannot go on; what was imported stays. @throws ImportMoved when it was cancelled */
  async fail(named: Named, error: ImportProblem): Promise<void> {
    await this.#end(named, 'failed', error);
  }

  /** In a transaction that has read it as open. */
  async cancel({ _id, workspaceId }: Named): Promise<LeadImportRecord> {
    return this.imports
      .findOneAndUpdate(
        { _id, workspaceId, open: true },
        { $set: { status: 'cancelled', open: false, completedAt: this.clock.now() } },
        { returnDocument: 'after' },
      )
      .lean<LeadImportRecord>()
      .orFail();
  }

  /** The file of an import that is over. */
  async removeFile({ _id: importId, workspaceId }: Named): Promise<void> {
    await this.chunks.remove({ workspaceId, importId });
  }

  /** Whether its refused rows are no longer kept: they are removed a little later than they could be. */
  isForgotten({ expiresAt }: Pick<LeadImportRecord, 'expiresAt'>): boolean {
    return expiresAt <= this.clock.now();
  }

  /** Those of all workspaces that are not over. */
  async open(): Promise<ImportLeads[]> {
    const found = await this.imports
      .find({ open: true }, { workspaceId: 1 })
      .setOptions({ allWorkspaces: 'the worker does the imports of all workspaces' })
      .sort({ createdAt: 1 })
      .limit(SWEEP_AT_MOST)
      .lean<Named[]>();
    return found.map(({ _id, workspaceId }) => ({
      workspaceId: workspaceId.toHexString(),
      importId: _id.toHexString(),
    }));
  }

  async #end({ _id, workspaceId }: Named, status: 'completed' | 'failed', error: ImportProblem | null): Promise<void> {
    const { matchedCount } = await this.imports.updateOne(
      { _id, workspaceId, open: true },
      { $set: { status, open: false, error, completedAt: this.clock.now() } },
    );
    if (matchedCount !== 1) throw new ImportSupersededError('The import was cancelled');
  }
}
