import { type MailAccount, type SendOutcome } from '@adapters/mail';

/** Protocols of mailboxes. */
export const PROTOCOLS = ['smtp_imap', 'gmail', 'graph'] as const satisfies readonly MailAccount['kind'][];

type Labels = Record<'protocol' | 'outcome', string>;

/** Metric labels of a handover; `fault`: it failed for another reason than the mail server. */
export function getHandoverLabels({ kind: protocol }: MailAccount): {
  done: (outcome: SendOutcome) => Labels;
  failed: () => Labels;
} {
  return { done: ({ kind: outcome }) => ({ protocol, outcome }), failed: () => ({ protocol, outcome: 'fault' }) };
}
