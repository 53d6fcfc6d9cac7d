import { createHash, type Hash } from 'node:crypto';
import { mongo } from 'mongoose';
import { type BackupEnd, type FrameKind, FRAMES, getChecksum } from './backup-format';

/** Serialises frames and computes their checksum. */
export class FrameWriter {
  readonly #hash: Hash = createHash('sha256');

  frame(kind: FrameKind, bson: Uint8Array): Buffer {
    const bytes = Buffer.concat([Buffer.of(FRAMES[kind]), bson]);
    this.#hash.update(bytes);
    return bytes;
  }

  /** The last frame. */
  end(counts: Readonly<Record<string, number>>): Buffer {
    const end: BackupEnd = { counts, sha256: getChecksum(this.#hash, counts) };
    return this.frame('end', mongo.BSON.serialize(end));
  }
}
