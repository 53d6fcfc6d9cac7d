import type { Command } from './arguments.mts';
import { build } from './build.mts';
import { runProgram } from './programs.mts';
import { sandboxForTests } from './mail-sandbox.mts';
import { withFreshServices, type RunningServices } from './with-services.mts';

export function bench(command: Command, signal: AbortSignal): Promise<number> {
  const work = async ({ mongoUrl, redisUrl, sandbox }: RunningServices, stop: AbortSignal): Promise<number> => {
    await build(stop);
    const env = { MONGODB_URI: mongoUrl, REDIS_URL: redisUrl, ...sandboxForTests(sandbox) };
    const args = ['tools/bench/main.mts', ...command.rest];
    const { code } = await runProgram(process.execPath, args, { env, visible: true, signal: stop });
    stop.throwIfAborted();
    return code;
  };
  // Prospects do not answer during a measurement.
  const options = { tidies: true, sandbox: { prospects: false } };
  return withFreshServices('bench', signal, (services, _folder, stop) => work(services, stop), options);
}
