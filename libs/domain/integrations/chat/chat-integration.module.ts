import { ChatModule } from '@adapters/chat';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { InboxModule } from '@domain/inbox';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ConsentModule } from '../consent/consent.module';
import { ChatSealed } from './chat.sealed';
import { ChatCallback } from './consent/chat.callback.service';
import { ChatConsent } from './consent/chat.consent.service';
import { ChatAccessGrants } from './consent/chat.grants.service';
import { ChatFanOut } from './delivery/chat.fan-out.service';
import { ChatLaneQueue } from './delivery/chat.lanes.queue';
import { ChatLanes } from './delivery/chat.lanes.service';
import { ChatPosts } from './delivery/chat.posts.service';
import { ChatTurns } from './delivery/chat.turns.service';
import { ChatConnectionRecord } from './schemas/chat-connection.record';
import { ChatLaneRecord } from './schemas/chat-lane.record';
import { ChatMessageRecord } from './schemas/chat-message.record';
import { ChatChannelList } from './settings/chat.channels.service';
import { ChatChecks } from './settings/chat.checks.service';
import { ChatConnections } from './settings/chat.connections.service';
import { ChatKeeping } from './settings/chat.keeping.service';
import { ChatMessages } from './settings/chat.messages.service';
import { ChatReach } from './settings/chat.reach.service';
import { ChatRemoval } from './settings/chat.removal.service';
import { ChatSettingsService } from './settings/chat.settings.service';
import { ChatTest } from './settings/chat.test.service';
import { ChatLetters } from './words/chat.letters.service';

const offered = [
  ChatConnections,
  ChatSettingsService,
  ChatRemoval,
  ChatChannelList,
  ChatTest,
  ChatChecks,
  ChatMessages,
  ChatConsent,
  ChatCallback,
  ChatLanes,
  ChatTurns,
];

/** What the chat of a workspace is told. */
@Module({
  imports: [
    DatabaseModule.collections(ChatConnectionRecord, ChatMessageRecord, ChatLaneRecord),
    ChatModule,
    ConsentModule,
    EventsModule,
    CampaignsModule,
    InboxModule,
    WorkspacesModule,
    AuditModule,
  ],
  providers: [
    ...offered,
    ChatSealed,
    ChatKeeping,
    ChatReach,
    ChatAccessGrants,
    ChatFanOut,
    ChatLaneQueue,
    ChatPosts,
    ChatLetters,
  ],
  exports: offered,
})
export class ChatIntegrationModule {}
