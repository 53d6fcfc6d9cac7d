import { type SendRecord } from '@domain/sends';
import { type TrackingHitRecord } from '../schemas/tracking-hit.record';
import { type HitFacts } from './classify-hit';

/** Hits within this time of each other count as simultaneous. */
const NEARBY_MS = 5_000;

/**
 * Collects the facts about a hit.
 * @param hits all hits of the email, this one included
 */
export function toFacts(
  hit: TrackingHitRecord,
  { links, sentAt, handoverAt, createdAt }: Pick<SendRecord, 'links' | 'sentAt' | 'handoverAt' | 'createdAt'>,
  hits: readonly TrackingHitRecord[],
): HitFacts {
  const { kind, userAgent, network, head, ahead, firstAt } = hit;
  // Without an answer of the mail server, the time of the handover is the best known one.
  const sent = sentAt ?? handoverAt ?? createdAt;
  const honeypots = hits.filter((other) => other.kind === 'honeypot');
  const nearby = hits.filter((other) => Math.abs(other.firstAt.getTime() - firstAt.getTime()) <= NEARBY_MS);
  const followed = nearby.filter((other) => other.kind === 'click').map(({ link }) => link);
  return {
    kind,
    userAgent,
    network,
    head,
    ahead,
    sinceSentMs: firstAt.getTime() - sent.getTime(),
    trapped: honeypots.some(({ client }) => client === hit.client),
    trapNearby: nearby.some((other) => other.kind === 'honeypot'),
    linksNearby: new Set(followed).size,
    links: links.length,
  };
}
