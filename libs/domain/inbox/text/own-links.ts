import { type QuotedToken, listQuotedTokens } from '../match/quoted-tokens';

/** Whether we have signed this token. */
export type IsOwnLink = (kind: QuotedToken['kind'], token: string) => boolean;

/** Neutral: the label rules read it, too, and must not see the purpose of the link. */
const REMOVED = '[link removed]';
const URLS = /\bhttps?:\/\/[^\s<>"'`]+/gi;
const TRAILING_PUNCTUATION = /[)\].,;:!?*_]+$/;

/** Whether a URL is a link of our emails, also when a mail system has wrapped it. */
export function isOwnLink(url: string, isOurs: IsOwnLink): boolean {
  return listQuotedTokens(url).some(({ kind, token }) => isOurs(kind, token));
}

/**
 * Removes quoted links of our emails. They are personal: a reader of the inbox who follows one would unsubscribe the
 * recipient.
 */
export function removeOwnLinks(text: string, isOurs: IsOwnLink): string {
  return text.replace(URLS, (url) => {
    const punctuation = TRAILING_PUNCTUATION.exec(url)?.[0] ?? '';
    return isOwnLink(url, isOurs) ? REMOVED + punctuation : url;
  });
}
