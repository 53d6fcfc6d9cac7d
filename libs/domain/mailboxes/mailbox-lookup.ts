import { type WorkspaceScope } from '@domain/access';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type MailboxRecord } from './schemas/mailbox.record';

/**
 * Reads a mailbox of the workspace.
 * @throws NOT_FOUND, also for a malformed id and for a mailbox of another workspace
 */
export async function requireMailbox(
  mailboxes: Model<MailboxRecord>,
  { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
  mailboxId: string,
): Promise<MailboxRecord> {
  const _id = parseId(mailboxId);
  const record = _id && (await mailboxes.findOne({ workspaceId, _id }).lean<MailboxRecord>());
  if (!record) throw notFound('Mailbox');
  return record;
}
