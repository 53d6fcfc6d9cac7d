import { imagesIn, isLoopback, linksIn } from './links.mts';
import type { Original } from './messages/original.mts';

const PATIENCE_MS = 10_000;
const MOST_REQUESTS = 50;
const READER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const SCANNER = 'Mozilla/5.0 (compatible; MailSandbox-LinkScanner/1.0)';

/** What prospects do on the web: this machine only, no redirects followed, failures ignored as people ignore them. */
export class ProspectBrowser {
  async open({ html }: Original, signal: AbortSignal): Promise<void> {
    for (const url of imagesIn(html).slice(0, MOST_REQUESTS)) await call(url, signal, { agent: READER });
  }

  /** Opens the first link to this machine, if possible not the opt-out: an interested person does not click that. */
  async click({ html }: Original, signal: AbortSignal): Promise<void> {
    const links = linksIn(html).filter(isLoopback);
    const url = links.find((link) => !/unsub|opt-?out/i.test(link)) ?? links[0];
    if (url) await call(url, signal, { agent: READER });
  }

  async scan({ html }: Original, signal: AbortSignal): Promise<void> {
    const urls = [...linksIn(html), ...imagesIn(html)].slice(0, MOST_REQUESTS);
    await Promise.all(urls.map((url) => call(url, signal, { agent: SCANNER, method: 'HEAD' })));
    await Promise.all(urls.map((url) => call(url, signal, { agent: SCANNER })));
  }

  /** RFC 8058: one POST, without cookies, to the https or http address of List-Unsubscribe. */
  async unsubscribe(original: Original, signal: AbortSignal): Promise<void> {
    const allowed = /^list-unsubscribe=one-click$/i.test(original.header('list-unsubscribe-post')?.trim() ?? '');
    const url = /<(https?:[^<>\s]+)>/i.exec(original.header('list-unsubscribe') ?? '')?.[1];
    if (allowed && url) await call(url, signal, { agent: READER, method: 'POST', body: 'List-Unsubscribe=One-Click' });
  }
}

interface Call {
  agent: string;
  method?: string;
  body?: string;
}

async function call(url: string, signal: AbortSignal, { agent, method = 'GET', body }: Call): Promise<void> {
  if (!isLoopback(url)) return;
  try {
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        'user-agent': agent,
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    await answer.body?.cancel();
  } catch {
    // the server is away; a person would shrug
  }
}
