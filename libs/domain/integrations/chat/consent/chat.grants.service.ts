import { type ChatGrant } from '@adapters/chat';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { scopeOfConsent } from '../../consent/consent.outcome';
import { ConsentSessions } from '../../consent/consent.sessions.service';
import { type IntegrationConsentRecord } from '../../consent/schemas/integration-consent.record';
import { ChatLanes } from '../delivery/chat.lanes.service';
import { ChatConnections } from '../settings/chat.connections.service';
import { ChatKeeping } from '../settings/chat.keeping.service';
import { ChatReach } from '../settings/chat.reach.service';

/** Keeps what a consent gave. */
@Injectable()
export class ChatAccessGrants {
  constructor(
    private readonly connections: ChatConnections,
    private readonly keeping: ChatKeeping,
    private readonly reach: ChatReach,
    private readonly sessions: ConsentSessions,
    private readonly lanes: ChatLanes,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * In one transaction with the session. Settings stay as they are; the channel stays when it is one of the same Slack workspace.
   * @throws CONFLICT when the chat was changed meanwhile
   */
  async keep(consent: IntegrationConsentRecord, { token, team }: ChatGrant): Promise<void> {
    const workspace = scopeOfConsent(consent);
    const before = await this.connections.find(workspace.workspaceId);
    const isSame = before?.way === 'consent' && before.teamId === team.id;
    const access = { way: 'consent' as const, secret: token, teamId: team.id, teamName: team.name };
    await this.transactions.run(async () => {
      const channel = isSame ? {} : { channel: null };
      await this.keeping.keep(workspace, before, { access, ...channel, isReached: true });
      await this.sessions.complete(consent);
    });
    await this.lanes.announce([workspace.workspaceId]);
    // Slack has one bot token for an app in a workspace: giving back the former one would end the new one.
    if (before && !isSame) await this.reach.giveBack(before);
  }
}
