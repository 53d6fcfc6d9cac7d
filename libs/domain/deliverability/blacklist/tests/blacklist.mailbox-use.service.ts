import { type WorkspaceScope } from '@domain/access';
import { type MailboxUse, MailboxHookRegistry } from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BlacklistStandings } from './blacklist.standings.service';
import { SendingAddresses } from './sending.addresses.service';

/** Of a mailbox that is deleted nothing is kept but the tests that it was in; a schedule goes on without it. */
@Injectable()
export class BlacklistMailboxUse implements Partial<MailboxUse>, OnModuleInit {
  constructor(
    private readonly standings: BlacklistStandings,
    private readonly addresses: SendingAddresses,
    private readonly uses: MailboxHookRegistry,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    await this.standings.forget(workspaceId, mailboxId);
    await this.addresses.forget(workspaceId, mailboxId);
  }
}
