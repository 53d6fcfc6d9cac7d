import { type WarmupLanguage } from '../schemas/warmup.record';
import { german } from './library/de/german';
import { english } from './library/en/english';
import { spanish } from './library/es/spanish';
import { french } from './library/fr/french';
import { italian } from './library/it/italian';
import { dutch } from './library/nl/dutch';
import { portuguese } from './library/pt/portuguese';
import { type Library } from './library/vocabulary';

export const LIBRARIES: Readonly<Record<WarmupLanguage, Library>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  nl: dutch,
  it: italian,
};
