import { addDays } from '@platform/time';
import { type WarmupLanguage } from '../schemas/warmup.record';
import { type Draw, shuffled } from './seeded-random';

/** Threads a day between two mailboxes at most, whichever opens them. */
export const MOST_PER_PAIR = 2;
/** Threads of these that one mailbox may open: in a small pool the first planner must leave some to the others. */
const MOST_BEGUN_PER_PEER = MOST_PER_PAIR / 2;
/** Consecutive days on which two mailboxes may write to each other while other peers exist. */
export const MOST_DAYS_RUNNING = 3;

/** Days of history before today. */
export const LOOKBACK_DAYS = 14;

/** Found by simulation: mailboxes then receive about as much as they send, and pairs occur about equally often. */
const LOAD_COUNTS = 6;
const TODAY_COUNTS = 0.2;

/** A mailbox that can receive a thread today. */
export interface Peer {
  id: string;
  languages: readonly WarmupLanguage[];
  /** Threads that others have planned with it today. */
  incoming: number;
  /** Most threads that it can receive (`getMaxReceived`). */
  mostReceived: number;
}

/** Threads between a mailbox and its peers, whichever opened them, by peer. */
export interface PairHistory {
  /** Planned threads of today. */
  today: ReadonlyMap<string, number>;
  /** Days (YYYY-MM-DD) with a thread, within `LOOKBACK_DAYS` before today, each once. */
  days: ReadonlyMap<string, readonly string[]>;
}

interface Candidate {
  peer: Peer;
  /** Whether a thread today would exceed the consecutive days. */
  tired: boolean;
  /** Threads that the mailbox opens with it. */
  begun: number;
  today: number;
  incoming: number;
  days: number;
}

/**
 * Chooses receivers, in no order: peers with the fewest threads today and the least recent contact first. Never the mailbox
 * itself, a peer without a common language, a pair more than twice a day, or a full peer. Returns fewer than requested if there
 * are not enough.
 */
export function choosePeers(
  count: number,
  self: { id: string; languages: readonly WarmupLanguage[]; date: string },
  peers: readonly Peer[],
  { history, draw }: { history: PairHistory; draw: Draw },
): Peer[] {
  const speaking = peers.filter(
    ({ id, languages }) => id !== self.id && listShared(self.languages, languages).length > 0,
  );
  // Sorted by id, so that the input order does not matter. Among equals the first in the shuffled order is chosen.
  const ordered = speaking.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const candidates = shuffled(ordered, draw).map((peer) => toCandidate(peer, self.date, history));
  const chosen: Peer[] = [];
  while (chosen.length < count) {
    const best = candidates.filter(hasRoom).reduce<Candidate | null>(compareCandidates, null);
    if (best === null) break;
    best.begun += 1;
    best.today += 1;
    best.incoming += 1;
    chosen.push(best.peer);
  }
  return chosen;
}

/** Lists the common languages, in the order of the first list. */
export function listShared(one: readonly WarmupLanguage[], other: readonly WarmupLanguage[]): WarmupLanguage[] {
  return one.filter((language) => other.includes(language));
}

function toCandidate(peer: Peer, date: string, { today, days }: PairHistory): Candidate {
  const known = new Set(days.get(peer.id));
  let running = 0;
  while (running < MOST_DAYS_RUNNING && known.has(addDays(date, -1 - running))) running += 1;
  const tired = running >= MOST_DAYS_RUNNING;
  return { peer, tired, begun: 0, today: today.get(peer.id) ?? 0, incoming: peer.incoming, days: known.size };
}

function hasRoom({ peer, begun, today, incoming }: Candidate): boolean {
  return begun < MOST_BEGUN_PER_PEER && today < MOST_PER_PAIR && incoming < peer.mostReceived;
}

function compareCandidates(best: Candidate | null, other: Candidate): Candidate {
  if (best === null) return other;
  const order = Number(other.tired) - Number(best.tired) || closeness(other) - closeness(best);
  return order < 0 ? other : best;
}

/** Ranks a peer by its load today and, second, by recent contact. */
function closeness({ peer, today, incoming, days }: Candidate): number {
  return (LOAD_COUNTS * incoming) / peer.mostReceived + days / LOOKBACK_DAYS + TODAY_COUNTS * today;
}
