import { escaped } from '../web/html.mts';
import { mailbox, mailDate, message, multipart, text, type Header } from './mime.mts';
import { getDomain, threadHeaders, type Making, type Original } from './original.mts';
import { personName } from './people.mts';

export const SENTIMENTS = ['positive', 'negative', 'neutral', 'unsubscribe'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];
export const STYLES = ['gmail', 'outlook', 'apple'] as const;
export type Style = (typeof STYLES)[number];

export interface ReplyKind {
  sentiment: Sentiment;
  style: Style;
  /** From another address of the person. */
  other: boolean;
}

const WORDS: Record<Sentiment, readonly string[]> = {
  positive: [
    'Thanks for reaching out. Yes, this is interesting for us. Could we have a call on Tuesday afternoon?',
    'Sounds good! Please send me the prices, and let us talk next week.',
    'Hi, good timing: we are looking for exactly this. When would you be free for a demo?',
  ],
  negative: [
    'Thanks, but we are not interested.',
    'No thank you. We already work with somebody and do not plan to change that.',
    'This is not relevant for us at the moment.',
  ],
  neutral: [
    'Thanks for your message. I am not the right person for this; I have passed it on to our operations team.',
    'Received, thank you. I will have a look when I find the time.',
    'Who are your other customers in our industry?',
  ],
  unsubscribe: [
    'Please remove me from your list.',
    'Unsubscribe. And do not contact me again, please.',
    'Take me off your mailing list.',
  ],
};

/** A person's answer with the history quoted in the style of their mail program. */
export function reply(original: Original, kind: ReplyKind, making: Making): Buffer {
  const { style } = kind;
  const words = WORDS[kind.sentiment];
  const said = words[original.recipient.length % words.length] ?? '';
  const { first, full } = personName(original.recipient);
  const from = kind.other ? otherAddress(original.recipient) : original.recipient;
  const body = BODIES[style](original, said, first);
  const headers: Header[] = [
    ['Return-Path', `<${from}>`],
    ['From', mailbox(full, from)],
    ['To', mailbox(original.fromName, original.replyTo)],
    ['Subject', /^re:/i.test(original.subject) ? original.subject : `Re: ${original.subject}`],
    ['Date', mailDate(making.now)],
    ['Message-ID', `<${MESSAGE_ID[style](making.id)}@${getDomain(from)}>`],
    ...threadHeaders(original),
    ...(style === 'apple' ? [['X-Mailer', 'Apple Mail (2.3826.700.81)'] as const] : []),
  ];
  return message(
    headers,
    multipart('alternative', `${style}-${making.id}`, [text('plain', body.plain), text('html', body.html)]),
  );
}

/** The same person's private address. */
function otherAddress(address: string): string {
  const local = address.slice(0, address.lastIndexOf('@')).replace(/[^a-z0-9]/gi, '');
  return `${local}.private@mail.${getDomain(address)}`;
}

const MESSAGE_ID: Record<Style, (id: string) => string> = {
  gmail: (id) => `CAK${id}`,
  outlook: (id) => `AM9PR08MB${id}.eurprd08.prod`,
  apple: (id) => id.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
};

interface Body {
  plain: string;
  html: string;
}

const paragraph = (said: string): string => escaped(said);
const quoted = (plain: string): string => plain.trimEnd().replace(/\r/g, '').replace(/^/gm, '> ');
/** The content of the original's body element, including the tracking pixel: mail programs quote it as well. */
const inner = ({ html, text }: Original): string =>
  html === ''
    ? `<div>${escaped(text).replace(/\r?\n/g, '<br>')}</div>`
    : html.replace(/<\/?(?:!doctype|html|head|body)\b[^>]*>/gi, '');

function gmail(original: Original, said: string, first: string): Body {
  const day = original.date.toLocaleDateString('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const time = original.date.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  const who = mailbox(original.fromName, original.fromAddress);
  const line = `On ${day} at ${time} ${who} wrote:`;
  return {
    plain: `${said}\n\n${first}\n\n${line}\n\n${quoted(original.text)}\n`,
    html:
      `<div dir="ltr">${paragraph(said)}<div><br></div><div>${escaped(first)}</div></div><br>` +
      `<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${escaped(line)}<br></div>` +
      `<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">` +
      `${inner(original)}</blockquote></div>\n`,
  };
}

function outlook(original: Original, said: string, first: string): Body {
  const sent = original.date
    .toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })
    .replace(' at ', ' ');
  const facts: [string, string][] = [
    ['From', mailbox(original.fromName, original.fromAddress)],
    ['Sent', sent],
    ['To', original.recipient],
    ['Subject', original.subject],
  ];
  const lines = facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  const bold = facts.map(([name, value]) => `<b>${name}:</b> ${escaped(value)}`).join('<br>');
  return {
    plain: `${said}\n\nBest regards\n${first}\n\n________________________________\n${lines}\n\n${original.text}\n`,
    html:
      `<html><head><style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style></head><body dir="ltr">` +
      `<div class="elementToProof" style="font-family: Aptos, Calibri, sans-serif; font-size: 12pt;">${paragraph(said)}</div>` +
      `<div id="Signature"><p>Best regards</p><p>${escaped(first)}</p></div><div id="appendonsend"></div>` +
      `<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">` +
      `<font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">${bold}</font><div>&nbsp;</div></div>` +
      `<div>${inner(original)}</div></body></html>\n`,
  };
}

function apple(original: Original, said: string, first: string): Body {
  const day = original.date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const time = original.date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
  const line = `On ${day}, at ${time}, ${mailbox(original.fromName, original.fromAddress)} wrote:`;
  return {
    plain: `${said}\n\n${first}\n\n> ${line}\n> \n${quoted(original.text)}\n`,
    html:
      `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>` +
      `<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${paragraph(said)}` +
      `<div><br></div><div>${escaped(first)}</div><br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite">` +
      `<div>${escaped(line)}</div><br class="Apple-interchange-newline"><div>${inner(original)}</div></blockquote></div>` +
      `<br></body></html>\n`,
  };
}

const BODIES: Record<Style, (original: Original, said: string, first: string) => Body> = { gmail, outlook, apple };
