import { type DayFigures } from '@domain/analytics';
import { type ReviewedMailbox, findSendingObstacle } from '@domain/mailboxes';
import {
  type HealthBand,
  type MailboxLine,
  type MailboxState,
  type MailboxSummary,
  type MailboxTroubles,
  type Named,
} from './mailbox-summary';

/** Mailboxes that a report lists individually. */
export const MAX_MAILBOXES_SHOWN = 8;
/** Names per sentence. */
const EXAMPLES = 3;
/** Bounds of health scores, which are 0 to 100. */
const GOOD_SCORE = 80;
const FAIR_SCORE = 50;

/** Facts about a mailbox from other domains. */
export interface MailboxFindings {
  readonly isStopped: boolean;
  readonly isListed: boolean;
  readonly figures: DayFigures | undefined;
}

const CHECKS = ['mx', 'spf', 'dkim', 'dmarc'] as const;
/** States that need no action: ready, or paused or switched off by a person. */
const INACTIVE: ReadonlySet<MailboxState> = new Set(['ready', 'paused', 'switched_off']);

/** Sums up mailboxes one by one. It holds only counts, a few lines and the names of failing domains. */
export class MailboxSummaryBuilder {
  #total = 0;
  #inWarmup = 0;
  #dailyLimit = 0;
  readonly #states: Record<MailboxState, number> = {
    disconnected: 0,
    stopped: 0,
    unreachable: 0,
    switched_off: 0,
    paused: 0,
    ready: 0,
  };
  readonly #health: Record<HealthBand, number> = { good: 0, fair: 0, poor: 0, unknown: 0 };
  #shown: MailboxLine[] = [];
  readonly #troubles = {
    disconnected: new NameList(),
    stopped: new NameList(),
    unreachable: new NameList(),
    blacklisted: new NameList(),
    warmupSuspended: new NameList(),
    failingDomains: new NameList(),
  };

  add(mailbox: ReviewedMailbox, { isStopped, isListed, figures }: MailboxFindings): void {
    const { email, warmup, setup, dailySendLimit } = mailbox;
    const state = getMailboxState(mailbox, isStopped);
    const score = getHealthScore(setup);
    this.#total += 1;
    this.#states[state] += 1;
    this.#health[getHealthBand(score)] += 1;
    if (warmup.status === 'in_progress') this.#inWarmup += 1;
    if (state === 'ready') this.#dailyLimit += dailySendLimit;
    this.#addTroubles(mailbox, state, isListed);
    const { sent = 0, replied = 0, bounced = 0 } = figures ?? {};
    const line = {
      email,
      state,
      healthScore: score,
      warmup: warmup.status,
      dailyLimit: dailySendLimit,
      sent,
      replied,
      bounced,
    };
    this.#shown = [...this.#shown, line].toSorted(compareUrgency).slice(0, MAX_MAILBOXES_SHOWN);
  }

  summary(): MailboxSummary {
    return {
      total: this.#total,
      states: { ...this.#states },
      health: { ...this.#health },
      inWarmup: this.#inWarmup,
      dailyLimit: this.#dailyLimit,
      shown: this.#shown,
    };
  }

  troubles(): MailboxTroubles {
    const { disconnected, stopped, unreachable, blacklisted, warmupSuspended, failingDomains } = this.#troubles;
    return {
      disconnected: disconnected.named(),
      stopped: stopped.named(),
      unreachable: unreachable.named(),
      blacklisted: blacklisted.named(),
      warmupSuspended: warmupSuspended.named(),
      failingDomains: failingDomains.named(),
    };
  }

  #addTroubles({ email, warmup, setup }: ReviewedMailbox, state: MailboxState, isListed: boolean): void {
    if (state === 'disconnected' || state === 'stopped' || state === 'unreachable') this.#troubles[state].add(email);
    if (isListed) this.#troubles.blacklisted.add(email);
    if (warmup.status === 'suspended') this.#troubles.warmupSuspended.add(email);
    const failing = CHECKS.filter((check) => setup[check] === 'fail').map((check) => check.toUpperCase());
    if (setup.domain !== null && failing.length > 0) {
      this.#troubles.failingDomains.add(setup.domain, `${setup.domain} (${failing.join(', ')})`);
    }
  }
}

/** Distinct names, counted; the first few are kept as examples. */
class NameList {
  readonly #names = new Set<string>();
  readonly #examples: string[] = [];

  add(name: string, shown = name): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    if (this.#examples.length < EXAMPLES) this.#examples.push(shown);
  }

  named(): Named {
    return { count: this.#names.size, examples: [...this.#examples] };
  }
}

function getMailboxState(mailbox: ReviewedMailbox, isStopped: boolean): MailboxState {
  const obstacle = findSendingObstacle(mailbox);
  if (obstacle?.reason === 'paused') return 'paused';
  if (obstacle?.reason === 'disconnected') return 'disconnected';
  if (isStopped) return 'stopped';
  if (obstacle?.reason === 'error') return 'unreachable';
  return obstacle ? 'switched_off' : 'ready';
}

/** A domain has no score before a check has a finding. */
function getHealthScore(setup: ReviewedMailbox['setup']): number | null {
  return CHECKS.every((check) => setup[check] === 'unknown') ? null : setup.healthScore;
}

function getHealthBand(score: number | null): HealthBand {
  if (score === null) return 'unknown';
  if (score >= GOOD_SCORE) return 'good';
  return score >= FAIR_SCORE ? 'fair' : 'poor';
}

function compareUrgency(one: MailboxLine, other: MailboxLine): number {
  const urgency = ({ state }: MailboxLine): number => (INACTIVE.has(state) ? 1 : 0);
  return urgency(one) - urgency(other) || other.sent - one.sent || (one.email < other.email ? -1 : 1);
}
