import { type WarmupLanguage } from '../schemas/warmup.record';
import { getDraws, shuffled } from './seeded-random';
import { choosePeers, type PairHistory, type Peer, listShared } from './peers';
import { getHoursOn, drawMoments, type Span, type WorkingHours } from './working-hours';

/** Nobody writes one mail after the other without a breath in between, whatever the mailbox's gap. */
export const LEAST_GAP_SECONDS = 60;

export interface DayPlanInput {
  mailbox: {
    id: string;
    languages: readonly WarmupLanguage[];
    hours: WorkingHours;
    /** Least seconds between two mails of the mailbox. */
    gapSeconds: number;
  };
  /** YYYY-MM-DD in the zone of the hours. */
  date: string;
  /** Threads to begin (`getOpenings`). */
  volume: number;
  peers: readonly Peer[];
  history: PairHistory;
  /** What is planned after a part of the day has gone by: nothing before this, and of the volume as much as of the hours is left. */
  notBefore?: Date | undefined;
  /** Threads of the day that there are already: they count for the volume of the whole day, and the next one's ordinal is theirs. */
  begun?: number | undefined;
  /** Changes the whole plan. */
  seed: string;
}

/** Of the hours that are left: then nothing new is begun, so that what others' answers put off still comes before they end. */
const WINDING_DOWN = 0.03;

/** A thread that a mailbox begins. */
export interface PlannedThread {
  /** Its place among the threads of the day, from 0: with the mailbox and the date it names the thread. */
  ordinal: number;
  at: Date;
  /** The peer. */
  to: string;
  language: WarmupLanguage;
  /** Determines its texts. */
  seed: string;
}

/**
 * What a mailbox writes on a day, in the order of time. The same input, its peers in whichever order, gives the same plan.
 * Fewer than the volume where hours, gap or peers do not give as many; none on a day off.
 */
export function planDay(input: DayPlanInput): PlannedThread[] {
  const { mailbox, date, peers, history, begun = 0, seed } = input;
  const span = getHoursOn(date, mailbox.hours);
  if (span === null) return [];
  const left = getRemaining(span, input.notBefore);
  const wanted = getThreadCount(input.volume, { left: getPart(left, span), begun });
  const draw = getDraws('warmup day', seed, mailbox.id, date, begun);
  const gapMs = Math.max(LEAST_GAP_SECONDS, mailbox.gapSeconds) * 1_000;
  const moments = drawMoments(beginning(left), wanted, gapMs, draw);
  const chosen = choosePeers(moments.length, { ...mailbox, date }, peers, { history, draw });
  // Of more moments than peers those are left out that chance says, not the last ones of the day.
  const kept = shuffled(moments, draw)
    .slice(0, chosen.length)
    .toSorted((a, b) => a.getTime() - b.getTime());
  return shuffled(chosen, draw).flatMap((peer, index) => {
    const at = kept[index];
    const languages = listShared(mailbox.languages, peer.languages);
    const language = languages[Math.floor(draw() * languages.length)];
    if (!at || !language) return [];
    const ordinal = begun + index;
    return [{ ordinal, at, to: peer.id, language, seed: `${seed}:${mailbox.id}:${date}:${ordinal}` }];
  });
}

/** Of a small volume at least one, as long as any of the hours is left: rounded down, it would have days without mail. */
function getThreadCount(volume: number, { left, begun }: { left: number; begun: number }): number {
  return Math.max(0, Math.min(volume - begun, Math.max(1, Math.floor(volume * left))));
}

function getRemaining({ from, to }: Span, notBefore: Date | undefined): Span {
  return { from: Math.min(to, Math.max(from, notBefore?.getTime() ?? from)), to };
}

function beginning({ from, to }: Span): Span {
  return { from, to: from + Math.floor((to - from) * (1 - WINDING_DOWN)) };
}

function getPart(part: Span, whole: Span): number {
  return (part.to - part.from) / (whole.to - whole.from);
}
