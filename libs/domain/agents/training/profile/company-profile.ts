import { normalizeUrl, getSite } from '@adapters/web';

/**
 * The self-description of a company from its website. Bounded and not trusted: strangers may have written the pages.
 */
export interface CompanyProfile {
  summary: string;
  offerings: string[];
  audiences: string[];
  differentiators: string[];
  proof: string[];
  faq: { question: string; answer: string }[];
}

const MAX_SUMMARY = 1_200;
const MAX_ITEMS = 12;
const MAX_ITEM = 300;
const MAX_FAQ = 12;
const MAX_QUESTION = 200;
const MAX_ANSWER = 500;

const items = { type: 'array', maxItems: MAX_ITEMS, items: { type: 'string', maxLength: MAX_ITEM } } as const;
const LISTS = ['offerings', 'audiences', 'differentiators', 'proof'] as const;

/** JSON schema of the answer. */
export const PROFILE_SCHEMA = {
  name: 'company_profile',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['summary', ...LISTS, 'faq'],
    properties: {
      summary: { type: 'string', maxLength: MAX_SUMMARY },
      offerings: items,
      audiences: items,
      differentiators: items,
      proof: items,
      faq: {
        type: 'array',
        maxItems: MAX_FAQ,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['question', 'answer'],
          properties: {
            question: { type: 'string', maxLength: MAX_QUESTION },
            answer: { type: 'string', maxLength: MAX_ANSWER },
          },
        },
      },
    },
  },
} as const;

/** Removes what a page may have injected: foreign links and invisible characters. */
export function cleanProfile(profile: CompanyProfile, siteUrl: string): CompanyProfile {
  const clean = (text: string, most: number): string => withoutForeign(text, siteUrl).slice(0, most).toWellFormed();
  const list = (texts: readonly string[]): string[] => {
    const items = new Map(texts.map((text) => clean(text, MAX_ITEM)).map((text) => [text.toLowerCase(), text]));
    items.delete('');
    return [...items.values()].slice(0, MAX_ITEMS);
  };
  return {
    summary: clean(profile.summary, MAX_SUMMARY),
    offerings: list(profile.offerings),
    audiences: list(profile.audiences),
    differentiators: list(profile.differentiators),
    proof: list(profile.proof),
    faq: profile.faq
      .map(({ question, answer }) => ({ question: clean(question, MAX_QUESTION), answer: clean(answer, MAX_ANSWER) }))
      .filter(({ question, answer }) => question !== '' && answer !== '')
      .slice(0, MAX_FAQ),
  };
}

/** Converts an answer of the model; null for an empty profile. Its form was checked before (`PROFILE_SCHEMA`). */
export function parseProfile(json: unknown, siteUrl: string): CompanyProfile | null {
  const profile = cleanProfile(json as CompanyProfile, siteUrl);
  return profile.summary === '' ? null : profile;
}

const EMAIL = /[^\s@<>()"',;:]+@([a-z0-9\u00a1-\uffff](?:[a-z0-9.\-\u00a1-\uffff]*[a-z0-9\u00a1-\uffff])?)/gi;
const URL_OR_HOST = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s<>"')\]]+/gi;

function withoutForeign(text: string, siteUrl: string): string {
  const { host: own } = getSite(siteUrl);
  const isOwnHost = (host: string): boolean => host === own || host.endsWith(`.${own}`);
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(URL_OR_HOST, (address) => {
      const url = normalizeUrl(address.startsWith('www.') ? `https://${address}` : address);
      return url !== null && isOwnHost(getSite(url).host) ? address : '';
    })
    .replace(EMAIL, (address, domain: string) => (isOwnHost(domain.toLowerCase()) ? address : ''))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
