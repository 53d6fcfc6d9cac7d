import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startMailSandbox } from './sandbox.mts';

/** Command line `node tools/mail-sandbox/main.mts [--data DIR] [--seed TEXT] [--no-prospects]`: prints one JSON line, runs until stopped. */
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '.local/mail-sandbox' },
    seed: { type: 'string', default: 'sandbox' },
    delay: { type: 'string' },
    prospects: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

try {
  const { stop, ...addresses } = await startMailSandbox({
    dataDir: resolve(values.data),
    seed: values.seed,
    prospects: values.prospects && (values.delay === undefined ? true : { delayMs: Number(values.delay) }),
    onProgress: (line) => console.error(line),
  });
  async function end(): Promise<void> {
    await stop();
    process.exit();
  }
  process.once('SIGINT', () => void end()).once('SIGTERM', () => void end());
  console.log(JSON.stringify(addresses));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
