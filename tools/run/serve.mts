import { rm } from 'node:fs/promises';
import type { Command } from './arguments.mts';
import { local, writePrivateJson } from './files.mts';
import { untilAborted } from './shutdown.mts';
import { withServices } from './with-services.mts';

/** MongoDB and Redis until stopped, for running Jest or an application by hand. */
export async function serve(_command: Command, signal: AbortSignal): Promise<number> {
  const file = local('services.json');
  await withServices({ dataDir: local('services-dev') }, signal, async ({ mongoUrl, redisUrl }, stop) => {
    await writePrivateJson(file, { mongoUrl, redisUrl });
    console.log(JSON.stringify({ mongoUrl, redisUrl }));
    console.log(`export MONGODB_URI='${mongoUrl}' REDIS_URL='${redisUrl}'`);
    try {
      await untilAborted(stop);
      if (!signal.aborted) throw stop.reason;
    } finally {
      await rm(file, { force: true });
    }
  });
  return 0;
}
