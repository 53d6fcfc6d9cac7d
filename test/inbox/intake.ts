import { MailIntakeService } from '@domain/inbox';
import { type MailboxRecord } from '@domain/mailboxes';
import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Platform, type SeededWorkspace } from '../harness';

const PERIOD_MS = 30 * 86_400_000;

/** Reads the mailbox and completes all work that follows from its mail. */
export async function takeIn(platform: Platform, { workspaceId }: SeededWorkspace, mailboxId: string): Promise<void> {
  const mailbox = await modelOf<MailboxRecord>(platform, 'MailboxRecord')
    .findOne({ _id: mailboxId, workspaceId })
    .orFail()
    .lean<MailboxRecord>();
  const intake = platform.app.get(MailIntakeService, { strict: false });
  await intake.ensureFresh(mailbox, 0, AbortSignal.timeout(20_000));
}

/** Includes mail from before the connection of the mailbox. */
export async function includeOldMail(
  platform: Platform,
  { workspaceId }: SeededWorkspace,
  mailboxId: string,
): Promise<void> {
  const since = new Date(Date.now() - PERIOD_MS);
  await modelOf(platform, 'MailboxSyncRecord').updateOne(
    { _id: new Types.ObjectId(mailboxId), workspaceId },
    { $set: { since, cursor: null } },
  );
}

function modelOf<T = Record<string, unknown>>({ app }: Platform, name: string): Model<T> {
  return app.get<Model<T>>(getModelToken(name), { strict: false });
}
