/** How long each part may take, in milliseconds. */
export interface SmtpLimits {
  /** TCP for each address, and a TLS handshake. */
  readonly connectMs: number;
  /** Until the server has said its name. */
  readonly greetingMs: number;
  /** Until a command is answered as a whole, however slowly it drips. */
  readonly commandMs: number;
  /** Until the next 64 kB of a message are taken (RFC 5321, 4.5.3.2.5). */
  readonly dataMs: number;
  /** Until the final dot is answered: servers scan mail meanwhile, and hanging up makes duplicates (4.5.3.2.6). */
  readonly answerMs: number;
  /** Milliseconds after which an idle connection is closed. */
  readonly idleMs: number;
  /** Until the server says goodbye. */
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
