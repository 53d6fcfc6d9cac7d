import { createHash } from 'node:crypto';
import {
  BOUNCE_FORMATS,
  BOUNCE_REASONS,
  DELAY_FORMATS,
  type BounceFormat,
  type BounceReason,
  type DelayFormat,
} from './messages/bounce.mts';
import { OOO_LANGUAGES, type Language } from './messages/out-of-office.mts';
import { SENTIMENTS, STYLES, type Sentiment, type Style } from './messages/reply.mts';
import { nameIn } from './misbehaviour.mts';

/** One thing that a prospect does about one message. */
export type Act =
  /** Loads the images. */
  | { kind: 'open' }
  /** Follows the first link. */
  | { kind: 'click' }
  /** A security scanner: follows every link at once, with HEAD and with GET. */
  | { kind: 'scan' }
  | { kind: 'one-click' }
  | { kind: 'reply'; sentiment: Sentiment; style: Style; other: boolean }
  | { kind: 'out-of-office'; language: Language; bare: boolean }
  | { kind: 'bounce'; format: BounceFormat; reason: BounceReason }
  | { kind: 'delayed'; format: DelayFormat }
  | { kind: 'complaint' };

/** Facts about a message that reached a prospect. */
export interface Incoming {
  prospect: string;
  /** Envelope; empty for bounces. */
  sender: string;
  from: string;
  autoSubmitted?: string | undefined;
  precedence?: string | undefined;
  /** X-Autoreply, X-Autorespond and the like. */
  autoReplyHeader?: boolean;
  /** This prospect wrote to this sender before. */
  answeredBefore: boolean;
}

/** How addresses without a name of a behaviour behave: parts of a thousand. */
export const MIX: readonly (readonly [weight: number, name: string])[] = [
  [440, 'silent'],
  [220, 'open'],
  [90, 'click'],
  [45, 'reply-positive'],
  [40, 'reply-negative'],
  [35, 'reply-neutral'],
  [20, 'reply-unsubscribe'],
  [10, 'reply-positive-other'],
  [40, 'ooo'],
  [20, 'one-click'],
  [25, 'bounce'],
  [5, 'delayed'],
  [5, 'complain'],
  [5, 'scanner'],
];

/** True for an address in one of the domains or below it. */
export function isProspect(address: string, domains: readonly string[]): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return domains.some((one) => domain === one || domain.endsWith(`.${one}`));
}

/** A number from 0 to 1 that the seed, the address and the purpose decide. */
export function chance(seed: string, address: string, purpose: string): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, address.toLowerCase(), purpose]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

function pick<T>(choices: readonly T[], at: number): T {
  return choices[Math.min(Math.floor(at * choices.length), choices.length - 1)] as T;
}

/** Never to a machine, never to another prospect: two that answer each other would not stop. */
export function mayAnswer(incoming: Incoming, domains: readonly string[]): boolean {
  if (incoming.sender === '' || /^(?:mailer-daemon|postmaster|no-?reply)@/i.test(incoming.sender)) return false;
  if (incoming.autoSubmitted && !/^no\b/i.test(incoming.autoSubmitted.trim())) return false;
  if (incoming.precedence && /^(?:bulk|junk|list|auto_reply)$/i.test(incoming.precedence.trim())) return false;
  if (incoming.autoReplyHeader) return false;
  return !isProspect(incoming.sender, domains) && !isProspect(incoming.from, domains);
}

/**
 * What the prospect does, in order. The name in front of its address decides where it is one of a behaviour, else the
 * seed and the address do.
 */
export function decide(seed: string, incoming: Incoming, domains: readonly string[]): Act[] {
  if (!isProspect(incoming.prospect, domains) || !mayAnswer(incoming, domains)) return [];
  const address = incoming.prospect;
  const at = (purpose: string): number => chance(seed, address, purpose);
  const acts = listActions(nameIn(address), at) ?? listActions(drawn(at('mix')), at) ?? [];
  // One answer for each sender, as people do, and vacation programs too.
  return incoming.answeredBefore ? acts.filter(({ kind }) => kind !== 'reply' && kind !== 'out-of-office') : acts;
}

function drawn(at: number): string {
  let left = at * MIX.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, name] of MIX) {
    if (left < weight) return name;
    left -= weight;
  }
  return 'silent';
}

/** Reads a name such as `reply-positive-outlook`; undefined when it is none. What it leaves open is drawn. */
function listActions(name: string, at: (purpose: string) => number): Act[] | undefined {
  const [kind = '', ...words] = name.split('-');
  const one = <T extends string>(choices: readonly T[]): T | undefined =>
    choices.find((choice) => words.includes(choice));
  if (name === 'silent') return [];
  if (name === 'open') return [{ kind: 'open' }];
  if (name === 'click') return [{ kind: 'open' }, { kind: 'click' }];
  if (name === 'scanner') return [{ kind: 'scan' }];
  if (name === 'one-click') return [{ kind: 'open' }, { kind: 'one-click' }];
  if (name === 'complain') return [{ kind: 'complaint' }];
  if (kind === 'reply') {
    const sentiment = one(SENTIMENTS);
    const style = one(STYLES) ?? pick(STYLES, at('style'));
    return sentiment && known(words, SENTIMENTS, STYLES, ['other'])
      ? [{ kind: 'open' }, { kind: 'reply', sentiment, style, other: words.includes('other') }]
      : undefined;
  }
  if (kind === 'ooo' && known(words, OOO_LANGUAGES, ['bare'])) {
    const language = one(OOO_LANGUAGES) ?? pick(OOO_LANGUAGES, at('language'));
    return [{ kind: 'out-of-office', language, bare: words.includes('bare') }];
  }
  if (kind === 'bounce' && known(words, BOUNCE_FORMATS, BOUNCE_REASONS)) {
    const format = one(BOUNCE_FORMATS) ?? pick(BOUNCE_FORMATS, at('format'));
    return [{ kind: 'bounce', format, reason: one(BOUNCE_REASONS) ?? 'unknown' }];
  }
  if (kind === 'delayed' && known(words, DELAY_FORMATS)) {
    return [{ kind: 'delayed', format: one(DELAY_FORMATS) ?? pick(DELAY_FORMATS, at('format')) }];
  }
  return undefined;
}

const known = (words: string[], ...vocabularies: (readonly string[])[]): boolean =>
  words.every((word) => vocabularies.some((vocabulary) => vocabulary.includes(word)));

/** Milliseconds before the n-th act (from 0): a tenth of `longest` at least, all of it at most, later ones later. */
export function delayBefore(seed: string, address: string, index: number, longest: number): number {
  return Math.round((0.1 + 0.9 * chance(seed, address, `delay ${index}`)) * longest);
}
