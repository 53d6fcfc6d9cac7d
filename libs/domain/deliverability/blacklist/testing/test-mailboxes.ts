import { type WorkspaceScope } from '@domain/access';
import { type MailboxRecord, type NewMailbox } from '@domain/mailboxes';
import { type Model, Types } from 'mongoose';

/** A mailbox that sends through a host or a provider such as `google`. */
export function newTestMailbox(email: string, smtpHost: string): NewMailbox {
  const _id = new Types.ObjectId();
  const google = { provider: 'google', connectionType: 'oauth' } as const;
  const custom = { provider: 'custom', connectionType: 'smtp', smtpHost, smtpPort: 587, smtpSecure: false } as const;
  return { _id, email, ...(smtpHost === 'google' ? google : custom) };
}

/** Inserts copies of a mailbox with other fields, without the checks of the service. @returns their ids */
export async function copyMailbox(
  mailboxes: Model<MailboxRecord>,
  { workspaceId }: WorkspaceScope,
  mailboxId: string,
  others: readonly Partial<MailboxRecord>[],
): Promise<string[]> {
  const where = { workspaceId, _id: new Types.ObjectId(mailboxId) };
  const template: object = await mailboxes.findOne(where).lean<MailboxRecord>().orFail();
  const copies = others.map((fields) => ({ ...template, ...fields, _id: new Types.ObjectId() }));
  await mailboxes.insertMany(copies, { lean: true });
  return copies.map(({ _id }) => _id.toHexString());
}
