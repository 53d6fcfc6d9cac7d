import { type MailStage, type ServerReply } from '@adapters/mail';
import { classifyDiagnostic, type RefusalFault } from '@domain/inbox';

/** A code (RFC 3463) that is about the recipient. */
const ABOUT_THE_RECIPIENT = /^5\.[12]\./;

/**
 * Judges a refusal for good (5xx) by the same rules as a bounce that comes later. A wrong `recipient` loses a customer's lead,
 * so it takes a server that was asked about the recipient, or one that says by its code, too, that this is who it means.
 */
export function refusalVerdict({
  stage,
  lastReply,
}: {
  stage: MailStage;
  lastReply: ServerReply | null;
}): RefusalFault {
  if (!lastReply) return 'unclear';
  if (stage === 'sender' || stage === 'login') return 'sender';
  const { code: smtpCode, enhancedCode, response: text } = lastReply;
  const { fault, by, enhanced } = classifyDiagnostic({ smtpCode, enhanced: enhancedCode, text });
  if (fault === 'recipient' && stage !== 'recipient' && !ABOUT_THE_RECIPIENT.test(enhanced ?? '')) return 'unclear';
  // RFC 5321 has it for what needs more room than there is; whoever means the mailbox says so.
  return by === 'none' && smtpCode === '552' && enhanced === null ? 'content' : fault;
}
