import { type Model, Types } from 'mongoose';

/** A lead that got an email. */
export interface Written {
  campaignId: string;
  leadId: string;
  email: string;
  messageId: string;
}

export interface SentOptions {
  /** Default: a new campaign. */
  campaignId?: string;
  /** Send time of each email. Default: one email, an hour ago. */
  sentAt?: readonly Date[];
}

const EMAILS = ['Your roadmap', 'Re: Your roadmap', 'Re: Your roadmap'];

export function hourAgo(): Date {
  return new Date(Date.now() - 3_600_000);
}

/** Stores a sent email for each time, as the engine does. @returns the Message-ID of the last one */
export async function storeSends(
  sends: Model<Record<string, unknown>>,
  lead: { workspaceId: string; campaignId: string; leadId: string; mailboxId: string; email: string },
  sentAt: readonly Date[],
): Promise<string> {
  let messageId = '';
  for (const [stepOrder, at] of sentAt.entries()) {
    const _id = new Types.ObjectId();
    messageId = `<${_id.toHexString()}@senders.test>`;
    await sends.create({
      _id,
      ...lead,
      stepOrder,
      messageId,
      stepId: new Types.ObjectId(),
      variantId: new Types.ObjectId(),
      sequenceVersion: 1,
      fence: 1,
      state: 'sent',
      subject: EMAILS[stepOrder],
      claimedAt: at,
      handoverAt: at,
      sentAt: at,
    });
  }
  return messageId;
}
