import {
  declarePersonal,
  type Erasure,
  isSubjectAddress,
  type PersonalDataProvider,
  removeAddress,
  type Subject,
} from '@platform/personal-data';
import { type MailAddress } from '@adapters/mail';
import { MailboxMessageRecord, UNFINISHED_STATES } from './schemas/mailbox-message.record';

const OPEN_STATES: ReadonlySet<string> = new Set(UNFINISHED_STATES);

/** Replaces a person in the header of a message. */
export const NOBODY: MailAddress = { name: '', address: '' };

export const MAILBOXES_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    declarePersonal(MailboxMessageRecord, {
      foundBy: {
        address: ['tasks.address'],
        addressInAnyCase: ['from.address', 'to.address'],
        mentions: ['subject'],
      },
      erases: ['from', 'to', 'subject', 'messageId', 'inReplyTo', 'references', 'problem', 'tasks'],
      erase: eraseEnvelope,
    }),
  ],
};

/** The envelope remains: without it the same message would be taken in again. */
export function eraseEnvelope(
  record: Pick<MailboxMessageRecord, 'from' | 'to' | 'subject' | 'tasks' | 'state'>,
  { address }: Subject,
): Erasure<MailboxMessageRecord> {
  const isAuthor = isSubjectAddress(record.from?.address, address);
  const to = removePeople(record.to, address);
  const subject = isAuthor ? '' : removeAddress(record.subject, address);
  const tasks = removeAddress(record.tasks, address);
  if (!isAuthor && to === record.to && subject === record.subject && tasks === record.tasks) return 'keep';
  return {
    set: {
      to,
      subject,
      problem: null,
      ...(isAuthor && { from: null, messageId: null, inReplyTo: null, references: [] }),
      // Its open tasks are dropped: the address is suppressed.
      ...((isAuthor || tasks !== record.tasks) && OPEN_STATES.has(record.state) && { state: 'done', tasks: [] }),
    },
  };
}

/** Removes a person from the recipients of a message; the name next to the address is removed with it. */
export function removePeople(list: MailAddress[], address: string): MailAddress[] {
  const left = list.map((one) => (isSubjectAddress(one.address, address) ? NOBODY : one));
  return left.some((one, at) => one !== list[at]) ? left : list;
}
