/** Whether a mailbox sends, and if not, why; the worst first. */
export type MailboxState = 'disconnected' | 'stopped' | 'unreachable' | 'switched_off' | 'paused' | 'ready';

/** How the DNS records of the domains of mailboxes stand. */
export type HealthBand = 'good' | 'fair' | 'poor' | 'unknown';

/** How many there are of something, and the names of some of them. */
export interface Named {
  readonly count: number;
  readonly examples: readonly string[];
}

/** A mailbox as a report lists it. */
export interface MailboxLine {
  readonly email: string;
  readonly state: MailboxState;
  /** 0 to 100; null while nothing is known. */
  readonly healthScore: number | null;
  readonly warmup: string;
  /** Emails per day. */
  readonly dailyLimit: number;
  readonly sent: number;
  readonly replied: number;
  readonly bounced: number;
}

/** All mailboxes of a report. */
export interface MailboxSummary {
  readonly total: number;
  readonly states: Readonly<Record<MailboxState, number>>;
  readonly health: Readonly<Record<HealthBand, number>>;
  readonly inWarmup: number;
  /** Emails that those which send may send per day. */
  readonly dailyLimit: number;
  /** Those that need somebody first, then those that sent most. */
  readonly shown: readonly MailboxLine[];
}

/** What of the mailboxes needs a person. */
export interface MailboxTroubles {
  readonly disconnected: Named;
  readonly stopped: Named;
  readonly unreachable: Named;
  readonly blacklisted: Named;
  readonly warmupSuspended: Named;
  /** Domains with a failing check, and which. */
  readonly failingDomains: Named;
}
