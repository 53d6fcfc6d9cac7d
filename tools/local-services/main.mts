import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startServices } from './services.mts';

/** `node tools/local-services/main.mts [--data DIR] [--durable]`: prints one JSON line, runs until stopped. */
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '.local/services' },
    durable: { type: 'boolean', default: false },
  },
});

try {
  const { stop, ...urls } = await startServices({
    dataDir: resolve(values.data),
    durable: values.durable,
    onProgress: (line) => console.error(line),
    onCrash: (error) => {
      console.error(error.message);
      process.exitCode = 1;
      void end();
    },
  });
  async function end(): Promise<void> {
    await stop();
    process.exit();
  }
  process.once('SIGINT', () => void end()).once('SIGTERM', () => void end());
  console.log(JSON.stringify(urls));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
