import { type Platform, startPlatform } from './platform';

/** Message to a Jest worker when no file is left for it (`CHILD_MESSAGE_END` of jest-worker). */
const END = 2;

/** Platforms that no test file uses now: at most one with a worker and one without. */
const waitUntilIdle = new Map<boolean, Platform>();

/**
 * A platform with default settings that the test files of this Jest worker use one after the other: starting one costs
 * a second of processor time. `close` ends its work and empties it for the next file. For files that change documents
 * only: registrations with its services would remain.
 */
export async function sharedPlatform({ worker = false }: { worker?: boolean } = {}): Promise<Platform> {
  // Without `npm test` nothing would close it.
  if (process.env['TEST_DATABASES'] !== 'kept') return startPlatform({ worker });
  closeInTheEnd();
  const platform = waitUntilIdle.get(worker) ?? (await startPlatform({ worker }));
  waitUntilIdle.delete(worker);
  return { ...platform, close: () => rest(platform, worker) };
}

async function rest(platform: Platform, worker: boolean): Promise<void> {
  try {
    await platform.renew();
  } catch (error) {
    await platform.close();
    throw error;
  }
  if (waitUntilIdle.has(worker)) return platform.close();
  waitUntilIdle.set(worker, platform);
}

/** A Jest worker without open connections exits without a forced end. */
function closeInTheEnd(): void {
  if (process.listeners('message').includes(end)) return;
  process.on('message', end);
}

function end(message: unknown): void {
  if (!Array.isArray(message) || message[0] !== END) return;
  process.off('message', end);
  void Promise.all([...waitUntilIdle.values()].map((platform) => platform.close()));
}
