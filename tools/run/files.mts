import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folder of everything that a run leaves; git ignores it. */
export const local = (...parts: string[]): string => join(process.cwd(), '.local', ...parts);

/** Readable by the owner only, and never partly written. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.tmp`;
  await writeFile(beside, text, { mode: 0o600 });
  await chmod(beside, 0o600);
  await rename(beside, path);
}

export function writePrivateJson(path: string, value: object): Promise<void> {
  return writePrivate(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The file's content; undefined when it is missing or invalid. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
