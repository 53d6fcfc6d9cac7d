import { type ZoneCode } from './zone-code';

/** Kind of subject: addresses of one family, or domains. */
export const ZONE_KINDS = ['ipv4', 'ipv6', 'domain'] as const;
export type ZoneKind = (typeof ZONE_KINDS)[number];

/**
 * Clients that a zone answers. `open`: all, within limits; `own_resolver`: not the large public resolvers, which hide the client;
 * `registration`: registered resolvers.
 */
export const ZONE_ACCESSES = ['open', 'own_resolver', 'registration'] as const;
export type ZoneAccess = (typeof ZONE_ACCESSES)[number];

/** Test entries of a zone (RFC 5782, section 5), without the zone's own name. */
export interface TestPoints {
  readonly listed: string;
  readonly clear: string;
}

/** A DNS blacklist (RFC 5782) for subjects of one kind; a blacklist for several kinds has several entries. */
export interface BlacklistZone {
  /** Public name: `zen.spamhaus.org`. */
  readonly zone: string;
  readonly kind: ZoneKind;
  readonly name: string;
  /** Queried suffix; it may contain the operator's key, so it is never shown or logged. */
  readonly suffix: string;
  /** 0 to 100: severity of a listing. 0: shown, but does not make a mailbox blacklisted. */
  readonly weight: number;
  /** Where to request a removal. */
  readonly removalUrl: string | null;
  readonly access: ZoneAccess;
  /** Meanings of its answers; empty: each address in 127.0.0.0/8 is a listing, except the common refusals. */
  readonly codes: readonly ZoneCode[];
  readonly testPoints: TestPoints;
}

/** Identifies a zone and kind. */
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
