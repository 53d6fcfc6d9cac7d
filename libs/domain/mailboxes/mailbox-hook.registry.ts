import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

export interface UsingCampaign {
  readonly id: string;
  readonly name: string;
}

/** Sending was stopped by the platform itself, until a person resumes the mailbox. */
export interface SendingStopped {
  readonly code: string;
  readonly message: string;
  readonly at: Date;
}

/** What a higher domain knows about who works with a mailbox, and what it wants to be told; it leaves out what is nothing to it. */
export interface MailboxHooks {
  /** Campaigns that send from it now. Called in the transaction of the deletion. */
  activeCampaigns(workspace: WorkspaceScope, mailboxId: string): Promise<readonly UsingCampaign[]>;
  /** The mailbox is being deleted: let go of it, and remove what is of no use without it. In that transaction, too. */
  released(workspace: WorkspaceScope, mailboxId: string): Promise<void>;
  /**
   * A person resumes it: what had stopped it is taken as looked at. Called in that transaction.
   * @returns whether something had
   */
  resumed?(workspace: Workspace, mailboxId: string): Promise<boolean>;
  /**
   * It was paused or resumed, its connection or a setting that sending depends on has changed, or may have: read it. Called
   * after the transaction and before anything is acknowledged, and again when the request is repeated.
   */
  changed?(workspace: Workspace, mailboxId: string): Promise<void>;
  /** Why it sends nothing although it could; null when that is not so. */
  stopped?(workspace: Workspace, mailboxId: string): Promise<SendingStopped | null>;
  /**
   * The mailbox was deleted: erase in batches what is of no use without it and too much for that transaction. Called by the
   * worker, and again for an hour; interrupted anywhere, the next call goes on.
   */
  erase?(workspace: Workspace, mailboxId: string, signal: AbortSignal): Promise<void>;
}

/** Where higher domains tell at the start of the process that they work with mailboxes: they are not known down here. */
@Injectable()
export class MailboxHookRegistry {
  readonly #hooks = new Set<Partial<MailboxHooks>>();

  /** Call it once, when the module starts. */
  register(use: Partial<MailboxHooks>): void {
    this.#hooks.add(use);
  }

  async activeCampaigns(workspace: WorkspaceScope, mailboxId: string): Promise<readonly UsingCampaign[]> {
    const all: UsingCampaign[] = [];
    // One after the other: a transaction takes no calls side by side.
    for (const use of this.#hooks) all.push(...((await use.activeCampaigns?.(workspace, mailboxId)) ?? []));
    return all;
  }

  async released(workspace: WorkspaceScope, mailboxId: string): Promise<void> {
    for (const use of this.#hooks) await use.released?.(workspace, mailboxId);
  }

  async resumed(workspace: Workspace, mailboxId: string): Promise<boolean> {
    let any = false;
    for (const use of this.#hooks) if (await use.resumed?.(workspace, mailboxId)) any = true;
    return any;
  }

  async changed(workspace: Workspace, mailboxId: string): Promise<void> {
    for (const use of this.#hooks) await use.changed?.(workspace, mailboxId);
  }

  async erase(workspace: Workspace, mailboxId: string, signal: AbortSignal): Promise<void> {
    for (const use of this.#hooks) await use.erase?.(workspace, mailboxId, signal);
  }

  async stopped(workspace: Workspace, mailboxId: string): Promise<SendingStopped | null> {
    for (const use of this.#hooks) {
      const stopped = await use.stopped?.(workspace, mailboxId);
      if (stopped) return stopped;
    }
    return null;
  }
}
