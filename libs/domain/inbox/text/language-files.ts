import { AssetValueError, listAssets, loadAsset } from '@platform/config';

const LANGUAGE_FILE = /^[a-z]{2,3}\.yaml$/;

/** Languages in the order of their rules; where two fit equally, the first decides. Languages of the operator follow. */
const ORDER = 'en de fr es pt nl it pl sv da fi cs ru ja zh'.split(' ');

interface LanguageFile {
  readonly language: string;
}

/**
 * Reads one file for each language, `<language>.yaml`. A file of the operator takes the place of the file of the same language,
 * or adds a language.
 * @throws AssetError
 */
export function loadLanguages<Stored extends LanguageFile, T>(source: {
  readonly folder: string;
  readonly schema: string;
  readonly operatorFolder: string | null;
  readonly compile: (stored: Stored, isAdded: boolean) => T;
}): readonly T[] {
  const { folder, schema, operatorFolder, compile } = source;
  const own = listAssets(folder).filter((file) => LANGUAGE_FILE.test(file));
  const given = operatorFolder === null ? [] : listAssets(operatorFolder).filter((file) => LANGUAGE_FILE.test(file));
  const folders = new Map([
    ...own.map((file) => [file, folder] as const),
    ...given.map((file) => [file, operatorFolder ?? ''] as const),
  ]);
  return [...folders]
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([file, from]) =>
      loadAsset<Stored, T>({
        folder: from,
        file,
        schema: `${folder}/${schema}`,
        compile: (stored) => {
          if (`${stored.language}.yaml` === file) return compile(stored, !own.includes(file));
          throw new AssetValueError('must be the name of the file', { path: '/language' });
        },
      }),
    );
}

function rankOf(file: string): number {
  const rank = ORDER.indexOf(file.replace('.yaml', ''));
  return rank === -1 ? ORDER.length : rank;
}
