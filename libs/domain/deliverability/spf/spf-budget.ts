import { SpfEvaluationError } from './spf-evaluation.errors';

/** Terms per evaluation that may query DNS, including those of included and redirected records (RFC 7208, section 4.6.4). */
export const LOOKUP_LIMIT = 10;
/** Terms per evaluation whose queries may have no result (RFC 7208, section 4.6.4). */
export const VOID_LIMIT = 2;
/** Hosts of one `mx`; more are a permerror (RFC 7208, section 4.6.4). */
export const MX_HOST_LIMIT = 10;
/** Reverse names of a client that are used; others are ignored (RFC 7208, section 4.6.4). */
export const PTR_NAME_LIMIT = 10;

/** Cost of one term, for the trace. */
export interface TermCost {
  /** Of the 10: 1 for a term that queries DNS, 1 more for "%{p}". */
  lookups: number;
  /** One of its queries had no result. */
  void: boolean;
}

/** Counts the look-ups of an evaluation over all its records. */
export class SpfBudget {
  #lookups = 0;
  #voids = 0;

  /** @throws SpfFault permerror on the eleventh, before its query */
  spendLookup(cost: TermCost): void {
    if (this.#lookups >= LOOKUP_LIMIT) {
      throw new SpfEvaluationError(
        'permerror',
        'too_many_lookups',
        `More than ${LOOKUP_LIMIT} terms have to look something up in DNS`,
      );
    }
    this.#lookups += 1;
    cost.lookups += 1;
  }

  /**
   * Counts a query of the term without a result (NXDOMAIN, or no record of the type). Terms are counted, not queries.
   * @throws SpfFault permerror on the third
   */
  spendVoid(cost: TermCost): void {
    if (cost.void) return;
    cost.void = true;
    this.#voids += 1;
    if (this.#voids > VOID_LIMIT) {
      const message = `More than ${VOID_LIMIT} terms name a host for which DNS has nothing`;
      throw new SpfEvaluationError('permerror', 'too_many_void_lookups', message);
    }
  }
}
