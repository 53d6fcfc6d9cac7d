import type { composeMessage } from '@adapters/mail';
import {
  toHtml,
  oneLine,
  renderTemplate,
  SIGNATURE,
  SIGNATURE_CLASS,
  type Template,
  type TemplateNeed,
  toTextPart,
  usesVariable,
} from '@domain/campaigns';
import { appendToBody, honeypotHtml, pixelHtml, rewriteLinks, type TrackingUrls } from '@domain/tracking';
import { type EmailThread, placeInThread } from './email-thread';
import { emailVariables, type LeadValues } from './email-variables';

/** The input of `composeMessage`. */
export type MessageInput = Parameters<typeof composeMessage>[0];

/** The input of one email. */
export interface EmailFacts {
  /** Compiled as `subject` and as `html`. */
  readonly step: { readonly subject: Template; readonly body: Template };
  readonly lead: LeadValues;
  /** `signature` is HTML; without any tag, plain text. */
  readonly mailbox: { readonly email: string; readonly displayName: string; readonly signature: string };
  readonly settings: {
    readonly trackOpens: boolean;
    readonly trackClicks: boolean;
    readonly includeUnsubscribeLink: boolean;
  };
  readonly thread: EmailThread;
  readonly ids: { readonly sendId: string; readonly messageId: string };
  readonly urls: Pick<TrackingUrls, 'open' | 'click' | 'honeypot' | 'unsubscribe'>;
  readonly date: Date;
  /** The seed of spins; derived from ids, so that a preview and the send agree. */
  readonly seed: string;
  /** Shows `[name]` for a missing value; never used for an email that is sent. */
  readonly standIns?: boolean;
}

export type RenderedEmail =
  | {
      readonly ok: true;
      readonly input: MessageInput;
      /** Targets of the tracked links, by number; stored with the send. */
      readonly links: readonly string[];
      readonly subject: string;
      /** Whether the email begins a thread instead of replying in the existing one. */
      readonly startsThread: boolean;
    }
  /** Placeholders for which neither the lead nor the mailbox has a valid value. */
  | { readonly ok: false; readonly missing: readonly TemplateNeed[] };

const UNSUBSCRIBE_STYLE = 'margin:24px 0 0;font-size:12px;color:#777777';
const MAX_NAME = 200;

/**
 * Renders one email to one lead. Pure: the same facts give the same bytes, also in a retry or a preview. The plain-text
 * part keeps the original links; the HTML part tracks them if the campaign does.
 */
export function renderEmail(facts: EmailFacts): RenderedEmail {
  const { step, lead, mailbox, settings, ids, urls, standIns } = facts;
  const unsubscribeUrl = urls.unsubscribe(ids.sendId);
  const signature = toHtml(mailbox.signature.trim());
  const sender = { ...mailbox, unsubscribeUrl };
  const inHtml = emailVariables(lead, { ...sender, signature: () => signature });
  const inText = emailVariables(lead, { ...sender, signature: () => toTextPart(signature) });
  const subject = renderTemplate(step.subject, inText, `${facts.seed} subject`, { standIns });
  const body = renderTemplate(step.body, inHtml, `${facts.seed} body`, { standIns });
  if (!subject.ok || !body.ok) {
    return { ok: false, missing: [subject, body].flatMap((part) => (part.ok ? [] : part.missing)) };
  }
  const untracked = appendToBody(body.text, closing(facts, signature, unsubscribeUrl));
  const { html, links } = tracked(untracked, facts, unsubscribeUrl);
  const { startsThread, ...place } = placeInThread(subject.text, facts.thread);
  const input: MessageInput = {
    from: { name: headerName(mailbox.displayName), address: mailbox.email },
    to: { name: headerName(`${lead.firstName ?? ''} ${lead.lastName ?? ''}`), address: lead.email },
    ...place,
    html,
    text: toTextPart(untracked),
    messageId: ids.messageId,
    date: facts.date,
    ...(settings.includeUnsubscribeLink && { headers: unsubscribeHeaders(unsubscribeUrl) }),
  };
  return { ok: true, input, links, subject: place.subject, startsThread };
}

/** Returns the signature and the unsubscribe link, unless the body already contains them. */
function closing({ step, settings }: EmailFacts, signature: string, unsubscribeUrl: string): string {
  let html = '';
  if (signature !== '' && !usesVariable(step.body, SIGNATURE))
    html += `<div class="${SIGNATURE_CLASS}" style="margin:16px 0 0">${signature}</div>\n`;
  if (settings.includeUnsubscribeLink && !usesVariable(step.body, 'unsubscribeLink')) {
    html += `<p style="${UNSUBSCRIBE_STYLE}"><a href="${unsubscribeUrl}" style="color:#777777">Unsubscribe</a></p>\n`;
  }
  return html && `\n${html}`;
}

function tracked(untracked: string, { settings, ids, urls }: EmailFacts, unsubscribeUrl: string) {
  const { html, links } = settings.trackClicks
    ? rewriteLinks(untracked, {
        rewrite: (_url, link) => urls.click(ids.sendId, link),
        keep: new Set([unsubscribeUrl]),
      })
    : { html: untracked, links: [] };
  // An email without links has no clicks to classify.
  const trap = links.length > 0 ? honeypotHtml(urls.honeypot(ids.sendId)) : '';
  const pixel = settings.trackOpens ? pixelHtml(urls.open(ids.sendId)) : '';
  return { html: appendToBody(html, trap + pixel), links };
}

/** One-click unsubscribe (RFC 8058): one URI that accepts a POST. */
function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Returns a name that is valid in a header. A name that mail programs would decode, or that is too long, is omitted.
 */
function headerName(name: string): string {
  const line = oneLine(name).replace(/ +/g, ' ').trim();
  return line.length > MAX_NAME || line.includes('=?') ? '' : line;
}
