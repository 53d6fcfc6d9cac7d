import { Injectable } from '@nestjs/common';
import { type MailFailure } from '@adapters/mail';
import { LogService } from '@platform/observability';
import { MailboxHookRegistry } from './mailbox-hook.registry';
import { MailboxCheckQueue } from './mailbox-check.queue';
import { type ConnectionState, type MailboxConnection } from './schemas/mailbox.record';

export interface ConnectionChanged {
  readonly workspaceId: string;
  readonly mailboxId: string;
  readonly was: Pick<MailboxConnection, 'state' | 'half'>;
  readonly connection: MailboxConnection;
  /** Why it is worse than before. */
  readonly why?: { code: string | null; stage: MailFailure['stage'] };
}

/** What follows after a mailbox's connection has changed: called after the transaction. */
@Injectable()
export class MailboxOutagesService {
  constructor(
    private readonly uses: MailboxHookRegistry,
    private readonly queue: MailboxCheckQueue,
    private readonly log: LogService,
  ) {}

  async onConnectionChanged(change: ConnectionChanged): Promise<void> {
    const { workspaceId, mailboxId, was, connection } = change;
    if (connection.state !== was.state) {
      this.#log(change, was.state);
      await this.uses.changed({ workspaceId }, mailboxId);
    }
    if (connection.nextCheckAt) await this.queue.plan({ workspaceId, mailboxId }, connection.nextCheckAt);
  }

  /** Once for each change of the state, with nothing that a server said but its code. */
  #log({ mailboxId, connection: { state, half }, was, why }: ConnectionChanged, from: ConnectionState): void {
    const [level, message] = why
      ? (['warn', 'A mailbox cannot be reached'] as const)
      : (['info', 'A mailbox can be reached again'] as const);
    this.log[level](message, { mailboxId, was: from, state, half: why ? half : was.half, ...why });
  }
}
