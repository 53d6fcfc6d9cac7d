import { rm } from 'node:fs/promises';
import type { Command } from './arguments.mts';
import { local, writePrivateJson } from './files.mts';
import { sandboxForTests } from './mail-sandbox.mts';
import { untilAborted } from './shutdown.mts';
import { withServices } from './with-services.mts';

/** Runs MongoDB, Redis and the mail sandbox until stopped, to run Jest or an application by hand. */
export async function serve(_command: Command, signal: AbortSignal): Promise<number> {
  const file = local('services.json');
  const options = {
    dataDir: local('services-dev'),
    sandbox: { dataDir: local('mail-sandbox-dev'), prospects: { delayMs: 0 } },
  };
  await withServices(options, signal, async ({ mongoUrl, redisUrl, sandbox }, stop) => {
    const addresses = { mongoUrl, redisUrl, ...(sandbox.addresses && { mailSandbox: sandbox.addresses }) };
    await writePrivateJson(file, addresses);
    console.log(JSON.stringify(addresses));
    console.log(`export MONGODB_URI='${mongoUrl}' REDIS_URL='${redisUrl}'`);
    for (const [name, value] of Object.entries(sandboxForTests(sandbox))) {
      console.log(`export ${name}='${value.replaceAll("'", `'\\''`)}'`);
    }
    // With external services only, there is nothing to wait for.
    const alive = setInterval(() => {}, 1 << 30);
    try {
      await untilAborted(stop);
      if (!signal.aborted) throw stop.reason;
    } finally {
      clearInterval(alive);
      await rm(file, { force: true });
    }
  });
  return 0;
}
