/**
 * A process of the bench: serves over HTTP what a function of one of its files returns, which is called with each request. An object
 * is sent as JSON, bytes as they are. Loads nothing else, so that memory and CPU are those of the function.
 */
import { createServer, type IncomingMessage } from 'node:http';

/** Answers a request of a child; `body` is empty for a GET. */
export type Serve = (url: URL, request: IncomingMessage) => Promise<object | undefined>;

const [file = '', name = ''] = process.argv.slice(2);
const functions = (await import(`./${file}.mts`)) as Record<string, () => Promise<Serve>>;
const serve = await functions[name]?.();
if (!serve) throw new Error(`${file}.mts has no function ${name}`);

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  (url.pathname === '/ready' ? Promise.resolve({}) : serve(url, request)).then(
    (answer) => {
      if (answer === undefined) return; // It hangs on purpose.
      const isBytes = Buffer.isBuffer(answer);
      response.setHeader('content-type', isBytes ? 'application/octet-stream' : 'application/json');
      response.end(isBytes ? answer : JSON.stringify(answer));
    },
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  );
}).listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
