import { ChatModule } from '@adapters/chat';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { InboxModule } from '@domain/inbox';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OAuthModule } from '@domain/oauth';
import { ChatSecretListener } from './chat-secret.listener';
import { ChatOAuthService } from './oauth/chat-oauth.service';
import { ChatConsentService } from './oauth/chat-consent.service';
import { ChatAccessGrantsService } from './oauth/chat-access-grants.service';
import { ChatEventListener } from './delivery/chat-event.listener';
import { ChatWorkQueue } from './delivery/chat-work.queue';
import { ChatWorkPartitionService } from './delivery/chat-work-partition.service';
import { ChatMessageRepository } from './delivery/chat-message.repository';
import { ChatDeliveryService } from './delivery/chat-delivery.service';
import { ChatConnectionRecord } from './schemas/chat-connection.record';
import { ChatWorkPartitionRecord } from './schemas/chat-work-partition.record';
import { ChatMessageRecord } from './schemas/chat-message.record';
import { ChatChannelsService } from './settings/chat-channels.service';
import { ChatCheckService } from './settings/chat-check.service';
import { ChatConnectionRepository } from './settings/chat-connection.repository';
import { ChatConnectionWriteService } from './settings/chat-connection-write.service';
import { ChatMessagesService } from './settings/chat-messages.service';
import { ChatReachService } from './settings/chat-reach.service';
import { ChatRemovalService } from './settings/chat-removal.service';
import { ChatSettingsService } from './settings/chat-settings.service';
import { ChatTestService } from './settings/chat-test.service';
import { ChatMessageFormatterService } from './formatting/chat-message-formatter.service';

const offered = [
  ChatConnectionRepository,
  ChatSettingsService,
  ChatRemovalService,
  ChatChannelsService,
  ChatTestService,
  ChatCheckService,
  ChatMessagesService,
  ChatConsentService,
  ChatOAuthService,
  ChatWorkPartitionService,
  ChatDeliveryService,
];

/** What the chat of a workspace is told. */
@Module({
  imports: [
    DatabaseModule.collections(ChatConnectionRecord, ChatMessageRecord, ChatWorkPartitionRecord),
    ChatModule,
    OAuthModule,
    EventsModule,
    CampaignsModule,
    InboxModule,
    WorkspacesModule,
    AuditModule,
  ],
  providers: [
    ...offered,
    ChatSecretListener,
    ChatConnectionWriteService,
    ChatReachService,
    ChatAccessGrantsService,
    ChatEventListener,
    ChatWorkQueue,
    ChatMessageRepository,
    ChatMessageFormatterService,
  ],
  exports: offered,
})
export class ChatDomainModule {}
