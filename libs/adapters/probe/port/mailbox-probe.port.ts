/** A mailbox to probe. */
export interface ProbeQuestion {
  /** `local@domain`, the domain in A-labels; the local part may be quoted or in UTF-8 (RFC 6531). */
  readonly address: string;
  /** The mail hosts of its domain, preferred ones first (RFC 5321, section 5.1). */
  readonly hosts: readonly string[];
  readonly signal?: AbortSignal;
  /** The probe stops waiting at this time, both for a slot at the provider and for an answer. */
  readonly deadline: Date;
  /** Whether the same server is also probed with an address that cannot exist. */
  readonly askCatchAll: boolean;
}

/**
 * The result of a probe. `accepted`: the server accepts mail for it; `rejected`: the mailbox does not exist; `full` and `disabled`: the
 * mailbox exists but accepts no mail now, or no longer. All others are inconclusive. `greylisted`: the server expects a later retry by the
 * same sender; `refused_us`: it refuses us, our address or our sender, or does not say why it refuses; `busy`: it, or we for its sake, has
 * no time now; `unreachable`: no connection, or one that was cut; `timeout`: an answer did not come in time; `protocol`: what came is not
 * what SMTP has for it.
 */
export type ProbeKind =
  | 'accepted'
  | 'rejected'
  | 'full'
  | 'disabled'
  | 'greylisted'
  | 'refused_us'
  | 'busy'
  | 'unreachable'
  | 'timeout'
  | 'protocol';

export interface ProbeAnswer {
  readonly kind: ProbeKind;
  /** Whether the domain accepts every local part; null when not requested or unknown. */
  readonly catchAll: boolean | null;
  /** The host that answered; null when no host was reached. */
  readonly host: string | null;
  /** The three-digit code of the decisive reply. */
  readonly code: string | null;
  /** RFC 3463, `5.1.1`. */
  readonly enhancedCode: string | null;
  /** The server's text on one line, at most 500 characters: untrusted text. Our own text where the server sent none. */
  readonly response: string | null;
  /** Milliseconds after which a retry is useful; null when it is not. */
  readonly retryAfterMs: number | null;
}

/**
 * Asks mail servers whether they would accept mail for an address, without sending any. The caller decides how many probes wait
 * concurrently; each waits until its deadline at most.
 */
export abstract class MailboxProbePort {
  /** Whether the operator has enabled it; a disabled probe answers nothing. */
  abstract get isOn(): boolean;

  /**
   * Never throws for a server's behaviour.
   * @throws the signal's reason when it is aborted; a TypeError for an invalid address; an Error when it is disabled
   */
  abstract ask(question: ProbeQuestion): Promise<ProbeAnswer>;
}
