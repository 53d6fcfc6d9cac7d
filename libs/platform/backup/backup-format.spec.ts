import fc from 'fast-check';
import { mongo } from 'mongoose';
import { FORMAT, FORMAT_VERSION, readFrames, requireHeader } from './backup-format';
import { FrameWriter } from './frame-writer';
import { BackupFileError } from './backup.errors';

const HEADER = {
  format: FORMAT,
  version: FORMAT_VERSION,
  createdAt: new Date(0),
  appVersion: '1',
  migrations: [],
  keys: [],
};

function written(documents: readonly object[]): Buffer {
  const writer = new FrameWriter();
  return Buffer.concat([
    writer.frame('header', mongo.BSON.serialize(HEADER)),
    writer.frame('collection', mongo.BSON.serialize({ name: 'things' })),
    ...documents.map((document) => writer.frame('document', mongo.BSON.serialize(document))),
    writer.end({ things: documents.length }),
  ]);
}

/** Splits the bytes into chunks of this size, as a stream does. */
async function read(bytes: Buffer, size: number): Promise<unknown[]> {
  function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const frames: unknown[] = [];
  for await (const { kind, bson } of readFrames(asynchronously(pieces()))) {
    frames.push([kind, mongo.BSON.deserialize(bson)]);
  }
  return frames;
}

async function* asynchronously<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

const DOCUMENTS = [{ n: 1 }, { text: 'ä'.repeat(100) }];

describe('the frames of a backup', () => {
  it('are read as they were written, for any chunk size', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ n: fc.integer(), text: fc.string() })),
        fc.integer({ min: 1, max: 99 }),
        async (documents, size) => {
          const frames = await read(written(documents), size);
          expect(frames.slice(2, -1)).toEqual(documents.map((document) => ['document', document]));
          expect(frames.at(-1)).toEqual(['end', expect.objectContaining({ counts: { things: documents.length } })]);
        },
      ),
    ));

  it('are rejected when any bit was flipped', async () => {
    const bytes = written(DOCUMENTS);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      // The checksum finds most errors; an invalid length, kind or BSON is found earlier.
      const refusal = await read(flipped, 64).then(() => null, String);
      expect(refusal).toMatch(/^(?:BackupFileError|BSONError)/);
    }
  });

  it('are rejected when truncated anywhere, and with additional data', async () => {
    const bytes = written(DOCUMENTS);
    for (let length = 0; length < bytes.length; length += 1) {
      await expect(read(bytes.subarray(0, length), 64)).rejects.toThrow(BackupFileError);
    }
    await expect(read(Buffer.concat([bytes, bytes]), 64)).rejects.toThrow('The file has data after its end');
  });
});

describe('the header of a backup', () => {
  const frame = (header: object) => ({ kind: 'header' as const, bson: Buffer.from(mongo.BSON.serialize(header)) });

  it.each([
    ['no frame', undefined, 'not a backup of this platform'],
    ['another frame', { ...frame(HEADER), kind: 'document' as const }, 'not a backup of this platform'],
    ['a header of another program', frame({ format: 'other', version: 1 }), 'not a backup of this platform'],
    ['a later format', frame({ ...HEADER, version: 2 }), 'The file has format 2; this release reads 1'],
  ])('is rejected when it is %s', (_what, given, words) => {
    expect(() => requireHeader(given)).toThrow(words);
  });
});
