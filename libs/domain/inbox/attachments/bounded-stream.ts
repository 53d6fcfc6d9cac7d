import { MailError } from '@adapters/mail';
import { once } from 'node:events';
import { Readable } from 'node:stream';

/**
 * Limits a stream: a larger file fails instead of looking complete. Returns once the first bytes or the end have arrived;
 * closing the result closes the source.
 * @throws the error of the source before that
 */
export async function limitStream(source: Readable, maxBytes: number): Promise<Readable> {
  // The reader of the result receives the error; without a listener an early close would be unhandled.
  source.on('error', () => undefined);
  const bounded = Readable.from(readBytes(source, maxBytes), { objectMode: false });
  await once(bounded, 'readable');
  return bounded;
}

async function* readBytes(source: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of source as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > maxBytes) {
      throw new MailError({ failure: 'permanent', stage: 'request', message: `It is larger than ${maxBytes} bytes` });
    }
    yield part;
  }
}
