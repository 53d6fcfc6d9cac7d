/** Cost of one term. */
export interface TermLookups {
  /** As written. */
  readonly term: string;
  /** Domain of the record with this term. */
  readonly domain: string;
  /** 0 for the record of the audited domain; one more for each include and redirect. */
  readonly depth: number;
  /** Its own look-ups, and those of the records that it leads to. */
  readonly lookups: number;
}

/** Position of a record in the audited tree. */
export interface SpfAuditPosition {
  /** Domain of the record. */
  readonly domain: string;
  /** The audited domain. */
  readonly audited: string;
  /** Its `all` applies to the audited domain: it is its record, or the target of a redirect. */
  readonly decides: boolean;
  /** A pass of this record is a pass of the audited domain. */
  readonly passes: boolean;
}
