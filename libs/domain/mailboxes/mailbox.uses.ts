import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';

export interface UsingCampaign {
  readonly id: string;
  readonly name: string;
}

/** What a higher domain knows about who works with a mailbox. Both are called in the transaction of the deletion. */
export interface MailboxUse {
  /** Campaigns that send from it now. */
  activeCampaigns(workspace: WorkspaceScope, mailboxId: string): Promise<readonly UsingCampaign[]>;
  /** The mailbox is being deleted: let go of it, and remove what is of no use without it. */
  released(workspace: WorkspaceScope, mailboxId: string): Promise<void>;
}

/** Where higher domains tell at the start of the process that they work with mailboxes: they are not known down here. */
@Injectable()
export class MailboxUses {
  readonly #uses = new Set<MailboxUse>();

  /** Call it once, when the module starts. */
  register(use: MailboxUse): void {
    this.#uses.add(use);
  }

  async activeCampaigns(workspace: WorkspaceScope, mailboxId: string): Promise<readonly UsingCampaign[]> {
    const all: UsingCampaign[] = [];
    // One after the other: a transaction takes no calls side by side.
    for (const use of this.#uses) all.push(...(await use.activeCampaigns(workspace, mailboxId)));
    return all;
  }

  async released(workspace: WorkspaceScope, mailboxId: string): Promise<void> {
    for (const use of this.#uses) await use.released(workspace, mailboxId);
  }
}
