export { type AttachmentFile, AttachmentsService } from './attachments/attachments.service';
export { classifyDiagnostic } from './classify/diagnostic';
export { type RefusalFault } from './classify/rules/rule';
export { ConversationRepository, type ThreadMessage } from './conversations/conversation.repository';
export {
  type ConversationMove,
  type ConversationWatch,
  ConversationHookRegistry,
} from './conversations/conversation-hook.registry';
export { ConversationsService } from './conversations/conversations.service';
export { ConversationUpdateService } from './conversations/conversation-update.service';
export { ConversationDetailResponse, ConversationResponse } from './dto/conversation.dto';
export { ConversationQuery, InboxQuery, UpdateConversationRequest } from './dto/conversation-requests.dto';
export { INBOX_EXAMPLES } from './dto/inbox-examples';
export { CreateReplyRequest, REPLY_EXAMPLES, ReplyResponse } from './dto/reply.dto';
export { InboxModule } from './inbox.module';
export { InboxFreshnessService } from './intake/inbox-freshness.service';
export { type ClaimableMail, type MailClaimer, MailClaimRegistry } from './intake/mail-claim.registry';
export { type TakeMailIn } from './intake/mail-intake.queue';
export { MailIntakeService } from './intake/mail-intake.service';
export { type AskLabel } from './label/label-request.repository';
export { ModelBudgetService } from './label/model-budget.service';
export { ReplyLabelService } from './label/reply-label.service';
export { InboxRepliesService, type ReplyProgress } from './replies/inbox-replies.service';
export { NO_REPLIES, type OpenReplies, InboxReplyRepository } from './replies/inbox-reply.repository';
export { composeReply } from './replies/reply-message';
export { type ReplyOutcome, type ReplySent } from './replies/reply-outcome';
export { type MessageKind } from './schemas/conversation-message.record';
export { ConversationRecord, REPLY_LABELS, type ReplyLabel } from './schemas/conversation.record';
export { InboxReplyRecord } from './schemas/inbox-reply.record';
export { foldLine } from './text/fold';
export { getLanguages } from './text/language';
