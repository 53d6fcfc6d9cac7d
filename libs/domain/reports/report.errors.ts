import { conflict, limitExceeded, notFound } from '@platform/errors';

export const unknownRecipient = () => notFound('Report recipient');
export const addressTaken = () => conflict('The address already receives reports of this workspace');
export const inactiveRecipient = () => conflict('The recipient is not active: activate it first');
export const reportUnderWay = () => conflict('A requested report to this recipient is still in delivery');

/** @param most the maximum number of recipients of a workspace */
export const tooManyRecipients = (most: number) =>
  limitExceeded(`A workspace may have ${most} report recipients; delete one that is no longer needed`);
