import { conflict, limitExceeded, notFound } from '@platform/errors';

export const unknownRecipient = () => notFound('Report recipient');
export const addressTaken = () => conflict('The address gets reports of this workspace already');
export const inactiveRecipient = () => conflict('The recipient is not active: activate it first');
export const reportUnderWay = () => conflict('A report that was asked for is still on its way to this recipient');

/** @param most the maximum number of recipients of a workspace */
export const tooManyRecipients = (most: number) =>
  limitExceeded(`A workspace may have ${most} report recipients; delete one that is no longer needed`);
