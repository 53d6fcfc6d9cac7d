import { type QuotedToken, quotedTokens } from '../match/quoted-tokens';

/** Whether a token of that kind is one that we have signed. */
export type IsOwnLink = (kind: QuotedToken['kind'], token: string) => boolean;

/** Rules that look for what people ask for read it, too: it must say nothing of what the link was for. */
const REMOVED = '[link removed]';
const URLS = /\bhttps?:\/\/[^\s<>"'`]+/gi;
const MARKS_AFTER = /[)\].,;:!?*_]+$/;

/** Whether a URL is a link of an email of ours, also when a mail system has wrapped it into one of its own. */
export function isOwnLink(url: string, isOurs: IsOwnLink): boolean {
  return quotedTokens(url).some(({ kind, token }) => isOurs(kind, token));
}

/**
 * A text without the links that it quotes of an email of ours: they are made for its recipient, and whoever reads it must
 * not unsubscribe somebody else.
 */
export function withoutOwnLinks(text: string, isOurs: IsOwnLink): string {
  return text.replace(URLS, (url) => {
    const marks = MARKS_AFTER.exec(url)?.[0] ?? '';
    return isOwnLink(url, isOurs) ? REMOVED + marks : url;
  });
}
