import { type ServerResponse } from 'node:http';
import { type SiteServer } from '../../../../adapters/web/testing';

/** A request of the crawler whose answer waits for the test. */
export interface HeldAnswer {
  readonly asked: Promise<void>;
  readonly answer: (body: string) => void;
}

/** Delays the answer for a path until `answer` is called. */
export function holdAnswer(site: SiteServer, path: string): HeldAnswer {
  const asked = Promise.withResolvers<void>();
  let held: ServerResponse | undefined;
  site.answer(path, (response) => {
    held = response;
    asked.resolve();
  });
  return { asked: asked.promise, answer: (body) => held?.writeHead(200, { 'content-type': 'text/html' }).end(body) };
}
