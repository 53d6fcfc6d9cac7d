import { type ChatGrant } from '@adapters/chat';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { type OAuthConsentRecord, OAuthConsentSessionsService, scopeOfConsent } from '@domain/oauth';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { ChatConnectionRepository } from '../settings/chat-connection.repository';
import { ChatConnectionWriteService } from '../settings/chat-connection-write.service';
import { ChatReachService } from '../settings/chat-reach.service';

/** Keeps what a consent gave. */
@Injectable()
export class ChatAccessGrantsService {
  constructor(
    private readonly connections: ChatConnectionRepository,
    private readonly keeping: ChatConnectionWriteService,
    private readonly reach: ChatReachService,
    private readonly sessions: OAuthConsentSessionsService,
    private readonly lanes: ChatWorkPartitionService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * In one transaction with the session. Settings stay as they are; the channel stays when it is one of the same Slack workspace.
   * @throws CONFLICT when the chat was changed meanwhile
   */
  async save(consent: OAuthConsentRecord, { token, team }: ChatGrant): Promise<void> {
    const workspace = scopeOfConsent(consent);
    const before = await this.connections.find(workspace.workspaceId);
    const isSame = before?.way === 'consent' && before.teamId === team.id;
    const access = { way: 'consent' as const, secret: token, teamId: team.id, teamName: team.name };
    await this.transactions.run(async () => {
      const channel = isSame ? {} : { channel: null };
      await this.keeping.save(workspace, before, { access, ...channel, isReached: true });
      await this.sessions.complete(consent);
    });
    await this.lanes.enqueue([workspace.workspaceId]);
    // Slack has one bot token for an app in a workspace: giving back the former one would end the new one.
    if (before && !isSame) await this.reach.revoke(before);
  }
}
