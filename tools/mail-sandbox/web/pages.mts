import type { Email } from 'postal-mime';
import { imagesIn, linksIn } from '../links.mts';
import type { StoredMessage } from '../store.mts';
import { html, type Markup } from './html.mts';

const MOST_LINKS = 50;
/** Maximum size of the inline images of a message; larger ones are omitted from the view. */
const LARGEST_INLINE = 2_000_000;
const ORIGINS: Readonly<Record<StoredMessage['origin'], string>> = {
  smtp: 'sent',
  prospect: 'by a prospect',
  api: 'placed',
};

function page(title: string, search: string, body: Markup): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title} · mail sandbox</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header>
          <h1><a href="/">Mail sandbox</a></h1>
          <span class="note">Nothing here leaves this machine.</span>
          <form action="/" method="get">
            <input name="to" value="${search}" placeholder="Recipient" aria-label="Recipient" />
            <button>Search</button>
          </form>
        </header>
        ${body}
      </body>
    </html>`.text;
}

const shownTime = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+Z$/, '');

function shownSize(bytes: number): string {
  return bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} kB`
      : `${Math.round(bytes / 1024 ** 2)} MB`;
}

/** The distinct placements other than the inbox. */
function placements({ placed = {} }: StoredMessage): string[] {
  return [...new Set(Object.values(placed))];
}

export function listPage(messages: StoredMessage[], total: number, search: string): string {
  const rows = messages.map(
    (message) =>
      html`<tr>
        <td class="time">${shownTime(message.time)}</td>
        <td class="who">${message.from || '<>'}</td>
        <td class="who">${message.to.join(', ')}</td>
        <td><a href="/messages/${message.id}">${message.subject || '(no subject)'}</a></td>
        <td>
          <span class="tag">${ORIGINS[message.origin]}</span>
          ${placements(message).map((placement) => html`<span class="tag">${placement}</span>`)}
        </td>
        <td class="size">${shownSize(message.size)}</td>
      </tr>`,
  );
  const table = html`<table>
    <tr>
      <th>Time (UTC)</th>
      <th>From</th>
      <th>To</th>
      <th>Subject</th>
      <th></th>
      <th>Size</th>
    </tr>
    ${rows}
  </table>`;
  const none = html`<p class="empty">${search ? `Nothing for “${search}”.` : 'Nothing has arrived yet.'}</p>`;
  const note = html`<p class="note">${messages.length} of ${total} shown, newest first.</p>`;
  return page('Messages', search, messages.length > 0 ? html`${table}${note}` : none);
}

export function messagePage(message: StoredMessage, email: Email, source: string, images: boolean): string {
  const facts: [string, string][] = [
    ['From', shownAddress(email.from) || message.from || '<>'],
    ['To', message.to.join(', ')],
    ['Time (UTC)', shownTime(message.time)],
    ['Message-ID', message.messageId],
    ...Object.entries(message.placed ?? {}).map(([to, placement]): [string, string] => [`In ${placement}`, `of ${to}`]),
  ];
  const body = html`<h2>${message.subject || '(no subject)'}</h2>
    <table class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<tr>
            <th>${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </table>
    ${email.html === undefined ? undefined : reader(message, email.html, images)}
    <section>
      <h3>Text</h3>
      ${email.text === undefined ? html`<p class="empty">This message has no text part.</p>` : html`<pre>${email.text}</pre>`}
    </section>
    ${links(email.html ?? '')} ${attachments(email)}
    <details>
      <summary>Headers</summary>
      <table>
        ${email.headers.map(
          ({ originalKey, value }) =>
            html`<tr>
              <th>${originalKey}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </table>
    </details>
    <details>
      <summary>Source</summary>
      <p><a href="/messages/${message.id}/raw">As a file</a></p>
      <pre>${source}</pre>
    </details>`;
  return page(message.subject || 'Message', '', body);
}

function reader(message: StoredMessage, body: string, images: boolean): Markup {
  const remote = imagesIn(body).length;
  const allow = html`<a href="/messages/${message.id}?images=1">Load them</a>`;
  const note = images
    ? html`<p class="note">Remote images are loaded. <a href="/messages/${message.id}">Hide them</a></p>`
    : html`<p class="note">${remote} remote ${remote === 1 ? 'image is' : 'images are'} not loaded. ${allow}</p>`;
  const source = `/messages/${message.id}/html${images ? '?images=1' : ''}`;
  return html`<section>
    ${remote > 0 ? note : undefined}
    <iframe sandbox="" referrerpolicy="no-referrer" src="${source}" title="The message as its reader sees it"></iframe>
  </section>`;
}

function links(body: string): Markup | undefined {
  const found = linksIn(body).slice(0, MOST_LINKS);
  if (found.length === 0) return undefined;
  const items = found.map((url) => html`<li><a href="${url}" rel="noopener noreferrer">${url}</a></li>`);
  return html`<details>
    <summary>${found.length} ${found.length === 1 ? 'link' : 'links'}</summary>
    <ul>
      ${items}
    </ul>
  </details>`;
}

function attachments({ attachments }: Email): Markup | undefined {
  if (attachments.length === 0) return undefined;
  const items = attachments.map(
    ({ filename, mimeType, content }) =>
      html`<li>${filename ?? '(no name)'} · ${mimeType} · ${shownSize(formatSize(content))}</li>`,
  );
  return html`<section>
    <h3>Attachments</h3>
    <ul>
      ${items}
    </ul>
  </section>`;
}

const formatSize = (content: string | ArrayBuffer | Uint8Array): number =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;

function shownAddress(from: Email['from']): string {
  return from ? `${from.name ?? ''} <${from.address ?? ''}>`.trim() : '';
}

/** The HTML part with its inline images; everything else stays as the sender wrote it. */
export function renderBody(email: Email): string {
  const images = new Map<string, string>();
  for (const { contentId, mimeType, content } of email.attachments) {
    const fits = /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType) && formatSize(content) <= LARGEST_INLINE;
    if (!contentId || !fits || typeof content === 'string') continue;
    const bytes = content instanceof Uint8Array ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
    images.set(contentId.replace(/^<|>$/g, ''), `data:${mimeType};base64,${bytes.toString('base64')}`);
  }
  return (email.html ?? '').replace(/\bcid:([^"'\s)>]+)/gi, (all, id: string) => images.get(id) ?? all);
}

export function errorPage(status: number, text: string): string {
  return page(
    String(status),
    '',
    html`<h2>${status}</h2>
      <p>${text}</p>`,
  );
}
