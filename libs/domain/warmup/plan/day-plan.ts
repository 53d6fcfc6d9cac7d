import { type WarmupLanguage } from '../schemas/warmup.record';
import { getDraws, shuffled } from './seeded-random';
import { choosePeers, type PairHistory, type Peer, listShared } from './peers';
import { getHoursOn, drawMoments, type Span, type WorkingHours } from './working-hours';

/** Least gap between two mails, whatever the mailbox's own: people pause between mails. */
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
  /** Threads to open (`getOpenings`). */
  volume: number;
  peers: readonly Peer[];
  history: PairHistory;
  /** Start of the plan; of the volume, the same part remains as of the hours. */
  notBefore?: Date | undefined;
  /** Threads of the day that exist already: they count for the day's volume, and the next ordinal follows theirs. */
  begun?: number | undefined;
  /** Changes the whole plan. */
  seed: string;
}

/** Part of the remaining hours that is used: openings end earlier, so that postponed answers still fit. */
const WINDING_DOWN = 0.03;

/** A thread that a mailbox opens. */
export interface PlannedThread {
  /** Position among the threads of the day, from 0. Mailbox, date and ordinal identify the thread. */
  ordinal: number;
  at: Date;
  /** The receiving mailbox. */
  to: string;
  language: WarmupLanguage;
  /** Determines the texts. */
  seed: string;
}

/**
 * Plans the openings of a mailbox for a day, in order of time. The same input gives the same plan, in any order of peers. Fewer
 * than the volume if hours, gap or peers do not suffice; none on a day off.
 */
export function planDay(input: DayPlanInput): PlannedThread[] {
  const { mailbox, date, peers, history, begun = 0, seed } = input;
  const span = getHoursOn(date, mailbox.hours);
  if (span === null) return [];
  const left = getRemaining(span, input.notBefore);
  const threadCount = getThreadCount(input.volume, { left: getPart(left, span), begun });
  const draw = getDraws('warmup day', seed, mailbox.id, date, begun);
  const gapMs = Math.max(LEAST_GAP_SECONDS, mailbox.gapSeconds) * 1_000;
  const moments = drawMoments(beginning(left), threadCount, gapMs, draw);
  const chosen = choosePeers(moments.length, { ...mailbox, date }, peers, { history, draw });
  // Surplus moments are dropped at random, not at the end of the day.
  const selected = shuffled(moments, draw)
    .slice(0, chosen.length)
    .toSorted((a, b) => a.getTime() - b.getTime());
  return shuffled(chosen, draw).flatMap((peer, index) => {
    const at = selected[index];
    const languages = listShared(mailbox.languages, peer.languages);
    const language = languages[Math.floor(draw() * languages.length)];
    if (!at || !language) return [];
    const ordinal = begun + index;
    return [{ ordinal, at, to: peer.id, language, seed: `${seed}:${mailbox.id}:${date}:${ordinal}` }];
  });
}

/** At least one thread of a small volume, as long as hours remain: rounding down would leave days without mail. */
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
