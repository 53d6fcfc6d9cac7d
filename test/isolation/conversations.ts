import { randomUUID } from 'node:crypto';
import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Platform, type SeededWorkspace } from '../harness';
import { type Outside } from './outside';

/** People of the conversations. */
export interface Counterparts {
  campaignId: string;
  leadIds: readonly string[];
  mailboxId: string;
}

const MAIL =
  'From: ada@leads.example\r\nMessage-ID: <answer@leads.example>\r\nSubject: Re: Hello\r\nMIME-Version: 1.0\r\n' +
  'Content-Type: multipart/mixed; boundary="part"\r\n\r\n--part\r\nContent-Type: text/plain\r\n\r\nSee there.\r\n' +
  '--part\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="plan.pdf"\r\n\r\n%PDF\r\n--part--\r\n';

/**
 * Stores a conversation with each lead, as if mail had arrived.
 * @param outside provider of the first attachment; without it no attachment can be fetched
 * @returns the ids of the first conversation and its message, and of the mailbox with the attachment
 */
export async function makeConversations(
  platform: Platform,
  workspace: SeededWorkspace,
  { campaignId, leadIds, mailboxId }: Counterparts,
  outside?: Outside,
): Promise<{ conversationId: string; messageId: string; vendor: { mailboxId: string; address: string } | undefined }> {
  const { workspaceId } = workspace;
  const at = new Date();
  const attachments = [{ index: 0, name: 'plan.pdf', contentType: 'application/pdf', size: 4 }];
  const kept = await outside?.keeps(platform, workspace, Buffer.from(MAIL));
  const ids: { conversationId: string; messageId: string }[] = [];
  for (const leadId of leadIds) {
    const _id = new Types.ObjectId();
    await model(platform, 'ConversationRecord').create({
      _id,
      workspaceId,
      mailboxId,
      campaignId,
      leadId,
      tracked: true,
      email: `${leadId}@leads.example`,
      subject: 'Hello',
      lastMessageAt: at,
      lastDirection: 'received',
      messageCount: 1,
      attachmentCount: 1,
    });
    const messageId = new Types.ObjectId();
    await model(platform, 'ConversationMessageRecord').create({
      _id: messageId,
      workspaceId,
      conversationId: _id,
      mailboxId: kept?.mailboxId ?? mailboxId,
      direction: 'received',
      kind: 'reply',
      at,
      messageId: `<${randomUUID()}@leads.example>`,
      from: { name: 'Ada', address: 'ada@leads.example' },
      subject: 'Re: Hello',
      text: 'See there.',
      attachments,
      firstAttachment: 0,
      providerMessageId: kept?.messageId ?? null,
    });
    ids.push({ conversationId: _id.toHexString(), messageId: messageId.toHexString() });
  }
  return { ...ids[0]!, vendor: kept };
}

function model({ app }: Platform, name: string): Model<Record<string, unknown>> {
  return app.get<Model<Record<string, unknown>>>(getModelToken(name), { strict: false });
}
