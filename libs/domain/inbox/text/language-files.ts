import { AssetValueError, listAssets, loadAsset } from '@platform/config';

const LANGUAGE_FILE = /^[a-z]{2,3}\.yaml$/;

/** Rules of earlier languages are tried first; on a tie the first language decides. The operator's languages follow. */
const ORDER = 'en de fr es pt nl it pl sv da fi cs ru ja zh'.split(' ');

interface LanguageFile {
  readonly language: string;
}

/**
 * Loads one file per language, `<language>.yaml`. A file of the operator replaces the built-in file of that language, or adds a
 * language.
 * @throws AssetError
 */
export function loadLanguages<Stored extends LanguageFile, T>(source: {
  readonly folder: string;
  readonly schema: string;
  readonly operatorFolder: string | null;
  readonly compile: (stored: Stored, isAdded: boolean) => T;
}): readonly T[] {
  const { folder, schema, operatorFolder, compile } = source;
  const builtIn = listAssets(folder).filter((file) => LANGUAGE_FILE.test(file));
  const added = operatorFolder === null ? [] : listAssets(operatorFolder).filter((file) => LANGUAGE_FILE.test(file));
  const folders = new Map([
    ...builtIn.map((file) => [file, folder] as const),
    ...added.map((file) => [file, operatorFolder ?? ''] as const),
  ]);
  return [...folders]
    .toSorted(([one], [other]) => getRank(one) - getRank(other))
    .map(([file, from]) =>
      loadAsset<Stored, T>({
        folder: from,
        file,
        schema: `${folder}/${schema}`,
        compile: (stored) => {
          if (`${stored.language}.yaml` === file) return compile(stored, !builtIn.includes(file));
          throw new AssetValueError('must be the name of the file', { path: '/language' });
        },
      }),
    );
}

function getRank(file: string): number {
  const rank = ORDER.indexOf(file.replace('.yaml', ''));
  return rank === -1 ? ORDER.length : rank;
}
