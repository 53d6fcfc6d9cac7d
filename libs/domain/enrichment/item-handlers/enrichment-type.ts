export const ENRICHMENT_TYPES = ['email_verification', 'person_enrichment'] as const;

/** The kind of data that a job collects about its addresses. */
export type EnrichmentType = (typeof ENRICHMENT_TYPES)[number];
