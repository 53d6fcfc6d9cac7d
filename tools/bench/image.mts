import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The flags and allocator settings of the image for Node: the benches measure the deployed configuration. */
export function asInTheImage(): { args: string[]; env: Record<string, string> } {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1];
  if (command === undefined) throw new Error('The Dockerfile has no CMD line of the form ["node", …]');
  const flags = (JSON.parse(command) as string[]).filter((arg) => arg.startsWith('-'));
  const env = Object.fromEntries(
    [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]),
  );
  return { args: flags, env };
}
