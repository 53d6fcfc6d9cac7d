import { getFormat, type Sender, getSender } from './bounce-recognition';
import {
  type AutoReply,
  type Classification,
  oneLine,
  type RecipientOutcome,
  type Verdict,
  weightiest,
} from './classification';
import { classifyComplaint } from './complaint';
import { type DeliveryStatus, readDeliveryStatus } from './delivery-status';
import { type DiagnosticJudgement, classifyDiagnostic } from './diagnostic';
import { type Notification, getNotification } from './notification';
import { type ParsedMail } from './parsed-mail';
import { isSameAddress } from './recipient-address';
import { type Named, namedIn } from './report-recipients';
import { classifySesNotice } from './ses-notice';
import { bounceRules } from './rules/bounce-rules';

const STATUS_PART = /^message\/(?:global-)?delivery-status$/;
const RECEIPT_PART = 'message/disposition-notification';

/** Says whether a mailbox or a program wrote a message that is no report; null for a person. */
type AutoReplyJudge = (mail: ParsedMail) => AutoReply | null;

/**
 * What a received message is. The order is the decision: a complaint carries the whole message that it is about, a third of
 * all bounces say `Auto-Submitted`, and whatever a person quotes comes last. Never throws.
 */
export function classify(mail: ParsedMail, judgeAutoReply: AutoReplyJudge): Classification {
  const complained = classifyComplaint(mail) ?? classifySesNotice(mail);
  if (complained) return complained;
  const sender = getSender(mail);
  const notification = getNotification(mail, sender.isDaemon || sender.isMarked);
  return (
    byDeliveryStatus(mail, sender, notification) ??
    byText(mail, sender, notification) ??
    byReceipt(mail) ??
    byAutoReply(mail, judgeAutoReply) ?? {
      verdict: 'human',
      rule: 'human/no-program',
      recipients: [],
      originalMessageId: null,
      autoReply: null,
    }
  );
}

/** A report that says for each recipient what happened (RFC 3464, 6533). */
function byDeliveryStatus(mail: ParsedMail, sender: Sender, notification: Notification): Classification | null {
  // A person who answers with somebody's report in the mail is still a person.
  if (sender.points < 0) return null;
  const part = mail.parts.find(({ contentType, text }) => text !== null && STATUS_PART.test(contentType));
  const statuses = part ? readDeliveryStatus(part.text ?? '') : [];
  if (statuses.length === 0) return null;
  if (statuses.every(({ action }) => action === 'delivered')) {
    return automatic(mail, notification, { rule: 'dsn/delivered', kind: 'auto_reply', returnsOn: null });
  }
  const named = namedIn(mail, notification);
  const outcomes = statuses
    .filter(({ action }) => action !== 'delivered')
    .map((status) =>
      outcomeOf(
        status,
        notification,
        statuses.length === 1 ? named : named.filter(({ address }) => isSameAddress(address, status.address)),
      ),
    );
  return report(outcomes, notification, mail);
}

function outcomeOf(status: DeliveryStatus, notification: Notification, named: readonly Named[]): RecipientOutcome {
  const [first] = named;
  const address = status.address === '' ? (first?.address ?? '') : status.address;
  const isDelayed =
    status.action === 'delayed' ||
    (status.action === null && (status.status?.startsWith('4') ?? true) && isStillTried(notification));
  const { originalAddress, remoteMta, action } = status;
  const judged = judgeStatus(status, first?.text ?? '', notification, named.length <= 1);
  const [verdict, rule]: [Verdict, string] = isDelayed
    ? ['delayed', 'dsn/delayed']
    : [judged.verdict, `dsn/${judged.rule}`];
  const diagnostic = oneLine(status.diagnostic === '' ? (first?.text ?? '') : status.diagnostic);
  return {
    address,
    originalAddress,
    verdict,
    rule,
    status: judged.enhanced,
    smtpCode: judged.smtpCode,
    diagnostic,
    remoteMta,
    action,
  };
}

/** The answer in the report; where it says nothing, what the text above the report says of the same recipient. */
function judgeStatus(
  { status, diagnostic }: DeliveryStatus,
  lines: string,
  { text }: Notification,
  isOnly: boolean,
): DiagnosticJudgement {
  const judged = classifyDiagnostic({ enhanced: status, text: diagnostic });
  if (judged.by === 'words') return judged;
  for (const more of isOnly ? [lines, text] : [lines]) {
    if (more.trim() === '') continue;
    const again = classifyDiagnostic({ enhanced: status, smtpCode: judged.smtpCode, text: more });
    if (again.by === 'words') return again;
  }
  return judged;
}

/** A report for people only: qmail, Exim, Exchange, Notes and the like. */
function byText(mail: ParsedMail, sender: Sender, notification: Notification): Classification | null {
  const format = getFormat(sender, notification);
  if (format === null) return null;
  // A report whose MIME is broken shows its fields in the text.
  const shown = /^final-recipient:/im.test(notification.text) ? readDeliveryStatus(notification.text) : [];
  const named = namedIn(mail, notification);
  if (shown.some(({ action }) => action !== 'delivered')) {
    const outcomes = shown.map((status) => outcomeOf(status, notification, shown.length === 1 ? named : []));
    return report(outcomes, notification, mail);
  }
  const isDelayed = isStillTried(notification);
  const whole = classifyDiagnostic({ text: notification.text });
  const outcomes = named.map(({ address, text }) => saidOf(address, text, { format, whole, isDelayed }));
  if (outcomes.length > 0) return report(outcomes, notification, mail);
  const nobody = saidOf('', notification.text, { format, whole, isDelayed });
  return { ...report([nobody], notification, mail), recipients: [] };
}

interface Text {
  readonly format: string;
  /** The judgement of all that the report says. */
  readonly whole: DiagnosticJudgement;
  readonly isDelayed: boolean;
}

/** What a report for people says of one recipient: in its own lines, or else anywhere. */
function saidOf(address: string, lines: string, { format, whole, isDelayed }: Text): RecipientOutcome {
  const own = classifyDiagnostic({ text: lines });
  const judged = own.by === 'words' || whole.by !== 'words' ? (own.by === 'none' ? whole : own) : whole;
  return {
    address,
    originalAddress: null,
    verdict: isDelayed ? 'delayed' : judged.verdict,
    rule: `${format}/${isDelayed ? 'delayed' : judged.rule}`,
    status: judged.enhanced,
    smtpCode: judged.smtpCode,
    diagnostic: oneLine(lines),
    remoteMta: null,
    action: isDelayed ? 'delayed' : 'failed',
  };
}

function isStillTried({ folded }: Notification): boolean {
  const { stillTrying, gaveUp } = bounceRules.value.format;
  return stillTrying.test(folded) && !gaveUp.test(folded);
}

function byReceipt(mail: ParsedMail): Classification | null {
  if (!mail.parts.some(({ contentType }) => contentType === RECEIPT_PART)) return null;
  return automatic(mail, null, { rule: 'mdn/receipt', kind: 'auto_reply', returnsOn: null });
}

function byAutoReply(mail: ParsedMail, judgeAutoReply: AutoReplyJudge): Classification | null {
  const autoReply = judgeAutoReply(mail);
  return autoReply === null ? null : automatic(mail, null, autoReply);
}

function automatic(mail: ParsedMail, notification: Notification | null, autoReply: AutoReply): Classification {
  const originalMessageId = notification?.returned?.messageId ?? mail.returned?.messageId ?? mail.inReplyTo;
  return { verdict: 'auto_reply', rule: autoReply.rule, recipients: [], originalMessageId, autoReply };
}

function report(outcomes: readonly RecipientOutcome[], { returned }: Notification, mail: ParsedMail): Classification {
  const heaviest = weightiest(outcomes);
  return {
    verdict: heaviest?.verdict ?? 'soft',
    rule: heaviest?.rule ?? 'report/nothing-said',
    recipients: outcomes.filter(({ address }) => address !== ''),
    originalMessageId: returned?.messageId ?? mail.inReplyTo ?? mail.references.at(-1) ?? null,
    autoReply: null,
  };
}
