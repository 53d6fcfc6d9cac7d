import { type OAuthOutcome } from '@domain/mailboxes';
import { type Response } from 'express';

const TITLES = {
  unknown: 'This link is not valid any more',
  completed: 'The mailbox is connected',
  failed: 'The mailbox was not connected',
} as const;

const CHARACTERS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Sends the browser on, or shows it a page without scripts, styles or links: its address holds the code. */
export function answerOAuth(response: Response, outcome: OAuthOutcome): void {
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  if (outcome.status !== 'unknown' && outcome.redirectUrl !== null) {
    response.status(303).setHeader('Location', outcome.redirectUrl).end();
    return;
  }
  const message =
    outcome.status === 'unknown' ? 'It was used already, or too much time has passed. Start again.' : outcome.message;
  const status = outcome.status === 'unknown' ? 400 : 200;
  response.status(status).type('html').send(page(TITLES[outcome.status], message));
}

function page(title: string, message: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>` +
    `<body><h1>${escaped(title)}</h1><p>${escaped(message)}</p><p>You can close this window.</p></body></html>`
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => CHARACTERS[character] ?? '');
}
