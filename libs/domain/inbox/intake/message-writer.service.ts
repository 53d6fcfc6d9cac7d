import { MailboxMessageRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { Batcher } from '@platform/concurrency';
import { isDatabaseUnavailable, TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { InboxGatheringService } from '../effects/inbox-gathering.service';
import { type Incoming } from './incoming';
import { MessageEffectsService } from './message-effects.service';
import { type IntakeTask } from './intake-tasks';
import { getThreadKey } from './thread-key';

/** Messages that are written in one transaction: their leads wait for its end. */
const MOST = 16;
/** How long a group waits for more of them at most, where the last one was not of one. */
const COMPANY_MS = 30;

type Tasks = IntakeTask[] | null;
type Written = { readonly tasks: Tasks } | { readonly error: unknown };

interface Writer {
  readonly batcher: Batcher<Incoming, Written>;
  users: number;
}

/**
 * Writes what messages say, each once. Those of a mailbox that are ready at the same time share one transaction: they change the
 * same figures, and side by side they would undo each other. A message that comes alone waits for no other.
 */
@Injectable()
export class MessageWriterService {
  /** Of the mailboxes in which something is being written, by id. */
  readonly #writers = new Map<string, Writer>();

  constructor(
    private readonly mail: MailboxMessageRepository,
    private readonly effects: MessageEffectsService,
    private readonly gathering: InboxGatheringService,
    private readonly transactions: TransactionService,
    private readonly log: LogService,
  ) {}

  /** @returns what has to follow; null when somebody else has judged it */
  async write(incoming: Incoming): Promise<Tasks> {
    const mailboxId = incoming.mailbox._id.toHexString();
    const writer = this.#writers.get(mailboxId) ?? {
      batcher: new Batcher<Incoming, Written>((group) => this.#write(group), MOST, COMPANY_MS),
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

  async #write(group: readonly Incoming[]): Promise<Written[]> {
    const written = new Map<Incoming, Written>();
    for (const round of roundsOf(group.toSorted(firstFirst))) {
      const together = round.length > 1 ? await this.#together(round) : null;
      for (const [at, incoming] of round.entries()) {
        written.set(incoming, together?.[at] ?? (await this.#alone(incoming)));
      }
    }
    return group.map((incoming) => written.get(incoming) ?? { tasks: null });
  }

  /** null when none of them is written: one is bad, or judged by somebody else. Each has to be tried by itself then. */
  async #together(round: readonly Incoming[]): Promise<Written[] | null> {
    try {
      return (await this.#transaction(round)).map((tasks) => ({ tasks }));
    } catch (error) {
      // No fault of any of them, and it would take each as long.
      if (isDatabaseUnavailable(error)) return round.map(() => ({ error }));
      const reason = error instanceof Error ? error.message : String(error);
      this.log.debug('A group of messages is written one by one', { messages: round.length, reason });
      return null;
    }
  }

  async #alone(incoming: Incoming): Promise<Written> {
    try {
      const [tasks = null] = await this.#transaction([incoming]);
      return { tasks };
    } catch (error) {
      return error instanceof AlreadyJudged ? { tasks: null } : { error };
    }
  }

  async #transaction(group: readonly Incoming[]): Promise<IntakeTask[][]> {
    return this.transactions.run(async () => {
      const tasks: IntakeTask[][] = [];
      await this.gathering.run(async () => {
        for (const incoming of group) tasks.push(await this.effects.apply(incoming));
      });
      const judgements = group.map(({ message, judged: { kind, rule } }, at) => ({
        message,
        judgement: { verdict: kind, rule, tasks: tasks[at] ?? [] },
      }));
      const [first] = group;
      // Last, and all of the above is undone if somebody else was faster.
      if (first && !(await this.mail.markAllClassified(first.message.workspaceId, judgements)))
        throw new AlreadyJudged();
      return tasks;
    });
  }
}

class AlreadyJudged extends Error {}

/** Two messages about one lead, or of one thread, build on each other: the second one is written after the first. */
function roundsOf(group: readonly Incoming[]): Incoming[][] {
  const rounds: { about: Set<string>; messages: Incoming[] }[] = [];
  for (const incoming of group) {
    const about = subjectsOf(incoming);
    // Behind the last one that it has something to do with.
    const before = rounds.findLastIndex((round) => about.some((one) => round.about.has(one)));
    const round = rounds[before + 1] ?? { about: new Set(), messages: [] };
    if (before + 1 === rounds.length) rounds.push(round);
    for (const one of about) round.about.add(one);
    round.messages.push(incoming);
  }
  return rounds.map(({ messages }) => messages);
}

/** As they came in, whichever was read first. */
function firstFirst({ message: one }: Incoming, { message: other }: Incoming): number {
  return one.receivedAt.getTime() - other.receivedAt.getTime();
}

function subjectsOf({ message, match, former, recipients }: Incoming): string[] {
  const leads = [...recipients.values(), ...(match ? [match] : [])].map(({ lead }) => lead._id.toHexString());
  return [...leads, ...(former ? [former.leadId.toHexString()] : []), getThreadKey(message)];
}
