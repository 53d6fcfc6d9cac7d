import { type Response } from 'express';

/** Outcome of a consent, as returned by its domain. */
export type OAuthArrival =
  | { readonly status: 'unknown' }
  | { readonly status: 'completed' | 'failed'; readonly message: string; readonly redirectUrl: string | null };

const CHARACTERS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Redirects the browser, or shows a page without scripts, styles or links, because its URL contains the code.
 * @param thing the connected product, as the subject of a sentence
 */
export function answerOAuth(response: Response, outcome: OAuthArrival, thing: string): void {
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  if (outcome.status !== 'unknown' && outcome.redirectUrl !== null) {
    response.status(303).setHeader('Location', outcome.redirectUrl).end();
    return;
  }
  const message =
    outcome.status === 'unknown' ? 'It has already been used or has expired. Start again.' : outcome.message;
  const status = outcome.status === 'unknown' ? 400 : 200;
  response
    .status(status)
    .type('html')
    .send(renderPage(getTitle(outcome.status, thing), message));
}

function getTitle(status: OAuthArrival['status'], thing: string): string {
  if (status === 'unknown') return 'This link is no longer valid';
  return status === 'completed' ? `${thing} is connected` : `${thing} was not connected`;
}

function renderPage(title: string, message: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>` +
    `<body><h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p><p>You can close this window.</p></body></html>`
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => CHARACTERS[character] ?? '');
}
