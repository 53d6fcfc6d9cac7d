import { BackupFileError } from './backup.errors';
import { createHash, type Hash } from 'node:crypto';
import { type KeyMark } from '@platform/secrets';
import { mongo } from 'mongoose';

/**
 * A backup is a gzip stream of frames. A frame is one byte for its kind and one BSON document, whose first four bytes are its
 * length (bsonspec.org). The first frame is a header, a collection frame precedes the documents of its collection, and the
 * last frame has the document counts and the SHA-256 of all bytes before, which shows a truncated or changed file.
 */
export const FORMAT = 'outreach-backup';
export const FORMAT_VERSION = 1;

export const FRAMES = { header: 0x48, collection: 0x43, document: 0x44, end: 0x45 } as const;
export type FrameKind = keyof typeof FRAMES;
const KINDS = new Map<number, FrameKind>(
  (Object.entries(FRAMES) as [FrameKind, number][]).map(([kind, byte]) => [byte, kind]),
);

/** A MongoDB document has at most 16 MiB, so a larger length is no frame. */
const LARGEST_BYTES = 16 * 1024 * 1024 + 16 * 1024;
const LENGTH_BYTES = 4;

export interface Frame {
  readonly kind: FrameKind;
  readonly bson: Buffer;
}

export interface BackupHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** The backup contains all sends up to this time: its creation, or the `backupAt` of an installation in maintenance mode. */
  readonly createdAt: Date;
  readonly appVersion: string;
  /** Migrations that had run on the database. */
  readonly migrations: readonly string[];
  /** Keys that the restored installation needs to decrypt its secrets and to verify its signed links. */
  readonly keys: readonly KeyMark[];
}

export interface BackupEnd {
  /** Documents by collection. */
  readonly counts: Readonly<Record<string, number>>;
  /** Hexadecimal, of all bytes before this frame and of the counts. */
  readonly sha256: string;
}

/**
 * Reads frames from chunks of any size, with one document in memory at a time.
 * @throws BackupFileError for a truncated file, data after the end frame, or a wrong checksum
 */
export async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const hash = createHash('sha256');
  let buffered: Buffer = Buffer.alloc(0);
  let isOver = false;
  for await (const piece of source) {
    buffered = buffered.length === 0 ? Buffer.from(piece) : Buffer.concat([buffered, piece]);
    for (let frame = parseFrame(buffered); frame; frame = parseFrame(buffered)) {
      if (isOver) throw new BackupFileError('The file has data after its end');
      if (frame.kind === 'end') isOver = true;
      if (isOver) requireChecksum(frame, hash);
      const length = frame.bson.length + 1;
      hash.update(buffered.subarray(0, length));
      yield frame;
      buffered = buffered.subarray(length);
    }
  }
  if (!isOver || buffered.length > 0) throw new BackupFileError('The file is truncated: its end is missing');
}

function parseFrame(bytes: Buffer): Frame | null {
  if (bytes.length < 1 + LENGTH_BYTES) return null;
  const kind = KINDS.get(bytes.readUInt8(0));
  const length = bytes.readInt32LE(1);
  if (!kind || length < LENGTH_BYTES + 1 || length > LARGEST_BYTES) {
    throw new BackupFileError('The file is damaged or is not a backup: it contains an invalid frame');
  }
  return bytes.length < length + 1 ? null : { kind, bson: bytes.subarray(1, length + 1) };
}

function requireChecksum({ bson }: Frame, hash: Hash): void {
  const { counts, sha256 } = mongo.BSON.deserialize(bson) as unknown as BackupEnd;
  if (sha256 !== getChecksum(hash, counts)) throw new BackupFileError('The file is damaged: its checksum is wrong');
}

export function getChecksum(before: Hash, counts: BackupEnd['counts']): string {
  return before.copy().update(mongo.BSON.serialize({ counts })).digest('hex');
}

/** @throws BackupFileError for a frame that is no header, or a header of another format version */
export function requireHeader(frame: Frame | undefined): BackupHeader {
  if (frame?.kind !== 'header') throw new BackupFileError('The file is not a backup of this platform');
  const header = mongo.BSON.deserialize(frame.bson) as unknown as BackupHeader;
  if (header.format !== FORMAT) throw new BackupFileError('The file is not a backup of this platform');
  if (header.version !== FORMAT_VERSION) {
    throw new BackupFileError(`The file has format ${String(header.version)}; this release reads ${FORMAT_VERSION}`);
  }
  return header;
}
