import { type Action } from './delivery-status';
import { type BounceVerdict } from './rules/rule';

export type Verdict = BounceVerdict | 'complaint' | 'auto_reply' | 'delayed' | 'human';

export const VERDICTS: readonly Verdict[] = ['hard', 'soft', 'policy', 'complaint', 'auto_reply', 'delayed', 'human'];

/** The outcome of the message for one recipient. */
export interface RecipientOutcome {
  /** As known to the reporting server, after aliases and forwarding. */
  readonly address: string;
  /** As the message was addressed, when the report names it. */
  readonly originalAddress: string | null;
  readonly verdict: Verdict;
  /** Format and sentence that decided: `dsn/unknown-user`. */
  readonly rule: string;
  /** Enhanced code (RFC 3463). */
  readonly status: string | null;
  readonly smtpCode: number | null;
  /** The server's answer on one line. */
  readonly diagnostic: string;
  readonly remoteMta: string | null;
  readonly action: Action | null;
}

/** The classification of a received message. */
export interface Classification {
  readonly verdict: Verdict;
  /** The rule that decided; for several recipients that of the most severe verdict. */
  readonly rule: string;
  /** Empty for `auto_reply` and `human`, and when a report names no recipient. */
  readonly recipients: readonly RecipientOutcome[];
  /** Message-ID of the message that was returned or complained about, with angle brackets. */
  readonly originalMessageId: string | null;
  /** Set for `auto_reply` only. */
  readonly autoReply: AutoReply | null;
}

export interface AutoReply {
  readonly rule: string;
  readonly kind: 'out_of_office' | 'auto_reply';
  /** First day back, `YYYY-MM-DD`; null when the text does not name it. */
  readonly returnsOn: string | null;
}

const SEVERITY: readonly Verdict[] = ['hard', 'complaint', 'policy', 'soft', 'delayed'];

/** Returns the most severe outcome, or null. */
export function findHeaviest(outcomes: readonly RecipientOutcome[]): RecipientOutcome | null {
  for (const verdict of SEVERITY) {
    const outcome = outcomes.find((each) => each.verdict === verdict);
    if (outcome) return outcome;
  }
  return null;
}

/** Returns one line of at most 1 000 UTF-16 units. */
export function toOneLine(text: string): string {
  return text.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim().slice(0, 1_000);
}
