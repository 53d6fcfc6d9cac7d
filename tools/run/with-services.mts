import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { livingOwner } from '../local-services/lock-file.mts';
import { removeData } from '../local-services/docker-services.mts';
import { startServices, type Services, type ServicesOptions } from '../local-services/services.mts';
import { local } from './files.mts';
import { orAborted } from './shutdown.mts';

/** Starts the services, does the work, and stops them however the work ended. A service that dies ends the work. */
export async function withServices<T>(
  options: Omit<ServicesOptions, 'onProgress' | 'onCrash'>,
  signal: AbortSignal,
  work: (services: Services, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const crash = new AbortController();
  const started = Date.now();
  const services = await orAborted(
    signal,
    startServices({ ...options, onProgress: (line) => console.log(line), onCrash: (error) => crash.abort(error) }),
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

/** Services with empty data of their own, gone afterwards: any number of these run side by side. */
export async function withFreshServices<T>(
  kind: string,
  signal: AbortSignal,
  work: (services: Services, folder: string, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await removeAbandoned(kind);
  const folder = local(`${kind}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    return await withServices({ dataDir: join(folder, 'services') }, signal, (services, stop) =>
      work(services, folder, stop),
    );
  } finally {
    await removeData(join(folder, 'services'));
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Folders of runs that were killed. */
async function removeAbandoned(kind: string): Promise<void> {
  for (const name of await readdir(local()).catch(() => [])) {
    const pid = new RegExp(`^${kind}-(\\d+)$`).exec(name)?.[1];
    if (!pid || livingOwner(pid) !== undefined) continue;
    await removeData(local(name, 'services'));
    await rm(local(name), { recursive: true, force: true });
  }
}
