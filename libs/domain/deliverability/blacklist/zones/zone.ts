import { type ZoneCode } from './zone-code';

/** What a zone lists: addresses of one family, or domains. */
export const ZONE_KINDS = ['ipv4', 'ipv6', 'domain'] as const;
export type ZoneKind = (typeof ZONE_KINDS)[number];

/**
 * Whom a zone answers: `open`: anybody, in moderation; `own_resolver`: not the big public resolvers, through which it cannot tell who
 * asks; `registration`: resolvers that were registered with it.
 */
export const ZONE_ACCESSES = ['open', 'own_resolver', 'registration'] as const;
export type ZoneAccess = (typeof ZONE_ACCESSES)[number];

/** Names in a zone that are there to try it by (RFC 5782, section 5), without the zone's own name. */
export interface TestPoints {
  readonly listed: string;
  readonly clear: string;
}

/** A DNS blacklist (RFC 5782) for subjects of one kind; one that lists several kinds is there several times. */
export interface BlacklistZone {
  /** As it is known, and shown: `zen.spamhaus.org`. */
  readonly zone: string;
  readonly kind: ZoneKind;
  readonly name: string;
  /** Under which it is asked; it may have the operator's key in it, so it is shown and logged nowhere. */
  readonly suffix: string;
  /** 0 to 100: how much a listing hurts. 0: it is told, but makes no mailbox a blacklisted one. */
  readonly weight: number;
  /** Where to ask for removal. */
  readonly removalUrl: string | null;
  readonly access: ZoneAccess;
  /** What its answers mean; empty: each in 127.0.0.0/8 is a listing, apart from those that are none in any zone. */
  readonly codes: readonly ZoneCode[];
  readonly testPoints: TestPoints;
}

/** Names a zone among all. */
export function getZoneKey({ zone, kind }: Pick<BlacklistZone, 'zone' | 'kind'>): string {
  return `${zone}/${kind}`;
}

/** RFC 5782, section 5: 127.0.0.2 and 127.0.0.1, reversed; the same mapped into IPv6; TEST and INVALID. */
export const STANDARD_TEST_POINTS: Readonly<Record<ZoneKind, TestPoints>> = {
  ipv4: { listed: '2.0.0.127', clear: '1.0.0.127' },
  ipv6: {
    listed: '2.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0',
    clear: '1.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0',
  },
  domain: { listed: 'test', clear: 'invalid' },
};
