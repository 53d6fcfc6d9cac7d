import { derive } from '../text/asset-pattern';
import { autoReplyLanguages, type DateWords } from './auto-reply-assets';

/** How the languages of the rules speak of days, by ISO 639-1 code. */
export const dateWords = derive(
  autoReplyLanguages,
  (languages): ReadonlyMap<string, DateWords> =>
    new Map(
      languages.flatMap(({ language, dates, datesAlsoFor }) =>
        [language, ...datesAlsoFor].map((code) => [code, dates] as const),
      ),
    ),
);

/** Languages of the operator: no mail tells that it is written in one of them. */
export const addedLanguages = derive(autoReplyLanguages, (languages) =>
  languages.filter(({ isAdded }) => isAdded).map(({ language }) => language),
);
