import { eventually, mailSandbox } from '@testing';
import PostalMime, { type Email } from 'postal-mime';
import { type AcceptedMail, acceptedFrom, type Platform, type SeededWorkspace } from '../harness';
import { newAddress } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';

export interface Recipient {
  _id: string;
  email: string;
  active: boolean;
  schedule: { enabled: boolean; nextScheduledAt: string | null; [field: string]: unknown };
  totalReportsSent: number;
  [field: string]: unknown;
}

export interface SentReport {
  _id: string;
  state: string;
  reason: string | null;
  attempts: number;
  [field: string]: unknown;
}

export const RECIPIENTS = '/v1/reports/recipients';

/** A recipient with an address of the sandbox. */
export async function addRecipient(
  platform: Platform,
  { key }: Pick<SeededWorkspace, 'key'>,
  more: object = {},
): Promise<Recipient> {
  const body = { name: 'Grace Hopper', email: newAddress('reader'), ...more };
  return dataOf<Recipient>(await platform.api.as(key).post(RECIPIENTS).send(body));
}

/** Sent from the mailbox, or by the operator’s server. */
export async function chooseSender(
  platform: Platform,
  { key }: Pick<SeededWorkspace, 'key'>,
  mailboxId: string | null,
): Promise<void> {
  await platform.api.as(key).put('/v1/reports/settings').send({ mailboxId }).expect(200);
}

/** Mail that the sandbox accepted from an address for a recipient; waits for the first one. */
export async function received(from: string, to: string): Promise<AcceptedMail[]> {
  const found = async () => (await acceptedFrom(new Set([from]))).filter((mail) => mail.to.includes(to));
  await eventually(`mail for ${to}`, async () => (await found()).length > 0);
  return found();
}

export async function parsed({ queueId }: AcceptedMail): Promise<Email> {
  const answer = await fetch(`${mailSandbox().webUrl}/api/messages/${queueId}/raw`);
  return PostalMime.parse(await answer.arrayBuffer());
}
