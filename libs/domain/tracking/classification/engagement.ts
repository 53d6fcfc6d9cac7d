import { type TrackingHitRecord } from '../schemas/tracking-hit.record';
import { type HitClassification } from './classify-hit';

/** One open or click of an email, by a person or a machine. */
export interface EngagementSighting {
  readonly at: Date;
  /** Number of the link; null for the pixel. */
  readonly link: number | null;
  readonly rule: string;
}

/** The first sighting of each kind among hits that were classified together. */
export interface Engagement {
  opened?: EngagementSighting;
  clicked?: EngagementSighting;
  machineOpened?: EngagementSighting;
  machineClicked?: EngagementSighting;
}

export type ClassifiedHit = Pick<TrackingHitRecord, '_id' | 'kind' | 'link' | 'firstAt'> & HitClassification;

/**
 * Derives opens and clicks of an email from its hits. A click implies an open. Hits of `self` and `unknown` do not count;
 * a honeypot hit counts as a click by a machine.
 */
export function getEngagement(hits: readonly ClassifiedHit[]): Engagement {
  const engagement: Engagement = {};
  for (const { kind, link, firstAt: at, verdict, rule } of hits.toSorted(compareByTime)) {
    const sighting = { at, link, rule };
    if (verdict === 'human') {
      engagement.opened ??= sighting;
      if (kind === 'click') engagement.clicked ??= sighting;
    } else if (verdict === 'machine' || verdict === 'prefetch') {
      if (kind === 'open') engagement.machineOpened ??= sighting;
      else engagement.machineClicked ??= sighting;
    }
  }
  return engagement;
}

function compareByTime(one: ClassifiedHit, other: ClassifiedHit): number {
  return one.firstAt.getTime() - other.firstAt.getTime();
}
