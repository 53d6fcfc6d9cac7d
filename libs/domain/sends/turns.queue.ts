import { Injectable } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { Log } from '@platform/observability';
import { JobProducer, type PlannedJob, Queues, RedisConnection } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type MailboxTurn = { workspaceId: string; mailboxId: string };

/** A turn that a mailbox should have. */
export interface PlannedTurn extends MailboxTurn {
  nextAt: Date;
  fence: number;
}

const QUEUE = 'mailbox-turn';

/** "This mailbox can do something at that time." */
@Injectable()
export class TurnQueue extends JobProducer<MailboxTurn> {
  /** One line when jobs cannot be added and none for each turn that ends meanwhile. */
  #failing = false;

  constructor(
    private readonly all: Queues,
    private readonly connection: RedisConnection,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super(QUEUE, all, connection);
  }

  /** Adds the jobs. Redis failing right now costs nothing: the sweep finds the turns. */
  async announce(turns: readonly PlannedTurn[]): Promise<void> {
    try {
      await this.addMany(turns.map((turn) => this.#jobOf(turn)));
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.log.error('Turns of mailboxes not announced; the sweep will find them', error);
      this.#failing = true;
    }
  }

  /**
   * Adds the jobs of turns that are due and have none waiting or running, and returns how many were missing. One that has
   * finished did nothing, or the turn would not be due; one that is delayed is late by somebody's clock.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async addMissing(turns: readonly PlannedTurn[]): Promise<number> {
    const queue = this.all.get(QUEUE);
    const states = await this.connection.promptly(() =>
      Promise.all(turns.map((turn) => queue.getJobState(idOf(turn)))),
    );
    const idle = turns.filter((_turn, index) => ['completed', 'failed', 'delayed'].includes(states[index] ?? ''));
    const missing = turns.filter((_turn, index) => states[index] === 'unknown');
    for (const turn of idle) await this.withdraw(idOf(turn));
    await this.addMany([...missing, ...idle].map((turn) => this.#jobOf(turn)));
    return missing.length;
  }

  #jobOf({ workspaceId, mailboxId, nextAt, fence }: PlannedTurn): PlannedJob<MailboxTurn> {
    const delayMs = nextAt.getTime() - this.clock.now().getTime();
    return { payload: { workspaceId, mailboxId }, id: idOf({ mailboxId, nextAt, fence }), delayMs };
  }
}

/** Time and fence are part of it: what is announced after a turn is never taken for what was announced before. */
function idOf({ mailboxId, nextAt, fence }: Omit<PlannedTurn, 'workspaceId'>): string {
  return `turn-${mailboxId}-${nextAt.getTime()}-${fence}`;
}
