/** Whether a mailbox sends, and otherwise why not; worst first. */
export type MailboxState = 'disconnected' | 'stopped' | 'unreachable' | 'switched_off' | 'paused' | 'ready';

/** Health of the DNS records of the domains. */
export type HealthBand = 'good' | 'fair' | 'poor' | 'unknown';

/** A count and some example names. */
export interface Named {
  readonly count: number;
  readonly examples: readonly string[];
}

/** A mailbox in the list of a report. */
export interface MailboxLine {
  readonly email: string;
  readonly state: MailboxState;
  /** 0 to 100; null while unknown. */
  readonly healthScore: number | null;
  readonly warmup: string;
  /** Emails per day. */
  readonly dailyLimit: number;
  readonly sent: number;
  readonly replied: number;
  readonly bounced: number;
}

/** Summary of all mailboxes of a report. */
export interface MailboxSummary {
  readonly total: number;
  readonly states: Readonly<Record<MailboxState, number>>;
  readonly health: Readonly<Record<HealthBand, number>>;
  readonly inWarmup: number;
  /** Sum of the daily limits of the sending mailboxes. */
  readonly dailyLimit: number;
  /** Mailboxes that need attention first, then those that sent most. */
  readonly shown: readonly MailboxLine[];
}

/** Problems of mailboxes that need a person. */
export interface MailboxTroubles {
  readonly disconnected: Named;
  readonly stopped: Named;
  readonly unreachable: Named;
  readonly blacklisted: Named;
  readonly warmupSuspended: Named;
  /** Domains with a failing check, and the checks. */
  readonly failingDomains: Named;
}
