import { NOBODY, removePeople } from '@domain/mailboxes';
import {
  declarePersonal,
  declareUnfinished,
  ERASED,
  type Erasure,
  isSubjectAddress,
  type PersonalDataProvider,
  removeAddress,
  type Subject,
} from '@platform/personal-data';
import { NOT_OVER } from './replies/reply-states';
import { ConversationMessageRecord } from './schemas/conversation-message.record';
import { ConversationRecord } from './schemas/conversation.record';
import { InboxReplyRecord } from './schemas/inbox-reply.record';

const PEOPLE = ['to', 'cc', 'replyTo'] as const;
const TEXTS = ['subject', 'text', 'fullText', 'html'] as const;
const UNSAID = {
  from: NOBODY,
  replyTo: [],
  subject: '',
  text: ERASED,
  fullText: ERASED,
  html: null,
  messageId: null,
  attachments: [],
} satisfies Partial<ConversationMessageRecord>;

export const INBOX_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    declarePersonal(InboxReplyRecord, {
      foundBy: { conversationIds: ['conversationId'], address: ['email'], addressInAnyCase: ['to.address'] },
      settled: ['state', { $nin: NOT_OVER }],
      erases: 'all',
      erase: () => 'delete',
    }),
    declarePersonal(ConversationMessageRecord, {
      foundBy: {
        conversationIds: ['conversationId'],
        addressInAnyCase: ['from.address', 'to.address', 'cc.address', 'replyTo.address'],
        mentions: TEXTS,
      },
      erases: 'all',
      erase: eraseMessage,
    }),
    declarePersonal(ConversationRecord, {
      foundBy: { conversationIds: ['_id'], mentions: ['preview', 'subject', 'name'] },
      identifies: { as: 'conversationIds', foundBy: { leadIds: ['leadId'], addressInAnyCase: ['email'] } },
      erases: 'all',
      erase: eraseConversation,
    }),
  ],
  unfinished: [declareUnfinished(InboxReplyRecord, 'onTheirWay', { address: ['email'] }, ['state', { $in: NOT_OVER }])],
};

/** Earlier releases did not store all of them. */
type ErasedMessage = Pick<ConversationMessageRecord, 'conversationId' | 'from'> &
  Partial<Pick<ConversationMessageRecord, (typeof PEOPLE)[number] | (typeof TEXTS)[number]>>;

/** Messages of the person's own conversations are deleted; in others only the person's text and name. */
export function eraseMessage(record: ErasedMessage, subject: Subject): Erasure<ConversationMessageRecord> {
  const { address } = subject;
  if (subject.conversationIds.some((id) => id.equals(record.conversationId))) return 'delete';
  const left: Partial<ConversationMessageRecord> = {};
  for (const name of PEOPLE) if (record[name]) left[name] = removePeople(record[name], address);
  for (const name of TEXTS) if (record[name]) Object.assign(left, { [name]: removeAddress(record[name], address) });
  if (isSubjectAddress(record.from?.address, address)) return { set: { ...left, ...UNSAID } };
  const isUnchanged = [...PEOPLE, ...TEXTS].every((name) => !record[name] || left[name] === record[name]);
  return isUnchanged ? 'keep' : { set: left };
}

/** Other conversations show their last message. */
function eraseConversation(
  { _id, preview, subject: subjectLine, name }: ConversationRecord,
  subject: Subject,
): Erasure<ConversationRecord> {
  if (subject.conversationIds.some((id) => id.equals(_id))) return 'delete';
  const shown = { preview, subject: subjectLine, name };
  const left = removeAddress(shown, subject.address);
  return left === shown ? 'keep' : { set: left };
}
