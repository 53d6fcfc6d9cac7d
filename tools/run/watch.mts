import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from './apps.mts';
import { tryBuild } from './build.mts';
import { untilAborted } from './shutdown.mts';

const WATCHED = ['apps', 'libs'];
/** Polls: a few hundred files cost milliseconds, and fs.watch loses files that editors replace by renaming. */
const LOOK_EVERY_MS = 300;

/** A change that ends up in the build: sources and assets, and neither specs nor what editors leave about. */
export function matters(file: string): boolean {
  return /\.(?:ts|json|yaml)$/.test(file) && !file.endsWith('.spec.ts') && !/(?:^|[\\/])(?:\.|node_modules)/.test(file);
}

/** Builds and restarts on change, one after the other; a build with errors leaves running what runs. */
export async function rebuildOnChange(apps: App[], signal: AbortSignal): Promise<void> {
  console.log(`watching ${WATCHED.join(' and ')}`);
  let built = snapshot(WATCHED);
  while (!signal.aborted) {
    await Promise.race([new Promise((done) => setTimeout(done, LOOK_EVERY_MS)), untilAborted(signal)]);
    const now = snapshot(WATCHED);
    // Editors and git write several files at once: waits until a poll finds no further change.
    if (now === built || signal.aborted) continue;
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS / 2));
    if (snapshot(WATCHED) !== now) continue;
    built = now;
    await rebuild(apps, signal).catch((error: unknown) => signal.aborted || console.error((error as Error).message));
  }
}

/** Every file that matters with its size and time of change, as one text to compare. */
export function snapshot(folders: string[]): string {
  const lines: string[] = [];
  for (const folder of folders) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!matters(file)) continue;
      const found = statSync(join(folder, file), { throwIfNoEntry: false });
      lines.push(`${folder}/${file} ${found?.mtimeMs} ${found?.size}`);
    }
  }
  return lines.toSorted().join('\n');
}

async function rebuild(apps: App[], signal: AbortSignal): Promise<void> {
  const started = Date.now();
  const seconds = (): string => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  const errors = await tryBuild(signal);
  if (errors) {
    console.error(`${errors}\nthe build failed; the former one keeps running`);
    return;
  }
  const built = seconds();
  await Promise.all(apps.map((app) => app.stop()));
  signal.throwIfAborted();
  const results = await Promise.allSettled(apps.map((app) => app.start(signal)));
  const failed = results.filter((result) => result.status === 'rejected');
  for (const { reason } of failed) console.error((reason as Error).message);
  if (failed.length > 0) console.error('waiting for the next change');
  else {
    for (const app of apps) app.supervise();
    console.log(`built in ${built}, running again after ${seconds()}`);
  }
}
