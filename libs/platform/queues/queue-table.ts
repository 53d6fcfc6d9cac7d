/** Every knob of a queue, so that none is left to a default that nobody chose. */
export interface QueueRow {
  /** Jobs that one worker process runs at the same time. */
  concurrency: number;
  /** Attempts in all, the first one included; only temporary failures are tried again. */
  attempts: number;
  /** Wait before the second attempt in milliseconds; doubled for each further one, with up to half of it as jitter. */
  backoffMs: number;
  /** An attempt that takes longer is told to stop (milliseconds). */
  timeoutMs: number;
  /** Finished jobs kept in Redis for a look. */
  keepCompleted: number;
}

/** All queues. A queue carries one kind of job and has exactly one processor. */
export const queueTable = {
  // A deleted workspace's data, after the time in which it can be restored.
  'workspace-purge': { concurrency: 1, attempts: 10, backoffMs: 5_000, timeoutMs: 600_000, keepCompleted: 100 },
  // Credit reservations whose owner never settled them.
  'credit-expiry': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 60_000, keepCompleted: 10 },
  // Mailboxes that could not be reached: whether they can again.
  'mailbox-check': { concurrency: 10, attempts: 3, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 100 },
  // The DNS records of a sending domain. One attempt: what fails stays due, and the sweep finds it. No finished job is kept: it
  // would keep a job with its id out.
  'mailbox-health': { concurrency: 10, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // What deleted mailboxes leave behind.
  'mailbox-erasure': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // A mailbox may be able to send. One attempt: a second would only meet the lease of the first; the sweep repeats the
  // turn when that has run out. No finished job is kept: it would keep a job with its id out.
  'mailbox-turn': { concurrency: 50, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // What deleted campaigns leave behind.
  'campaign-erasure': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Uploaded CSV files: a million rows take minutes, and a retry goes on where the attempt before it stopped.
  'lead-import': { concurrency: 2, attempts: 5, backoffMs: 2_000, timeoutMs: 3_600_000, keepCompleted: 100 },
  // Emails of which it is not known whether they were sent: looks for them.
  'send-resolution': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // New mail in a mailbox: what it says. What fails is kept with the message and found by the sweep. No finished job is kept:
  // it would keep a job with its id out.
  'mail-intake': { concurrency: 20, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 0 },
  // Answers of which the rules are not certain: asks the language model. What fails is asked again by the sweep. No finished job
  // is kept: it would keep a job with its id out.
  'reply-label': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 330_000, keepCompleted: 0 },
  // Something is to be done about what an agent answers by itself: to write it, to hand it over, to see what became of it. One attempt:
  // what fails stays due, and the sweep finds it. No finished job is kept: it would keep a job with its id out.
  'agent-reply': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 0 },
  // Leads whose pause is over.
  'lead-resume': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // What opened and clicked: people, or machines.
  'tracking-verdict': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // Campaigns and senders of which emails came back: what the relay of events has not looked at itself.
  'sender-protection': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // What happened, handed to those who want to know. One attempt: the next run is two seconds away, and asks anew.
  'event-relay': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // Messages that a mail server did not show: asks for them again.
  'unreadable-mail': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Tracking hosts of workspaces: whether they still lead here.
  'tracking-hosts': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Something to deliver to a webhook. One attempt, as for the turns of mailboxes. Many at the same time: most of them wait for
  // a receiver, and those that hang must not keep the others out.
  'webhook-lane': { concurrency: 200, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // A window of time that is to be sent to a webhook again: may be hundreds of thousands of events. What is interrupted goes on
  // where it was; the sweep sees to that.
  'webhook-replay': { concurrency: 2, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 10 },
  // Connections to CRMs that nobody has used for a day: whether they still let us in. What fails is due again an hour later.
  'crm-check': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 1_800_000, keepCompleted: 10 },
  // Chats in which nothing was told for a day: whether they still let us in. What fails is due again an hour later.
  'chat-check': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 1_800_000, keepCompleted: 10 },
  // What deleted webhooks leave behind.
  'webhook-erasure': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // What deleted agents leave behind.
  'agent-erasure': { concurrency: 1, attempts: 3, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Mailboxes against blacklists: minutes for hundreds of them, as lists are asked slowly. What is interrupted goes on where it was;
  // the sweep sees to that.
  'blacklist-test': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 10 },
  // Schedules of blacklist tests that are due: begins the tests.
  'blacklist-schedule': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // A place at which the enrichment jobs of a workspace are done. One attempt, as for the turns of mailboxes. No finished job is kept:
  // it would keep a job with its id out.
  'enrichment-lane': { concurrency: 8, attempts: 1, backoffMs: 1_000, timeoutMs: 180_000, keepCompleted: 0 },
  // Leads of a campaign whose addresses are verified before they are written to. One attempt: the sweep finds what is still due. No
  // finished job is kept: it would keep a job with its id out.
  'lead-verification': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 180_000, keepCompleted: 0 },
  // Something to tell in the chat of a workspace. One attempt, as for the turns of mailboxes. No finished job is kept: it would keep a
  // job with its id out.
  'chat-lane': { concurrency: 20, attempts: 1, backoffMs: 1_000, timeoutMs: 120_000, keepCompleted: 0 },
  // Enrichment jobs whose seven days are over, and what jobs that are gone left behind.
  'enrichment-expiry': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Days of warmups that are over and begin. What fails is due again at the next tick.
  'warmup-plan': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 1_800_000, keepCompleted: 10 },
  // A mailbox has warmup mail to send. One attempt: the sweep finds what is still due. No finished job is kept: it would keep a
  // job with its id out.
  'warmup-turn': { concurrency: 10, attempts: 1, backoffMs: 1_000, timeoutMs: 180_000, keepCompleted: 0 },
  // Received warmup mail whose time has come: opens it. One attempt: the next run is a minute away, and what failed stays due.
  'warmup-opening': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Warmup mail that never arrived, and the metrics of all warmups.
  'warmup-watch': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 1_800_000, keepCompleted: 10 },
  // Websites that agents learn from: minutes for one of them, as sites are read slowly. What is interrupted goes on where it was; the
  // sweep sees to that. No finished job is kept: it would keep a job with its id out.
  'agent-training': { concurrency: 6, attempts: 1, backoffMs: 1_000, timeoutMs: 3_600_000, keepCompleted: 0 },
  // Something is to be done with the CRM of a workspace. One attempt, as for the turns of mailboxes. Most of it is waiting for the CRM.
  // No finished job is kept: it would keep a job with its id out.
  'crm-lane': { concurrency: 20, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 0 },
  // Syncs with CRMs that are due by the clock, or because something happened. What fails is due again at the next tick.
  'crm-automation': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 10 },
  // Recipients of reports whose time has come: begins their reports. One attempt: the next run is half a minute away.
  'report-schedule': { concurrency: 1, attempts: 1, backoffMs: 1_000, timeoutMs: 300_000, keepCompleted: 10 },
  // A report is to be sent, or looked for. One attempt: what fails stays due, and the sweep finds it. Few at once: composing takes the
  // processor. No finished job is kept: it would keep a job with its id out.
  'report-delivery': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 600_000, keepCompleted: 0 },
} as const satisfies Record<string, QueueRow>;

export type QueueName = keyof typeof queueTable;

export const QUEUE_NAMES = Object.keys(queueTable) as QueueName[];
