import { type EventSubject } from '@domain/events';
import { type SendRecord } from '@domain/sends';

/** The subject of each event about an email. */
export function aboutSend({ mailboxId, campaignId, leadId }: SendRecord): EventSubject {
  return {
    mailboxId: mailboxId.toHexString(),
    campaignId: campaignId.toHexString(),
    leadId: leadId.toHexString(),
  };
}

/** The common data of each event about an email. */
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
