import { declarePersonal, type Erasure, type PersonalDataProvider } from '@platform/personal-data';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';

export const WEBHOOKS_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    declarePersonal(WebhookDeliveryRecord, {
      foundBy: { leadIds: ['leadId'], mentions: ['body', 'attempts.response'] },
      erases: ['body', 'attempts'],
      erase: eraseDelivery,
    }),
  ],
};

/**
 * Finished deliveries are counted and remain without their body, so they cannot be sent again. Waiting ones are
 * deleted.
 */
function eraseDelivery({ countedAs }: WebhookDeliveryRecord): Erasure<WebhookDeliveryRecord> {
  if (!countedAs) return 'delete';
  return { set: { body: '', leadId: null, attempts: [], state: countedAs, nextAttemptAt: null, manualAt: null } };
}
