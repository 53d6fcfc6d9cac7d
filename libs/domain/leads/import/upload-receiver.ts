import { HEAD_BYTES, type HeadOptions, type ImportHead, readHead } from './import-head';
import { CHUNK_BYTES } from './lead-import.repository';
import { type ImportEncoding, UploadDecoder } from './upload-decoder';

export interface ReceivedUpload {
  /** Size of the stored file. */
  readonly bytes: number;
  readonly encoding: ImportEncoding;
  readonly head: ImportHead;
}

/**
 * Receives a file and stores it in parts of `CHUNK_BYTES`, one after the other, so that memory holds one part whatever
 * the size. Detects encoding, delimiter and columns meanwhile.
 * @throws UnreadableUploadError, ImportHeaderError, ImportColumnError as soon as the file proves unusable
 */
export async function receiveUpload(
  file: AsyncIterable<Uint8Array>,
  options: HeadOptions,
  store: (part: number, data: Buffer) => Promise<void>,
): Promise<ReceivedUpload> {
  const decoder = new UploadDecoder();
  const parts = new Parts(store);
  const head = new Head(decoder, options);
  for await (const bytes of file) {
    const stored = decoder.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    await head.add(stored);
    await parts.add(stored);
  }
  const last = decoder.end();
  await head.add(last);
  await parts.add(last);
  const found = await head.finish(parts.bytes);
  await parts.finish();
  return { bytes: parts.bytes, encoding: decoder.encoding, head: found };
}

/** Splits the received bytes into parts of one size. */
class Parts {
  bytes = 0;
  #next = 0;
  #buffered: Buffer[] = [];
  #size = 0;

  constructor(private readonly store: (part: number, data: Buffer) => Promise<void>) {}

  async add(bytes: Buffer): Promise<void> {
    this.bytes += bytes.length;
    for (let remaining = bytes; remaining.length > 0;) {
      const fitting = remaining.subarray(0, CHUNK_BYTES - this.#size);
      this.#buffered.push(fitting);
      this.#size += fitting.length;
      remaining = remaining.subarray(fitting.length);
      if (this.#size === CHUNK_BYTES) await this.finish();
    }
  }

  /** Stores the remaining bytes. */
  async finish(): Promise<void> {
    if (this.#size === 0) return;
    const data = Buffer.concat(this.#buffered);
    this.#buffered = [];
    this.#size = 0;
    await this.store(this.#next++, data);
  }
}

/** Reads the beginning of the file as soon as enough bytes are received. */
class Head {
  #buffered: Buffer[] = [];
  #size = 0;
  #found: { head: ImportHead; text: string } | null = null;

  constructor(
    private readonly decoder: UploadDecoder,
    private readonly options: HeadOptions,
  ) {}

  async add(bytes: Buffer): Promise<void> {
    if (this.#size >= HEAD_BYTES) return;
    this.#buffered.push(bytes);
    this.#size += bytes.length;
    if (this.#size >= HEAD_BYTES) await this.#read(false);
  }

  /** @param size bytes of the whole file */
  async finish(size: number): Promise<ImportHead> {
    // Bytes after the header may have changed the encoding.
    if (this.#found && this.#found.text === this.decoder.storedText) return this.#found.head;
    return this.#read(size <= this.#size);
  }

  async #read(whole: boolean): Promise<ImportHead> {
    const text = this.decoder.storedText;
    const head = await readHead(Buffer.concat(this.#buffered), whole, text, this.options);
    this.#found = { head, text };
    return head;
  }
}
