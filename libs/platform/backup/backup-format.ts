import { createHash, type Hash } from 'node:crypto';
import { type KeyMark } from '@platform/secrets';
import { mongo } from 'mongoose';

/**
 * A backup is a stream of frames, compressed with gzip: one byte that says what the frame is, then one BSON document, whose
 * first four bytes are its length (bsonspec.org). It begins with a header; each collection is announced before its
 * documents; the end counts them and has the SHA-256 of it all, so that a file which lost or changed a bit
 * anywhere is told from a whole one.
 */
export const FORMAT = 'outreach-backup';
export const FORMAT_VERSION = 1;

const FRAMES = { header: 0x48, collection: 0x43, document: 0x44, end: 0x45 } as const;
type FrameKind = keyof typeof FRAMES;
const KINDS = new Map<number, FrameKind>(
  (Object.entries(FRAMES) as [FrameKind, number][]).map(([kind, byte]) => [byte, kind]),
);

/** A document of MongoDB has at most 16 MiB; what claims to be larger is no frame. */
const LARGEST_BYTES = 16 * 1024 * 1024 + 16 * 1024;
const LENGTH_BYTES = 4;

export interface Frame {
  readonly kind: FrameKind;
  readonly bson: Buffer;
}

export interface BackupHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** Until when it knows what was sent: when it was made, by the clock of who made it, unless the installation was held. */
  readonly createdAt: Date;
  readonly appVersion: string;
  /** Migrations that the database had seen. */
  readonly migrations: readonly string[];
  /** Keys without which what is stored encrypted, or signed and sent, is worth nothing. */
  readonly keys: readonly KeyMark[];
}

export interface BackupEnd {
  /** Documents by collection. */
  readonly counts: Readonly<Record<string, number>>;
  /** Hexadecimal, of all bytes before this frame and of the counts. */
  readonly sha256: string;
}

/** The file is no backup, or not a whole one. Its message says what is wrong with it. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}

/** Writes frames and keeps their sum. */
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

/**
 * Reads frames from bytes in whatever pieces they come, with one document in memory at a time.
 * @throws BackupFileError when they end too early, go on after the end, or are not what was written
 */
export async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const hash = createHash('sha256');
  let buffered: Buffer = Buffer.alloc(0);
  let isOver = false;
  for await (const piece of source) {
    buffered = buffered.length === 0 ? Buffer.from(piece) : Buffer.concat([buffered, piece]);
    for (let frame = parseFrame(buffered); frame; frame = parseFrame(buffered)) {
      if (isOver) throw new BackupFileError('The file goes on after its end');
      if (frame.kind === 'end') isOver = true;
      if (isOver) requireChecksum(frame, hash);
      const length = frame.bson.length + 1;
      hash.update(buffered.subarray(0, length));
      yield frame;
      buffered = buffered.subarray(length);
    }
  }
  if (!isOver || buffered.length > 0) throw new BackupFileError('The file is cut off: its end is missing');
}

function parseFrame(bytes: Buffer): Frame | null {
  if (bytes.length < 1 + LENGTH_BYTES) return null;
  const kind = KINDS.get(bytes.readUInt8(0));
  const length = bytes.readInt32LE(1);
  if (!kind || length < LENGTH_BYTES + 1 || length > LARGEST_BYTES) {
    throw new BackupFileError('The file is damaged, or no backup: something in it is no record');
  }
  return bytes.length < length + 1 ? null : { kind, bson: bytes.subarray(1, length + 1) };
}

function requireChecksum({ bson }: Frame, hash: Hash): void {
  const { counts, sha256 } = mongo.BSON.deserialize(bson) as unknown as BackupEnd;
  if (sha256 !== getChecksum(hash, counts)) throw new BackupFileError('The file is damaged: its checksum is wrong');
}

function getChecksum(before: Hash, counts: BackupEnd['counts']): string {
  return before.copy().update(mongo.BSON.serialize({ counts })).digest('hex');
}

/** @throws BackupFileError for what is no header, or one of a later format */
export function requireHeader(frame: Frame | undefined): BackupHeader {
  if (frame?.kind !== 'header') throw new BackupFileError('The file is no backup of this platform');
  const header = mongo.BSON.deserialize(frame.bson) as unknown as BackupHeader;
  if (header.format !== FORMAT) throw new BackupFileError('The file is no backup of this platform');
  if (header.version !== FORMAT_VERSION) {
    throw new BackupFileError(`The file has format ${String(header.version)}; this release reads ${FORMAT_VERSION}`);
  }
  return header;
}
