import { LlmModule } from '@adapters/llm';
import { MailModule } from '@adapters/mail';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { LeadsModule } from '@domain/leads';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { TrackingModule } from '@domain/tracking';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ConversationsService } from './conversations/conversations.service';
import { ConversationLeadService } from './conversations/conversation-lead.service';
import { ConversationErasureListener } from './conversations/conversation-erasure.listener';
import { ConversationRepository } from './conversations/conversation.repository';
import { ConversationUpdateService } from './conversations/conversation-update.service';
import { BounceEffectService } from './effects/bounce-effect.service';
import { LeadEventRecorderService } from './effects/lead-event-recorder.service';
import { LabelEffectService } from './effects/label-effect.service';
import { ConversationEntryService } from './intake/conversation-entry.service';
import { MailIntakeService } from './intake/mail-intake.service';
import { MessageEffectsService } from './intake/message-effects.service';
import { MailIntakeQueue } from './intake/mail-intake.queue';
import { MessageIntakeService } from './intake/message-intake.service';
import { MessageWriterService } from './intake/message-writer.service';
import { LabelRequestRepository } from './label/label-request.repository';
import { ModelBudgetService } from './label/model-budget.service';
import { ReplyLabelQueue } from './label/reply-label.queue';
import { ReplyLabelService } from './label/reply-label.service';
import { MessageMatchingService } from './match/message-matching.service';
import { BounceMatchingService } from './match/bounce-matching.service';
import { InboxRepliesService } from './replies/inbox-replies.service';
import { InboxReplyRepository } from './replies/inbox-reply.repository';
import { ReplyAddressService } from './replies/reply-address.service';
import { ReplyWithholdingListener } from './replies/reply-withholding.listener';
import { ConversationMessageRecord } from './schemas/conversation-message.record';
import { ConversationRecord } from './schemas/conversation.record';
import { InboxReplyRecord } from './schemas/inbox-reply.record';
import { ModelDayRecord } from './schemas/model-day.record';

const exported = [
  ConversationsService,
  ConversationUpdateService,
  InboxRepliesService,
  InboxReplyRepository,
  ConversationRepository,
  MailIntakeService,
  ReplyLabelService,
  ModelBudgetService,
];

@Module({
  imports: [
    DatabaseModule.collections(ConversationRecord, ConversationMessageRecord, InboxReplyRecord, ModelDayRecord),
    LlmModule,
    MailModule,
    AuditModule,
    EventsModule,
    SuppressionsModule,
    MailboxesModule,
    SendsModule,
    CampaignsModule,
    LeadsModule,
    TrackingModule,
  ],
  providers: [
    ...exported,
    MailIntakeQueue,
    MessageIntakeService,
    MessageWriterService,
    MessageMatchingService,
    BounceMatchingService,
    MessageEffectsService,
    ConversationEntryService,
    ConversationLeadService,
    ConversationErasureListener,
    LeadEventRecorderService,
    BounceEffectService,
    LabelEffectService,
    LabelRequestRepository,
    ReplyLabelQueue,
    ReplyAddressService,
    ReplyWithholdingListener,
  ],
  exports: exported,
})
export class InboxModule {}
