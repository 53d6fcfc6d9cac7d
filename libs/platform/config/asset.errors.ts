/** Refusal of an asset file. The message names the file, the path inside it and the reason. */
export class AssetError extends Error {
  override readonly name = 'AssetError';

  constructor(
    readonly file: string,
    /** JSON pointer, empty for the whole file. */
    readonly path: string,
    readonly reason: string,
    line?: number,
  ) {
    const place = line === undefined ? file : `${file}:${line}`;
    super(`The asset file is not valid: ${place}: ${path === '' ? '' : `${path}: `}${reason}`);
  }
}

/** Refusal of one value inside an asset. `loadAsset` adds the file, and the path where only the text of the value is known. */
export class AssetValueError extends Error {
  override readonly name = 'AssetValueError';

  constructor(
    readonly reason: string,
    /** The JSON pointer of the value, or a text that occurs as a value of the file. */
    readonly at: { readonly path: string } | { readonly text: string } = { path: '' },
  ) {
    super(reason);
  }
}
