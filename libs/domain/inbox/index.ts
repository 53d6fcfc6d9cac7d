export { type AttachmentFile, ConversationsService } from './conversations/conversations.service';
export { classifyDiagnostic } from './classify/diagnostic';
export { type RefusalFault } from './classify/rules/rule';
export { ConversationRepository, type ThreadMessage } from './conversations/conversation.repository';
export {
  ConversationHookRegistry,
  type ConversationMove,
  type ConversationWatch,
} from './conversations/conversation-hook.registry';
export { ConversationUpdateService } from './conversations/conversation-update.service';
export { ConversationDetailResponse, ConversationResponse } from './dto/conversation.dto';
export { ConversationQuery, InboxQuery, UpdateConversationRequest } from './dto/conversation-requests.dto';
export { INBOX_EXAMPLES } from './dto/inbox-examples';
export { CreateReplyRequest, REPLY_EXAMPLES, ReplyResponse } from './dto/reply.dto';
export { InboxModule } from './inbox.module';
export { MailIntakeService } from './intake/mail-intake.service';
export { type ClaimableMail, MailClaimRegistry, type MailClaimer } from './intake/mail-claim.registry';
export { type TakeMailIn } from './intake/mail-intake.queue';
export { type AskLabel } from './label/label-request.repository';
export { ModelBudgetService } from './label/model-budget.service';
export { ReplyLabelService } from './label/reply-label.service';
export { InboxRepliesService, type ReplyProgress } from './replies/inbox-replies.service';
export { InboxReplyRepository, NO_REPLIES, type OpenReplies } from './replies/inbox-reply.repository';
export { composeReply } from './replies/reply-message';
export { type ReplyOutcome, type ReplySent } from './replies/reply-outcome';
export { type MessageKind } from './schemas/conversation-message.record';
export { ConversationRecord, REPLY_LABELS, type ReplyLabel } from './schemas/conversation.record';
export { InboxReplyRecord } from './schemas/inbox-reply.record';
export { foldLine } from './text/fold';
export { getLanguages } from './text/language';
export { INBOX_PERSONAL_DATA } from './inbox-personal-data';
