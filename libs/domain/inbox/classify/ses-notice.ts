import { type Classification, oneLine, type RecipientOutcome, type Verdict, weightiest } from './classification';
import { classifyDiagnostic } from './diagnostic';
import { type ParsedMail } from './parsed-mail';

/** What Amazon SES tells a subscriber of its topic by mail: JSON as text. Null for other mail. */
export function classifySesNotice(mail: ParsedMail): Classification | null {
  if (!/@sns\.amazonaws\.com$/i.test(mail.from?.address ?? '') || !mail.text.trimStart().startsWith('{')) return null;
  const notice = readJson(mail.text);
  if (!isRecord(notice)) return null;
  const outcomes = [
    ...recipientsOf(notice.bounce, 'bouncedRecipients').map((recipient) => bounced(recipient, notice.bounce)),
    ...recipientsOf(notice.complaint, 'complainedRecipients').map((recipient) =>
      outcome(recipient, 'complaint', 'ses/complaint'),
    ),
  ];
  const heaviest = weightiest(outcomes);
  if (!heaviest) return null;
  const messageId = isRecord(notice.mail) ? textOf(notice.mail.messageId) : '';
  const { verdict, rule } = heaviest;
  return {
    verdict,
    rule,
    recipients: outcomes,
    originalMessageId: messageId === '' ? null : `<${messageId}>`,
    autoReply: null,
  };
}

type Record_ = Readonly<Record<string, unknown>>;

function bounced(recipient: Record_, bounce: unknown): RecipientOutcome {
  const judged = classifyDiagnostic({
    enhanced: textOf(recipient.status),
    text: textOf(recipient.diagnosticCode).replace(/^smtp; ?/i, ''),
  });
  const mayPass = isRecord(bounce) && textOf(bounce.bounceType) === 'Transient' && judged.verdict === 'hard';
  const told = outcome(recipient, mayPass ? 'soft' : judged.verdict, `ses/${judged.rule}`);
  return { ...told, status: judged.enhanced, smtpCode: judged.smtpCode, action: 'failed' };
}

function outcome(recipient: Record_, verdict: Verdict, rule: string): RecipientOutcome {
  return {
    address: textOf(recipient.emailAddress),
    originalAddress: null,
    verdict,
    rule,
    status: null,
    smtpCode: null,
    diagnostic: oneLine(textOf(recipient.diagnosticCode)),
    remoteMta: null,
    action: null,
  };
}

function recipientsOf(part: unknown, field: string): Record_[] {
  const listed = isRecord(part) ? part[field] : null;
  return Array.isArray(listed) ? listed.slice(0, 100).filter(isRecord) : [];
}

/** Mail breaks long lines, and some relays mark the place with `!`. */
function readJson(text: string): unknown {
  const end = text.lastIndexOf('}', text.includes('\n--\n') ? text.indexOf('\n--\n') : text.length);
  try {
    return JSON.parse(text.slice(0, end + 1).replaceAll(/!?\n ?/g, ''));
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record_ {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2_000) : '';
}
