import { UnreadableUploadError } from './import-file.errors';
import { TextDecoder } from 'node:util';
import { type StoredText } from './csv-record-reader';

export const IMPORT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type ImportEncoding = (typeof IMPORT_ENCODINGS)[number];

/** First bytes of files that are often mistaken for CSV. */
const KINDS: readonly (readonly [signature: string, kind: string])[] = [
  ['504b0304', 'an Excel workbook or a ZIP archive'],
  ['d0cf11e0', 'an old Excel workbook'],
  ['25504446', 'a PDF document'],
  ['1f8b', 'a gzip archive'],
];
/** Length of the longest signature in bytes. */
const START_BYTES = 4;
const UTF8_MARK = 'efbbbf';

/**
 * Detects the encoding of an upload part by part, and returns the bytes to store. UTF-16 with a byte order mark is
 * stored as UTF-8; marks are not stored. Everything else is stored unchanged and counts as UTF-8 until a byte
 * contradicts: then all of it is Windows-1252.
 */
export class UploadDecoder {
  #start: Buffer | null = Buffer.alloc(0);
  #encoding: ImportEncoding = 'utf-8';
  #utf16: TextDecoder | null = null;
  #utf8: TextDecoder | null = new TextDecoder('utf-8', { fatal: true });
  #marked = false;

  /** The encoding as far as the bytes so far tell. */
  get encoding(): ImportEncoding {
    return this.#encoding;
  }

  /** The encoding of the stored bytes. */
  get storedText(): StoredText {
    return this.#encoding === 'windows-1252' ? 'windows-1252' : 'utf-8';
  }

  /** @throws UnreadableUploadError */
  push(bytes: Buffer): Buffer {
    if (this.#start === null) return this.#decode(bytes, true);
    this.#start = Buffer.concat([this.#start, bytes]);
    return this.#start.length < START_BYTES ? Buffer.alloc(0) : this.#begin(true);
  }

  /** Ends the upload. @throws UnreadableUploadError */
  end(): Buffer {
    return this.#start === null ? this.#decode(Buffer.alloc(0), false) : this.#begin(false);
  }

  #begin(more: boolean): Buffer {
    const start = this.#start ?? Buffer.alloc(0);
    this.#start = null;
    const signature = start.toString('hex', 0, START_BYTES);
    const kind = KINDS.find(([begins]) => signature.startsWith(begins));
    if (kind) throw new UnreadableUploadError(`The file is ${kind[1]}, not CSV text; export it as CSV`);
    this.#marked = signature.startsWith(UTF8_MARK);
    if (signature.startsWith('fffe')) this.#encoding = 'utf-16le';
    if (signature.startsWith('feff')) this.#encoding = 'utf-16be';
    // The decoder removes the byte order mark.
    if (this.#encoding !== 'utf-8') this.#utf16 = new TextDecoder(this.#encoding);
    return this.#decode(this.#marked ? start.subarray(3) : start, more);
  }

  #decode(bytes: Buffer, more: boolean): Buffer {
    const stored = this.#utf16 ? Buffer.from(this.#utf16.decode(bytes, { stream: more }), 'utf8') : bytes;
    if (stored.includes(0)) {
      throw new UnreadableUploadError(
        'The file contains null bytes: it is not CSV text, or it is UTF-16 without a byte order mark; save it as UTF-8',
      );
    }
    if (!this.#utf16) this.#checkUtf8(bytes, more);
    return stored;
  }

  /** After a UTF-8 mark, an invalid byte stays invalid UTF-8. */
  #checkUtf8(bytes: Buffer, more: boolean): void {
    if (this.#utf8 === null || this.#marked) return;
    try {
      this.#utf8.decode(bytes, { stream: more });
    } catch {
      this.#utf8 = null;
      this.#encoding = 'windows-1252';
    }
  }
}
