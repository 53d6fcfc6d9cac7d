import { type WarmupLanguage } from '../schemas/warmup.record';
import { listTextLanguages, getTextLibrary } from './text-library';

/** Detects the most likely language of a text; null without a clear result. */
export function getLanguage(text: string): WarmupLanguage | null {
  const spoken = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counted = listTextLanguages()
    .map((language) => {
      const { commonWords } = getTextLibrary(language).traits;
      return { language, hits: spoken.filter((word) => commonWords.has(word)).length };
    })
    .toSorted((one, other) => other.hits - one.hits);
  const [first, second] = counted;
  return first === undefined || first.hits === 0 || first.hits === second?.hits ? null : first.language;
}
