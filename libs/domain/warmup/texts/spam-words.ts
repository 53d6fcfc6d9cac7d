import { type WarmupLanguage } from '../schemas/warmup.record';
import { getTextLibrary } from './text-library';

/** A word of the language that filters dislike, as it stands in the text; null when there is none. */
export function findSpamWord(text: string, language: WarmupLanguage): string | null {
  return getTextLibrary(language).traits.spamPattern.exec(text)?.[0] ?? null;
}
