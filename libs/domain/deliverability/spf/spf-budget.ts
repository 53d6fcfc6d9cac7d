import { SpfEvaluationError } from './spf-evaluation.errors';

/** Terms of one evaluation that may ask DNS, those of included and redirected records among them (RFC 7208, section 4.6.4). */
export const LOOKUP_LIMIT = 10;
/** Terms of one evaluation whose questions may come back with nothing (RFC 7208, section 4.6.4). */
export const VOID_LIMIT = 2;
/** Hosts of one `mx`; more are a permerror (RFC 7208, section 4.6.4). */
export const MX_HOST_LIMIT = 10;
/** Reverse names of a client that are looked at; more are ignored (RFC 7208, section 4.6.4). */
export const PTR_NAME_LIMIT = 10;

/** What one term costs; the trace shows it. */
export interface TermCost {
  /** Of the 10: 1 for a term that asks DNS, 1 more when it needs "%{p}". */
  lookups: number;
  /** One of its questions came back with nothing. */
  void: boolean;
}

/** Counts what an evaluation spends, over all its records. */
export class SpfBudget {
  #lookups = 0;
  #voids = 0;

  /** @throws SpfFault permerror on the eleventh, before it is asked */
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
   * A question of the term came back with nothing (NXDOMAIN, or no record of the type). Terms are counted, not questions.
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
