import { conflict, limitExceeded, notFound } from '@platform/errors';

export const unknownWebhook = () => notFound('Webhook');
export const unknownDelivery = () => notFound('Delivery');
export const inactiveWebhook = () => conflict('The webhook is inactive: activate it first');
export const emptiedDelivery = () => conflict('What this delivery said was erased: there is nothing to send again');
export const replayRuns = () => conflict('A replay of this webhook runs already; its health tells how far it is');

/** @param most webhooks that a workspace may have */
export const tooManyWebhooks = (most: number) =>
  limitExceeded(`A workspace may have ${most} webhooks; delete one that is no longer needed`);
