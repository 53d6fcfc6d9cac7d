import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

export interface UsingCampaign {
  readonly id: string;
  readonly name: string;
}

/** A stop of sending by the platform itself, until a person resumes the mailbox. */
export interface SendingStopped {
  readonly code: string;
  readonly message: string;
  readonly at: Date;
}

/** What a higher domain knows about the use of a mailbox, and the changes it is notified of. All hooks are optional. */
export interface MailboxHooks {
  /** Active campaigns that send from the mailbox. Called in the transaction of the deletion. */
  activeCampaigns(workspace: WorkspaceScope, mailboxId: string): Promise<readonly UsingCampaign[]>;
  /** The mailbox is being deleted: remove references to it. Called in the transaction of the deletion. */
  released(workspace: WorkspaceScope, mailboxId: string): Promise<void>;
  /**
   * A person resumes the mailbox, which ends a stop by the platform. Called in the transaction.
   * @returns whether sending was stopped
   */
  resumed?(workspace: Workspace, mailboxId: string): Promise<boolean>;
  /**
   * The mailbox was paused or resumed, or its connection or a relevant setting may have changed: read it. Called
   * after the transaction and before the response, and again when the request is repeated.
   */
  changed?(workspace: Workspace, mailboxId: string): Promise<void>;
  /** Returns why the platform stopped sending; null when it did not. */
  stopped?(workspace: Workspace, mailboxId: string): Promise<SendingStopped | null>;
  /**
   * The mailbox was deleted: erase in batches the records that are too many for one transaction. Called by the
   * worker, and again for an hour; the next call continues an interrupted one.
   */
  erase?(workspace: Workspace, mailboxId: string, signal: AbortSignal): Promise<void>;
}

/** Registry of the higher domains that use mailboxes; this library does not know them. */
@Injectable()
export class MailboxHookRegistry {
  readonly #hooks = new Set<Partial<MailboxHooks>>();

  /** Call it once, when the module starts. */
  register(use: Partial<MailboxHooks>): void {
    this.#hooks.add(use);
  }

  async activeCampaigns(workspace: WorkspaceScope, mailboxId: string): Promise<readonly UsingCampaign[]> {
    const all: UsingCampaign[] = [];
    // In sequence: a transaction allows no parallel calls.
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
