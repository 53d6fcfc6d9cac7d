import { type HitKind, type HitVerdict } from '../schemas/tracking-hit.record';
import { getAgent, getScanner } from './scanners';

/** What is known of one hit. Times are of the platform's clock. */
export interface HitFacts {
  readonly kind: HitKind;
  readonly userAgent: string;
  /** `192.0.2.0/24`; empty when it is not known. */
  readonly network: string;
  /** It was a HEAD request. */
  readonly head: boolean;
  /** A header said that this is loaded ahead. */
  readonly ahead: boolean;
  /** Milliseconds since the server accepted the email; negative before. */
  readonly sinceSentMs: number;
  /** The same client followed, some time, the link of this email that no person sees. */
  readonly trapped: boolean;
  /** Somebody followed that link within seconds of this hit. */
  readonly trapNearby: boolean;
  /** Links of this email that were followed within seconds of this hit, by anybody; with a click this one, too. */
  readonly linksNearby: number;
  /** Links that the email has. */
  readonly links: number;
}

export interface Judgement {
  readonly verdict: HitVerdict;
  /** Which rule decided; docs/users/tracking.md lists them. */
  readonly rule: string;
}

/** Nobody has seen a mail in a shorter time, nor read it and followed a link. */
const OPENED_TOO_SOON_MS = 2_000;
const CLICKED_TOO_SOON_MS = 5_000;
/** So many links at once are followed by a program; or all of them, if there are two. */
const AT_ONCE = 3;

type Rule = readonly [rule: string | ((facts: HitFacts) => string), verdict: HitVerdict, (facts: HitFacts) => boolean];

/** In the order in which they are asked; the first that holds decides. What speaks for a machine comes before all else. */
const RULES: readonly Rule[] = [
  ['before_sent', 'self', ({ sinceSentMs }) => sinceSentMs < 0],
  ['honeypot', 'machine', ({ kind, trapped }) => kind === 'honeypot' || trapped],
  ['head', 'machine', ({ head }) => head],
  ['purpose_header', 'prefetch', ({ ahead }) => ahead],
  [scannerRule, 'machine', ({ userAgent, network }) => getScanner(userAgent, network) !== null],
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

/** Who it was, and why that is said. Pure. */
export function classifyHit(facts: HitFacts): Judgement {
  for (const [rule, verdict, holds] of RULES) {
    if (holds(facts)) return { verdict, rule: typeof rule === 'string' ? rule : rule(facts) };
  }
  throw new Error('The last rule holds for everybody');
}

function scannerRule({ userAgent, network }: HitFacts): string {
  return `scanner:${getScanner(userAgent, network)}`;
}

/** Image proxies load images; what follows a link by such a name is none. */
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
