import { type MailAccount, type SendOutcome } from '@adapters/mail';

/** Ways to a mailbox. */
export const PROTOCOLS = ['smtp_imap', 'gmail', 'graph'] as const satisfies readonly MailAccount['kind'][];

type Labels = Record<'protocol' | 'outcome', string>;

/** How the giving of a mail to a server is measured; `fault`: it failed, and not because of the mail server. */
export function getHandoverLabels({ kind: protocol }: MailAccount): {
  done: (outcome: SendOutcome) => Labels;
  failed: () => Labels;
} {
  return { done: ({ kind: outcome }) => ({ protocol, outcome }), failed: () => ({ protocol, outcome: 'fault' }) };
}
