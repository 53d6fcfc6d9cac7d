import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, type mongo, type Types } from 'mongoose';
import { LeadImportChunkRecord } from './schemas/lead-import-chunk.record';
import { LeadImportRecord } from './schemas/lead-import.record';

/** Bytes of a part; only the last one of a file is shorter. */
export const CHUNK_BYTES = 1024 * 1024;
/** Longer than any upload takes: a file without an import is one whose upload broke off with its process. */
const UPLOAD_MS = 3_600_000;
const SWEEP_AT_MOST = 100;

/** Names the file of an import. */
export interface ImportFile {
  readonly workspaceId: Types.ObjectId;
  readonly importId: Types.ObjectId;
}

/** Uploaded files in parts of one size, so that a place in the file tells its part. */
@Injectable()
export class ImportChunksRepository {
  constructor(
    @InjectModel(LeadImportChunkRecord.name) private readonly chunks: Model<LeadImportChunkRecord>,
    @InjectModel(LeadImportRecord.name) private readonly imports: Model<LeadImportRecord>,
    private readonly clock: ClockPort,
  ) {}

  async write({ workspaceId, importId }: ImportFile, part: number, data: Buffer, expiresAt: Date): Promise<void> {
    await this.chunks.create({ workspaceId, importId, part, data, expiresAt });
  }

  /** The bytes of a file from an offset on, part by part; ends early when parts are gone. */
  async *read({ workspaceId, importId }: ImportFile, offset: number): AsyncGenerator<Buffer> {
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

  async remove({ workspaceId, importId }: ImportFile): Promise<void> {
    await this.chunks.deleteMany({ workspaceId, importId });
  }

  /** Removes files whose upload broke off with its process, and those whose import is over. */
  async removeAbandoned(): Promise<number> {
    const old = await this.chunks
      .find({ part: 0, createdAt: { $lt: this.clock.in(-UPLOAD_MS) } }, { workspaceId: 1, importId: 1 })
      .setOptions({ allWorkspaces: 'uploads of all workspaces break off' })
      .limit(SWEEP_AT_MOST)
      .lean<ImportFile[]>();
    if (old.length === 0) return 0;
    const open = await this.imports
      .find({ _id: { $in: old.map(({ importId }) => importId) }, open: true }, { _id: 1 })
      .setOptions({ allWorkspaces: 'uploads of all workspaces break off' })
      .lean();
    const needed = new Set(open.map(({ _id }) => _id.toHexString()));
    const abandoned = old.filter(({ importId }) => !needed.has(importId.toHexString()));
    for (const file of abandoned) await this.remove(file);
    return abandoned.length;
  }
}
