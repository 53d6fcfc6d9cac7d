import { createDerived } from '../text/asset-pattern';
import { autoReplyLanguages, type DateTerms } from './auto-reply-assets';

/** Date terms by ISO 639-1 code. */
export const dateTerms = createDerived(
  autoReplyLanguages,
  (languages): ReadonlyMap<string, DateTerms> =>
    new Map(
      languages.flatMap(({ language, dates, datesAlsoFor }) =>
        [language, ...datesAlsoFor].map((code) => [code, dates] as const),
      ),
    ),
);

/** Languages that the operator added: they are not detected but always tried. */
export const addedLanguages = createDerived(autoReplyLanguages, (languages) =>
  languages.filter(({ isAdded }) => isAdded).map(({ language }) => language),
);
