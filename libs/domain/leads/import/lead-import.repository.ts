import { type WorkspaceScope } from '@domain/access';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { limitExceeded } from '@platform/errors';
import { type Model, type mongo, type Types } from 'mongoose';
import { LeadImportJobRecordService } from './lead-import-job-record.service';
import { LeadImportChunkRecord } from './schemas/lead-import-chunk.record';
import { type ImportProblem, LeadImportRecord } from './schemas/lead-import.record';

/** Maximum number of pending and processing imports of a workspace: the file of each may have 100 MB. */
const MAX_OPEN_IMPORTS = 10;

/** Retention of the file and the refused rows of an import, in milliseconds. */
const RETENTION_MS = 30 * 86_400_000;

/** Bytes of a stored part; only the last part of a file is shorter. */
export const CHUNK_BYTES = 1024 * 1024;

/** Longer than any upload, in milliseconds: an older file without an open import was abandoned. */
const UPLOAD_MS = 3_600_000;

/** Maximum number of abandoned files that one sweep removes. */
const MAX_ABANDONED_FILES = 100;

/** The file of an import. */
export interface ImportFile {
  readonly workspaceId: Types.ObjectId;
  readonly importId: Types.ObjectId;
}

const RESTORED: ImportProblem = {
  code: 'RESTORED',
  message:
    'The database was restored from a backup in which this import was not completed: its leads may have been contacted since. Check them, then import the file again',
};

/** Limits and stored files of imports, and their end. */
@Injectable()
export class LeadImportRepository {
  constructor(
    @InjectModel(LeadImportRecord.name) private readonly imports: Model<LeadImportRecord>,
    @InjectModel(LeadImportChunkRecord.name) private readonly chunks: Model<LeadImportChunkRecord>,
    private readonly jobs: LeadImportJobRecordService,
    private readonly limits: WorkspaceLimitsService,
    private readonly clock: ClockPort,
  ) {}

  /** The time at which the file and the refused rows of an import that starts now expire. */
  getExpiry(): Date {
    return this.clock.in(RETENTION_MS);
  }

  /** Checks the limit of open imports in the transaction that creates one. @throws LIMIT_EXCEEDED */
  async ensureRoom(workspace: WorkspaceScope): Promise<void> {
    await this.limits.claim(workspace.workspaceId);
    await this.checkLimit(workspace);
  }

  /** Checks the limit before an upload is read. @throws LIMIT_EXCEEDED */
  async checkLimit({ workspaceId }: WorkspaceScope): Promise<void> {
    const open = await this.imports.countDocuments({ workspaceId, open: true });
    if (open < MAX_OPEN_IMPORTS) return;
    throw limitExceeded(`${MAX_OPEN_IMPORTS} imports are open in this workspace; wait until one of them is completed`);
  }

  /** Completes an import whose rows are all processed. @throws JobSupersededError when it was cancelled */
  async complete(job: LeadImportRecord): Promise<void> {
    const { _id, workspaceId } = job;
    const done = await this.imports.findOne({ _id, workspaceId }, { counts: 1 }).lean<LeadImportRecord>();
    const left = done?.counts.overLimit ?? 0;
    const message = `The workspace has reached its limit of leads (maxLeads); ${left} rows were left out`;
    await this.jobs.end(job, { status: 'completed', error: left > 0 ? { code: 'LIMIT_EXCEEDED', message } : null });
  }

  /** Whether its refused rows have expired; the database removes them some time later. */
  isExpired({ expiresAt }: Pick<LeadImportRecord, 'expiresAt'>): boolean {
    return expiresAt <= this.clock.now();
  }

  async writeChunk({ workspaceId, importId }: ImportFile, part: number, data: Buffer, expiresAt: Date): Promise<void> {
    await this.chunks.create({ workspaceId, importId, part, data, expiresAt });
  }

  /** Yields the bytes of a file from an offset on, part by part; ends early when a part is missing. */
  async *readChunks({ workspaceId, importId }: ImportFile, offset: number): AsyncGenerator<Buffer> {
    let skip = offset % CHUNK_BYTES;
    for (let part = Math.floor(offset / CHUNK_BYTES); ; part += 1) {
      const found = await this.chunks
        .findOne({ workspaceId, importId, part }, { data: 1 })
        .lean<{ data: mongo.Binary }>();
      if (!found) return;
      const data = Buffer.from(found.data.buffer);
      yield data.subarray(skip, found.data.position);
      skip = 0;
    }
  }

  async removeFile({ workspaceId, importId }: ImportFile): Promise<void> {
    await this.chunks.deleteMany({ workspaceId, importId });
  }

  /** Removes files of interrupted uploads and of ended imports. @returns the number of removed files */
  async removeAbandonedFiles(): Promise<number> {
    const old = await this.chunks
      .find({ part: 0, createdAt: { $lt: this.clock.in(-UPLOAD_MS) } }, { workspaceId: 1, importId: 1 })
      .setOptions({ allWorkspaces: 'the worker removes abandoned files of all workspaces' })
      .limit(MAX_ABANDONED_FILES)
      .lean<ImportFile[]>();
    if (old.length === 0) return 0;
    const open = await this.imports
      .find({ _id: { $in: old.map(({ importId }) => importId) }, open: true }, { _id: 1 })
      .setOptions({ allWorkspaces: 'the worker removes abandoned files of all workspaces' })
      .lean();
    const needed = new Set(open.map(({ _id }) => _id.toHexString()));
    const abandoned = old.filter(({ importId }) => !needed.has(importId.toHexString()));
    for (const file of abandoned) await this.removeFile(file);
    return abandoned.length;
  }

  /**
   * Fails the imports that were open before a restore: they would create leads for people who may have been contacted since.
   * Repeatable after a failure.
   * @returns the number of failed imports
   */
  async reconcile(workspaceId: string, until: Date): Promise<number> {
    const open = await this.imports
      .find({ workspaceId, open: true, createdAt: { $lte: until } }, { workspaceId: 1 })
      .lean<Pick<LeadImportRecord, '_id' | 'workspaceId'>[]>();
    for (const one of open) {
      await this.jobs.close(one, { status: 'failed', error: RESTORED });
      await this.removeFile({ workspaceId: one.workspaceId, importId: one._id });
    }
    return open.length;
  }
}
