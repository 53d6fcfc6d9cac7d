import { type GraphReply } from './graph-answers';

/** A fault of the next matching requests. */
export interface GraphFault {
  /** Matched against `POST /me/messages?...`. */
  readonly on: RegExp;
  /** Number of affected requests; one by default. */
  times?: number;
  /** Number of matching requests that pass first. */
  after?: number;
  /** Whether the request is carried out first. */
  readonly carriedOut?: boolean;
  /**
   * `reset` breaks the connection, `hang` never responds, `{ cutAt }` breaks the connection after so many bytes of the body; otherwise the
   * response to send.
   */
  readonly does: 'reset' | 'hang' | { readonly cutAt: number } | GraphReply;
}

/** The fault of a request, if any; it is consumed. */
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
