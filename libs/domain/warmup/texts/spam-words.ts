import { type WarmupLanguage } from '../schemas/warmup.record';
import { getTextLibrary } from './text-library';

/** Finds the first spam word of the language in the text. */
export function findSpamWord(text: string, language: WarmupLanguage): string | null {
  return getTextLibrary(language).traits.spamPattern.exec(text)?.[0] ?? null;
}
