import { join } from 'node:path';
import { ensureClient } from '../client/generate.mts';
import type { Command } from './arguments.mts';
import { jestVerdict, runJest, testEnvironment } from './jest.mts';
import { withFreshServices } from './with-services.mts';

/**
 * Writes the files that are generated from the code (OpenAPI document, errors, events, alerts, .env.example) instead of
 * comparing them, and the TypeScript client if the document has changed.
 */
export function generate(_command: Command, signal: AbortSignal): Promise<number> {
  return withFreshServices('generate', signal, async (services, folder, stop) => {
    const report = join(folder, 'jest.json');
    // --ci only compares golden files; with WRITE_GOLDEN the suite writes them.
    const env = { ...testEnvironment(services), WRITE_GOLDEN: '1' };
    const code = await runJest(report, ['test/golden.spec.ts'], env, stop);
    stop.throwIfAborted();
    const { failed, total } = await jestVerdict(code, report);
    await ensureClient();
    return failed === 0 && total > 0 ? 0 : 1;
  });
}
