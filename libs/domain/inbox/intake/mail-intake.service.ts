import { MailError } from '@adapters/mail';
import {
  type Arrival,
  MailArrivalRegistry,
  MailboxMessageRepository,
  type MailboxMessageRecord,
  type MailboxRecord,
} from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Batcher } from '@platform/concurrency';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Incoming } from './incoming';
import { IntakeFollowUpsService } from './intake-follow-ups.service';
import { type IntakeTask } from './intake-tasks';
import { MailIntakeQueue } from './mail-intake.queue';
import { MessageIntakePartService } from './message-intake-part.service';
import { unlessAborted } from './unless-aborted';
import { isUnreached } from './unreachable-mailbox';

/** Messages that are looked at in one go, and those of them that are read at the same time. */
const BATCH = 100;
const AT_ONCE = 4;
/** Those that are read already and not written yet are held in memory, too: so many of both. */
const UNDERWAY = 32;
/** A message that cannot be read is tried again after that, doubled each time: some ten minutes in all. */
const FIRST_PAUSE_MS = 10_000;
/** Then it is judged by its envelope. */
export const MOST_FAILURES = 6;
/** What lies in a mailbox that cannot be reached waits until it can: that is no fault of the message. */
const UNREACHED_PAUSE_MS = 60_000;
const GIVEN_UP: ReadonlySet<MailboxRecord['connection']['state']> = new Set(['disconnected', 'needs_reauthorisation']);

/** A message, and what follows from it. */
interface Judged {
  readonly message: MailboxMessageRecord;
  readonly tasks: readonly IntakeTask[];
}

type Done = PromiseSettledResult<void>;

/** One message among those that are looked at in one go. */
interface Work {
  readonly mailbox: MailboxRecord;
  readonly message: MailboxMessageRecord;
  /** Message-IDs of what we sent ourselves. */
  readonly ours: ReadonlySet<string>;
  /** By id of the message, whom its envelope belongs to. */
  readonly claimed: ReadonlyMap<string, string>;
  readonly reading: LimitFunction;
  readonly settling: Batcher<Judged, Done>;
}

/** Works through what has come into mailboxes, each message once. */
@Injectable()
export class MailIntakeService implements Sweep, OnModuleInit {
  readonly name = 'mail-intake';
  /** The last run of each mailbox in this process: two at a time would do everything twice. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    private readonly mail: MailboxMessageRepository,
    private readonly messages: MessageIntakePartService,
    private readonly followUps: IntakeFollowUpsService,
    private readonly queue: MailIntakeQueue,
    private readonly arrivals: MailArrivalRegistry,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  onModuleInit(): void {
    this.arrivals.register((arrival) => this.queue.enqueue(arrival));
  }

  /**
   * Returns when everything that can be judged now is judged and all that follows is done. What fails is tried again later and
   * holds up nothing else.
   */
  async process(arrival: Arrival, signal?: AbortSignal): Promise<void> {
    const { mailboxId } = arrival;
    const before = this.#running.get(mailboxId) ?? Promise.resolve();
    const run = before.catch(() => undefined).then(() => this.#process(arrival, signal));
    this.#running.set(mailboxId, run);
    const ended = (): void => {
      if (this.#running.get(mailboxId) === run) this.#running.delete(mailboxId);
    };
    run.then(ended, ended);
    // Its own turn has not come yet: it begins with looking at the signal.
    await unlessAborted(
      before.catch(() => undefined),
      signal,
    );
    await run;
  }

  /** Gives every mailbox in which something waits its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for (const arrival of await this.mail.listMailboxesWithWork()) {
      if (await this.queue.addMissing(arrival)) created += 1;
    }
    return created;
  }

  async #process(arrival: Arrival, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const mailbox = await this.mail.findMailbox(arrival);
    if (!mailbox) return;
    const reading = pLimit(AT_ONCE);
    const underway = pLimit(UNDERWAY);
    const settling = new Batcher<Judged, Done>((judged) => this.#settle(mailbox, judged), BATCH);
    for (;;) {
      const batch = await this.mail.listUnfinished(arrival, BATCH);
      const unjudged = batch.filter(({ state }) => state === 'received');
      const claimed = await this.messages.claimedAmong(mailbox, unjudged);
      const ours = await this.messages.oursAmong(mailbox, unjudged);
      const work = { mailbox, ours, claimed, reading, settling };
      await Promise.all(batch.map((message) => underway(() => this.#handle({ ...work, message }, signal))));
      signal?.throwIfAborted();
      if (batch.length < BATCH) return;
    }
  }

  async #handle(work: Work, signal?: AbortSignal): Promise<void> {
    const { message, settling } = work;
    if (signal?.aborted) return;
    try {
      const tasks = message.state === 'judged' ? (message.tasks as IntakeTask[]) : await this.#judge(work, signal);
      if (tasks === null || (message.state === 'received' && tasks.length === 0)) return;
      const done = await settling.run({ message, tasks });
      if (done.status === 'rejected') throw done.reason;
    } catch (error) {
      // Nothing is known of a message that was left.
      if (signal?.aborted && error === signal.reason) return;
      await this.#failed(message, error);
    }
  }

  /** What is being written is written to its end; what is only being read is left when the signal is aborted. */
  async #judge(work: Work, signal?: AbortSignal): Promise<IntakeTask[] | null> {
    const incoming = await unlessAborted(
      work.reading(async () => (signal?.aborted ? null : this.#read(work))),
      signal,
    );
    return incoming && this.messages.write(incoming);
  }

  /** What follows from messages that were judged at about the same time. */
  async #settle({ workspaceId }: MailboxRecord, judged: readonly Judged[]): Promise<Done[]> {
    const done = await this.followUps.performEach(
      workspaceId.toHexString(),
      judged.map(({ tasks }) => tasks),
    );
    const finished = judged.flatMap(({ message }, at) => (done[at]?.status === 'fulfilled' ? [message] : []));
    if (finished.length > 0) await this.mail.markDone(workspaceId, finished);
    return done;
  }

  async #failed(message: MailboxMessageRecord, error: unknown): Promise<void> {
    const isItsFault = !isUnreached(error);
    const pauseMs = isItsFault ? FIRST_PAUSE_MS * 2 ** Math.min(message.failures, MOST_FAILURES) : UNREACHED_PAUSE_MS;
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof MailError)) {
      const messageId = String(message._id);
      this.log.error('A message cannot be worked on; it is tried again', error, { messageId });
    }
    await this.mail.postpone(message, reason.slice(0, 500), this.clock.in(pauseMs), isItsFault);
  }

  /** @throws MailError when it cannot be read now; no login is tried where it has failed for long, or was refused */
  async #read({ mailbox, message, ours, claimed }: Work): Promise<Incoming | null> {
    const isOurs = message.messageId !== null && ours.has(message.messageId);
    const claimedBy = claimed.get(message._id.toHexString()) ?? null;
    const byEnvelope = message.failures >= MOST_FAILURES;
    if (claimedBy === null && !byEnvelope && GIVEN_UP.has(mailbox.connection.state)) {
      throw new MailError({ failure: 'temporary', stage: 'login', message: 'The mailbox is not connected' });
    }
    return this.messages.read(mailbox, message, { byEnvelope, isOurs, claimedBy });
  }
}
