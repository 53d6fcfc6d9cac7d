import { type GraphReply } from './graph-answers';

/** Something that goes wrong at the next requests that match. */
export interface GraphFault {
  /** Matched against `POST /me/messages?...`. */
  readonly on: RegExp;
  /** How many requests it strikes; once by default. */
  times?: number;
  /** Requests that still pass before it strikes. */
  after?: number;
  /** Whether the request is carried out first. */
  readonly carriedOut?: boolean;
  /**
   * `reset` breaks the connection, `hang` never answers, `{ cutAt }` breaks it after so many bytes of the answer's body;
   * otherwise what is answered instead.
   */
  readonly does: 'reset' | 'hang' | { readonly cutAt: number } | GraphReply;
}

/** The fault that strikes a request, if any; it is used up by that. */
export function strike(faults: GraphFault[], request: string): GraphFault | null {
  const at = faults.findIndex(({ on }) => on.test(request));
  const fault = faults[at];
  if (!fault) return null;
  if ((fault.after ?? 0) > 0) {
    fault.after = (fault.after ?? 0) - 1;
    return null;
  }
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times <= 0) faults.splice(at, 1);
  return fault;
}
