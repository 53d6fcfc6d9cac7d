import { addDays } from '@platform/time';
import { type WarmupLanguage } from '../schemas/warmup.record';
import { type Draw, shuffled } from './seeded-random';

/** Threads that two mailboxes begin with each other a day at most, whichever of them begins. */
export const MOST_PER_PAIR = 2;
/** Of those a mailbox begins so many itself: of a few mailboxes the first one to plan must not leave the others nothing. */
const MOST_BEGUN_PER_PEER = MOST_PER_PAIR / 2;
/** Days in a row on which two write to each other, as long as there are others to write to. */
export const MOST_DAYS_RUNNING = 3;

/** Days before today that a history holds. */
export const LOOKBACK_DAYS = 14;

/** Found by simulation: so all get about as much as they write, and pairs come up about equally often. */
const LOAD_COUNTS = 6;
const TODAY_COUNTS = 0.2;

/** A mailbox that can be written to today. */
export interface Peer {
  id: string;
  languages: readonly WarmupLanguage[];
  /** Threads that others begin with it today, as far as they are planned. */
  incoming: number;
  /** As many as it can take (`getMaxReceived`). */
  mostReceived: number;
}

/** Threads between a mailbox and its peers, whichever of them began, by peer. */
export interface PairHistory {
  /** Of today, as far as they are planned. */
  today: ReadonlyMap<string, number>;
  /** Days (YYYY-MM-DD) with one, of the `LOOKBACK_DAYS` before today, each once. */
  days: ReadonlyMap<string, readonly string[]>;
}

interface Candidate {
  peer: Peer;
  /** Whether writing today would be a day too many in a row. */
  tired: boolean;
  /** Threads that the mailbox begins with it. */
  begun: number;
  today: number;
  incoming: number;
  days: number;
}

/**
 * Whom a mailbox writes to, in no order: those first that have got least today and that it has had
 * least to do with. Never itself, nobody without a
 * language in common, no pair more than twice a day, nobody beyond what it can take. Fewer than asked when there are not
 * enough.
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
  // By id first: the order in which they were found must not matter. Of equal ones the first in the mixed order is taken.
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

/** Languages of both, in the order of the first. */
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

/** How much there has been between them lately, and, above all, how much of what it can take the peer has got already. */
function closeness({ peer, today, incoming, days }: Candidate): number {
  return (LOAD_COUNTS * incoming) / peer.mostReceived + days / LOOKBACK_DAYS + TODAY_COUNTS * today;
}
