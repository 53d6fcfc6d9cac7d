import { ChatModule } from '@adapters/chat';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { InboxModule } from '@domain/inbox';
import { OAuthModule } from '@domain/oauth';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ChatSecretListener } from './chat-secret.listener';
import { ChatOAuthService } from './oauth/chat-oauth.service';
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
import { ChatMessagesService } from './delivery/chat-messages.service';
import { ChatSettingsService } from './settings/chat-settings.service';

const offered = [
  ChatConnectionRepository,
  ChatSettingsService,
  ChatChannelsService,
  ChatCheckService,
  ChatMessagesService,
  ChatOAuthService,
  ChatWorkPartitionService,
  ChatDeliveryService,
];

/** Chat notifications of a workspace: connection, settings and messages. */
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
  providers: [...offered, ChatSecretListener, ChatEventListener, ChatWorkQueue, ChatMessageRepository],
  exports: offered,
})
export class ChatDomainModule {}
