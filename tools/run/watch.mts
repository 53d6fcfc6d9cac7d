import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from './apps.mts';
import { tryBuild } from './build.mts';
import { untilAborted } from './shutdown.mts';

const WATCHED = ['apps', 'libs'];
/** Polls, because fs.watch loses files that editors replace by renaming, and a poll of a few hundred files takes milliseconds. */
const LOOK_EVERY_MS = 300;

/** Whether a change affects the build: sources and assets, neither specs nor temporary files of editors. */
export function matters(file: string): boolean {
  return /\.(?:ts|json|yaml)$/.test(file) && !file.endsWith('.spec.ts') && !/(?:^|[\\/])(?:\.|node_modules)/.test(file);
}

/** Builds and restarts on change, one at a time; after a build error, the running version continues. */
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

/** The size and modification time of every watched file, as one text to compare. */
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
    console.error(`${errors}\nthe build failed; the previous build keeps running`);
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
