/** Timeouts in milliseconds. */
export interface SmtpLimits {
  /** TCP per address, and a TLS handshake. */
  readonly connectMs: number;
  /** Until the greeting. */
  readonly greetingMs: number;
  /** Until the complete reply to a command, even if it arrives slowly. */
  readonly commandMs: number;
  /** Until the next 64 kB of a message are accepted (RFC 5321, 4.5.3.2.5). */
  readonly dataMs: number;
  /** Until the reply to the final dot: servers scan mail meanwhile, and a disconnect causes duplicates (4.5.3.2.6). */
  readonly answerMs: number;
  /** Milliseconds after which an idle connection is closed. */
  readonly idleMs: number;
  /** Until the reply to QUIT. */
  readonly quitMs: number;
}

export const SMTP_LIMITS: SmtpLimits = {
  connectMs: 15_000,
  greetingMs: 15_000,
  commandMs: 60_000,
  dataMs: 180_000,
  answerMs: 600_000,
  idleMs: 30_000,
  quitMs: 2_000,
};
