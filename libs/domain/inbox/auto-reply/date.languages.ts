import { type Language } from '../text/language';
import { type DateWords, DUTCH, ENGLISH, FRENCH, GERMAN, ITALIAN, PORTUGUESE, SPANISH } from './date.words';
import { CHINESE, CZECH, DANISH, FINNISH, JAPANESE, POLISH, RUSSIAN, SWEDISH } from './more.date.words';

/** How the languages of the rules speak of days; Norwegians as the Danes. */
export const DATE_WORDS: Partial<Readonly<Record<Language, DateWords>>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
  nl: DUTCH,
  it: ITALIAN,
  pl: POLISH,
  sv: SWEDISH,
  da: DANISH,
  no: DANISH,
  fi: FINNISH,
  cs: CZECH,
  ru: RUSSIAN,
  ja: JAPANESE,
  zh: CHINESE,
};
