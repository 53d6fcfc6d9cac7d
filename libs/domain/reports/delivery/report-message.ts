import { type ComposedMessage, composeMessage, type MailAddress } from '@adapters/mail';
import { domainToASCII } from 'node:url';
import { type RenderedReport } from '../content/report-shape';

export interface ReportMessage {
  readonly from: MailAddress;
  readonly to: MailAddress;
  readonly messageId: string;
  readonly date: Date;
  /** Address of the unsubscribe page. */
  readonly stopUrl: string;
}

const WHY = 'You receive this report because a member of the workspace added you as a recipient.';
const STOP = 'Stop these reports';

/**
 * Composes a report: HTML with its pictures, and text. `Auto-Submitted` (RFC 3834) prevents absence notices;
 * `List-Unsubscribe` with one click (RFC 8058) and the link at the end let the reader stop reports.
 */
export async function composeReport(rendered: RenderedReport, message: ReportMessage): Promise<ComposedMessage> {
  const { from, to, messageId, date, stopUrl } = message;
  return composeMessage({
    from: { ...from, name: toHeaderName(from.name) },
    to: { ...to, name: toHeaderName(to.name) },
    messageId,
    date,
    subject: rendered.subject,
    text: `${rendered.text.trimEnd()}\n\n${WHY}\n${STOP}: ${stopUrl}\n`,
    html: addFooter(rendered.html, stopUrl),
    images: rendered.images.map(({ cid, filename, png }) => ({
      cid,
      filename,
      contentType: 'image/png',
      content: png,
    })),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<${stopUrl}>`,
      // One click needs an https address (RFC 8058, section 3.1).
      ...(stopUrl.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  });
}

/** Drops a name that contains an encoded word: composing rejects it, and the report would never be sent. */
function toHeaderName(name: string): string {
  return name.includes('=?') ? '' : name;
}

/**
 * Returns the Message-ID of a report: of its recipient and its key (`ReportRecord.key`), the same for every attempt.
 * @param from the sender address; its domain is written in A-labels
 */
export function getReportMessageId(recipientId: string, key: string, from: string): string {
  const domain = domainToASCII(from.slice(from.lastIndexOf('@') + 1));
  return `<report.${recipientId}.${key.replaceAll(' ', '.')}@${domain}>`;
}

/** The URL consists of the public address and a token, so it needs no HTML escaping. */
function addFooter(html: string, stopUrl: string): string {
  const footer =
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" ' +
    'style="padding:16px;font:12px/18px Arial,Helvetica,sans-serif;color:#6b7280">' +
    `${WHY} <a href="${stopUrl}" style="color:#6b7280">${STOP}</a></td></tr></table>`;
  const end = html.lastIndexOf('</body>');
  return end < 0 ? html + footer : html.slice(0, end) + footer + html.slice(end);
}
