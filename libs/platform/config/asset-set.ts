import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isLoaded, listAssetFolders, listAssets } from './asset-loader';
import { AssetError } from './asset.errors';

const sets: { loadAll: () => void }[] = [];
let operatorRoot = '';

/**
 * Assets that are used as one value, such as all texts of warmup: those beside the code, and those of the operator over them.
 * The name is the path below the operator's folder, such as `warmup/texts`. The value is read when first used and cached.
 */
export class AssetSet<T> {
  private cached: { readonly root: string; readonly value: T } | null = null;

  constructor(
    readonly name: string,
    /** Reads the value. `operatorFolder` is null without a folder of the operator; that it exists is not certain. */
    private readonly read: (operatorFolder: string | null) => T,
    /** For a value that reads parts of itself when they are first used: reads all of them. */
    private readonly readAll: (value: T) => void = () => undefined,
  ) {
    sets.push(this);
  }

  /** @throws AssetError when a file is not valid; after `loadAllAssets` it is not thrown */
  get value(): T {
    return (this.cached?.root === operatorRoot ? this.cached : this.reload()).value;
  }

  /** @throws AssetError when a file is not valid */
  loadAll(): void {
    this.readAll(this.reload().value);
  }

  private reload(): { readonly root: string; readonly value: T } {
    const value = this.read(operatorRoot === '' ? null : join(operatorRoot, this.name));
    this.cached = { root: operatorRoot, value };
    return this.cached;
  }
}

/**
 * Reads every asset set at the start of a process, with the operator's folder (`ASSETS_DIR`, empty for none). A file of the
 * operator that no set reads is an error too: a wrong name would otherwise pass unnoticed.
 * @throws AssetError for the first file that is not valid
 */
export function loadAllAssets(operatorFolder: string): void {
  if (operatorFolder !== '' && statSync(operatorFolder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new AssetError(operatorFolder, '', 'ASSETS_DIR is not a folder');
  }
  operatorRoot = operatorFolder;
  for (const set of sets) set.loadAll();
  if (operatorFolder !== '') refuseUnread(operatorFolder);
}

function refuseUnread(folder: string): void {
  for (const name of listAssets(folder)) {
    const path = join(folder, name);
    if (!isLoaded(path)) throw new AssetError(path, '', 'nothing reads a file of this name; see docs/users/warmup.md');
  }
  for (const name of listAssetFolders(folder)) refuseUnread(join(folder, name));
}
