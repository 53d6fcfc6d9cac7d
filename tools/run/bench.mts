import type { Command } from './arguments.mts';
import { build } from './build.mts';
import { runProgram } from './programs.mts';
import { withFreshServices } from './with-services.mts';

export function bench(command: Command, signal: AbortSignal): Promise<number> {
  return withFreshServices('bench', signal, async ({ mongoUrl, redisUrl }, _folder, stop) => {
    await build(stop);
    const env = { MONGODB_URI: mongoUrl, REDIS_URL: redisUrl };
    const args = ['tools/bench/main.mts', ...command.rest];
    const { code } = await runProgram(process.execPath, args, { env, visible: true, signal: stop });
    stop.throwIfAborted();
    return code;
  });
}
