/** One recipient that a bounce speaks of. */
export interface FailedRecipient {
  /** Null where the report does not say who. */
  readonly address: string | null;
  readonly verdict: 'hard' | 'soft' | 'policy';
  readonly rule: string;
  /** What the other side's server said, as far as it is known. */
  readonly diagnostic: string | null;
  /** Its reply code. */
  readonly code: string | null;
  /** RFC 3463 */
  readonly enhancedCode: string | null;
}

/** What a message is, and what of it matters for what follows. */
export type ClassifiedMessage =
  | { readonly kind: 'reply'; readonly rule: string }
  | {
      readonly kind: 'auto_reply';
      readonly rule: string;
      readonly isOutOfOffice: boolean;
      /** First day back, YYYY-MM-DD; null when it is not said. */
      readonly returnsOn: string | null;
    }
  | {
      readonly kind: 'bounce';
      readonly rule: string;
      readonly failed: readonly FailedRecipient[];
      /** Of the message that came back; null when it was not given back. */
      readonly originalMessageId: string | null;
    }
  | { readonly kind: 'delayed'; readonly rule: string; readonly originalMessageId: string | null }
  | {
      readonly kind: 'complaint';
      readonly rule: string;
      readonly recipients: readonly string[];
      readonly originalMessageId: string | null;
    };
