import { join } from 'node:path';
import { AssetSet, loadAsset } from '@platform/config';

/** What the pages say; `{email}` is the reader's address, `{sender}` the domain that wrote. */
export interface Texts {
  readonly title: string;
  readonly question: string;
  readonly button: string;
  readonly doneTitle: string;
  readonly done: string;
  readonly unknownTitle: string;
  readonly unknown: string;
  readonly laterTitle: string;
  readonly later: string;
  readonly notFoundTitle: string;
  readonly notFound: string;
}

/** The texts by language, from `assets/pages.yaml`. */
const pageTexts = new AssetSet<ReadonlyMap<string, Texts>>('tracking/pages', () => {
  const folder = join(__dirname, 'assets');
  const texts = loadAsset<Readonly<Record<string, Texts>>>({ folder, file: 'pages.yaml', schema: 'pages.schema.json' });
  return new Map(Object.entries(texts));
});

/** ISO 639 codes of the languages that there are. */
export function pageLanguages(): readonly string[] {
  return [...pageTexts.value.keys()];
}

/** English for a language that there is not. */
export function textsIn(language: string): Texts {
  const texts = pageTexts.value.get(language) ?? pageTexts.value.get('en');
  if (texts === undefined) throw new Error('The pages have no English texts');
  return texts;
}

const LONGEST_HEADER = 500;

/** The language that the reader likes best of those that there are (RFC 9110, 12.5.4); English where there is none. */
export function languageOf(accepted: string | undefined): string {
  const wishes = (accepted ?? '')
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((part) => /^\s*([a-z]{2,3})(?:-[a-z\d-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i.exec(part))
    .flatMap((wish) => (wish ? [{ language: (wish[1] ?? '').toLowerCase(), quality: Number(wish[2] ?? 1) }] : []))
    .filter(({ language, quality }) => quality > 0 && pageTexts.value.has(language));
  return wishes.toSorted((one, other) => other.quality - one.quality)[0]?.language ?? 'en';
}
