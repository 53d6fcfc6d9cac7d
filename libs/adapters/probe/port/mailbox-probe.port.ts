/** A mailbox to ask about. */
export interface ProbeQuestion {
  /** `local@domain`, the domain in A-labels; the local part may be quoted or in UTF-8 (RFC 6531). */
  readonly address: string;
  /** The hosts that take its mail, the preferred ones first (RFC 5321, section 5.1). */
  readonly hosts: readonly string[];
  readonly signal?: AbortSignal;
  /** The probe stops waiting at this time, both for a slot at the provider and for an answer. */
  readonly deadline: Date;
  /** Whether the same server is also asked about a mailbox that cannot exist. */
  readonly askCatchAll: boolean;
}

/**
 * What was found out.
 *
 * `accepted`: the server takes mail for it; `rejected`: it says that there is no such mailbox; `full` and `disabled`: the mailbox
 * exists and takes nothing now, or no longer.
 *
 * All others say nothing about the mailbox. `greylisted`: the server wants to be asked again by the same sender later;
 * `refused_us`: it refuses us, our address or our sender, or does not say why it refuses; `busy`: it, or we for its sake, has no
 * time now; `unreachable`: no connection, or one that was cut; `timeout`: an answer did not come in time; `protocol`: what came is not
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
  /** Whether the domain takes mail for every local part; null when that was not asked for, or is not known. */
  readonly catchAll: boolean | null;
  /** The host that answered; null when no host was reached. */
  readonly host: string | null;
  /** Three digits of the reply that decided. */
  readonly code: string | null;
  /** RFC 3463, `5.1.1`. */
  readonly enhancedCode: string | null;
  /** The server's text on one line, at most 500 characters: untrusted text. Our own text where the server sent none. */
  readonly response: string | null;
  /** Milliseconds after which the same question is worth asking again; null where it is not. */
  readonly retryAfterMs: number | null;
}

/**
 * Asks mail servers whether they would take mail for an address, without sending any. Who asks for many at once decides how many
 * questions wait here; each waits until its own deadline at most.
 */
export abstract class MailboxProbePort {
  /** Whether the operator allows it; what is off answers nothing. */
  abstract get isOn(): boolean;

  /**
   * Never throws for what a server does or says.
   * @throws the signal's reason when it is aborted; a TypeError for what is no address in the form above; an Error when it is off
   */
  abstract ask(question: ProbeQuestion): Promise<ProbeAnswer>;
}
