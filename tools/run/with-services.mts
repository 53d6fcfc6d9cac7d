import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { livingOwner } from '../local-services/lock-file.mts';
import { removeData } from '../local-services/docker-services.mts';
import { startServices, type Services, type ServicesOptions } from '../local-services/services.mts';
import type { MailSandboxOptions } from '../mail-sandbox/sandbox.mts';
import { local } from './files.mts';
import { startSandboxBeside, type SandboxBeside } from './mail-sandbox.mts';
import { orAborted } from './shutdown.mts';

type ServiceOptions<T> = Omit<T, 'onProgress' | 'onCrash'>;

export interface WithServicesOptions extends ServiceOptions<ServicesOptions> {
  /** Also starts a mail sandbox; without one, the work continues. */
  sandbox?: ServiceOptions<MailSandboxOptions>;
}

export interface RunningServices extends Services {
  sandbox: SandboxBeside;
}

/** Starts the services, runs the work, and stops them in any case. A crashed service ends the work. */
export async function withServices<T>(
  options: WithServicesOptions,
  signal: AbortSignal,
  work: (services: RunningServices, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const crash = new AbortController();
  const started = Date.now();
  const services = await orAborted(
    signal,
    startAll(options, (error) => crash.abort(error)),
  );
  console.log(`services are ready after ${((Date.now() - started) / 1000).toFixed(1)} s`);
  try {
    return await work(services, AbortSignal.any([signal, crash.signal]));
  } catch (error) {
    throw crash.signal.aborted ? crash.signal.reason : error;
  } finally {
    await services.stop();
  }
}

async function startAll(options: WithServicesOptions, onCrash: (error: Error) => void): Promise<RunningServices> {
  const { sandbox: asked, ...rest } = options;
  const onProgress = (line: string): void => console.log(line);
  const notAsked: SandboxBeside = { off: 'it was not requested', stop: () => Promise.resolve() };
  const beside = asked ? startSandboxBeside({ ...asked, onProgress }) : Promise.resolve(notAsked);
  try {
    const services = await startServices({ ...rest, onProgress, onCrash });
    const sandbox = await beside;
    if (asked && sandbox.off) console.log(`the mail sandbox is off: ${sandbox.off}`);
    const stop = async (): Promise<void> => {
      await Promise.all([sandbox.stop(), services.stop()]);
    };
    return { ...services, sandbox, stop };
  } catch (error) {
    await (await beside).stop();
    throw error;
  }
}

interface FreshServicesOptions extends Pick<ServicesOptions, 'tidies'> {
  sandbox?: Omit<MailSandboxOptions, 'dataDir'>;
}

/** Services with empty data folders, removed at the end: any number of these can run in parallel. */
export async function withFreshServices<T>(
  kind: string,
  signal: AbortSignal,
  work: (services: RunningServices, folder: string, signal: AbortSignal) => Promise<T>,
  { tidies = false, sandbox }: FreshServicesOptions = {},
): Promise<T> {
  await removeAbandoned(kind);
  const folder = local(`${kind}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    const options: WithServicesOptions = {
      dataDir: join(folder, 'services'),
      tidies,
      ...(sandbox && { sandbox: { ...sandbox, dataDir: join(folder, 'mail-sandbox') } }),
    };
    return await withServices(options, signal, (services, stop) => work(services, folder, stop));
  } finally {
    await removeData(join(folder, 'services'));
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes folders of killed runs. */
async function removeAbandoned(kind: string): Promise<void> {
  for (const name of await readdir(local()).catch(() => [])) {
    const pid = new RegExp(`^${kind}-(\\d+)$`).exec(name)?.[1];
    if (!pid || livingOwner(pid) !== undefined) continue;
    await removeData(local(name, 'services'));
    await rm(local(name), { recursive: true, force: true });
  }
}
