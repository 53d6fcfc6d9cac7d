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
  readonly deadLinkTitle: string;
  readonly deadLink: string;
}

/** The texts by language, from `assets/pages.yaml`. */
const pageTexts = new AssetSet<ReadonlyMap<string, Texts>>('tracking/pages', () => {
  const folder = join(__dirname, 'assets');
  const texts = loadAsset<Readonly<Record<string, Texts>>>({ folder, file: 'pages.yaml', schema: 'pages.schema.json' });
  return new Map(Object.entries(texts));
});

/** Lists the available languages by ISO 639 code. */
export function pageLanguages(): readonly string[] {
  return [...pageTexts.value.keys()];
}

/** Returns the texts of a language, or the English ones. */
export function getTexts(language: string): Texts {
  const texts = pageTexts.value.get(language) ?? pageTexts.value.get('en');
  if (texts === undefined) throw new Error('The pages lack English texts');
  return texts;
}

const MAX_HEADER = 500;

/** Selects the reader's preferred available language (RFC 9110, 12.5.4); English without a match. */
export function selectLanguage(accepted: string | undefined): string {
  const preferences = (accepted ?? '')
    .slice(0, MAX_HEADER)
    .split(',')
    .map((part) => /^\s*([a-z]{2,3})(?:-[a-z\d-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i.exec(part))
    .flatMap((part) => (part ? [{ language: (part[1] ?? '').toLowerCase(), quality: Number(part[2] ?? 1) }] : []))
    .filter(({ language, quality }) => quality > 0 && pageTexts.value.has(language));
  return preferences.toSorted((one, other) => other.quality - one.quality)[0]?.language ?? 'en';
}
