import { type WorkspaceScope } from '@domain/access';
import { defineHook } from '@platform/hooks';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** What is found where an email of a mailbox is read as received. Called outside transactions. */
export interface SentMailHooks {
  /** The DKIM selector that signed an email of a domain. */
  signed?(workspace: Workspace, domain: string, selector: string): Promise<void>;
  /** @param address public IPv4 or IPv6 address from which the mailbox's mail reached another server */
  originated?(workspace: Workspace, mailboxId: string, address: string): Promise<void>;
}

/** Called for findings in the mailboxes' own emails: domains of one rank do not import each other. */
export const SENT_MAIL_HOOKS = defineHook<SentMailHooks>('sent-mail');
