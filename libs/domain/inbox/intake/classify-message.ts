import { classifyAutoReply } from '../auto-reply/auto-reply';
import { type Classification, type RecipientOutcome } from '../classify/classification';
import { classify } from '../classify/classify';
import { type ParsedMail } from '../classify/parsed-mail';
import { type FailedRecipient, type ClassifiedMessage } from './classified-message';

/** What a message is, and what of it matters for what follows. */
export function classifyMessage(mail: ParsedMail): ClassifiedMessage {
  return judgedOf(classify(mail, classifyAutoReply));
}

function judgedOf(found: Classification): ClassifiedMessage {
  const { verdict, rule, originalMessageId, autoReply } = found;
  switch (verdict) {
    case 'human':
      return { kind: 'reply', rule };
    case 'auto_reply':
      return {
        kind: 'auto_reply',
        rule,
        isOutOfOffice: autoReply?.kind === 'out_of_office',
        returnsOn: autoReply?.returnsOn ?? null,
      };
    case 'complaint':
      return { kind: 'complaint', rule, recipients: found.recipients.map(addressOf), originalMessageId };
    case 'delayed':
      return { kind: 'delayed', rule, originalMessageId };
    case 'hard':
    case 'soft':
    case 'policy':
      return { kind: 'bounce', rule, failed: failedOf(found, verdict), originalMessageId };
  }
}

/** Those that are given up; a report that names nobody is about whomever its message was for. */
function failedOf({ rule, recipients }: Classification, verdict: FailedRecipient['verdict']): FailedRecipient[] {
  if (recipients.length === 0) {
    return [{ address: null, verdict, rule, diagnostic: null, code: null, enhancedCode: null }];
  }
  return recipients.flatMap((recipient) =>
    isFailure(recipient.verdict)
      ? [
          {
            address: addressOf(recipient),
            verdict: recipient.verdict,
            rule: recipient.rule,
            diagnostic: recipient.diagnostic || null,
            code: recipient.smtpCode === null ? null : String(recipient.smtpCode),
            enhancedCode: recipient.status,
          },
        ]
      : [],
  );
}

function isFailure(verdict: RecipientOutcome['verdict']): verdict is FailedRecipient['verdict'] {
  return verdict === 'hard' || verdict === 'soft' || verdict === 'policy';
}

/** As it was written to: what it was forwarded to is somebody else. */
function addressOf({ address, originalAddress }: RecipientOutcome): string {
  return originalAddress ?? address;
}
