import { FlagField, IdField, OneOfField, SearchPageQuery } from '@platform/validation';
import { REPLY_LABELS, type ReplyLabel } from '../schemas/conversation.record';

const ANSWERS = ['true', 'false'] as const;
type Answer = (typeof ANSWERS)[number];

/** Query of the list; all conditions given must hold. */
export class InboxQuery extends SearchPageQuery {
  @OneOfField(ANSWERS, { optional: true, about: 'Only what nobody has looked at, or only what somebody has.' })
  unread?: Answer;

  @OneOfField(REPLY_LABELS, { optional: true, about: 'Only conversations with this label.' })
  label?: ReplyLabel;

  @IdField({ optional: true, about: 'Only conversations with leads of this campaign.' })
  campaignId?: string;

  @IdField({ optional: true, about: 'Only conversations that began in this mailbox.' })
  mailboxId?: string;

  @OneOfField(ANSWERS, {
    optional: true,
    about: 'Default: true, conversations with leads. false: only mail that answers nothing of ours.',
  })
  tracked?: Answer;
}

/** Query of a single conversation. */
export class ConversationQuery {
  @IdField({ optional: true, about: 'Only messages before this one: the `earlier` of the answer before.' })
  before?: string;
}

/** What is left out stays as it is. */
export class UpdateConversationRequest {
  @FlagField({ optional: true, about: 'false: somebody has looked at it.' })
  unread?: boolean;

  @OneOfField(REPLY_LABELS, {
    optional: true,
    nullable: true,
    about:
      'What the other side wants; no rule changes it any more. null takes it away: the next answer gets one again.',
  })
  label?: ReplyLabel | null;

  @IdField({
    optional: true,
    about:
      'An untracked conversation is with this lead, to whom something was sent: its messages are the lead’s answers.',
  })
  leadId?: string;
}
