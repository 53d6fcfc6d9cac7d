import { type WorkspaceScope } from '@domain/access';
import { defineHook } from '@platform/hooks';

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
  activeCampaigns?(workspace: WorkspaceScope, mailboxId: string): Promise<readonly UsingCampaign[]>;
  /** The mailbox is being deleted: remove references to it. Called in the transaction of the deletion. */
  released?(workspace: WorkspaceScope, mailboxId: string): Promise<void>;
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
  eraseMailbox?(workspace: Workspace, mailboxId: string, signal: AbortSignal): Promise<void>;
}

/** Called for every use and change of a mailbox. */
export const MAILBOX_HOOKS = defineHook<MailboxHooks>('mailboxes');
