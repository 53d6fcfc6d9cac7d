import { join } from 'node:path';
import { AssetSet, loadAsset } from '@platform/config';

/** Texts of the pages; `{email}` is the reader's address, `{sender}` the sending domain. */
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

/** ISO 639 codes of the available languages. */
export function listPageLanguages(): readonly string[] {
  return [...pageTexts.value.keys()];
}

/** English for an unavailable language. */
export function getTexts(language: string): Texts {
  const texts = pageTexts.value.get(language) ?? pageTexts.value.get('en');
  if (texts === undefined) throw new Error('The pages lack English texts');
  return texts;
}

const LONGEST_HEADER = 500;

/** The available language that the reader prefers (RFC 9110, 12.5.4); default: English. */
export function getPreferredLanguage(accepted: string | undefined): string {
  const wishes = (accepted ?? '')
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((part) => /^\s*([a-z]{2,3})(?:-[a-z\d-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i.exec(part))
    .flatMap((wish) => (wish ? [{ language: (wish[1] ?? '').toLowerCase(), quality: Number(wish[2] ?? 1) }] : []))
    .filter(({ language, quality }) => quality > 0 && pageTexts.value.has(language));
  return wishes.toSorted((one, other) => other.quality - one.quality)[0]?.language ?? 'en';
}
