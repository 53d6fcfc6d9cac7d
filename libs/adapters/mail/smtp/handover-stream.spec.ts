import fc from 'fast-check';
import { PassThrough } from 'node:stream';
import { HandoverStream } from './handover-stream';

/** Pipes a stream into a substitute for nodemailer's stream, which is piped into the socket. */
function piped(raw: Buffer) {
  const destination = new PassThrough();
  const progress: boolean[] = [];
  let start = (): void => undefined;
  const stream = new HandoverStream(raw, {
    onReady: (begin) => (start = begin),
    onProgress: (complete) => progress.push(complete),
  });
  stream.pipe(destination);
  return { stream, destination, progress, start: () => start() };
}

describe('HandoverStream', () => {
  it('emits nothing before it is started', async () => {
    const { stream, destination, start } = piped(Buffer.from('x'));
    expect(stream.isStarted).toBe(true);
    await new Promise(setImmediate);
    expect(stream.readableDidRead).toBe(false);
    start();
    await new Promise((resolve) => destination.once('data', resolve));
  });

  it('emits slices of the message, not copies', async () => {
    const raw = Buffer.alloc(300_000, 'a');
    const { destination, start } = piped(raw);
    const chunks: Buffer[] = [];
    destination.on('data', (chunk: Buffer) => chunks.push(chunk));
    start();
    await new Promise((resolve) => destination.once('end', resolve));
    expect(Buffer.concat(chunks).equals(raw)).toBe(true);
    expect(chunks.every(({ buffer }) => buffer === raw.buffer)).toBe(true);
  });

  it('emits nothing after it is stopped', async () => {
    const { stream, progress, start, destination } = piped(Buffer.from('x\r\n.\r\n'));
    stream.stop();
    start();
    destination.write('x\r\n.\r\n');
    await new Promise(setImmediate);
    expect([stream.complete, progress]).toEqual([false, []]);
  });

  it('is complete with the last byte of the final dot and not earlier, for any chunk borders', () => {
    const part = fc.constantFrom('a', '\r\n', '..', '\r\n..', '\n', '\r', 'x.\r\n');
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (parts, cuts) => {
        const wire = `x${parts.join('')}`.replaceAll('\r\n.\r\n', '\r\n..\r\n') + '\r\n.\r\n';
        fc.pre(wire.indexOf('\r\n.\r\n') === wire.length - 5);
        const { stream, destination } = piped(Buffer.alloc(0));
        let given = 0;
        for (let round = 0; given < wire.length; round++) {
          expect(stream.complete).toBe(false);
          const chunk = wire.slice(given, given + cuts[round % cuts.length]!);
          given += chunk.length;
          destination.emit('data', Buffer.from(chunk));
        }
        expect(stream.complete).toBe(true);
      }),
    );
  });
});
