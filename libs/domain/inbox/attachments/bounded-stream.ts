import { MailError } from '@adapters/mail';
import { once } from 'node:events';
import { Readable } from 'node:stream';

/**
 * The same bytes, at most so many: a file that turns out to be larger fails instead of looking complete. Returns when the
 * first of them are there or it has ended, and closes the source when it is closed.
 * @throws what the source fails with before that
 */
export async function boundedStream(source: Readable, mostBytes: number): Promise<Readable> {
  // Whoever reads the copy hears of it; a source that is closed early, too, says so by an error.
  source.on('error', () => undefined);
  const bounded = Readable.from(bytesOf(source, mostBytes), { objectMode: false });
  await once(bounded, 'readable');
  return bounded;
}

async function* bytesOf(source: Readable, mostBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of source as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > mostBytes) {
      throw new MailError({ failure: 'permanent', stage: 'request', message: `It is larger than ${mostBytes} bytes` });
    }
    yield part;
  }
}
