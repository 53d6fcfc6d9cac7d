import { domainToASCII } from 'node:url';

/** The Message-ID of an email, `<sendId@sending-domain>` with the domain in A-labels: the same for every attempt. */
export function toMessageId(sendId: string, mailboxEmail: string): string {
  return `<${sendId}@${getMessageDomain(mailboxEmail)}>`;
}

/** The right-hand side of the Message-IDs of a mailbox. */
function getMessageDomain(mailboxEmail: string): string {
  return domainToASCII(mailboxEmail.slice(mailboxEmail.lastIndexOf('@') + 1));
}
