/** One recipient in a bounce. */
export interface FailedRecipient {
  /** null when the report names no recipient. */
  readonly address: string | null;
  readonly verdict: 'hard' | 'soft' | 'policy';
  readonly rule: string;
  /** The answer of the other mail server, as far as it is known. */
  readonly diagnostic: string | null;
  /** Its SMTP reply code. */
  readonly code: string | null;
  /** Enhanced status code (RFC 3463). */
  readonly enhancedCode: string | null;
}

/** The kind of a message, with the facts that its effects depend on. */
export type ClassifiedMessage =
  | { readonly kind: 'reply'; readonly rule: string }
  | {
      readonly kind: 'auto_reply';
      readonly rule: string;
      readonly isOutOfOffice: boolean;
      /** First day back, YYYY-MM-DD; null when the reply does not name it. */
      readonly returnsOn: string | null;
    }
  | {
      readonly kind: 'bounce';
      readonly rule: string;
      readonly failed: readonly FailedRecipient[];
      /** Message-ID of the returned message; null when the report does not include it. */
      readonly originalMessageId: string | null;
    }
  | { readonly kind: 'delayed'; readonly rule: string; readonly originalMessageId: string | null }
  | {
      readonly kind: 'complaint';
      readonly rule: string;
      readonly recipients: readonly string[];
      readonly originalMessageId: string | null;
    };
