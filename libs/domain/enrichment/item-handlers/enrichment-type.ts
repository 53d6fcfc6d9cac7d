export const ENRICHMENT_TYPES = ['email_verification', 'person_enrichment'] as const;

/** What a job finds out about its addresses. */
export type EnrichmentType = (typeof ENRICHMENT_TYPES)[number];
