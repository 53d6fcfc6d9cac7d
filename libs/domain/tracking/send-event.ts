import { type EventSubject } from '@domain/events';
import { type SendRecord } from '@domain/sends';

/** What every event about an email is about. */
export function aboutSend({ mailboxId, campaignId, leadId }: SendRecord): EventSubject {
  return {
    mailboxId: mailboxId.toHexString(),
    campaignId: campaignId.toHexString(),
    leadId: leadId.toHexString(),
  };
}

/** What every event about an email says of it. */
export function sendData({ _id, email, subject, stepOrder, stepId, variantId, messageId }: SendRecord) {
  return {
    email,
    subject,
    step: stepOrder,
    stepId: stepId.toHexString(),
    variantId: variantId.toHexString(),
    messageId,
    sendId: _id.toHexString(),
  };
}
