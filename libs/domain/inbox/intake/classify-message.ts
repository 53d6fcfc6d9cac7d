import { classifyAutoReply } from '../auto-reply/auto-reply';
import { type Classification, type RecipientOutcome } from '../classify/classification';
import { classify } from '../classify/classify';
import { type ParsedMail } from '../classify/parsed-mail';
import { type FailedRecipient, type ClassifiedMessage } from './classified-message';

/** Classifies a message and reduces the result to the facts that its effects depend on. */
export function classifyMessage(mail: ParsedMail): ClassifiedMessage {
  return toClassified(classify(mail, classifyAutoReply));
}

function toClassified(found: Classification): ClassifiedMessage {
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
      return { kind: 'complaint', rule, recipients: found.recipients.map(getAddress), originalMessageId };
    case 'delayed':
      return { kind: 'delayed', rule, originalMessageId };
    case 'hard':
    case 'soft':
    case 'policy':
      return { kind: 'bounce', rule, failed: listFailed(found, verdict), originalMessageId };
  }
}

/** Lists failed recipients. A report without recipients has one of unknown address: that of its message. */
function listFailed({ rule, recipients }: Classification, verdict: FailedRecipient['verdict']): FailedRecipient[] {
  if (recipients.length === 0) {
    return [{ address: null, verdict, rule, diagnostic: null, code: null, enhancedCode: null }];
  }
  return recipients.flatMap((recipient) =>
    isFailure(recipient.verdict)
      ? [
          {
            address: getAddress(recipient),
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

/** Prefers the original address: the message may have been forwarded to another one. */
function getAddress({ address, originalAddress }: RecipientOutcome): string {
  return originalAddress ?? address;
}
