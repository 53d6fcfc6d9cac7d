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
import { ConversationAttachments } from './attachments/conversation.attachments.service';
import { AnsweredThreads } from './conversations/answered.threads.service';
import { ConversationAttaching } from './conversations/conversation.attaching.service';
import { ConversationErasure } from './conversations/conversation.erasure.service';
import { ConversationLabelling } from './conversations/conversation.labelling.service';
import { ConversationStore } from './conversations/conversation.store.service';
import { ConversationThread } from './conversations/conversation.thread.service';
import { ConversationUpdate } from './conversations/conversation.update.service';
import { ConversationWatches } from './conversations/conversation.watches';
import { ConversationsService } from './conversations/conversations.service';
import { WaitingReplies } from './conversations/waiting.replies.service';
import { AutoReplyEffect } from './effects/auto-reply.effect.service';
import { BounceEffect } from './effects/bounce.effect.service';
import { ComplaintEffect } from './effects/complaint.effect.service';
import { FormerEffect } from './effects/former.effect.service';
import { InboxGathering } from './effects/inbox.gathering.service';
import { InboxTally } from './effects/inbox.tally.service';
import { LabelEffect } from './effects/label.effect.service';
import { ReplyEffect } from './effects/reply.effect.service';
import { ConversationEntries } from './intake/conversation.entries.service';
import { InboxFreshness } from './intake/inbox.freshness.service';
import { IntakeEffects } from './intake/intake.effects.service';
import { IntakeFollowUps } from './intake/intake.follow-ups.service';
import { MailIntakeQueue } from './intake/mail.intake.queue';
import { MailClaims } from './intake/mail.claims';
import { MailIntake } from './intake/mail.intake.service';
import { MessageIntake } from './intake/message.intake.service';
import { MessageOpening } from './intake/message.opening.service';
import { MessageWriting } from './intake/message.writing.service';
import { LabelWaiting } from './label/label.waiting.service';
import { ModelBudget } from './label/model.budget.service';
import { ModelLabelling } from './label/model.labelling.service';
import { ReplyLabelQueue } from './label/reply-label.queue';
import { ReplyLabels } from './label/reply.labels.service';
import { KnownLeads } from './match/known.leads.service';
import { MessageMatching } from './match/message.matching.service';
import { ReportMatching } from './match/report.matching.service';
import { AutomaticReplies } from './replies/automatic.replies.service';
import { ConversationReplies } from './replies/conversation.replies.service';
import { OutgoingReplies } from './replies/outgoing.replies.service';
import { ReplyAddressing } from './replies/reply.addressing.service';
import { ReplyDoubts } from './replies/reply.doubts.service';
import { ReplyCreation } from './replies/reply.creation.service';
import { ReplyWithholding } from './replies/reply.withholding.service';
import { ConversationMessageRecord } from './schemas/conversation-message.record';
import { ConversationRecord } from './schemas/conversation.record';
import { InboxReplyRecord } from './schemas/inbox-reply.record';
import { ModelDayRecord } from './schemas/model-day.record';

const offered = [
  ConversationsService,
  ConversationUpdate,
  ConversationAttachments,
  ConversationReplies,
  OutgoingReplies,
  ReplyDoubts,
  AutomaticReplies,
  AnsweredThreads,
  ConversationWatches,
  WaitingReplies,
  MailIntake,
  MailClaims,
  InboxFreshness,
  ReplyLabels,
  ModelBudget,
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
    ...offered,
    MailIntakeQueue,
    MessageIntake,
    MessageOpening,
    MessageWriting,
    MessageMatching,
    ReportMatching,
    IntakeEffects,
    ConversationEntries,
    IntakeFollowUps,
    ConversationStore,
    ConversationThread,
    ConversationAttaching,
    ConversationLabelling,
    ConversationErasure,
    KnownLeads,
    InboxTally,
    InboxGathering,
    ReplyEffect,
    AutoReplyEffect,
    BounceEffect,
    ComplaintEffect,
    FormerEffect,
    LabelEffect,
    LabelWaiting,
    ModelLabelling,
    ReplyLabelQueue,
    ReplyAddressing,
    ReplyCreation,
    ReplyWithholding,
  ],
  exports: offered,
})
export class InboxModule {}
