import { type MailboxRecord } from '@domain/mailboxes';
import { type TrackingUrls } from '@domain/tracking';
import { type Claim } from '../pipeline/send-claim.service';
import { type RenderedEmail, renderEmail } from './email-content';

/** Renders the email of a claim. */
export function renderClaim(
  mailbox: MailboxRecord,
  { send, campaign, lead, email }: Claim,
  { urls, date }: { readonly urls: TrackingUrls; readonly date: Date },
): RenderedEmail {
  const { trackOpens, trackClicks, includeUnsubscribeLink } = campaign.record;
  const sendId = send._id.toHexString();
  return renderEmail({
    step: email.templates,
    lead: lead.record,
    mailbox,
    settings: { trackOpens, trackClicks, includeUnsubscribeLink },
    thread: lead.record.thread ?? { messageIds: [], subject: null },
    ids: { sendId, messageId: send.messageId },
    urls,
    date,
    seed: spinSeed(lead.id, String(email.variant._id)),
  });
}

/** The seed uses ids, so that a preview and the email agree. */
export function spinSeed(leadId: string, variantId: string): string {
  return `${leadId} ${variantId}`;
}
