import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { LazyGauges, getGaugeName, type Sample } from './lazy-gauges';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LONG_SECONDS = [...SECONDS, 120, 600];

/**
 * Prometheus metrics of this process. Labels come from fixed sets (routes, queues, outcomes), never from user input and never by
 * workspace. A counter that an alert looks at begins at 0 for each of its labels: a series that begins at 1 has no increase.
 * What each means to an operator: docs/operators/monitoring.md, which a test holds against this list.
 */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();

  readonly build = this.#gauge('outreach_build_info', 'Always 1; the labels say what runs.', ['app', 'version']);

  readonly httpRequests = this.#histogram(
    'http_request_duration_seconds',
    'Time from the arrival of a request to the end of its answer.',
    ['method', 'route', 'status'],
  );

  readonly healthChecks = this.#gauge(
    'outreach_health_check_up',
    'Whether a part that this process depends on is well (1) or not (0), as in /health/ready.',
    ['check'],
  );

  readonly transactions = this.#counter(
    'outreach_transactions_total',
    'Transactions by how they ended: committed, failed (the work in them), unavailable (the database).',
    ['outcome'],
  );

  readonly transactionReruns = this.#counter(
    'outreach_transaction_reruns_total',
    'Times that a transaction ran once more, because somebody else changed the same records.',
  );

  readonly redisFailures = this.#counter(
    'outreach_redis_failures_total',
    'Commands to Redis that somebody waited for and that were not answered.',
  );

  readonly leaseExpiries = this.#counter(
    'outreach_leases_lost_total',
    'Leases on tasks of the installation that ran out before their holder renewed them.',
  );

  readonly outboundRequests = this.#histogram(
    'outreach_outbound_request_duration_seconds',
    'HTTP requests to addresses that users give: answered, or the reason why not.',
    ['outcome'],
  );

  readonly modelQuestions = this.#histogram(
    'outreach_model_question_duration_seconds',
    'Questions to the language model: answered, or the reason why not.',
    ['outcome'],
    LONG_SECONDS,
  );

  readonly modelTokens = this.#counter('outreach_model_tokens_total', 'Tokens that the language model has counted.', [
    'direction',
  ]);

  readonly modelCost = this.#counter(
    'outreach_model_cost_total',
    'What these tokens cost, by LLM_INPUT_PRICE and LLM_OUTPUT_PRICE and in their currency.',
  );

  readonly jobs = this.#histogram(
    'outreach_job_duration_seconds',
    'Time that one attempt of a job took, by how it ended: done, or the kind of failure.',
    ['queue', 'outcome'],
    LONG_SECONDS,
  );

  readonly deadJobs = this.#counter('outreach_dead_jobs_total', 'Jobs that were given up and recorded.', ['queue']);

  readonly queueDepth = this.#gauge('outreach_queue_jobs', 'Jobs of a queue by state.', ['queue', 'state']);

  readonly queueLag = this.#gauge(
    'outreach_queue_lag_seconds',
    'How long the oldest waiting job of a queue has been waiting.',
    ['queue'],
  );

  readonly sweeps = this.#histogram(
    'outreach_sweep_duration_seconds',
    'Time that a sweep for missing jobs took: done or failed. One worker at a time sweeps.',
    ['sweep', 'outcome'],
  );

  readonly swept = this.#counter('outreach_swept_jobs_total', 'Jobs that a sweep found missing and created again.', [
    'sweep',
  ]);

  readonly scheduled = this.#counter(
    'outreach_schedule_runs_total',
    'Jobs that were added because the clock said so.',
    ['schedule'],
  );

  readonly maintenanceMode = this.#gauge(
    'outreach_held',
    'Whether a restored installation holds back what it does by itself (1), until the operator releases it.',
  );

  readonly dueAge = this.#gauge(
    'outreach_due_age_seconds',
    'For how long the longest due piece of a kind of work has been due, by the database; 0 where nothing is.',
    ['work'],
  );

  readonly events = this.#counter('outreach_events_relayed_total', 'Events that were handed to their subscribers.', [
    'type',
  ]);

  readonly eventsPutOff = this.#counter(
    'outreach_events_put_off_total',
    'Events that a subscriber could not take; each is tried again a minute later.',
  );

  readonly sends = this.#counter('outreach_sends_total', 'Emails of campaigns by the state that an attempt ended in.', [
    'state',
  ]);

  readonly ambiguousSends = this.#gauge(
    'outreach_ambiguous_sends',
    'Emails of campaigns of which it is not known whether their server took them, up to 10 000.',
  );

  readonly handovers = this.#histogram(
    'outreach_handover_duration_seconds',
    'Mails of every kind that were given to a server of a mailbox, by protocol and by how that ended.',
    ['protocol', 'outcome'],
    LONG_SECONDS,
  );

  readonly mailboxes = this.#gauge('outreach_mailboxes', 'Mailboxes by the state of their connection.', ['state']);

  readonly watchedMailboxes = this.#gauge('outreach_watched_mailboxes', 'Mailboxes that this worker listens to.');

  readonly mailboxReads = this.#counter(
    'outreach_mailbox_reads_total',
    'Times that a worker which listens to a mailbox has read all that is new (done), or lost the connection (lost).',
    ['outcome'],
  );

  readonly mailboxReadAge = this.#gauge(
    'outreach_mailbox_read_age_seconds',
    'Since when the mailbox of this worker that was read longest ago was not read.',
  );

  readonly webhookAttempts = this.#histogram(
    'outreach_webhook_attempt_duration_seconds',
    'Time that one request to the receiver of a webhook took: accepted, refused (another status), or unanswered.',
    ['outcome'],
  );

  readonly credits = this.#counter(
    'outreach_credits_total',
    'Credits in entries of ledgers, by kind of entry: grant, charge, reserve, settle, release.',
    ['kind'],
  );

  readonly creditRefusals = this.#counter(
    'outreach_credit_refusals_total',
    'Times that something was refused because a workspace has too few credits.',
  );

  readonly crmSyncs = this.#counter('outreach_crm_syncs_total', 'Syncs with CRMs that ended, by CRM and by how.', [
    'crm',
    'outcome',
  ]);

  readonly reports = this.#counter('outreach_reports_total', 'Attempts to send a report, by what followed.', [
    'outcome',
  ]);

  readonly measureFailures = this.#counter(
    'outreach_measure_failures_total',
    'Times that a gauge could not be measured when metrics were asked for; it is left out then.',
    ['metric'],
  );

  readonly #measured = new LazyGauges((metric) => this.measureFailures.inc({ metric }));

  /**
   * Adds what Node tells of the process itself. It watches for that from then on and cannot be told to stop, so a process
   * does it once somebody can ask.
   */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** From now on `find` says what the gauge stands at, when somebody asks for metrics. */
  measureLazily<L extends string>(gauge: Gauge<L>, find: () => Promise<readonly Sample<L>[]>): void {
    this.#measured.add(gauge, find);
    this.measureFailures.inc({ metric: getGaugeName(gauge) }, 0);
  }

  /** All metrics in the text format of Prometheus; never rejects for a gauge that could not be measured. */
  async text(): Promise<string> {
    await this.#measured.refresh();
    return this.registry.metrics();
  }

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
    const gauge = new Gauge({ name, help, labelNames, registers: [this.registry] });
    // Without labels it would stand at 0 in a process that does not measure it.
    if (labelNames.length === 0) gauge.remove({} as never);
    return gauge;
  }

  #histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets: readonly number[] = SECONDS,
  ): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] });
  }
}
