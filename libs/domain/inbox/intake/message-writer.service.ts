import { systemScope } from '@domain/access';
import { LeadStopService, type StopReason } from '@domain/leads';
import { MailboxMessageRepository } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { Batcher } from '@platform/concurrency';
import { isDatabaseUnavailable, TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { LeadEventRecorderService } from '../effects/lead-event-recorder.service';
import { ReplyLabelQueue } from '../label/reply-label.queue';
import { type Incoming } from './incoming';
import { type IntakeTask } from './intake-tasks';
import { MessageEffectsService } from './message-effects.service';
import { getThreadKey } from './thread-key';

/** Messages per transaction: their leads are locked until its end. */
const MAX_GROUP = 16;
/** Longest wait of a group for further messages, when the previous message was written alone. */
const GROUP_WAIT_MS = 30;

type Tasks = IntakeTask[] | null;
type Written = { readonly tasks: Tasks } | { readonly error: unknown };

interface Writer {
  readonly batcher: Batcher<Incoming, Written>;
  users: number;
}

/**
 * Writes messages, each once, and performs the tasks that follow from them. Messages of a mailbox that are ready at the same
 * time share one transaction: separate ones would conflict on the same counters. A single message does not wait for others.
 */
@Injectable()
export class MessageWriterService {
  /** By id of the mailbox, while messages of it are being written. */
  readonly #writers = new Map<string, Writer>();

  constructor(
    private readonly mail: MailboxMessageRepository,
    private readonly effects: MessageEffectsService,
    private readonly recorder: LeadEventRecorderService,
    private readonly stops: LeadStopService,
    private readonly suppressions: SuppressionsService,
    private readonly labels: ReplyLabelQueue,
    private readonly transactions: TransactionService,
    private readonly log: LogService,
  ) {}

  /** @returns the tasks to perform; null when another process has written the message */
  async write(incoming: Incoming): Promise<Tasks> {
    const mailboxId = incoming.mailbox._id.toHexString();
    const writer = this.#writers.get(mailboxId) ?? {
      batcher: new Batcher<Incoming, Written>((group) => this.#writeGroup(group), MAX_GROUP, GROUP_WAIT_MS),
      users: 0,
    };
    this.#writers.set(mailboxId, writer);
    writer.users += 1;
    try {
      const written = await writer.batcher.run(incoming);
      if ('error' in written) throw written.error;
      return written.tasks;
    } finally {
      writer.users -= 1;
      if (writer.users === 0) this.#writers.delete(mailboxId);
    }
  }

  /** Performs tasks outside the transaction that stored them. Repeatable after a failure. */
  async performTasks(workspaceId: string, tasks: readonly IntakeTask[]): Promise<void> {
    const [result] = await this.performTasksOfEach(workspaceId, [tasks]);
    if (result?.status === 'rejected') throw result.reason;
  }

  /**
   * Performs the tasks of several messages; leads with the same stop reason are withheld in one call.
   * @returns the result for each message in their order, as `Promise.allSettled`
   */
  async performTasksOfEach(
    workspaceId: string,
    messages: readonly (readonly IntakeTask[])[],
  ): Promise<PromiseSettledResult<void>[]> {
    const withheld = new Map<StopReason, Promise<void>>();
    const withholding = messages.flat().filter((task) => task.do === 'withhold');
    for (const [reason, tasks] of Map.groupBy(withholding, (task) => task.reason)) {
      const leadIds = [...new Set(tasks.map(({ leadId }) => leadId))];
      const done = this.stops.withhold(workspaceId, { leadIds }, reason);
      // The messages below await it; without this, a rejection before that would be unhandled.
      done.catch(() => undefined);
      withheld.set(reason, done);
    }
    return Promise.allSettled(messages.map((tasks) => this.#performAll(workspaceId, tasks, withheld)));
  }

  async #writeGroup(group: readonly Incoming[]): Promise<Written[]> {
    const written = new Map<Incoming, Written>();
    for (const round of toRounds(group.toSorted(compareByArrival))) {
      const together = round.length > 1 ? await this.#writeTogether(round) : null;
      for (const [index, incoming] of round.entries()) {
        written.set(incoming, together?.[index] ?? (await this.#writeAlone(incoming)));
      }
    }
    return group.map((incoming) => written.get(incoming) ?? { tasks: null });
  }

  /** Returns null when none was written: one failed, or another process has written one. Each is then written alone. */
  async #writeTogether(round: readonly Incoming[]): Promise<Written[] | null> {
    try {
      return (await this.#writeInTransaction(round)).map((tasks) => ({ tasks }));
    } catch (error) {
      // Not the fault of a message: each alone would fail after the same wait.
      if (isDatabaseUnavailable(error)) return round.map(() => ({ error }));
      const reason = error instanceof Error ? error.message : String(error);
      this.log.debug('A group of messages is written one by one', { messages: round.length, reason });
      return null;
    }
  }

  async #writeAlone(incoming: Incoming): Promise<Written> {
    try {
      const [tasks = null] = await this.#writeInTransaction([incoming]);
      return { tasks };
    } catch (error) {
      return error instanceof MessageSupersededError ? { tasks: null } : { error };
    }
  }

  async #writeInTransaction(group: readonly Incoming[]): Promise<IntakeTask[][]> {
    return this.transactions.run(async () => {
      const tasks: IntakeTask[][] = [];
      await this.recorder.batch(async () => {
        for (const incoming of group) tasks.push(await this.effects.apply(incoming));
      });
      const judgements = group.map(({ message, classified: { kind, rule } }, index) => ({
        message,
        judgement: { verdict: kind, rule, tasks: tasks[index] ?? [] },
      }));
      const [first] = group;
      // Last: when another process was faster, this undoes all of the above.
      if (first && !(await this.mail.markAllClassified(first.message.workspaceId, judgements)))
        throw new MessageSupersededError();
      return tasks;
    });
  }

  async #performAll(
    workspaceId: string,
    tasks: readonly IntakeTask[],
    withheld: ReadonlyMap<StopReason, Promise<void>>,
  ): Promise<void> {
    for (const task of tasks) {
      await (task.do === 'withhold' ? withheld.get(task.reason) : this.#perform(workspaceId, task));
    }
  }

  async #perform(workspaceId: string, task: Exclude<IntakeTask, { do: 'withhold' }>): Promise<void> {
    switch (task.do) {
      case 'stop_company': {
        const { campaignId, domain } = task;
        await this.stops.stop(workspaceId, { campaignId, domains: [domain] }, { reason: 'company_replied' });
        return;
      }
      case 'suppress': {
        const { address, reason, source, sendId } = task;
        await this.suppressions.add(systemScope(workspaceId), { addresses: [address], reason }, { source, sendId });
        return;
      }
      case 'ask_label': {
        const { conversationId, messageId } = task;
        return this.labels.enqueue({ workspaceId, conversationId, messageId });
      }
      case 'opt_out': {
        const { address, sendId } = task;
        const reason = 'Asked for it in a reply';
        const origin = { source: 'unsubscribe', sendId } as const;
        await this.suppressions.add(systemScope(workspaceId), { addresses: [address], reason }, origin);
        return;
      }
    }
  }
}

/** Another process has written the message. */
class MessageSupersededError extends Error {}

/** Messages about one lead or thread build on each other: each is written in a later round than the one before it. */
function toRounds(group: readonly Incoming[]): Incoming[][] {
  const rounds: { keys: Set<string>; messages: Incoming[] }[] = [];
  for (const incoming of group) {
    const keys = listKeys(incoming);
    const before = rounds.findLastIndex((round) => keys.some((key) => round.keys.has(key)));
    const round = rounds[before + 1] ?? { keys: new Set(), messages: [] };
    if (before + 1 === rounds.length) rounds.push(round);
    for (const key of keys) round.keys.add(key);
    round.messages.push(incoming);
  }
  return rounds.map(({ messages }) => messages);
}

/** By arrival, whichever was read first. */
function compareByArrival({ message: one }: Incoming, { message: other }: Incoming): number {
  return one.receivedAt.getTime() - other.receivedAt.getTime();
}

/** Lists the leads and the thread of a message. */
function listKeys({ message, match, former, recipients }: Incoming): string[] {
  const leads = [...recipients.values(), ...(match ? [match] : [])].map(({ lead }) => lead._id.toHexString());
  return [...leads, ...(former ? [former.leadId.toHexString()] : []), getThreadKey(message)];
}
