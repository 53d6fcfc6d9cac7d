export { type AttachmentFile, ConversationAttachments } from './attachments/conversation.attachments.service';
export { judgeDiagnostic } from './classify/diagnostic';
export { type RefusalFault } from './classify/rules/rule';
export { AnsweredThreads, type ThreadMessage } from './conversations/answered.threads.service';
export {
  type ConversationMove,
  type ConversationWatch,
  ConversationWatches,
} from './conversations/conversation.watches';
export { ConversationsService } from './conversations/conversations.service';
export { ConversationUpdate } from './conversations/conversation.update.service';
export { WaitingReplies } from './conversations/waiting.replies.service';
export { ConversationDetailResponse, ConversationResponse } from './dto/conversation.dto';
export { ConversationQuery, InboxQuery, UpdateConversationRequest } from './dto/conversation.requests';
export { INBOX_EXAMPLES } from './dto/inbox.examples';
export { CreateReplyRequest, REPLY_EXAMPLES, ReplyResponse } from './dto/reply.dto';
export { InboxModule } from './inbox.module';
export { InboxFreshness } from './intake/inbox.freshness.service';
export { type ClaimableMail, type MailClaimer, MailClaims } from './intake/mail.claims';
export { type TakeMailIn } from './intake/mail.intake.queue';
export { MailIntake } from './intake/mail.intake.service';
export { type AskLabel } from './label/label.waiting.service';
export { ModelBudget } from './label/model.budget.service';
export { ReplyLabels } from './label/reply.labels.service';
export { AutomaticReplies, type ReplyProgress } from './replies/automatic.replies.service';
export { ConversationReplies } from './replies/conversation.replies.service';
export { NO_REPLIES, type OpenReplies, OutgoingReplies } from './replies/outgoing.replies.service';
export { ReplyDoubts } from './replies/reply.doubts.service';
export { letterOf } from './replies/reply.letter';
export { type ReplyOutcome, type ReplySent } from './replies/reply.outcome';
export { type MessageKind } from './schemas/conversation-message.record';
export { ConversationRecord, REPLY_LABELS, type ReplyLabel } from './schemas/conversation.record';
export { InboxReplyRecord } from './schemas/inbox-reply.record';
export { foldedLine } from './text/fold';
export { languagesOf } from './text/language';
