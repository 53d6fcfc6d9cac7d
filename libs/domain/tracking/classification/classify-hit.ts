import { type HitKind, type HitVerdict } from '../schemas/tracking-hit.record';
import { getAgent, getScanner } from './scanners';

/** Input of the classification of one hit. Times are of the platform's clock. */
export interface HitFacts {
  readonly kind: HitKind;
  readonly userAgent: string;
  /** `192.0.2.0/24`; empty when unknown. */
  readonly network: string;
  /** It was a HEAD request. */
  readonly head: boolean;
  /** A header announced a prefetch. */
  readonly ahead: boolean;
  /** Milliseconds since the server accepted the email; negative before. */
  readonly sinceSentMs: number;
  /** The same client followed the honeypot link of this email at any time. */
  readonly trapped: boolean;
  /** Any client followed the honeypot link within seconds of this hit. */
  readonly trapNearby: boolean;
  /** Links of this email that any client followed within seconds of this hit; a click counts its own link. */
  readonly linksNearby: number;
  /** Links that the email has. */
  readonly links: number;
}

export interface HitClassification {
  readonly verdict: HitVerdict;
  /** Which rule decided; docs/users/tracking.md lists them. */
  readonly rule: string;
}

/** No person opens a mail, or reads it and follows a link, in a shorter time. */
const OPENED_TOO_SOON_MS = 2_000;
const CLICKED_TOO_SOON_MS = 5_000;
/** A client that follows this many links at once is a program; so is one that follows both of two. */
const AT_ONCE = 3;

type Rule = readonly [rule: string | ((facts: HitFacts) => string), verdict: HitVerdict, (facts: HitFacts) => boolean];

/** The first rule that matches decides. Signs of a machine come first. */
const RULES: readonly Rule[] = [
  ['before_sent', 'self', ({ sinceSentMs }) => sinceSentMs < 0],
  ['honeypot', 'machine', ({ kind, trapped }) => kind === 'honeypot' || trapped],
  ['head', 'machine', ({ head }) => head],
  ['purpose_header', 'prefetch', ({ ahead }) => ahead],
  [getScannerRule, 'machine', ({ userAgent, network }) => getScanner(userAgent, network) !== null],
  ['apple_proxy', 'prefetch', ({ kind, userAgent }) => kind === 'open' && getAgent(userAgent) === 'apple_proxy'],
  ['gmail_ahead', 'prefetch', ({ userAgent }) => getAgent(userAgent) === 'gmail_ahead'],
  ['bot_user_agent', 'machine', isBot],
  ['honeypot_nearby', 'machine', ({ kind, trapNearby }) => kind === 'click' && trapNearby],
  ['all_links_at_once', 'machine', followsAll],
  ['too_soon', 'machine', isTooSoon],
  ['no_user_agent', 'unknown', ({ userAgent }) => getAgent(userAgent) === 'none'],
  ['image_proxy', 'human', ({ userAgent }) => getAgent(userAgent) === 'image_proxy'],
  ['mail_program', 'human', ({ userAgent }) => getAgent(userAgent) === 'mail_program'],
  ['browser', 'human', () => true],
];

/** Classifies a hit and names the rule that decided. Pure. */
export function classifyHit(facts: HitFacts): HitClassification {
  for (const [rule, verdict, matches] of RULES) {
    if (matches(facts)) return { verdict, rule: typeof rule === 'string' ? rule : rule(facts) };
  }
  throw new Error('The last rule matches every hit');
}

function getScannerRule({ userAgent, network }: HitFacts): string {
  return `scanner:${getScanner(userAgent, network)}`;
}

/** Image proxies load images: a client under their name that follows a link is a bot. */
function isBot({ kind, userAgent }: HitFacts): boolean {
  const agent = getAgent(userAgent);
  return agent === 'bot' || (kind === 'click' && (agent === 'apple_proxy' || agent === 'image_proxy'));
}

function followsAll({ kind, linksNearby, links }: HitFacts): boolean {
  return kind === 'click' && linksNearby >= Math.min(AT_ONCE, Math.max(2, links));
}

function isTooSoon({ kind, sinceSentMs }: HitFacts): boolean {
  return sinceSentMs < (kind === 'open' ? OPENED_TOO_SOON_MS : CLICKED_TOO_SOON_MS);
}
