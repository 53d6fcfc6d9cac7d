import { getFormat, type Sender, getSender } from './bounce-recognition';
import {
  type AutoReply,
  type Classification,
  toOneLine,
  type RecipientOutcome,
  type Verdict,
  findHeaviest,
} from './classification';
import { classifyComplaint } from './complaint';
import { type DeliveryStatus, readDeliveryStatus } from './delivery-status';
import { type DiagnosticClassification, classifyDiagnostic } from './diagnostic';
import { type Notification, getNotification } from './notification';
import { type ParsedMail } from './parsed-mail';
import { isSameAddress } from './recipient-address';
import { type NamedRecipient, listNamedRecipients } from './report-recipients';
import { classifySesNotice } from './ses-notice';
import { bounceRules } from './rules/bounce-rules';

const STATUS_PART = /^message\/(?:global-)?delivery-status$/;
const RECEIPT_PART = 'message/disposition-notification';

/** Classifies a message that is no report as an automatic reply; null for a person's message. */
type AutoReplyClassifier = (mail: ParsedMail) => AutoReply | null;

/**
 * Classifies a received message. The order matters: a complaint contains the whole original message, a third of all bounces
 * have `Auto-Submitted`, and a person may quote either. Never throws.
 */
export function classify(mail: ParsedMail, classifyAutoReply: AutoReplyClassifier): Classification {
  const complained = classifyComplaint(mail) ?? classifySesNotice(mail);
  if (complained) return complained;
  const sender = getSender(mail);
  const notification = getNotification(mail, sender.isDaemon || sender.isMarked);
  return (
    byDeliveryStatus(mail, sender, notification) ??
    byText(mail, sender, notification) ??
    byReceipt(mail) ??
    byAutoReply(mail, classifyAutoReply) ?? {
      verdict: 'human',
      rule: 'human/no-program',
      recipients: [],
      originalMessageId: null,
      autoReply: null,
    }
  );
}

/** Classifies a report with a status per recipient (RFC 3464, 6533). */
function byDeliveryStatus(mail: ParsedMail, sender: Sender, notification: Notification): Classification | null {
  // A person may forward a report or reply with one attached.
  if (sender.points < 0) return null;
  const part = mail.parts.find(({ contentType, text }) => text !== null && STATUS_PART.test(contentType));
  const statuses = part ? readDeliveryStatus(part.text ?? '') : [];
  if (statuses.length === 0) return null;
  if (statuses.every(({ action }) => action === 'delivered')) {
    return toAutoReply(mail, notification, { rule: 'dsn/delivered', kind: 'auto_reply', returnsOn: null });
  }
  const named = listNamedRecipients(mail, notification);
  const outcomes = statuses
    .filter(({ action }) => action !== 'delivered')
    .map((status) =>
      toOutcome(
        status,
        notification,
        statuses.length === 1 ? named : named.filter(({ address }) => isSameAddress(address, status.address)),
      ),
    );
  return toReport(outcomes, notification, mail);
}

function toOutcome(
  status: DeliveryStatus,
  notification: Notification,
  named: readonly NamedRecipient[],
): RecipientOutcome {
  const [first] = named;
  const address = status.address === '' ? (first?.address ?? '') : status.address;
  const isDelayed =
    status.action === 'delayed' ||
    (status.action === null && (status.status?.startsWith('4') ?? true) && isStillTrying(notification));
  const { originalAddress, remoteMta, action } = status;
  const classified = classifyStatus(status, first?.text ?? '', notification, named.length <= 1);
  const [verdict, rule]: [Verdict, string] = isDelayed
    ? ['delayed', 'dsn/delayed']
    : [classified.verdict, `dsn/${classified.rule}`];
  const diagnostic = toOneLine(status.diagnostic === '' ? (first?.text ?? '') : status.diagnostic);
  return {
    address,
    originalAddress,
    verdict,
    rule,
    status: classified.enhanced,
    smtpCode: classified.smtpCode,
    diagnostic,
    remoteMta,
    action,
  };
}

/** Classifies the status; without evidence in it, the text of the notification about the same recipient. */
function classifyStatus(
  { status, diagnostic }: DeliveryStatus,
  lines: string,
  { text }: Notification,
  isOnly: boolean,
): DiagnosticClassification {
  const classified = classifyDiagnostic({ enhanced: status, text: diagnostic });
  if (classified.by === 'words') return classified;
  for (const more of isOnly ? [lines, text] : [lines]) {
    if (more.trim() === '') continue;
    const again = classifyDiagnostic({ enhanced: status, smtpCode: classified.smtpCode, text: more });
    if (again.by === 'words') return again;
  }
  return classified;
}

/** Classifies a report without machine-readable part: qmail, Exim, Exchange, Notes and the like. */
function byText(mail: ParsedMail, sender: Sender, notification: Notification): Classification | null {
  const format = getFormat(sender, notification);
  if (format === null) return null;
  // A report with broken MIME shows its fields in the text.
  const shown = /^final-recipient:/im.test(notification.text) ? readDeliveryStatus(notification.text) : [];
  const named = listNamedRecipients(mail, notification);
  if (shown.some(({ action }) => action !== 'delivered')) {
    const outcomes = shown.map((status) => toOutcome(status, notification, shown.length === 1 ? named : []));
    return toReport(outcomes, notification, mail);
  }
  const isDelayed = isStillTrying(notification);
  const whole = classifyDiagnostic({ text: notification.text });
  const outcomes = named.map(({ address, text }) => toTextOutcome(address, text, { format, whole, isDelayed }));
  if (outcomes.length > 0) return toReport(outcomes, notification, mail);
  const unnamed = toTextOutcome('', notification.text, { format, whole, isDelayed });
  return { ...toReport([unnamed], notification, mail), recipients: [] };
}

interface TextReport {
  readonly format: string;
  /** The classification of the whole report. */
  readonly whole: DiagnosticClassification;
  readonly isDelayed: boolean;
}

/** Classifies one recipient by its own lines, or else by the whole report. */
function toTextOutcome(address: string, lines: string, { format, whole, isDelayed }: TextReport): RecipientOutcome {
  const own = classifyDiagnostic({ text: lines });
  const classified = own.by === 'words' || whole.by !== 'words' ? (own.by === 'none' ? whole : own) : whole;
  return {
    address,
    originalAddress: null,
    verdict: isDelayed ? 'delayed' : classified.verdict,
    rule: `${format}/${isDelayed ? 'delayed' : classified.rule}`,
    status: classified.enhanced,
    smtpCode: classified.smtpCode,
    diagnostic: toOneLine(lines),
    remoteMta: null,
    action: isDelayed ? 'delayed' : 'failed',
  };
}

function isStillTrying({ folded }: Notification): boolean {
  const { stillTrying, gaveUp } = bounceRules.value.format;
  return stillTrying.test(folded) && !gaveUp.test(folded);
}

function byReceipt(mail: ParsedMail): Classification | null {
  if (!mail.parts.some(({ contentType }) => contentType === RECEIPT_PART)) return null;
  return toAutoReply(mail, null, { rule: 'mdn/receipt', kind: 'auto_reply', returnsOn: null });
}

function byAutoReply(mail: ParsedMail, classifyAutoReply: AutoReplyClassifier): Classification | null {
  const autoReply = classifyAutoReply(mail);
  return autoReply === null ? null : toAutoReply(mail, null, autoReply);
}

function toAutoReply(mail: ParsedMail, notification: Notification | null, autoReply: AutoReply): Classification {
  const originalMessageId = notification?.returned?.messageId ?? mail.returned?.messageId ?? mail.inReplyTo;
  return { verdict: 'auto_reply', rule: autoReply.rule, recipients: [], originalMessageId, autoReply };
}

function toReport(outcomes: readonly RecipientOutcome[], { returned }: Notification, mail: ParsedMail): Classification {
  const heaviest = findHeaviest(outcomes);
  return {
    verdict: heaviest?.verdict ?? 'soft',
    rule: heaviest?.rule ?? 'report/nothing-said',
    recipients: outcomes.filter(({ address }) => address !== ''),
    originalMessageId: returned?.messageId ?? mail.inReplyTo ?? mail.references.at(-1) ?? null,
    autoReply: null,
  };
}
