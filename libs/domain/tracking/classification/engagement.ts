import { type TrackingHitRecord } from '../schemas/tracking-hit.record';
import { type Judgement } from './classify-hit';

/** Somebody, or something, opened an email or followed a link in it. */
export interface EngagementSighting {
  readonly at: Date;
  /** Number of the link; null for the pixel. */
  readonly link: number | null;
  readonly rule: string;
}

/** The first of each kind among hits that were judged together. */
export interface Engagement {
  opened?: EngagementSighting;
  clicked?: EngagementSighting;
  machineOpened?: EngagementSighting;
  machineClicked?: EngagementSighting;
}

export type ClassifiedHit = Pick<TrackingHitRecord, '_id' | 'kind' | 'link' | 'firstAt'> & Judgement;

/**
 * What the hits say of their email. Whoever follows a link has the mail open. What `self` and `unknown` do counts nowhere;
 * a trap that was stepped into is a link that a machine followed.
 */
export function seenBy(hits: readonly ClassifiedHit[]): Engagement {
  const seen: Engagement = {};
  for (const { kind, link, firstAt: at, verdict, rule } of hits.toSorted(earliestFirst)) {
    const sight = { at, link, rule };
    if (verdict === 'human') {
      seen.opened ??= sight;
      if (kind === 'click') seen.clicked ??= sight;
    } else if (verdict === 'machine' || verdict === 'prefetch') {
      if (kind === 'open') seen.machineOpened ??= sight;
      else seen.machineClicked ??= sight;
    }
  }
  return seen;
}

function earliestFirst(one: ClassifiedHit, other: ClassifiedHit): number {
  return one.firstAt.getTime() - other.firstAt.getTime();
}
