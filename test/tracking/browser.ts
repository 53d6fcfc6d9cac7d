import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser of this machine: CHROMIUM, or one on the PATH; undefined without one. */
export function installedBrowser(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(CHROMIUM ? [CHROMIUM] : []), ...paths].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
