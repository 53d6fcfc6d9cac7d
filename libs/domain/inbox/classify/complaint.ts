import { type Classification, toOneLine, type RecipientOutcome } from './classification';
import { parseFields } from './header-block';
import { type MailHeaders, type ParsedMail } from './parsed-mail';
import { findAddress, findReturnPathRecipient } from './recipient-address';

/** Feedback types that are no complaint of a recipient (RFC 5965, 7.3; RFC 6591). */
const NO_COMPLAINT: Readonly<Record<string, { verdict: 'policy' | 'auto_reply'; rule: string }>> = {
  'auth-failure': { verdict: 'policy', rule: 'arf/auth-failure' },
  'not-spam': { verdict: 'auto_reply', rule: 'arf/not-spam' },
};

/** Classifies feedback reports: ARF (RFC 5965) and Microsoft's, which have no report part. Null for other mail. */
export function classifyComplaint(mail: ParsedMail): Classification | null {
  const report = mail.parts.find(({ contentType }) => contentType === 'message/feedback-report')?.text;
  if (typeof report === 'string')
    return classifyReport(mail, new Map(toLowerCaseNames(parseFields(report.replace(/^\s{1,99}/, '')))));
  const original = mail.returned?.headers;
  const isJunkReport =
    original?.has('x-hmxmroriginalrecipient') &&
    /@(?:hotmail|live|outlook|microsoft)\./i.test(mail.from?.address ?? '');
  const isNotified =
    /^scomp@aol\.net$/i.test(mail.from?.address ?? '') &&
    /^(?:client tos notification|email feedback report)/i.test(mail.subject);
  if (isJunkReport || isNotified) return toComplaint(mail, 'arf/provider-notice', null);
  const isAbuseReport = /^this is an email abuse report for an email message/im.test(mail.text.slice(0, 2_000));
  return isAbuseReport && mail.parts.length > 0 ? toComplaint(mail, 'arf/abuse-report-text', null) : null;
}

function classifyReport(mail: ParsedMail, fields: ReadonlyMap<string, string>): Classification {
  const type = (fields.get('feedback-type') ?? 'abuse').trim().toLowerCase();
  const address = findAddress(fields.get('original-rcpt-to')) ?? findAddress(fields.get('removal-recipient'));
  const other = NO_COMPLAINT[type];
  if (other?.verdict === 'auto_reply') {
    const { rule } = other;
    return {
      verdict: 'auto_reply',
      rule,
      recipients: [],
      originalMessageId: getMessageId(mail),
      autoReply: { rule, kind: 'auto_reply', returnsOn: null },
    };
  }
  const rule = /^[a-z-]{1,24}$/.test(type) ? `arf/${type}` : 'arf/other';
  return toComplaint(mail, rule, address, other?.verdict);
}

function toComplaint(
  mail: ParsedMail,
  rule: string,
  named: string | null,
  verdict: 'complaint' | 'policy' = 'complaint',
): Classification {
  const address = named ?? findComplainant(mail);
  const outcome: RecipientOutcome = {
    address: address ?? '',
    originalAddress: null,
    verdict,
    rule,
    status: null,
    smtpCode: null,
    diagnostic: toOneLine(mail.text.slice(0, 300)),
    remoteMta: null,
    action: null,
  };
  return {
    verdict,
    rule,
    recipients: address === null ? [] : [outcome],
    originalMessageId: getMessageId(mail),
    autoReply: null,
  };
}

/** Providers redact the complainant, but headers that we wrote often remain. */
function findComplainant(mail: ParsedMail): string | null {
  const original = mail.returned?.headers;
  if (!original) return null;
  const path = (field: string): string | null => findReturnPathRecipient(findAddress(original.get(field)) ?? '');
  const to =
    findAddress(original.get('x-hmxmroriginalrecipient')) ??
    path('return-path') ??
    path('x-return-path') ??
    findAddress(original.get('to'));
  return to !== null && /redacted/i.test(to) ? findAddress(getDeliveredTo(original)) : to;
}

function getDeliveredTo(original: MailHeaders): string {
  return original.get('delivered-to') ?? original.get('x-original-to') ?? '';
}

function getMessageId(mail: ParsedMail): string | null {
  return mail.returned?.messageId ?? null;
}

function* toLowerCaseNames(fields: Iterable<readonly [string, string]>): Generator<[string, string]> {
  for (const [name, value] of fields) yield [name.toLowerCase(), value];
}
