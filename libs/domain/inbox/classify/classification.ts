import { type Action } from './delivery-status';
import { type BounceVerdict } from './rules/rule';

export type Verdict = BounceVerdict | 'complaint' | 'auto_reply' | 'delayed' | 'human';

export const VERDICTS: readonly Verdict[] = ['hard', 'soft', 'policy', 'complaint', 'auto_reply', 'delayed', 'human'];

/** What became of the message for one recipient. */
export interface RecipientOutcome {
  /** As the reporting server had it, after aliases and forwarding. */
  readonly address: string;
  /** As the message was addressed, where the report says so. */
  readonly originalAddress: string | null;
  readonly verdict: Verdict;
  /** Format and sentence that decided: `dsn/unknown-user`. */
  readonly rule: string;
  /** Enhanced code (RFC 3463). */
  readonly status: string | null;
  readonly smtpCode: number | null;
  /** What the server said, on one line. */
  readonly diagnostic: string;
  readonly remoteMta: string | null;
  readonly action: Action | null;
}

/** What a received message is. */
export interface Classification {
  readonly verdict: Verdict;
  /** What decided; for several recipients that of the weightiest. */
  readonly rule: string;
  /** Empty for `auto_reply` and `human`, and where a report names nobody. */
  readonly recipients: readonly RecipientOutcome[];
  /** Message-ID of the message that was returned or complained about, with angle brackets. */
  readonly originalMessageId: string | null;
  /** For `auto_reply` alone. */
  readonly autoReply: AutoReply | null;
}

export interface AutoReply {
  readonly rule: string;
  readonly kind: 'out_of_office' | 'auto_reply';
  /** `YYYY-MM-DD`, null when the text does not say. */
  readonly returnsOn: string | null;
}

const WEIGHT: readonly Verdict[] = ['hard', 'complaint', 'policy', 'soft', 'delayed'];

/** The outcome that weighs most; null when there is none. */
export function weightiest(outcomes: readonly RecipientOutcome[]): RecipientOutcome | null {
  for (const verdict of WEIGHT) {
    const outcome = outcomes.find((each) => each.verdict === verdict);
    if (outcome) return outcome;
  }
  return null;
}

/** One line of at most 1 000 UTF-16 units. */
export function oneLine(text: string): string {
  return text.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim().slice(0, 1_000);
}
