import { conflict, limitExceeded, notFound } from '@platform/errors';

export const unknownWebhook = () => notFound('Webhook');
export const unknownDelivery = () => notFound('Delivery');
export const inactiveWebhook = () => conflict('The webhook is inactive: activate it first');
export const emptiedDelivery = () => conflict('The data of this delivery was erased; it cannot be sent again');
export const replayRuns = () =>
  conflict('A replay of this webhook is already running; the health of the webhook shows its progress');

/** @param most webhooks that a workspace may have */
export const tooManyWebhooks = (most: number) =>
  limitExceeded(`A workspace may have ${most} webhooks; delete one that is no longer needed`);
