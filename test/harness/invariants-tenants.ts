import { mailSandbox } from '@testing';
import { type AcceptedMail, acceptedFrom } from './invariants-facts';

/** Data that belongs to one workspace and must appear in no other. */
export interface Tenant {
  senders: readonly string[];
  recipients: readonly string[];
  /** Text that is in each of its emails. */
  canary: string;
}

export interface Text {
  /** Place of a find. */
  where: string;
  text: string;
}

/** A mail on the server, with its content. */
export interface DeliveredMail extends Pick<AcceptedMail, 'from' | 'to' | 'messageId'> {
  raw: string;
}

/** All mail that the sandbox accepted from the mailboxes of a workspace, with its content. */
export async function deliveredFrom(senders: readonly string[]): Promise<DeliveredMail[]> {
  const { webUrl } = mailSandbox();
  const mails: DeliveredMail[] = [];
  for (const { queueId, ...mail } of await acceptedFrom(new Set(senders))) {
    const answer = await fetch(`${webUrl}/api/messages/${queueId}/raw`);
    if (!answer.ok) throw new Error(`The sandbox does not have ${queueId} any more: ${answer.status}`);
    mails.push({ ...mail, raw: await answer.text() });
  }
  return mails;
}

/** 8: mail of a workspace goes to its own leads with its own content. */
export function* checkTenantMail(tenant: Tenant, others: readonly Tenant[], mails: readonly DeliveredMail[]) {
  const own = new Set(tenant.recipients);
  const foreign = others.map(({ canary }) => canary);
  for (const { to, messageId, raw } of mails) {
    const name = `${messageId} to ${to.join()}`;
    if (!to.every((address) => own.has(address))) yield `8: mail to another workspace’s leads: ${name}`;
    if (!raw.includes(tenant.canary)) yield `8: mail without its workspace's content: ${name}`;
    if (foreign.some((canary) => raw.includes(canary))) yield `8: mail with another workspace's content: ${name}`;
  }
}

/** 8: secrets and data of other workspaces appear nowhere. */
export function* nothingLeaks(texts: readonly Text[], secrets: Readonly<Record<string, string>>): Generator<string> {
  for (const { where, text } of texts) {
    for (const [what, secret] of Object.entries(secrets)) if (text.includes(secret)) yield `8: ${what} in ${where}`;
  }
}
