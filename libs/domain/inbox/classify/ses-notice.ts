import { type Classification, toOneLine, type RecipientOutcome, type Verdict, findHeaviest } from './classification';
import { classifyDiagnostic } from './diagnostic';
import { type ParsedMail } from './parsed-mail';

/** Classifies a notification that Amazon SES sends by mail: JSON as text. Null for other mail. */
export function classifySesNotice(mail: ParsedMail): Classification | null {
  if (!/@sns\.amazonaws\.com$/i.test(mail.from?.address ?? '') || !mail.text.trimStart().startsWith('{')) return null;
  const notice = readJson(mail.text);
  if (!isRecord(notice)) return null;
  const outcomes = [
    ...listRecipients(notice.bounce, 'bouncedRecipients').map((recipient) => toBounce(recipient, notice.bounce)),
    ...listRecipients(notice.complaint, 'complainedRecipients').map((recipient) =>
      toOutcome(recipient, 'complaint', 'ses/complaint'),
    ),
  ];
  const heaviest = findHeaviest(outcomes);
  if (!heaviest) return null;
  const messageId = isRecord(notice.mail) ? toText(notice.mail.messageId) : '';
  const { verdict, rule } = heaviest;
  return {
    verdict,
    rule,
    recipients: outcomes,
    originalMessageId: messageId === '' ? null : `<${messageId}>`,
    autoReply: null,
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

function toBounce(recipient: JsonObject, bounce: unknown): RecipientOutcome {
  const classified = classifyDiagnostic({
    enhanced: toText(recipient.status),
    text: toText(recipient.diagnosticCode).replace(/^smtp; ?/i, ''),
  });
  const isTransient = isRecord(bounce) && toText(bounce.bounceType) === 'Transient' && classified.verdict === 'hard';
  const base = toOutcome(recipient, isTransient ? 'soft' : classified.verdict, `ses/${classified.rule}`);
  return { ...base, status: classified.enhanced, smtpCode: classified.smtpCode, action: 'failed' };
}

function toOutcome(recipient: JsonObject, verdict: Verdict, rule: string): RecipientOutcome {
  return {
    address: toText(recipient.emailAddress),
    originalAddress: null,
    verdict,
    rule,
    status: null,
    smtpCode: null,
    diagnostic: toOneLine(toText(recipient.diagnosticCode)),
    remoteMta: null,
    action: null,
  };
}

function listRecipients(part: unknown, field: string): JsonObject[] {
  const listed = isRecord(part) ? part[field] : null;
  return Array.isArray(listed) ? listed.slice(0, 100).filter(isRecord) : [];
}

/** Mail transport breaks long lines, and some relays mark the break with `!`. */
function readJson(text: string): unknown {
  const end = text.lastIndexOf('}', text.includes('\n--\n') ? text.indexOf('\n--\n') : text.length);
  try {
    return JSON.parse(text.slice(0, end + 1).replaceAll(/!?\n ?/g, ''));
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2_000) : '';
}
