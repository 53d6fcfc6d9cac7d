/** All settings of a queue, so that none relies on an implicit default. */
export interface QueueRow {
  /** Jobs that one worker process runs at the same time. */
  concurrency: number;
  /** Number of attempts, the first one included; only temporary failures are retried. */
  attempts: number;
  /** Wait before the second attempt in milliseconds; doubled for each further one, with up to half of it as jitter. */
  backoffMs: number;
  /** Timeout of an attempt in milliseconds, after which its signal aborts. */
  timeoutMs: number;
  /** Number of finished jobs that stay in Redis for inspection. */
  keepCompleted: number;
}

/** All queues. A queue carries one kind of job and has exactly one processor. */
export const queueTable = {
  // Erases the data of deleted workspaces after the time in which they can be restored.
  'workspace-purge': { concurrency: 1, attempts: 10, backoffMs: 5_000, timeoutMs: 600_000, keepCompleted: 100 },
  // Releases credit reservations that were never settled.
  'credit-expiry': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 60_000, keepCompleted: 10 },
  // Checks whether unreachable mailboxes can be reached again.
  'mailbox-check': { concurrency: 10, attempts: 3, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 100 },
  // Checks the DNS records of a sending domain. One attempt: failed work stays due, and the sweep finds it. No finished job is
  // kept, because it would block a new job with the same id.
  'mailbox-health': { concurrency: 10, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // Erases the data of deleted mailboxes.
  'mailbox-erasure': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Sends the due emails of a mailbox. One attempt: a second one would only meet the lease of the first, and the sweep repeats
  // it after the lease. No finished job is kept, because it would block a new job with the same id.
  'mailbox-send': { concurrency: 50, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // Erases the data of deleted campaigns.
  'campaign-erasure': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Imports uploaded CSV files: a million rows take minutes, and a retry continues where the attempt before it stopped.
  'lead-import': { concurrency: 2, attempts: 5, backoffMs: 2_000, timeoutMs: 3_600_000, keepCompleted: 100 },
  // Resolves sends with an unknown outcome.
  'send-resolution': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // Reads and classifies the new mail of a mailbox. Failures are stored with the message, and the sweep finds them. No finished
  // job is kept, because it would block a new job with the same id.
  'mail-intake': { concurrency: 20, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 0 },
  // Labels replies by the language model where the rules are not certain. The sweep repeats failures. No finished job is kept,
  // because it would block a new job with the same id.
  'reply-label': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 330_000, keepCompleted: 0 },
  // Writes, sends or resolves the automatic replies of agents. One attempt: failed work stays due, and the sweep finds it. No
  // finished job is kept, because it would block a new job with the same id.
  'agent-reply': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 0 },
  // Resumes leads whose pause has ended.
  'lead-resume': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Classifies tracking hits as people or machines.
  'hit-classification': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // Evaluates the bounce rates of campaigns and senders after bounces that the event relay has not handled.
  'sender-protection': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // Relays events to their subscribers. One attempt: the next run is two seconds away.
  'event-relay': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // Fetches messages again that a mail server failed to return.
  'unreadable-mail': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Checks whether the tracking hosts of workspaces still resolve to this installation.
  'tracking-hosts': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Delivers events to a webhook. One attempt, as for `mailbox-send`. High concurrency: most jobs wait for a receiver, and those
  // that hang must not block the others.
  'webhook-work': { concurrency: 200, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // Replays a period to a webhook, possibly hundreds of thousands of events. An interrupted replay continues by the sweep.
  'webhook-replay': { concurrency: 2, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 10 },
  // Checks CRM connections without use for a day. A failed check is due again an hour later.
  'crm-check': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 1_800_000, keepCompleted: 10 },
  // Checks chat connections without a message for a day. A failed check is due again an hour later.
  'chat-check': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 1_800_000, keepCompleted: 10 },
  // Erases the data of deleted webhooks.
  'webhook-erasure': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Erases the data of deleted agents.
  'agent-erasure': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Tests mailboxes against blacklists: minutes for hundreds of them, because lists are queried slowly. An interrupted test
  // continues by the sweep.
  'blacklist-test': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 10 },
  // Starts the blacklist tests whose schedule is due.
  'blacklist-schedule': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // Runs enrichment jobs of a workspace. One attempt, as for `mailbox-send`. No finished job is kept, because it would block a
  // new job with the same id.
  'enrichment-work': { concurrency: 8, attempts: 1, backoffMs: 1_000, timeoutMs: 180_000, keepCompleted: 0 },
  // Verifies the addresses of unverified leads of a campaign. One attempt: the sweep finds due work. No finished job is kept,
  // because it would block a new job with the same id.
  'lead-verification': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 180_000, keepCompleted: 0 },
  // Posts messages to the chat of a workspace. One attempt, as for `mailbox-send`. No finished job is kept, because it would
  // block a new job with the same id.
  'chat-work': { concurrency: 20, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // Deletes enrichment jobs after seven days, and the data of deleted ones.
  'enrichment-expiry': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Ends and plans the days of warmups. A failure is due again at the next tick.
  'warmup-plan': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 1_800_000, keepCompleted: 10 },
  // Sends the warmup mail of a mailbox. One attempt: the sweep finds due work. No finished job is kept, because it would block a
  // new job with the same id.
  'warmup-send': { concurrency: 10, attempts: 1, backoffMs: 1_000, timeoutMs: 180_000, keepCompleted: 0 },
  // Opens received warmup mail that is due. One attempt: the next run is a minute away, and failed work stays due.
  'warmup-opening': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Detects warmup mail that never arrived, and measures all warmups.
  'warmup-watch': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 1_800_000, keepCompleted: 10 },
  // Reads the websites that agents are trained on: minutes for each, because sites are read slowly. An interrupted training
  // continues by the sweep. No finished job is kept, because it would block a new job with the same id.
  'agent-training': { concurrency: 6, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 0 },
  // Does the due work with the CRM of a workspace. One attempt, as for `mailbox-send`. Most of the time is spent waiting for the
  // CRM. No finished job is kept, because it would block a new job with the same id.
  'crm-work': { concurrency: 20, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 0 },
  // Starts CRM syncs that are due by schedule or after an event. A failure is due again at the next tick.
  'crm-automation': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Starts the reports of recipients that are due. One attempt: the next run is half a minute away.
  'report-schedule': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // Sends or resolves a report. One attempt: failed work stays due, and the sweep finds it. Low concurrency, because rendering
  // uses the CPU. No finished job is kept, because it would block a new job with the same id.
  'report-delivery': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 0 },
} as const satisfies Record<string, QueueRow>;

export type QueueName = keyof typeof queueTable;

export const QUEUE_NAMES = Object.keys(queueTable) as QueueName[];
