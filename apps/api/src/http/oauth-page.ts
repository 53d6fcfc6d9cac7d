import { type Response } from 'express';

/** How a consent went, as its domain tells it. */
export type OAuthArrival =
  | { readonly status: 'unknown' }
  | { readonly status: 'completed' | 'failed'; readonly message: string; readonly redirectUrl: string | null };

const CHARACTERS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Sends the browser on, or shows it a page without scripts, styles or links: its address holds the code.
 * @param thing what was to be connected, as a sentence begins with it
 */
export function answerOAuth(response: Response, outcome: OAuthArrival, thing: string): void {
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  if (outcome.status !== 'unknown' && outcome.redirectUrl !== null) {
    response.status(303).setHeader('Location', outcome.redirectUrl).end();
    return;
  }
  const message =
    outcome.status === 'unknown' ? 'It was used already, or too much time has passed. Start again.' : outcome.message;
  const status = outcome.status === 'unknown' ? 400 : 200;
  response
    .status(status)
    .type('html')
    .send(page(titleOf(outcome.status, thing), message));
}

function titleOf(status: OAuthArrival['status'], thing: string): string {
  if (status === 'unknown') return 'This link is not valid any more';
  return status === 'completed' ? `${thing} is connected` : `${thing} was not connected`;
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
