import { FlagField, IdField, OneOfField, SearchPageQuery } from '@platform/validation';
import { REPLY_LABELS, type ReplyLabel } from '../schemas/conversation.record';

const ANSWERS = ['true', 'false'] as const;
type Answer = (typeof ANSWERS)[number];

/** Query of the list; all conditions given must hold. */
export class InboxQuery extends SearchPageQuery {
  @OneOfField(ANSWERS, { optional: true, about: 'true: only unread conversations. false: only read ones.' })
  unread?: Answer;

  @OneOfField(REPLY_LABELS, { optional: true, about: 'Only conversations with this label.' })
  label?: ReplyLabel;

  @IdField({ optional: true, about: 'Only conversations with leads of this campaign.' })
  campaignId?: string;

  @IdField({ optional: true, about: 'Only conversations that began in this mailbox.' })
  mailboxId?: string;

  @OneOfField(ANSWERS, {
    optional: true,
    about: 'Default: true, conversations with leads. false: only mail without a lead.',
  })
  tracked?: Answer;
}

/** Query of a single conversation. */
export class ConversationQuery {
  @IdField({ optional: true, about: 'Only messages before this one: the `earlier` of the previous response.' })
  before?: string;
}

/** Omitted fields stay unchanged. */
export class UpdateConversationRequest {
  @FlagField({ optional: true, about: 'false: marks the conversation as read.' })
  unread?: boolean;

  @OneOfField(REPLY_LABELS, {
    optional: true,
    nullable: true,
    about:
      'The intent of the other side. Rules no longer change it. null removes it: the next reply is labelled again.',
  })
  label?: ReplyLabel | null;

  @IdField({
    optional: true,
    about:
      'Attaches an untracked conversation to this lead: its messages become replies of the lead. The lead must have received an email.',
  })
  leadId?: string;
}
