import { MailError } from '@adapters/mail';
import {
  type Arrival,
  MAIL_ARRIVAL,
  type MailArrivalListener,
  type MailboxMessageRecord,
  MailboxMessageRepository,
  type MailboxRecord,
  MailboxSyncService,
} from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { Batcher, KeyedMutex, unlessAborted } from '@platform/concurrency';
import { ClockPort } from '@platform/clock';
import { Listens } from '@platform/hooks';
import { LogService } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Incoming } from './incoming';
import { type IntakeTask } from './intake-tasks';
import { MailIntakeQueue } from './mail-intake.queue';
import { MessageIntakeService } from './message-intake.service';
import { MessageWriterService } from './message-writer.service';
import { isUnreached } from './unreachable-mailbox';

/** Messages per batch, and those of a batch that are fetched in parallel. */
const BATCH = 100;
const MAX_FETCHES = 4;
/** Messages being fetched, or fetched and not yet written: they are kept in memory. */
const MAX_IN_PROGRESS = 32;
/** Wait after the first failure of a message, doubled after each: about ten minutes in all. */
const FIRST_RETRY_MS = 10_000;
/** After this many failures a message is classified by its envelope. */
export const MAX_FAILURES = 6;
/** Wait while the mailbox cannot be reached, which is not the fault of the message. */
const UNREACHED_RETRY_MS = 60_000;
const UNCONNECTED: ReadonlySet<MailboxRecord['connection']['state']> = new Set([
  'disconnected',
  'needs_reauthorisation',
]);

/** A written message with the tasks that follow from it. */
interface WrittenMessage {
  readonly message: MailboxMessageRecord;
  readonly tasks: readonly IntakeTask[];
}

type TaskResult = PromiseSettledResult<void>;

/** One message of a batch. */
interface IntakeItem {
  readonly mailbox: MailboxRecord;
  readonly message: MailboxMessageRecord;
  /** Message-IDs that the workspace sent. */
  readonly ours: ReadonlySet<string>;
  /** Name of the claimer by id of the message. */
  readonly claimed: ReadonlyMap<string, string>;
  readonly fetches: LimitFunction;
  readonly completion: Batcher<WrittenMessage, TaskResult>;
}

/**
 * Reads, classifies and writes the new mail of mailboxes, each message once. Before an email is sent, it ensures that new
 * mail has taken effect: a lead that has replied is stopped.
 */
@Injectable()
@Listens(MAIL_ARRIVAL)
export class MailIntakeService implements Sweep, MailArrivalListener {
  readonly name = 'mail-intake';
  /** By mailbox: parallel runs would do all work twice. */
  readonly #mutex = new KeyedMutex();

  constructor(
    private readonly mail: MailboxMessageRepository,
    private readonly messages: MessageIntakeService,
    private readonly writer: MessageWriterService,
    private readonly queue: MailIntakeQueue,
    private readonly clock: ClockPort,
    private readonly log: LogService,
    private readonly mailboxes: MailboxSyncService,
  ) {}

  async arrived(arrival: Arrival): Promise<void> {
    try {
      await this.queue.enqueue(arrival);
    } catch (error) {
      this.log.error('New mail is not processed yet; the sweep will find it', error, { ...arrival });
    }
  }

  /**
   * Returns once all mail that can be classified now is written and its tasks are performed. A failed message is retried later
   * and blocks no other.
   */
  async process(arrival: Arrival, signal?: AbortSignal): Promise<void> {
    await this.#mutex.run(arrival.mailboxId, () => this.#process(arrival, signal), signal);
  }

  /** Enqueues a job for each mailbox with unfinished mail whose job is missing: Redis may have lost it. */
  async sweep(): Promise<number> {
    let created = 0;
    for (const arrival of await this.mail.listMailboxesWithWork()) {
      if (await this.queue.addMissing(arrival)) created += 1;
    }
    return created;
  }

  /**
   * Returns once the mailbox was read completely within the last `maxAgeMs` milliseconds and all its mail is classified.
   * @throws MailError when the mailbox or a message in it cannot be read now; the reason of `signal` when it is aborted
   */
  async ensureFresh(mailbox: MailboxRecord, maxAgeMs: number, signal: AbortSignal): Promise<void> {
    await this.mailboxes.ensureFresh(mailbox, maxAgeMs, signal);
    const arrival = { workspaceId: mailbox.workspaceId.toHexString(), mailboxId: mailbox._id.toHexString() };
    if (!(await this.mail.hasUnfinished(arrival))) return;
    await this.process(arrival, signal);
    if (!(await this.mail.hasUnfinished(arrival))) return;
    // Stage `busy`: the server did not ask for a pause, so the mailbox gets no cooldown.
    const message = 'A message that came into the mailbox cannot be read yet';
    throw new MailError({ failure: 'temporary', stage: 'busy', message });
  }

  async #process(arrival: Arrival, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const mailbox = await this.mail.findMailbox(arrival);
    if (!mailbox) return;
    const fetches = pLimit(MAX_FETCHES);
    const inProgress = pLimit(MAX_IN_PROGRESS);
    const completion = new Batcher<WrittenMessage, TaskResult>((written) => this.#complete(mailbox, written), BATCH);
    for (;;) {
      const batch = await this.mail.listUnfinished(arrival, BATCH);
      const unread = batch.filter(({ state }) => state === 'received');
      const claimed = await this.messages.listClaimed(mailbox, unread);
      const ours = await this.messages.listOurs(mailbox, unread);
      const shared = { mailbox, ours, claimed, fetches, completion };
      await Promise.all(batch.map((message) => inProgress(() => this.#handle({ ...shared, message }, signal))));
      signal?.throwIfAborted();
      if (batch.length < BATCH) return;
    }
  }

  async #handle(item: IntakeItem, signal?: AbortSignal): Promise<void> {
    const { message, completion } = item;
    if (signal?.aborted) return;
    try {
      const tasks =
        message.state === 'judged' ? (message.tasks as IntakeTask[]) : await this.#readAndWrite(item, signal);
      if (tasks === null || (message.state === 'received' && tasks.length === 0)) return;
      const result = await completion.run({ message, tasks });
      if (result.status === 'rejected') throw result.reason;
    } catch (error) {
      // An abandoned message has not failed.
      if (signal?.aborted && error === signal.reason) return;
      await this.#recordFailure(message, error);
    }
  }

  /** An abort abandons a fetch; a write that has begun is completed. */
  async #readAndWrite(item: IntakeItem, signal?: AbortSignal): Promise<IntakeTask[] | null> {
    const incoming = await unlessAborted(
      item.fetches(async () => (signal?.aborted ? null : this.#read(item))),
      signal,
    );
    return incoming && this.writer.write(incoming);
  }

  /** Performs the tasks of messages that were written at about the same time. */
  async #complete({ workspaceId }: MailboxRecord, written: readonly WrittenMessage[]): Promise<TaskResult[]> {
    const results = await this.writer.performTasksOfEach(
      workspaceId.toHexString(),
      written.map(({ tasks }) => tasks),
    );
    const finished = written.flatMap(({ message }, index) => (results[index]?.status === 'fulfilled' ? [message] : []));
    if (finished.length > 0) await this.mail.markDone(workspaceId, finished);
    return results;
  }

  async #recordFailure(message: MailboxMessageRecord, error: unknown): Promise<void> {
    const isItsFault = !isUnreached(error);
    const waitMs = isItsFault ? FIRST_RETRY_MS * 2 ** Math.min(message.failures, MAX_FAILURES) : UNREACHED_RETRY_MS;
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof MailError)) {
      const messageId = String(message._id);
      this.log.error('A message cannot be processed; it is retried', error, { messageId });
    }
    await this.mail.postpone(message, reason.slice(0, 500), this.clock.in(waitMs), isItsFault);
  }

  /** @throws MailError when it cannot be fetched now; an unconnected mailbox is not contacted */
  async #read({ mailbox, message, ours, claimed }: IntakeItem): Promise<Incoming | null> {
    const isOurs = message.messageId !== null && ours.has(message.messageId);
    const claimedBy = claimed.get(message._id.toHexString()) ?? null;
    const byEnvelope = message.failures >= MAX_FAILURES;
    if (claimedBy === null && !byEnvelope && UNCONNECTED.has(mailbox.connection.state)) {
      throw new MailError({ failure: 'temporary', stage: 'login', message: 'The mailbox is not connected' });
    }
    return this.messages.read(mailbox, message, { byEnvelope, isOurs, claimedBy });
  }
}
