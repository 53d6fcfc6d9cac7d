/** What one term costs. */
export interface TermLookups {
  /** As written. */
  readonly term: string;
  /** Whose record it stands in. */
  readonly domain: string;
  /** 0 for the record of the audited domain; one more for each include and redirect. */
  readonly depth: number;
  /** Its own, and those of the records that it leads to. */
  readonly lookups: number;
}

/** What a record means for the audited domain. */
export interface SpfAuditPosition {
  /** Whose record it is. */
  readonly domain: string;
  /** Whose SPF is audited. */
  readonly audited: string;
  /** Its `all` is that of the audited domain: it is its record, or one that it redirects to. */
  readonly decides: boolean;
  /** What passes here passes for the audited domain. */
  readonly passes: boolean;
}
