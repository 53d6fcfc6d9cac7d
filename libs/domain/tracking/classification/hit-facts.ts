import { type SendRecord } from '@domain/sends';
import { type TrackingHitRecord } from '../schemas/tracking-hit.record';
import { type HitFacts } from './classify-hit';

/** What happens within this time of each other happens at once. */
const NEARBY_MS = 5_000;

/**
 * What is known of a hit.
 * @param hits all hits of the email, this one too
 */
export function toFacts(
  hit: TrackingHitRecord,
  { links, sentAt, wireAt, createdAt }: Pick<SendRecord, 'links' | 'sentAt' | 'wireAt' | 'createdAt'>,
  hits: readonly TrackingHitRecord[],
): HitFacts {
  const { kind, userAgent, network, head, ahead, firstAt } = hit;
  // Of an email without an answer of its server it is known when it was given away.
  const sent = sentAt ?? wireAt ?? createdAt;
  const traps = hits.filter((other) => other.kind === 'honeypot');
  const nearby = hits.filter((other) => Math.abs(other.firstAt.getTime() - firstAt.getTime()) <= NEARBY_MS);
  const followed = nearby.filter((other) => other.kind === 'click').map(({ link }) => link);
  return {
    kind,
    userAgent,
    network,
    head,
    ahead,
    sinceSentMs: firstAt.getTime() - sent.getTime(),
    trapped: traps.some(({ client }) => client === hit.client),
    trapNearby: nearby.some((other) => other.kind === 'honeypot'),
    linksNearby: new Set(followed).size,
    links: links.length,
  };
}
