import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MailboxHookRegistry } from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BlacklistStandingsRepository } from './blacklist-standings.repository';
import { SendingAddressesService } from './sending-addresses.service';

/** Of a mailbox that is deleted nothing is kept but the tests that it was in; a schedule goes on without it. */
@Injectable()
export class BlacklistMailboxListener implements Partial<MailboxHooks>, OnModuleInit {
  constructor(
    private readonly standings: BlacklistStandingsRepository,
    private readonly addresses: SendingAddressesService,
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
