import { type MailStage, type ServerReply } from '@adapters/mail';
import { classifyDiagnostic, type RefusalFault } from '@domain/inbox';

/** An enhanced status code (RFC 3463) about the recipient. */
const ABOUT_THE_RECIPIENT = /^5\.[12]\./;

/**
 * Classifies a permanent refusal (5xx) by the rules for bounces. A wrong `recipient` costs a customer a lead. So it
 * needs a server that refuses RCPT, or one whose code also blames the recipient.
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
  // RFC 5321 defines 552 for insufficient storage; a server that means the mailbox says so in its text or code.
  return by === 'none' && smtpCode === '552' && enhanced === null ? 'content' : fault;
}
