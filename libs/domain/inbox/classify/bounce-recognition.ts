import { foldDiagnostic } from './diagnostic-text';
import { type Notification } from './notification';
import { type ParsedMail } from './parsed-mail';
import { bounceRules } from './rules/bounce-rules';

/** Evidence for a report from sender, headers and subject. */
export interface Sender {
  /** Name or address is typical of programs. */
  readonly isDaemon: boolean;
  /** It has a header that only reports have. */
  readonly isMarked: boolean;
  readonly points: number;
}

/** Points needed for a report: a daemon with a report subject suffices in any language. */
const MIN_POINTS = 5;

const ANSWER =
  /^(?:re|aw|antw|sv|vs|r|rif|res|odp|ynt|ответ|回复|回覆|答复|fwd?|wg|tr|rv|enc|i|doorst|пересл|转发|轉寄)\s?(?:\[\d+\])?\s?[:：]/i;

export function getSender(mail: ParsedMail): Sender {
  const { headers } = mail;
  const { reportSender, reportSubject } = bounceRules.value.format;
  const from = foldDiagnostic(`${mail.from?.name ?? ''} <${mail.from?.address ?? ''}>`);
  const type = headers.get('content-type') ?? '';
  const isDaemon = reportSender.test(from) || (mail.from === null && headers.get('return-path') === '<>');
  const isMarked =
    headers.has('x-failed-recipients') ||
    headers.has('x-ms-exchange-message-is-ndr') ||
    headers.has('x-ms-embedded-report') ||
    /report-type\s{0,4}=\s{0,4}"?delivery-status/i.test(type) ||
    (headers.get('x-mailer') ?? '').startsWith('<SMTP32 v') ||
    headers.getAll('received').some((line) => /\(qmail \d+ invoked for bounce\)/.test(line));
  let points = 0;
  if (isDaemon) points += 3;
  if (isMarked) points += 4;
  if (/^\s*<\s*>/.test(headers.get('return-path') ?? '')) points += 1;
  if (reportSubject.test(foldDiagnostic(mail.subject).replace(/\s+/g, ' '))) points += 2;
  if (!isDaemon && !isMarked) {
    if (ANSWER.test(mail.subject.trim())) points -= 3;
    if (mail.inReplyTo !== null || mail.references.length > 0) points -= 1;
  }
  return { isDaemon, isMarked, points };
}

/** Returns the format of a report without machine-readable part; null for other mail. */
export function getFormat(sender: Sender, notification: Notification): string | null {
  const format = bounceRules.value.format.formats.find(({ pattern }) => pattern.test(notification.folded));
  const isGeneric = format?.name.startsWith('report') ?? false;
  let points = sender.points;
  if (format) points += isGeneric ? 2 : 3;
  if (
    /\b[45]\d\d[ -](?:#?[45]\.\d{1,3}\.\d{1,3}\b|.{0,40}(?:user|mailbox|recipient|unknown|reject|denied|quota|relay))/.test(
      notification.folded,
    )
  )
    points += 1;
  const isReport = points >= MIN_POINTS && (sender.isDaemon || sender.isMarked || (format !== undefined && !isGeneric));
  return isReport ? (format?.name ?? 'unknown-format') : null;
}
