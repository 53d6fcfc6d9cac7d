import { MailError } from '@adapters/mail';
import {
  type Arrival,
  MailArrivals,
  MailboxMail,
  type MailboxMessageRecord,
  type MailboxRecord,
} from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { Log } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import pLimit from 'p-limit';
import { IntakeFollowUps } from './intake.follow-ups.service';
import { type IntakeTask } from './intake.tasks';
import { MailIntakeQueue } from './mail.intake.queue';
import { MessageIntake } from './message.intake.service';
import { isUnreached } from './unreached';

/** Messages that are looked at in one go, and those of them at the same time. */
const BATCH = 50;
const AT_ONCE = 4;
/** A message that cannot be read is tried again after that, doubled each time: some ten minutes in all. */
const FIRST_PAUSE_MS = 10_000;
/** Then it is judged by its envelope. */
export const MOST_FAILURES = 6;
/** What lies in a mailbox that cannot be reached waits until it can: that is no fault of the message. */
const UNREACHED_PAUSE_MS = 60_000;
const GIVEN_UP: ReadonlySet<MailboxRecord['connection']['state']> = new Set(['disconnected', 'needs_reauthorisation']);

/** Works through what has come into mailboxes, each message once. */
@Injectable()
export class MailIntake implements Sweep, OnModuleInit {
  readonly name = 'mail-intake';
  /** The last run of each mailbox in this process: two at a time would do everything twice. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    private readonly mail: MailboxMail,
    private readonly messages: MessageIntake,
    private readonly followUps: IntakeFollowUps,
    private readonly queue: MailIntakeQueue,
    private readonly arrivals: MailArrivals,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.arrivals.register((arrival) => this.queue.announce(arrival));
  }

  /**
   * Returns when everything that can be judged now is judged and all that follows is done. What fails is tried again later and
   * holds up nothing else.
   */
  async process(arrival: Arrival, signal?: AbortSignal): Promise<void> {
    const before = this.#running.get(arrival.mailboxId) ?? Promise.resolve();
    const run = before.catch(() => undefined).then(() => this.#process(arrival, signal));
    this.#running.set(arrival.mailboxId, run);
    try {
      await run;
    } finally {
      if (this.#running.get(arrival.mailboxId) === run) this.#running.delete(arrival.mailboxId);
    }
  }

  /** Gives every mailbox in which something waits its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for (const arrival of await this.mail.waiting()) {
      if (await this.queue.addMissing(arrival)) created += 1;
    }
    return created;
  }

  async #process(arrival: Arrival, signal?: AbortSignal): Promise<void> {
    const mailbox = await this.mail.mailbox(arrival);
    if (!mailbox) return;
    const limit = pLimit(AT_ONCE);
    for (;;) {
      signal?.throwIfAborted();
      const batch = await this.mail.unfinished(arrival, BATCH);
      await Promise.all(batch.map((message) => limit(() => this.#handle(mailbox, message, signal))));
      if (batch.length < BATCH) return;
    }
  }

  async #handle(mailbox: MailboxRecord, message: MailboxMessageRecord, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    try {
      const tasks = message.state === 'judged' ? (message.tasks as IntakeTask[]) : await this.#judge(mailbox, message);
      if (tasks === null || (message.state === 'received' && tasks.length === 0)) return;
      await this.followUps.perform(mailbox.workspaceId.toHexString(), tasks);
      await this.mail.finished(message);
    } catch (error) {
      const isItsFault = !isUnreached(error);
      const pauseMs = isItsFault ? FIRST_PAUSE_MS * 2 ** Math.min(message.failures, MOST_FAILURES) : UNREACHED_PAUSE_MS;
      const reason = error instanceof Error ? error.message : String(error);
      if (!(error instanceof MailError)) {
        this.log.error('A message cannot be worked on; it is tried again', error, { messageId: String(message._id) });
      }
      await this.mail.failed(message, reason.slice(0, 500), this.clock.in(pauseMs), isItsFault);
    }
  }

  /** @throws MailError when it cannot be read now; no login is tried where it has failed for long, or was refused */
  async #judge(mailbox: MailboxRecord, message: MailboxMessageRecord): Promise<IntakeTask[] | null> {
    const byEnvelope = message.failures >= MOST_FAILURES;
    if (!byEnvelope && GIVEN_UP.has(mailbox.connection.state)) {
      throw new MailError({ failure: 'temporary', stage: 'login', message: 'The mailbox is not connected' });
    }
    return this.messages.judge(mailbox, message, { byEnvelope });
  }
}
